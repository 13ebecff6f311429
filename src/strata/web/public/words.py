"""The few words that pages say themselves, and which language a text is in."""

import re
from collections import Counter
from typing import NamedTuple
from unicodedata import name

_TAG = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}\Z")
_SCRIPTS = {
    "HANGUL": "ko",
    "HIRAGANA": "ja",
    "KATAKANA": "ja",
    "CJK": "zh",
    "CYRILLIC": "ru",
    "ARABIC": "ar",
    "HEBREW": "he",
    "GREEK": "el",
    "DEVANAGARI": "hi",
    "THAI": "th",
}
# How much of a text is looked at, and which part of its letters makes a language.
_LOOKED_AT = 4_000
_SHARE = 0.2
_MONTHS = (
    "January February March April May June July August September October November December"
).split()
RIGHT_TO_LEFT = frozenset({"ar", "he", "fa", "ur"})


class Words(NamedTuple):
    """What pages say, in one language."""

    skip: str = "Skip to the text"
    contents: str = "Contents"
    published: str = "Published"
    pinned: str = "Pinned"
    empty: str = "Nothing here"
    missing: str = "There is no page at this address."
    source: str = "Markdown"
    feed: str = "Feed"
    task: str = "Task"
    pages: str = "Pages"
    latest: str = "Latest"
    powered: str = "Published with Strata"
    old: str = "Version {} of this page, which only you and others who manage it can see."


_ENGLISH = Words()
_KOREAN = Words(
    skip="본문으로 건너뛰기",
    contents="목차",
    published="게시",
    pinned="고정됨",
    empty="아무것도 없습니다",
    missing="이 주소에는 페이지가 없습니다.",
    source="마크다운",
    feed="피드",
    task="할 일",
    pages="글",
    latest="최신 글",
    powered="Strata로 게시함",
    old="이 페이지의 버전 {}입니다. 관리하는 사람만 볼 수 있습니다.",
)


def words_in(language: str) -> Words:
    """Return the words of a language, English where we have none."""
    return _KOREAN if language.partition("-")[0] == "ko" else _ENGLISH


def date_in(language: str, date: str) -> str:
    """Return an ISO date as a language writes it.

    >>> date_in("en", "2026-11-08T10:00:00Z"), date_in("ko", "2026-11-08T10:00:00Z")
    ('8 November 2026', '2026년 11월 8일')
    """
    year, month, day = (int(part) for part in date[:10].split("-"))
    name = language.partition("-")[0]
    if name == "ko":
        return f"{year}년 {month}월 {day}일"
    return f"{day} {_MONTHS[month - 1]} {year}" if name == "en" else date[:10]


def language_of(text: str, told: object = None) -> str:
    """Return the language of a text: what its frontmatter tells, or what its letters say.

    >>> language_of("모두를 위한 글"), language_of("Hello"), language_of("", "pt-BR")
    ('ko', 'en', 'pt-BR')
    """
    if isinstance(told, str) and _TAG.match(told.strip()):
        return told.strip()
    letters = [letter for letter in text[:_LOOKED_AT] if letter.isalpha()]
    scripts = Counter(name(letter, "").partition(" ")[0] for letter in letters)
    counts = Counter[str]()
    for script, count in scripts.items():
        counts[_SCRIPTS.get(script, "en")] += count
    # Japanese is written with Chinese letters too, and both with foreign words in between.
    if counts["ja"]:
        counts["ja"] += counts.pop("zh", 0)
    best = max((one for one in counts if one != "en"), key=lambda one: counts[one], default="en")
    return best if counts[best] > _SHARE * len(letters) else "en"
