"""Does what replaced something rank above it? Pairs that a key, a topic, a link or a tag joins.

Of each pair the question has the words of the older text, so a ranking by words and meaning alone
prefers that one. The other pairs and some notes with the same words lie in the same store.
"""

from collections.abc import Callable, Iterator
from itertools import product
from textwrap import dedent
from typing import NamedTuple

import strata

# Subjects; of each aspect the older text, the newer one and a question; and a note.
_SUBJECTS = {
    "en": """billing service|mobile app|search index|wiki|payroll import|image resizer|login page
        |data warehouse|newsletter|build server""",
    "ko": """결제 서비스|모바일 앱|검색 색인|위키|급여 연동|이미지 변환기|로그인 화면|분석 창고
        |소식지|빌드 서버""",
}
_ASPECTS = {
    "en": """
        The {} is deployed on Friday evening
        Releases of the {} go out on Tuesday at ten
        is the {} deployed on Friday evening?

        The {} belongs to the platform team
        Kim's group owns the {} from now on
        does the {} belong to the platform team?

        The {} keeps its logs for ninety days
        Two weeks is the retention of the {}
        are logs of the {} kept for ninety days?

        Passwords of the {} are hashed with bcrypt
        The {} has passkeys only, nothing to hash
        which hash do passwords of the {} have, bcrypt?
        """,
    "ko": """
        {} 배포는 금요일 저녁에 한다
        {} 릴리스는 화요일 오전 열 시
        {} 배포는 금요일 저녁에 하나요?

        {} 담당은 플랫폼 팀이다
        이제 김 과장 쪽에서 {} 일을 맡는다
        {} 담당은 플랫폼 팀인가요?

        {} 로그는 구십 일 동안 보관한다
        두 주가 지나면 {} 기록을 지운다
        {} 로그를 구십 일 동안 보관하나요?

        {} 비밀번호는 bcrypt로 해시한다
        {} 쪽은 패스키만 쓴다
        {} 비밀번호 해시는 bcrypt인가요?
        """,
}
_NOTES = {
    "en": "minutes: the {} on Friday evening, its logs, its team, bcrypt",
    "ko": "회의록: {} 금요일 저녁, 로그 보관, 담당 팀, bcrypt",
}


class Pair(NamedTuple):
    """An older and a newer text about one thing, and a question in the words of the older one."""

    name: str
    older: str
    newer: str
    question: str


class Placed(NamedTuple):
    """How many pairs were asked about, and in how many answers the newer one is first."""

    asked: int
    newer_first: int
    both: int


def pairs(language: str) -> Iterator[Pair]:
    """Yield every subject with every aspect."""
    aspects = dedent(_ASPECTS[language]).strip().split("\n\n")
    for (number, aspect), subject in product(enumerate(aspects), _subjects(language)):
        yield Pair(f"{subject} {number}", *aspect.format(*[subject] * 3).splitlines())


def notes(language: str) -> Iterator[str]:
    """Yield notes that share words with the pairs."""
    return map(_NOTES[language].format, _subjects(language))


def _subjects(language: str) -> list[str]:
    return [subject.strip() for subject in _SUBJECTS[language].split("|")]


def by_key(db: strata.Workspace, pair: Pair) -> tuple[str, str]:
    """Put both under one key; the older one is history."""
    db.kv.put(pair.name, pair.older)
    db.kv.put(pair.name, pair.newer)
    return "", pair.name


def by_tag(db: strata.Workspace, pair: Pair) -> tuple[str, str]:
    """Put two facts, of which the newer one names the older by a tag."""
    db.kv.put(f"{pair.name} a", pair.older)
    db.kv.put(f"{pair.name} b", pair.newer, tags=[f"supersedes:{pair.name} a"])
    return f"{pair.name} a", f"{pair.name} b"


def by_topic(db: strata.Workspace, pair: Pair) -> tuple[str, str]:
    """Save two decisions on one topic."""
    older = db.decisions.save(pair.name, pair.older, "-").memory.id
    return older, db.decisions.save(pair.name, pair.newer, "-").memory.id


def by_link(db: strata.Workspace, pair: Pair) -> tuple[str, str]:
    """Save two decisions on two topics, of which the newer one names the older."""
    older = db.decisions.save(f"{pair.name} a", pair.older, "-").memory.id
    newer = db.decisions.save(f"{pair.name} b", pair.newer, "-", supersedes=older)
    return older, newer.memory.id


def by_nothing(db: strata.Workspace, pair: Pair) -> tuple[str, str]:
    """Put two facts that nothing joins: what words and meaning make of these texts."""
    db.kv.put(f"{pair.name} a", pair.older)
    db.kv.put(f"{pair.name} b", pair.newer)
    return f"{pair.name} a", f"{pair.name} b"


JOINED: dict[str, Callable[[strata.Workspace, Pair], tuple[str, str]]] = {
    "key": by_key,
    "tag": by_tag,
    "topic": by_topic,
    "link": by_link,
    "nothing": by_nothing,
}


def place(language: str, how: str, *, embeds: bool) -> Placed:
    """Store the pairs of a language, joined in one way, and ask for each."""
    with strata.open(durability="cache", auto_embed=embeds) as db:
        stored = {pair: JOINED[how](db, pair) for pair in pairs(language)}
        for number, note in enumerate(notes(language)):
            db.kv.put(f"note {number}", note)
        if embeds:
            db.embeddings.wait()
        first = both = 0
        for pair, (older, newer) in stored.items():
            found = [hit.key for hit in db.search(pair.question, strict=False)]
            both += older in found and newer in found
            first += newer in found and newer in found[: _index(found, older)]
        return Placed(len(stored), first, both)


def _index(found: list[str], key: str) -> int:
    return found.index(key) if key in found else len(found)
