"""Finding quoted words; where they occur several times, by the headings above."""

from bisect import bisect_right
from collections.abc import Sequence

import msgspec

from strata.base.errors import NotFound
from strata.documents import (
    QuoteWords,
    Section,
    find_quoted,
    nearest_paths,
    normal_title,
    sections,
    several,
)
from strata.review.places import Span, code_points

_IF_SEVERAL = "Give more of the words around the one you mean, or the headings above it."
_IF_EMPTY = "Give words of the document; for a place between words, the words beside it."
# What comments and suggestions are about, by the parameter of the SDK that quotes it.
_QUOTED = {
    parameter: QuoteWords(parameter, called, _IF_SEVERAL, _IF_EMPTY)
    for parameter, called in (("quote", "The quoted text"), ("original", "The text to replace"))
}


class Hint(msgspec.Struct, frozen=True):
    """Which of several places is meant: below some headings, or near an offset in UTF-16."""

    headings: Sequence[str] = ()
    near: int | None = None


def find_words(text: str, words: str, hint: Hint, *, parameter: str) -> Span:
    """Return the place of quoted words; raise if there is none, or several.

    A hint only decides between several places: who quotes what occurs once need not know where.
    """
    quoted = _QUOTED[parameter]
    found = find_quoted(text, words, quoted)
    if len(found) > 1 and hint.near is not None:
        wanted = code_points(text, hint.near)
        is_there = text.startswith(words, wanted)
        found = [wanted if is_there else min(found, key=lambda at: abs(at - wanted))]
    headings, where = hint.headings, ""
    if len(found) > 1 and headings:
        below = _below(text, found, headings)
        where = f"{'' if below else ', but not'} under {_named(headings)}"
        found = below or found
    if len(found) > 1:
        raise several(text, words, found, quoted=quoted, where=where)
    return found[0], found[0] + len(words)


def _parts(headings: Sequence[str]) -> list[str]:
    """Return headings as they are compared: without `#`, case and spare blanks."""
    split = (part for heading in headings for part in heading.split(">"))
    named = (normal_title(part.strip().lstrip("#")) for part in split)
    return [part for part in named if part]


def _below(text: str, found: Sequence[int], headings: Sequence[str]) -> list[int]:
    """Return the places below the headings; raise where there are no such headings."""
    known, parts = sections(text), _parts(headings)
    fits = [_has(section.path, parts) for section in known]
    if not any(fits):
        raise _no_heading(known, headings)
    starts = [section.start for section in known]
    indexes = ((at, bisect_right(starts, at) - 1) for at in found)
    return [at for at, index in indexes if index >= 0 and fits[index]]


def _has(path: Sequence[str], parts: Sequence[str]) -> bool:
    """Tell whether a path has these headings in order; others may be between them."""
    rest = iter([normal_title(part) for part in path])
    return all(part in rest for part in parts)


def _named(headings: Sequence[str]) -> str:
    return repr(" > ".join(headings)[:200])


def _no_heading(known: Sequence[Section], headings: Sequence[str]) -> NotFound:
    near = nearest_paths(known, " > ".join(headings)[:200])
    told = f"Did you mean {near[0]!r}?" if near else "The document has no headings."
    return NotFound(
        f"There is no heading {_named(headings)}.",
        hint=f"{told} Give the headings above the words, the highest first, or more of the words.",
        parameter="under",
        nearest=near,
    )
