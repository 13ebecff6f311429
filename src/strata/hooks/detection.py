"""What a prompt is about: resuming, deciding, searching, tracking, or none of these.

Phrases are scored, not looked up one by one: ideas that speak for a context add up, signs of work
on code speak against all of them. Where it is not clear, it is none, and nothing is hidden.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import chain
from math import exp
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from strata.base.prompts import shortened
from strata.hooks import phrases

if TYPE_CHECKING:
    from strata.tools import Tool

Name: TypeAlias = Literal["resuming", "deciding", "searching", "tracking", "none"]

# Below this confidence no server should act on a guess; nor where a second context has nearly as
# much that speaks for it.
SURE = 0.7
_CLOSE = 2.0
# What an idea has to outweigh; one sign of code, and how many of them count.
_DOUBT = 3.0
_SIGN, _SIGNS_MAX = 0.9, 4
# Who writes more than this describes a task, and meets every phrase some time.
_SHORT_WORDS = 30

# What a context is likely to need, first things first.
TOOLS: dict[Name, tuple[str, ...]] = {
    "resuming": ("load_checkpoint", "load_context"),
    "deciding": ("save_decision", "save_insight", "search_by_context"),
    "searching": ("search_by_context", "search_by_topic", "search_recent", "load_context"),
    "tracking": ("evolve_outcome", "evolve_supersede", "search_by_topic"),
}
# A wrong guess must never keep an agent from saving or finding something.
ALWAYS = (
    "save_decision",
    "load_checkpoint",
    "search_by_context",
    "search_by_topic",
    "search_recent",
)
NARROWED_GROUP = "decisions"

_IDEAS: dict[Name, str] = {
    "resuming": phrases.RESUMING,
    "deciding": phrases.DECIDING,
    "searching": phrases.SEARCHING,
    "tracking": phrases.TRACKING,
}


class Context(NamedTuple):
    """What a prompt is about, how sure that is, and what each context scored."""

    name: Name
    confidence: float
    scores: dict[Name, float]

    @property
    def is_clear(self) -> bool:
        """Whether the tools may be chosen by it."""
        return self.name != "none"

    @staticmethod
    def known(name: str) -> Name | None:
        """Return the name of a context, or None for what is none."""
        return next((known for known in TOOLS if known == name), None)


NOTHING = Context("none", 0.0, {})


def detect(prompt: str) -> Context:
    """Return what a prompt is about. Time grows with its length up to a bound, then no more."""
    text = _Text(_prose_of(prompt))
    signs = min(text.count(_ideas(phrases.CODE)[0]), _SIGNS_MAX) * _SIGN
    against = _DOUBT + signs + _length_doubt(text.words)
    weights: dict[Name, float] = {name: _weight(text, name) for name in _IDEAS}
    best, second = sorted(weights, key=lambda name: -weights[name])[:2]
    scores: dict[Name, float] = {n: _confidence(w - against) for n, w in weights.items()}
    is_clear = scores[best] >= SURE and weights[best] - weights[second] >= _CLOSE
    return Context(best if is_clear else "none", scores[best], scores)


def narrow(tools: "Iterable[Tool]", context: Context) -> "list[Tool]":
    """Return the tools that a context needs; only those of the decisions are ever fewer."""
    every = list(tools)
    if not context.is_clear:
        return every
    wanted = dict.fromkeys((*TOOLS[context.name], *ALWAYS))
    order = {name: place for place, name in enumerate(wanted)}
    decisions = [tool for tool in every if tool.group == NARROWED_GROUP and tool.name in order]
    decisions.sort(key=lambda tool: order[tool.name])
    others = [tool for tool in every if tool.group != NARROWED_GROUP]
    return decisions + others


# ---------------------------------------------------------------- scoring


def _weight(text: "_Text", name: Name) -> float:
    return sum(idea.weight for idea in _ideas(_IDEAS[name]) if text.has(idea))


def _confidence(weight: float) -> float:
    return round(1 / (1 + exp(min(-weight, 50))), 4)


def _length_doubt(words: int) -> float:
    return min(max(words / _SHORT_WORDS - 1, 0) * 0.5, 2.0)


class _Idea(NamedTuple):
    """What people say for one thing: in words with blanks around, or in letters without any.

    `parted` are phrases of which the parts follow each other, with anything between.
    """

    weight: float
    words: list[str]
    letters: list[str]
    parted: list[tuple[str, ...]]


@cache
def _ideas(table: str) -> list[_Idea]:
    """Read a table of phrases: a line that begins with a weight begins an idea.

    A hook reads two thousand of them for one prompt, so most lines are only cut.
    """
    found: list[_Idea] = []
    for line in table.strip().splitlines():
        if not line.startswith(" "):
            weight, _blank, line = line.partition(" ")  # noqa: PLW2901  (the rest of it)
            found.append(_Idea(float(weight), [], [], []))
        said = line.strip(" |")
        if said.isascii():
            found[-1].words.extend(f" {said} ".split("|"))
            continue
        for phrase in said.split(" | "):
            _add(found[-1], phrase)
    return found


def _add(idea: _Idea, phrase: str) -> None:
    is_in_words = phrase.replace("…", "").isascii()  # Korean phrases have no blanks
    if "…" in phrase:
        parts = (f" {part} " for part in phrase.split(" … ")) if is_in_words else phrase.split("…")
        idea.parted.append(tuple(parts))
    elif is_in_words:
        idea.words.append(f" {phrase} ")
    else:
        idea.letters.append(phrase)


# ---------------------------------------------------------------- text

_QUOTES = {"`": "`", '"': '"', "“": "”", "「": "」"}
_QUOTED_MAX = 200
_MARKS = str.maketrans({"'": None, "’": None, "?": " ? ", "？": " ? ", ":": " : ", "：": " : "})


class _Text:
    """A prompt in the two forms that phrases are compared with."""

    __slots__ = ("_squeezed", "_words", "words")

    def __init__(self, text: str) -> None:
        plain = "".join(c if c.isalnum() or c in "?:" else " " for c in text.translate(_MARKS))
        words = plain.lower().split()
        self.words = len(words)
        self._words = f" ^ {' '.join(words)} $ "
        self._squeezed = f"^{''.join(words)}$"

    def has(self, idea: _Idea) -> bool:
        """Tell whether any phrase of an idea occurs."""
        return any(self._found(idea))

    def count(self, idea: _Idea) -> int:
        """Return how many phrases of an idea occur."""
        return sum(self._found(idea))

    def _found(self, idea: _Idea) -> Iterator[bool]:
        """Tell of each phrase of an idea whether it occurs."""
        return chain(
            map(self._words.__contains__, idea.words),
            map(self._squeezed.__contains__, idea.letters),
            map(self._has_parts, idea.parted),
        )

    def _has_parts(self, parts: tuple[str, ...]) -> bool:
        has_words = parts[0][0] == " "
        text = self._words if has_words else self._squeezed
        place = 0
        for part in parts:
            place = text.find(part, place)
            if place < 0:
                return False
            place += len(part) - has_words  # two words share the blank between them
        return True


def _prose_of(prompt: str) -> str:
    """Return the part of a prompt that the user wrote as prose: no code, nothing quoted, no long
    middle."""
    said = "".join(part for part in shortened(prompt).split("```")[::2])
    return "".join(_unquoted(said))


def _unquoted(text: str) -> Sequence[str]:
    """Return a text in parts without what is in quotes, one sign in place of each."""
    parts: list[str] = []
    at = start = 0
    while at < len(text):
        closing = _QUOTES.get(text[at])
        end = text.find(closing, at + 1, at + _QUOTED_MAX) if closing else -1
        if end > 0:
            parts += (text[start:at], " x ")
            start = end + 1
        at = end + 1 if end > 0 else at + 1
    return [*parts, text[start:]]
