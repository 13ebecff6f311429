"""Words for times in English, Korean, Japanese and Chinese, cut into tokens of one letter.

    # number     . decimal     f half       Y M W D H N S  year month week day hour minute second
    d yesterday  w friday      m november   y the year of 2026-11-01     O K  the marks 월 and 시
    l last       p pm          c 14:30      t noon       A ago           X now

What tokens mean together is the business of `time_forms`; a new word is one entry here.
"""

import re
from datetime import time
from itertools import count
from typing import NamedTuple
from unicodedata import normalize

SECOND = 1_000_000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR
# Decimals are counted in millionths, so that 1.5 stays exact without fractions.
ONE = 1_000_000

# The longest form in any language stays under half of this; more is not a time.
TEXT_CHARACTERS_MAX = 100


class TimeToken(NamedTuple):
    """One word or number: its letter, and what it stands for where it stands for a number."""

    kind: str
    value: int


def plain(text: str) -> str:
    """Return text as the tables spell it: no outer blanks, one case, one width.

    Raises ValueError for a text too long to be a time.
    """
    if len(text) > TEXT_CHARACTERS_MAX:
        raise ValueError("too long")
    if not text.isascii():
        text = normalize("NFKC", text)
    return text.strip().casefold()


def quoted(value: object) -> str:
    """Show what could not be read, shortened to fit into a sentence."""
    try:
        shown = repr(value)
    except ValueError:
        # Python refuses to print integers of thousands of digits.
        shown = "a number of thousands of digits"
    return shown if len(shown) <= 80 else f"{shown[:80]}…"


def scan(text: str) -> list[TimeToken]:
    """Cut plain text into tokens; raises ValueError for a word that no table has."""
    for phrase, words in _PHRASES.items():
        text = text.replace(phrase, f" {words} ")
    pattern = re.compile(_PIECE)
    tokens: list[TimeToken] = []
    position = 0
    while position < len(text):
        piece = pattern.match(text, position)
        if piece:
            tokens += _tokens_of(piece)
            position = piece.end()
        else:
            word = _longest_word(text, position)
            tokens.append(_WORDS[word])
            position += len(word)
    return [token for token in tokens if token.kind]


# ---------------------------------------------------------------- words

# Each row counts up from its first value.
_ROWS: tuple[tuple[str, int, tuple[str, ...]], ...] = (
    (
        "#",
        1,
        (
            "a an one 한 하나 一",
            "two 두 二 两 兩",
            "three 세 석 三",
            "four 네 넉 四",
            "five 다섯 五",
            "six 여섯 六",
            "seven 일곱 七",
            "eight 여덟 八",
            "nine 아홉 九",
            "ten 열 十",
            "eleven 열한",
            "twelve 열두",
        ),
    ),
    # After an hour on the clock it is thirty minutes; elsewhere only its place counts.
    ("f", 30, ("half 반 半",)),
    ("Y", 0, ("y yr yrs year years 년 年",)),
    ("M", 0, ("mo mos month months 달 개월 か月 ヶ月 カ月 ヵ月 个月 個月",)),
    ("W", 0, ("w wk wks week weeks 주 주일 주간 週 週間 周 星期 个星期 礼拜",)),
    ("D", 0, ("d day days 일 日 日間 天",)),
    ("H", 0, ("h hr hrs hour hours 시간 時間 小时 小時 个小时 個小時",)),
    ("N", 0, ("m min mins minute minutes 분 分 分間 分钟 分鐘",)),
    ("S", 0, ("s sec secs second seconds 초 秒 秒間 秒钟 秒鐘",)),
    ("O", 0, ("월 月",)),
    ("K", 0, ("시 時 时 点 點",)),
    ("A", 0, ("ago earlier 전 이전 前 以前 之前",)),
    ("X", 0, ("now 지금 현재 방금 今 现在 現在 刚才",)),
    (
        "d",
        -3,
        (
            "그끄저께",
            "그저께 그제 一昨日 おととい 前天",
            "yesterday 어제 昨日 きのう 昨天",
            "today 오늘 今日 きょう 今天",
            "tomorrow 내일 明日 あした 明天",
        ),
    ),
    (
        "w",
        0,
        (
            "monday mon 월요일 月曜日 月曜 星期一 周一",
            "tuesday tue tues 화요일 火曜日 火曜 星期二 周二",
            "wednesday wed 수요일 水曜日 水曜 星期三 周三",
            "thursday thu thur thurs 목요일 木曜日 木曜 星期四 周四",
            "friday fri 금요일 金曜日 金曜 星期五 周五",
            "saturday sat 토요일 土曜日 土曜 星期六 周六",
            "sunday sun 일요일 日曜日 日曜 星期日 周日 星期天",
        ),
    ),
    (
        "m",
        1,
        (
            "january jan",
            "february feb",
            "march mar",
            "april apr",
            "may",
            "june jun",
            "july jul",
            "august aug",
            "september sep sept",
            "october oct",
            "november nov",
            "december dec",
        ),
    ),
    ("l", -2, ("지지난", "last previous 지난 저번", "this 이번")),
    ("p", 0, ("am 오전 새벽 아침 午前 上午", "pm 오후 저녁 午後 下午")),
    ("t", 0, ("midnight 자정",)),
    ("t", 12 * HOUR, ("noon 정오 正午 中午",)),
    ("", 0, ("at on and 에 の 的",)),
)

_WORDS = {
    word: TimeToken(kind, value)
    for kind, first, rows in _ROWS
    for value, row in zip(count(first), rows, strict=False)
    for word in row.split()
}
_WORD_CHARACTERS_MAX = max(map(len, _WORDS))

# Replaced before anything else, in this order: what one language says in one word, or several.
_PHRASES = {
    "the day before yesterday": "그저께",
    "day before yesterday": "그저께",
    "just now": "now",
    "a.m.": "am",
    "p.m.": "pm",
    "하루": "1 day",
    "이틀": "2 days",
    "사흘": "3 days",
    "나흘": "4 days",
    "열흘": "10 days",
    "보름": "15 days",
    "일주일": "1 week",
    # 上周五 is the friday of last week: cut as 上 + 周五 it would be the latest friday.
    **{
        f"上{week}{day}": f"last week 周{day}"
        for week in ("周", "星期")
        for day in "一二三四五六日"
    },
    **dict.fromkeys(("上周", "上星期", "先週"), "last week"),
    **dict.fromkeys(("上个月", "上個月", "上月", "先月"), "last month"),
    **dict.fromkeys(("작년", "지난해", "去年", "昨年"), "last year"),
    **dict.fromkeys(("올해", "今年"), "this year"),
    **dict.fromkeys(("今週", "本周"), "this week"),
    **dict.fromkeys(("今月", "本月"), "this month"),
}

# ---------------------------------------------------------------- tokens

# A string, compiled by `re` at first use: at import that would take a millisecond.
_PIECE = (
    r"(?P<year>[0-9]{4})-(?P<month>[0-9]{1,2})-(?P<day>[0-9]{1,2})"
    r"|(?P<clock>[0-9]{1,2}:[0-9]{2}(?::[0-9]{2}(?:[.,][0-9]{1,9})?)?)"
    r"|(?P<whole>[0-9]+)(?P<fraction>\.[0-9]{1,6})?"
    r"|(?P<word>[a-z]+)"
    r"|[\s,]+"
)


def _tokens_of(piece: re.Match[str]) -> list[TimeToken]:
    """Turn a number, a date, a clock time, a Latin word or blanks into tokens."""
    if piece["year"]:
        named = zip("ym#", ("year", "month", "day"), strict=True)
        return [TimeToken(kind, int(piece[name])) for kind, name in named]
    if piece["clock"]:
        return [TimeToken("c", _clock_us(piece["clock"]))]
    if piece["fraction"]:
        return [
            TimeToken(".", int(piece["whole"]) * ONE + int(piece["fraction"][1:].ljust(6, "0")))
        ]
    if piece["whole"]:
        return [TimeToken("#", int(piece["whole"]))]
    if piece["word"]:
        if piece["word"] not in _WORDS:
            raise ValueError(piece["word"])
        return [_WORDS[piece["word"]]]
    return []


def _clock_us(text: str) -> int:
    hour, minute, second, *_ = *text.replace(",", ".").split(":"), "0"
    whole, _, fraction = second.partition(".")
    at = time(int(hour), int(minute), int(whole), int(fraction[:6].ljust(6, "0")))
    return (at.hour * 60 + at.minute) * MINUTE + at.second * SECOND + at.microsecond


def _longest_word(text: str, position: int) -> str:
    """Find where a word ends in scripts that do not put blanks between words."""
    for length in range(_WORD_CHARACTERS_MAX, 0, -1):
        if text[position : position + length] in _WORDS:
            return text[position : position + length]
    raise ValueError(text[position:])
