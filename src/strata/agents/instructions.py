"""What an instruction narrows: a folder, a number, days, or telling without doing.

Strata's own agents understand a handful of phrases and ignore the rest; the output says which.
"""

import re

import msgspec

from strata.base.counts import plural

_NUMBER = r"(\d{1,6}|one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty)"
_WORDS: dict[str, int] = dict(
    zip(
        "one two three four five six seven eight nine ten twelve twenty".split(),
        (*range(1, 11), 12, 20),
        strict=True,
    )
)
_QUOTED = r"[\"'“‘「『]([^\"'”’」』\n]{1,200})[\"'”’」』]"
_MOST = (
    re.compile(
        rf"\b(?:at most|no more than|up to|max(?:imum)?(?: of)?|limit(?: to)?)\s*:?\s*{_NUMBER}\b",
        re.IGNORECASE,
    ),
    re.compile(r"(?:최대|많아야)\s*(\d{1,6})"),
    re.compile(r"(\d{1,6})\s*(?:개|건|곳)\s*(?:까지|이하|이내)"),
)
_FOLDER = (
    re.compile(rf"\bfolder\s*:?\s*{_QUOTED}", re.IGNORECASE),
    re.compile(rf"{_QUOTED}\s*(?:folder\b|폴더)", re.IGNORECASE),
    re.compile(r"\b(?:only|in|within)\s+(?:the\s+)?folder\s+([^\s,.;]+)", re.IGNORECASE),
    re.compile(r"\bfolder:\s*([^\s,.;]+)", re.IGNORECASE),
    re.compile(r"([^\s,.;]+)\s*폴더"),
)
_DAYS = (
    (re.compile(rf"\b(?:last|past|recent)\s+{_NUMBER}\s*days?\b", re.IGNORECASE), 1),
    (re.compile(rf"\b(?:last|past)\s+{_NUMBER}\s*weeks?\b", re.IGNORECASE), 7),
    (re.compile(r"(?:최근|지난)\s*(\d{1,6})\s*일"), 1),
    (re.compile(r"(?:최근|지난)\s*(\d{1,6})\s*주"), 7),
)
_WHOLE = {
    "today": 1,
    "since yesterday": 1,
    "오늘": 1,
    "어제": 1,
    "last day": 1,
    "last week": 7,
    "this week": 7,
    "past week": 7,
    "지난주": 7,
    "이번 주": 7,
    "last month": 30,
    "지난달": 30,
    "this month": 30,
    "이번 달": 30,
}
_DRY = re.compile(
    r"\b(?:dry[- ]run|only (?:report|tell|list)"
    r"|(?:do not|don't) (?:propose|change|write|comment))\b|보고만|알려만|제안하지 마|쓰지 마",
    re.IGNORECASE,
)
_CONTENTS = re.compile(r"\b(?:table of contents|toc)\b|목차", re.IGNORECASE)


class Instruction(msgspec.Struct, frozen=True):
    """What an instruction was understood to say."""

    most: int | None = None
    folder: str | None = None
    days: int | None = None
    tells_only: bool = False
    contents: bool = False

    @property
    def words(self) -> str:
        """The same in words, for the output; "" when nothing was understood."""
        parts = [
            f"at most {self.most}" if self.most is not None else "",
            f"folder {self.folder!r}" if self.folder is not None else "",
            f"the last {plural(self.days, 'day')}" if self.days is not None else "",
            "tell only" if self.tells_only else "",
            "table of contents" if self.contents else "",
        ]
        return ", ".join(part for part in parts if part)


def read_instruction(instruction: str) -> Instruction:
    """Read an instruction.

    >>> read_instruction("only folder Plans, at most 5").words
    "at most 5, folder 'Plans'"
    >>> read_instruction("'기획' 폴더만, 최대 3개").words
    "at most 3, folder '기획'"
    """
    text = " ".join(instruction.split())
    most = next((_count(found[1]) for one in _MOST if (found := one.search(text))), None)
    folder = next((found[1] for one in _FOLDER if (found := one.search(text))), None)
    return Instruction(
        most, folder, _days(text), bool(_DRY.search(text)), bool(_CONTENTS.search(text))
    )


def _count(word: str) -> int:
    return int(word) if word.isdecimal() else _WORDS[word.lower()]


def _days(text: str) -> int | None:
    for pattern, times in _DAYS:
        if found := pattern.search(text):
            return max(1, _count(found[1]) * times)
    lower = text.lower()
    return next((days for phrase, days in _WHOLE.items() if phrase in lower), None)
