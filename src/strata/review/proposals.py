"""Pending suggestions beside the text as it is now: where each would go, and whether it can."""

from collections.abc import Sequence
from typing import Literal, TypeAlias

import msgspec

from strata.base import limits
from strata.base.results import Result
from strata.documents import AnchorPlace, Replica, Suggestion, joined_to, locate
from strata.review.places import Span, Spot, restored, spots

# It can be made; the text says it already; the words read otherwise; they are gone.
State: TypeAlias = Literal["applies", "done", "changed", "gone"]


class Aim(msgspec.Struct, frozen=True):
    """What a suggestion means in the text as it is now."""

    state: State
    span: Span | None


class Proposal(Result, frozen=True, kw_only=True):
    """A suggestion, where its words are now, and which others are about the same words."""

    suggestion: Suggestion
    state: State
    spot: Spot | None = None
    overlaps: tuple[str, ...] = ()

    @property
    def applies(self) -> bool:
        """Whether it can be accepted as it is."""
        return self.state in ("applies", "done")


def aims(replica: Replica, suggestions: Sequence[Suggestion]) -> list[Aim]:
    """Return what suggestions mean in a replica's text."""
    found = locate(replica, [part for one in suggestions for part in (one.start, one.end)])
    pairs = zip(found[::2], found[1::2], strict=True)
    return [_aim(replica.text, one, pair) for one, pair in zip(suggestions, pairs, strict=True)]


def _aim(text: str, one: Suggestion, ends: tuple[AnchorPlace | None, AnchorPlace | None]) -> Aim:
    start, end = ends
    if start is None or end is None:
        return Aim("gone", None)
    if not one.original:
        return _insertion(text, one, follows=start, ahead=end)
    span = restored(text, (start.at, max(start.at, end.at)), one.original)
    now = text[slice(*span)]
    if now == one.replacement:
        return Aim("done", span)
    if not now:
        return Aim("gone", span)
    beside = joined_to(text, span)
    if not _has_grown(one.beside, beside):
        return Aim("applies" if now == one.original else "changed", span)
    # Others have made another word of it, such as 100 of 10, or Mai of May.
    whole = (span[0] - len(beside[0]), span[1] + len(beside[1]))
    is_done = one.beside and text[slice(*whole)] == one.replacement.join(one.beside)
    return Aim("done" if is_done else "changed", whole)


def _has_grown(then: tuple[str, str] | None, now: tuple[str, str]) -> bool:
    """Tell whether letters were added at an edge of some words, by what these are joined to."""
    if then is None:  # it was suggested before this was kept
        return False
    before, behind = then
    left = now[0] != before and now[0].startswith(before)
    return left or (now[1] != behind and now[1].endswith(behind))


def _insertion(text: str, one: Suggestion, *, follows: AnchorPlace, ahead: AnchorPlace) -> Aim:
    """Return where new words go: behind the character ahead of them, else before the next one.

    What others have put between these two is no obstacle; and an end of the text is
    there whatever becomes of its last character. The anchors of nothing begin at the character
    that follows it, and end at the one ahead.
    """
    low, high = sorted((ahead.at, follows.at))
    if text[low:high] == one.replacement:
        return Aim("done", (low, high))
    left = [end.at for end in (ahead, follows) if end.stays]
    ends = [end.at for end in (follows, ahead) if end.stays is None]
    for at in (*left, *ends):
        beside = joined_to(text, (at, at))
        if all(beside) and _has_grown(one.beside, beside):
            return Aim("changed", (at - len(beside[0]), at + len(beside[1])))
        return Aim("applies", (at, at))
    return Aim("gone", (low, low))


def proposals(replica: Replica, suggestions: Sequence[Suggestion]) -> list[Proposal]:
    """Return suggestions beside a replica's text."""
    found = aims(replica, suggestions)
    placed = spots(replica.text, [aim.span for aim in found])
    clashing = _overlaps(suggestions, found)
    return [
        Proposal(suggestion=one, state=aim.state, spot=spot, overlaps=clashing.get(one.id, ()))
        for one, aim, spot in zip(suggestions, found, placed, strict=True)
    ]


def _overlaps(
    suggestions: Sequence[Suggestion], found: Sequence[Aim]
) -> dict[str, tuple[str, ...]]:
    """Return which suggestions are about the same words, so that one may undo the other."""
    pairs = zip(suggestions, found, strict=True)
    placed = sorted((*aim.span, one.id) for one, aim in pairs if aim.span is not None)
    clashing: dict[str, list[str]] = {}
    open_ones: list[tuple[int, int, str]] = []
    for start, end, id_ in placed:
        open_ones = [other for other in open_ones if other[1] > start]
        for first, _last, other in open_ones[: limits.OVERLAPS_SHOWN]:
            # Words put in at the very edge of others are beside them.
            if end > start or first < start:
                _note(clashing, id_, other)
                _note(clashing, other, id_)
        if end > start:
            open_ones.append((start, end, id_))
    return {id_: tuple(sorted(others)) for id_, others in clashing.items()}


def _note(clashing: dict[str, list[str]], one: str, other: str) -> None:
    known = clashing.setdefault(one, [])
    if len(known) < limits.OVERLAPS_SHOWN:
        known.append(other)
