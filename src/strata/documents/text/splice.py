"""One replacement in a text: what the diff finds and what a replica applies."""

from collections.abc import Sequence

from msgspec import Struct


class Splice(Struct, frozen=True):
    """Put `text` in the place of `before[start:end]`; offsets count code points."""

    start: int
    end: int
    text: str


def spliced(text: str, splices: Sequence[Splice], *, start: int = 0, end: int | None = None) -> str:
    """Return a part of a text, from `start` to `end`, with the splices made that lie in it."""
    pieces: list[str] = []
    at = start
    for splice in splices:
        pieces += (text[at : splice.start], splice.text)
        at = splice.end
    return "".join([*pieces, text[at:end]])


def coarser(text: str, splices: Sequence[Splice], most: int) -> list[Splice]:
    """Return fewer splices that do the same to a text: neighbours become one."""
    if len(splices) <= most:
        return list(splices)
    size = -(-len(splices) // most)
    groups = (splices[at : at + size] for at in range(0, len(splices), size))
    return [_joined(text, group) for group in groups]


def _joined(text: str, group: Sequence[Splice]) -> Splice:
    start, end = group[0].start, group[-1].end
    return Splice(start, end, spliced(text, group, start=start, end=end))
