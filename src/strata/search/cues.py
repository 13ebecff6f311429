"""What a text tells beside its words: when, who, whether it asks; and what a question wants.

Only plain patterns, the same for every kind of text: chats, notes, logs, minutes and decisions,
mostly in English and Korean. Dates and labels count where a text begins; further on they are
mentioned, not meant.

    [1:56 pm on 8 May, 2023] Caroline: Hi!      2023-05-08, label caroline, body `Hi!`
    2026-03-19: shipped                         2026-03-19, body `shipped`
    [2026-05-02] 결정 cache_policy: LRU         2026-05-02, label cache_policy, body `LRU`
    Note: call http: later                      no label; all of it is body
"""

import re
from collections.abc import Iterator
from datetime import date
from functools import cache, reduce
from itertools import islice
from typing import TypeAlias
from unicodedata import normalize

from msgspec import Struct
from msgspec.structs import asdict

from strata.search.tokens import cut, is_stop

# A longer text has times, names and numbers anyway.
TOLD_CHARACTERS_MAX = 4_000
_HEAD_CHARACTERS = 200
_TAIL_CHARACTERS = 100
_QUESTION_CHARACTERS = 1_000
_DATES_MAX = 8
_NAMES_MAX = 64

PartialDate: TypeAlias = tuple[int | None, int | None, int | None]  # year, month, day


class Front(Struct, frozen=True):
    """What comes before a text: a date, a label."""

    date: int  # proleptic ordinal, 0 for none
    label: str  # who or what the text comes from, as `names` would spell it; or nothing
    is_topic: bool  # the label is what the text is about: `Decision cache_policy: …`
    start: int  # where the text goes on behind the date
    body: int  # where it goes on behind date and label


class Cues(Front, frozen=True):
    """What a text tells beside its words."""

    is_question: bool
    is_temporal: bool
    has_number: bool
    names: int  # words in the midst of sentences that look like names, up to three


class Asked(Struct, frozen=True):
    """What kind of answer a question wants."""

    dates: tuple[PartialDate, ...]
    is_when: bool
    is_who: bool  # a name: of a user, of a place, of one thing among others
    is_how_many: bool


def read(text: str) -> Cues:
    """Return what a text tells beside its words."""
    front = read_front(text)
    body, chunks = cut(text[front.body : front.body + TOLD_CHARACTERS_MAX])
    is_temporal, has_number, count = tell(body, reduce(int.__or__, map(signs, chunks), 0))
    return Cues(
        **asdict(front),
        is_question=asks(text, front.body),
        is_temporal=is_temporal,
        has_number=has_number,
        names=count,
    )


def read_front(text: str) -> Front:
    """Return the date and the label in front of a text, and where it goes on."""
    head = text[:_HEAD_CHARACTERS]
    day, start, label_at = _date_in_front(head)
    label, is_topic, body = _label_in_front(head, label_at)
    return Front(day, label, is_topic, start, body or start)


def ask(question: str) -> Asked:
    """Return what kind of answer a question wants, and which dates it names."""
    question = normalize("NFKC", question[:_QUESTION_CHARACTERS])
    # None of it is without a hint; compiling an expression takes half a millisecond.
    has = question.casefold().__contains__
    when, who, how_many = (
        any(map(has, hints)) for hints in (_WHEN_HINTS, _WHO_HINTS, _HOW_MANY_HINTS)
    )
    return Asked(
        dates=_dates_in(question),
        is_when=when and _pattern(_WHEN).search(question) is not None,
        is_who=who and _pattern(_WHO).search(question) is not None,
        is_how_many=how_many and _pattern(_HOW_MANY).search(question) is not None,
    )


def _dates_in(question: str) -> tuple[PartialDate, ...]:
    # No date is without a digit or a month; the whole pattern takes milliseconds to compile.
    if not _pattern(f"(?i)[0-9]|{'|'.join(_MONTHS)}").search(question):
        return ()
    dates = filter(None, map(_partial_date, _date_pattern().finditer(question)))
    return tuple(dict.fromkeys(islice(dates, _DATES_MAX)))


def names(question: str) -> list[str]:
    """Return the names that a question may use for a speaker, spelled as labels are: up to three
    words."""
    question = normalize("NFKC", question[:_QUESTION_CHARACTERS])
    words = _pattern(r"@?\w+(?:[-.'’]\w+)*").findall(question)
    return list(islice(dict.fromkeys(_names_in(words)), _NAMES_MAX))


def closeness(asked: PartialDate, ordinal: int) -> float:
    """Return from 0 to 1 how well a day fits a date that was asked for.

    What happened on a day is often told in the week after it, seldom before.
    """
    if not 0 < ordinal <= date.max.toordinal():
        return 0.0
    day = date.fromordinal(ordinal)
    year, month, number = asked
    if month is None:
        return 0.1 if year == day.year else 0.0
    if number is None:
        months = (day.year - (year or day.year)) * 12 + day.month - month
        return {0: 0.6, 1: 0.25}.get(months if year else months % 12, 0.0)
    years = (year,) if year else (day.year - 1, day.year, day.year + 1)
    days = filter(None, (_ordinal(each, month, number) for each in years))
    return max((_nearness(ordinal - each) for each in days), default=0.0)


def _nearness(days_later: int) -> float:
    if days_later == 0:
        return 1.0
    if 0 < days_later <= 7:
        return 0.5
    return 0.3 if -7 <= days_later <= 31 else 0.0


# ---------------------------------------------------------------- dates

_MONTHS: tuple[str, ...] = tuple("jan feb mar apr may jun jul aug sep oct nov dec".split())
_MONTH = (
    "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
# Looking back only behind two digits it is found five times as fast.
_YEAR = "(?:19|20)(?<![0-9A-Za-z_.#$€₩/:-]..)[0-9]{2}(?![0-9A-Za-z_%:/-]|[.,][0-9])"
_DAY = "[0-9]{1,2}(?:st|nd|rd|th)?"
_FOLLOWING_YEAR = "(?:19|20)[0-9]{2}(?![0-9])"
_ALONE = r"(?!,?\s+[0-9])"
# One alternative a line; the letter in front of a group's number says what it holds.
_DATE_FORMS = (
    r"(?P<y1>[0-9]{4})(?P<s>[-/.])\s?(?P<m1>[0-9]{1,2})(?P=s)\s?(?P<d1>[0-9]{1,2})(?![0-9])\.?",
    r"(?P<y2>[0-9]{4})[-/](?P<m2>[0-9]{1,2})(?![0-9/-])",
    r"(?:(?P<y3>[0-9]{4})\s?[년年]\s*)?(?P<m3>[0-9]{1,2})\s?[월月](?:\s*(?P<d3>[0-9]{1,2})\s?[일日])?",
    "(?P<y4>[0-9]{4})[년年]",
    rf"(?P<d5>{_DAY})[\s-]+(?:of\s+)?(?P<m5>{_MONTH})(?:[\s,-]+(?P<y5>{_FOLLOWING_YEAR}))?",
    rf"(?P<m6>{_MONTH}),?\s+(?P<y6>{_FOLLOWING_YEAR})",
    rf"(?P<m7>{_MONTH})\s+(?P<d7>{_DAY})(?![0-9:])(?:,?\s+(?P<y7>{_FOLLOWING_YEAR}))?",
    # Months that are words or names as well need a sign that a time is meant.
    rf"(?:in|since|until|during|between|early|late|mid)[\s-](?P<m8>{_MONTH}){_ALONE}",
    rf"(?:last|next|this|before|after|by|around|from|of)\s(?P<m9>(?-i:(?=[A-Z])){_MONTH}){_ALONE}",
    r"(?P<m10>january|february|july|september|october|november|december)\b",
    f"(?P<y11>{_YEAR})",
    # Which is the day and which the month is known only if one cannot be a month.
    r"(?P<d12>1[3-9]|2[0-9]|3[01])/(?P<m12>[0-9]{1,2})/(?P<y12>[0-9]{4})(?![0-9])",
    r"(?P<m13>[0-9]{1,2})/(?P<d13>1[3-9]|2[0-9]|3[01])/(?P<y13>[0-9]{4})(?![0-9])",
)


@cache
def _pattern(expression: str) -> re.Pattern[str]:
    """Compile when first needed: the program starts without paying for it."""
    return re.compile(expression)


@cache
def _date_pattern() -> re.Pattern[str]:
    return re.compile(f"(?i)(?<![0-9A-Za-z_.])(?:{'|'.join(_DATE_FORMS)})")


def _partial_date(found: re.Match[str]) -> PartialDate | None:
    """Return the parts of a date that was found, or None if no calendar has it."""
    parts = {name[0]: value for name, value in found.groupdict().items() if value}
    month = _month(parts["m"]) if "m" in parts else None
    number = int(_pattern("[0-9]+").findall(parts["d"])[0]) if "d" in parts else None
    if month not in (None, *range(1, 13)) or number not in (None, *range(1, 32)):
        return None
    return int(parts["y"]) if "y" in parts else None, month, number


def _month(name: str) -> int:
    return int(name) if name.isdigit() else _MONTHS.index(name[:3].lower()) + 1


def _ordinal(year: int, month: int, number: int) -> int:
    """Return the ordinal of a day, or 0 if no calendar has it."""
    try:
        return date(year, month, number).toordinal()
    except ValueError:
        return 0


# What may surround a date in front of a text: the time, the day of the week, brackets.
_TIME = (
    r"(?:T?[0-9]{1,2}:[0-9]{2}(?::[0-9]{2}(?:[.,][0-9]{1,9})?)?|[0-9]{1,2}(?=\s?[ap]m))"
    r"(?:\s?[ap]\.?m\b\.?)?(?:\s?(?:Z|UTC|GMT|KST|[+-][0-9]{2}:?[0-9]{2})\b)?"
    "|(?:오전|오후)\\s?[0-9]{1,2}(?::[0-9]{2}(?::[0-9]{2})?|시(?:\\s?[0-9]{1,2}분)?)"
)
_WEEKDAY = (
    r"(?:mon|tue|tues|wed|wednes|thu|thur|thurs|fri|sat|satur|sun)(?:day)?\b\.?"
    "|[월화수목금토일]요일|\\([월화수목금토일]\\)"
)
_BEFORE_DATE = rf"(?i)\s+|[\[(]|[,;|]|on\b|{_TIME}|{_WEEKDAY}"
_AFTER_DATE = rf"(?i)\s+|[\])]|[,;|]|[~–—-]+(?=\s)|(?:at\s+)?(?:{_TIME})|{_WEEKDAY}"
# A date that may be read in two ways tells no date, but a label may follow it.
_UNCLEAR_DATE = r"[0-9]{1,2}/[0-9]{1,2}/[0-9]{2,4},?\s+"
_ONLY_TIME = rf"(?i)\s*[\[(]?(?:{_UNCLEAR_DATE})?(?:{_TIME})[\])]?(?:\s+[–—-])?\s+"
_FIRST_WORD = r"\s*(?:[-*>•#]+\s+)?(\w*)"
# No full date is without one of these. Beginning with one digit it is found at once.
_YEAR_OF_DATE = r"[0-9](?<=[0-9]{4})(?:\s?[-/.년年]|(?<=/....)|(?<=[\s,-](?:19|20)..)(?![0-9]))"


def _date_in_front(head: str) -> tuple[int, int, int]:
    """Return the date in front of a text, where the text goes on, and where a label may be."""
    first = _pattern(_FIRST_WORD).match(head)
    assert first is not None, "every part of the pattern may be empty"
    word, bullet = first[1], first.start(1)
    # Most texts begin with a word that comes before no date: no need to look further.
    if word.isalpha() and word.lower() not in _words_before_date():
        return 0, 0, bullet
    if not _pattern(_YEAR_OF_DATE).search(head):
        is_time = not (word.isascii() and word.isalpha())
        return 0, 0, (is_time and _end(_ONLY_TIME, head, bullet)) or bullet
    at = bullet
    while not (day := _full_date(head, at)):
        step = _end(_BEFORE_DATE, head, at) or _end(_kind_pattern(), head, at)
        if not step:
            return 0, 0, _end(_ONLY_TIME, head, bullet) or bullet
        at = step
    ordinal, at = day
    while step := _end(_AFTER_DATE, head, at):
        at = step
    # A colon ends the date; what follows is the text, or a label and the text.
    at = _end(r"\s*[:：]\s*", head, at) or at
    return ordinal, at, at


@cache
def _words_before_date() -> frozenset[str]:
    """Return the words that a date, or a time in front of it, may begin with or come behind."""
    ends = ("", *"uary ruary ch il e y ust t tember ober ember".split())
    months = {month + end for month in _MONTHS for end in ends}
    days = {day[:length] for day in _WEEKDAYS for length in range(3, len(day) + 1)}
    korean = {f"{day}요일" for day in "월화수목금토일"}
    return frozenset({"on", "오전", "오후", *months, *days, *korean, *_KINDS})


def _end(expression: str, text: str, at: int) -> int:
    """Return where a match that begins at a place ends, or 0."""
    found = _pattern(expression).match(text, at)
    return found.end() if found else 0


def _full_date(head: str, at: int) -> tuple[int, int] | None:
    found = _date_pattern().match(head, at)
    year, month, number = (found and _partial_date(found)) or (None, None, None)
    if not found or not year or not month or not number:
        return None
    ordinal = _ordinal(year, month, number)
    return (ordinal, found.end()) if ordinal else None


# ---------------------------------------------------------------- labels

# Kinds of texts, which are not names of speakers. Followed by a name, it is the name that counts.
_KINDS = frozenset(
    "note notes memo todo fixme hack xxx nb ps tip hint info debug trace warn warning error fatal "
    "critical notice attention caution important update edit edited summary tldr subject title "
    "topic re fw fwd from to cc bcc date time when where who what why how question answer faq "
    "example decision decided insight checkpoint context action actions agenda minutes meeting "
    "standup daily weekly journal diary log result results reason rationale conclusion background "
    "status goal goals plan problem issue bug fix cause solution step steps source link url http "
    "https see also input output result return returns usage default version name id key value "
    "type description file path section chapter attendees participants author location "
    "결정 결정사항 메모 노트 참고 주의 경고 오류 정보 알림 공지 중요 할일 할 일 회의록 회의 일시 "
    "날짜 시간 장소 참석자 안건 결론 요약 문제 해결 원인 배경 이유 목표 계획 제목 주제 내용 질문 "
    "답변 예 예시 링크 상태 결과 기록 일지 일기 진행 작성자 버전 이름 설명 "
    "注 注意 備考 メモ 例 決定 备注 决定 说明 説明 日時 日期".split()
)
# Those who speak in records of conversations, written in lower case there.
_ROLES = frozenset("user assistant system human ai agent bot customer tool".split())
# Small words inside the names of people.
_PARTICLES = frozenset("al bin da de del den der di du el la le van von y".split())
_LABEL_CHARACTERS = range(2, 41)
_IN_NAME = r"\w\u0300-\u036f.'’-"
_LABEL = (
    rf"(?P<bold>\*\*|__)?(?P<name>@?[^\W\d][{_IN_NAME}]{{0,39}}(?: [{_IN_NAME}]{{1,40}}){{0,3}})"
    r"(?:\s?[(\[][^()\[\]\n]{1,30}[)\]])?(?(bold)(?:\*\*|__)?)"
    r"(?:\s?:(?:\*\*|__)?(?=\s)|\s?：)\s*"
)
# A messenger's way: [김지수] [오후 3:12] 안녕
_LABEL_IN_BRACKETS = rf"(?i)\[(?P<name>[^\[\]\n]{{2,40}})\]\s*\[(?:{_TIME})\]\s*"


@cache
def _kind_pattern() -> str:
    words = "|".join(sorted(map(re.escape, _KINDS), key=len, reverse=True))
    return rf"(?i)(?:{words})(?!\w)\s*:?"


def _label_in_front(head: str, at: int) -> tuple[str, bool, int]:
    """Return the label at a place, whether it is a topic, and where the text goes on behind it."""
    if ":" not in head and "：" not in head and "[" not in head:
        return "", False, 0
    found = _pattern(_LABEL).match(head, at) or _pattern(_LABEL_IN_BRACKETS).match(head, at)
    label, is_topic = _label_of(found["name"].split()) if found else ("", False)
    return (label, is_topic, found.end()) if found and label else ("", False, 0)


def _label_of(words: list[str]) -> tuple[str, bool]:
    """Return the label that words in front of a colon make, or nothing; and if it is a topic."""
    named = words
    while named and named[0].lower() in _KINDS:
        named = named[1:]
    has_kind = len(named) < len(words)
    is_role = len(words) == 1 and words[0].lower() in _ROLES
    if not (has_kind or is_role or all(map(_is_name_like, named))):
        return "", False
    # What begins with a digit is a number that the text is about.
    label = _spelled(" ".join(named)) if named and not named[0][0].isdigit() else ""
    is_fit = len(label) in _LABEL_CHARACTERS and len(named) <= 3
    return (label, has_kind) if is_fit else ("", False)


def _is_name_like(word: str) -> bool:
    return not word[0].islower() or word in _PARTICLES


def _spelled(name: str) -> str:
    return normalize("NFKC", name).casefold().lstrip("@").rstrip(".")


def _names_in(words: list[str]) -> Iterator[str]:
    """Yield the names of up to three words, no longer than the words that may be part of one."""
    before: list[str] = []
    for at, word in enumerate(words):
        if not _may_be_named(word, is_first=at == 0):
            before = []
            continue
        forms = list(_forms(word))
        for count in range(min(len(before), 2) + 1):
            front = before[len(before) - count :]
            yield from (" ".join([*front, form]) for form in forms)
        before.append(forms[0])


def _may_be_named(word: str, *, is_first: bool) -> bool:
    """Tell names from numbers and common words; `Will` may be one, but not in front."""
    if word[0].isdigit():
        return False
    return not is_stop(word.lower()) or (word[0].isupper() and not is_first and word != "I")


def _forms(word: str) -> Iterator[str]:
    """Yield a word as a label would have it: bare, without 's or a Korean particle."""
    word = _spelled(word)
    yield _pattern("['’]s$").sub("", word)
    if "가" <= word[-1:] <= "힣":
        yield from (word[:-count] for count in (1, 2) if len(word) - count >= 2)


# ---------------------------------------------------------------- what a text tells

_WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_TIME_WORDS = frozenset(
    "yesterday today tonight tomorrow last next ago recently lately soon since weekend weekends "
    "hour hours day days week weeks month months year years decade decades morning afternoon "
    "evening night noon midnight january february march april june july august september october "
    "november december".split()
    + _WEEKDAYS
)
_NUMBER_WORDS = frozenset(
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "twenty thirty forty fifty hundred thousand million billion dozen once twice thrice half "
    "double triple couple every".split()
)
_KOREAN_TIMES = (
    "어제|그제|오늘|내일|모레|방금|아까|최근|지난|다음|이번|작년|올해|내년|재작년|요즘|곧|아침|점심|저녁|"
    "오전|오후|새벽|주말|[월화수목금토일]요일|[0-9]\\s?(?:년|월|일|주|시|분)|(?:달|주일|년|시간)\\s?전"
)
_KOREAN_COUNTED = "(?:명|개|번|마리|살|시간|달|주|가지|권|대|곳|차례|건|배|사람|분)"
_KOREAN_NUMBERS = (
    f"(?:한|두|세|네|다섯|여섯|일곱|여덟|아홉|열|스무|몇)\\s?{_KOREAN_COUNTED}"
    "|하나|둘|셋|넷|절반|매일|매주|매달|매년"
)
_NOT_NAMES = frozenset(
    [
        *_WEEKDAYS,
        *"january february march april may june july august".split(),
        *"september october november december god english korean okay yes no".split(),
    ]
)
# Beginning with the blank it is found three times as fast.
_NAMES = " (?<=[a-z,;] )([A-ZÀ-Þ][a-zß-ÿ]+)"
_KOREAN_TITLES = "(?:씨|님|팀장|대표|교수|박사|선생|과장|부장|차장|대리|매니저)"
_KOREAN_NAMES = f"[가-힣]{{2,4}} ?{_KOREAN_TITLES}"
_KOREAN_NAMED = f"(?<![가-힣])(?!{_KOREAN_TITLES})([가-힣]{{2,4}}?) ?{_KOREAN_TITLES}"
# Letters with digits, with a line below or with a capital inside, and capitals alone.
_IDENTIFIERS = (
    "(?<![A-Za-z0-9_])(?:(?=[A-Za-z_]*[0-9])(?=[0-9_]*[A-Za-z])[A-Za-z0-9_]+"
    "|[A-Za-z0-9]+_[A-Za-z0-9_]+|[A-Z]?[a-z]+[A-Z][A-Za-z0-9_]*|[A-Z]{2,})(?![A-Za-z0-9_])"
)


# What a chunk may add to what its text tells.
_HAS_TIME, _HAS_NUMBER, _MAYBE_YEAR, _MAYBE_TIME, _MAYBE_NUMBER, _MAYBE_NAME = 1, 2, 4, 8, 16, 32
# Korean forms go beyond one chunk, but not without a chunk like these.
_KOREAN_SIGNS = {
    _MAYBE_TIME: f"^[년월일주시분전]|{_KOREAN_TIMES}",
    _MAYBE_NUMBER: f"^{_KOREAN_COUNTED}|{_KOREAN_NUMBERS}",
    _MAYBE_NAME: _KOREAN_TITLES,
}


def signs(chunk: str) -> int:
    """Return what a chunk adds to what its text tells, as bits for `tell`."""
    words = _pattern("[a-z]+|[0-9]+").findall(chunk.lower())
    found = _HAS_TIME * (not _TIME_WORDS.isdisjoint(words))
    found |= _HAS_NUMBER * (not _NUMBER_WORDS.isdisjoint(words))
    numbers = [word for word in words if word.isdigit()]
    if numbers:
        found |= _HAS_NUMBER | _MAYBE_YEAR * any(len(number) == 4 for number in numbers)
    if not chunk.isascii():
        for sign, expression in _KOREAN_SIGNS.items():
            found |= sign * (_pattern(expression).search(chunk) is not None)
    return found


def tell(body: str, found: int) -> tuple[bool, bool, int]:
    """Return whether a text tells a time and a number, and how many names, up to three.

    It comes in normal form, with the signs of all its chunks.
    """

    def has(sign: int, expression: str) -> bool:
        return found & sign != 0 and _pattern(expression).search(body) is not None

    has_time = found & _HAS_TIME != 0 or has(_MAYBE_YEAR, _YEAR) or has(_MAYBE_TIME, _KOREAN_TIMES)
    has_number = found & _HAS_NUMBER != 0 or has(_MAYBE_NUMBER, _KOREAN_NUMBERS)
    names = [name for name in _pattern(_NAMES).findall(body) if name.lower() not in _NOT_NAMES]
    if found & _MAYBE_NAME:
        names += _pattern(_KOREAN_NAMES).findall(body)
    return has_time, has_number, min(len(set(names)), 3)


def named(question: str) -> tuple[str, ...]:
    """Return what a question names in the midst of its sentences, each once, without titles."""
    body = question[:_QUESTION_CHARACTERS]
    names: list[str] = _pattern(rf"{_NAMES}\b").findall(body)
    if not body.isascii():
        names += _pattern(_KOREAN_NAMED).findall(body)
    return tuple(dict.fromkeys(name for name in names if name.lower() not in _NOT_NAMES))


def identifiers(question: str) -> tuple[str, ...]:
    """Return the abbreviations and identifiers of a question: `TLS`, `v2`, `max_age`, `getUser`."""
    body = question[:_QUESTION_CHARACTERS]
    return tuple(dict.fromkeys(_pattern(_IDENTIFIERS).findall(body)))


def asks(text: str, body: int = 0) -> bool:
    """Tell whether a question mark, or an ending that asks, is the last thing but ornaments."""
    tail = text[max(body, len(text) - _TAIL_CHARACTERS) :]
    if "?" not in tail and (tail.isascii() or not _pattern("[？؟까요]").search(tail)):
        return False
    last = _end(r"(?s).*\w", tail, 0)
    if _pattern("[?？؟]").search(tail, last):
        return True
    asking = _pattern(r"(?:[습입합됩갑옵]니까|나요|까요|[은인]가요)\Z")
    return asking.search(tail, max(last - 3, 0), last) is not None


# ---------------------------------------------------------------- what a question wants

# Where a question begins: at the front, behind a sentence, or behind a few words.
_BEGIN = (
    r"(?i)(?:^|[.,:;!?\n]|\b(?:and|so|but|know|remember|recall|tell me|exactly|since|until|at|by"
    r"|for|from|in|of|on|to|with))\W{0,3}"
)
_WHEN = (
    rf"{_BEGIN}(?:when\b|(?:what|which)\s(?:year|month|week|day|date|time)\b|how\slong\b)"
    r"|언제|며칠|몇\s?(?:년|월|일|시|주|달)|무슨\s?요일"
)
_WHEN_HINTS = (
    *("when", "year", "month", "week", "day", "date", "time", "long"),
    *("언제", "며칠", "몇", "요일"),
)
_WHO = rf"{_BEGIN}(?:who|whom|whose|where|which)\b|누가|누구|누굴|어디|어느|어떤\s?(?:사람|곳)"
_WHO_HINTS = ("who", "where", "which", "누", "어디", "어느", "어떤")
_HOW_MANY = (
    rf"{_BEGIN}(?:how\s(?:many|much|often|long|old|far|tall|big|large|high|fast)\b|what\snumber\b)"
    r"|number\sof|몇|얼마"
)
_HOW_MANY_HINTS = (
    *("many", "much", "often", "long", "old", "far", "tall", "big", "large", "high", "fast"),
    *("number", "몇", "얼마"),
)
