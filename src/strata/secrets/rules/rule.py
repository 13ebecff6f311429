"""A rule: what one kind of secret looks like, and how to see quickly that it may be there."""

import re
from collections.abc import Callable, Iterator
from functools import cached_property

from strata.secrets.rules.literals import DOCUMENTED_KEYS

# Whether a match of a rule is one, seen from nearer: a checksum, a header, no placeholder.
Check = Callable[["re.Match[str]"], bool]

# A head is a beginning of a word; its first letters are looked up in a table.
HEAD_LETTERS = 3
# What documentation writes where a token would be.
_FILLERS = frozenset("xX0*.-_#?")


class Rule:
    """One kind of secret.

    `heads` are beginnings of long words, `marks` occur anywhere in lower-cased text; a text
    with none of them is never given to the pattern. With `at_marks` the pattern is tried where
    a mark occurs and nowhere else. The secret is the pattern's last group, if it has one.
    """

    def __init__(
        self,
        kind: str,
        pattern: str,
        *,
        heads: tuple[str, ...] = (),
        marks: tuple[str, ...] = (),
        at_marks: bool = False,
        check: Check | None = None,
    ) -> None:
        assert heads or marks, f"{kind} would be looked for in every text"
        assert all(len(head) >= HEAD_LETTERS for head in heads), heads
        self.kind = kind
        self.pattern = pattern
        self.heads = heads
        self.marks = tuple(mark.lower() for mark in marks)
        self.at_marks = at_marks
        self.check = check

    @cached_property
    def compiled(self) -> "re.Pattern[str]":
        """The pattern; compiled when it is first needed, because a hundred take long."""
        return re.compile(self.pattern, re.ASCII)

    def matches(self, text: str, lower: str) -> Iterator["re.Match[str]"]:
        """Yield what is one of its kind; `lower` is the same text in small letters."""
        found = self._at_marks(text, lower) if self.at_marks else self.compiled.finditer(text)
        return (match for match in found if self.check is None or self.check(match))

    def _at_marks(self, text: str, lower: str) -> Iterator["re.Match[str]"]:
        for mark in self.marks:
            place = lower.find(mark)
            while place >= 0:
                match = self.compiled.match(text, place)
                if match is not None:
                    yield match
                place = lower.find(mark, place + 1)


def tokens(table: str) -> tuple[Rule, ...]:
    """Read a table of tokens: kind, beginnings, pattern.

    A beginning with a ~ before it is a mark, which may occur anywhere. A token begins where
    no letter or digit comes before, and ends where none follows.
    """
    rules: list[Rule] = []
    for line in table.strip().splitlines():
        kind, signs, pattern = line.split(maxsplit=2)
        found = signs.split(",")
        rules.append(
            Rule(
                kind,
                rf"{pattern}(?![A-Za-z0-9])",
                heads=tuple(sign for sign in found if not sign.startswith("~")),
                marks=tuple(sign[1:] for sign in found if sign.startswith("~")),
                check=_is_token,
            )
        )
    return tuple(rules)


def _is_token(match: "re.Match[str]") -> bool:
    """Whether a token begins a word and is more than filling, as ghp_xxxxxxxx is not."""
    # Not a look behind in the pattern: without one, its first letters are searched for quickly.
    start = match.start()
    begins = start == 0 or not (is_letter(match[0][0]) and is_letter(match.string[start - 1]))
    is_shown = "EXAMPLE" in match[0] or match[0] in DOCUMENTED_KEYS
    return begins and not is_shown and not _FILLERS.issuperset(match[0][-8:])


def is_letter(letter: str) -> bool:
    """Whether a token could go on with it: a letter or digit of ASCII."""
    return letter.isascii() and letter.isalnum()
