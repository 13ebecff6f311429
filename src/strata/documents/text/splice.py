"""One replacement in a text: what the diff finds and what a replica applies."""

from collections.abc import Sequence

from msgspec import Struct


class Splice(Struct, frozen=True):
    """Put `text` in the place of `before[start:end]`; offsets count code points."""

    start: int
    end: int
    text: str


def coarser(text: str, splices: Sequence[Splice], most: int) -> list[Splice]:
    """Return fewer splices that do the same to a text: neighbours become one."""
    if len(splices) <= most:
        return list(splices)
    size = -(-len(splices) // most)
    groups = (splices[at : at + size] for at in range(0, len(splices), size))
    return [_joined(text, group) for group in groups]


def _joined(text: str, group: Sequence[Splice]) -> Splice:
    pieces: list[str] = []
    at = group[0].start
    for splice in group:
        pieces += (text[at : splice.start], splice.text)
        at = splice.end
    return Splice(group[0].start, at, "".join(pieces))
