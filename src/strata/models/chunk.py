"""Cutting a text that is longer than a model's window, where a reader would pause."""

import re
from collections.abc import Callable, Iterator

# From the best place to cut to the worst: paragraphs, lines, sentences, words.
_BORDERS = (
    re.compile(r"(?<=\n)(?=\s*\n)"),
    re.compile(r"(?<=\n)"),
    re.compile(r"(?<=[.!?。！？…])(?=\s|[^\x00-\x7f])"),
    re.compile(r"(?<=\s)(?=\S)"),
)


def chunks(text: str, tokens_max: int, count: Callable[[str], int]) -> list[str]:
    """Cut a text into parts of at most `tokens_max` tokens, as few as come out of filling each.

    `count` is the model's own, such as `MiniLM.count`. Joined, the parts are the text, except for
    the space around them.
    """
    parts = (part.strip() for part in _cut(text, tokens_max, count=count, level=0))
    return [part for part in parts if part]


def _cut(text: str, room: int, *, count: Callable[[str], int], level: int) -> Iterator[str]:
    if count(text) <= room or len(text) == 1:
        yield text
        return
    filled, size = "", 0
    for part in _parts(text, level):
        length = count(part)
        if filled and size + length > room:
            yield filled
            filled, size = "", 0
        if length > room:
            yield from _cut(part, room, count=count, level=level + 1)
            continue
        filled, size = filled + part, size + length
    if filled:
        yield filled


def _parts(text: str, level: int) -> list[str]:
    if level < len(_BORDERS):
        return _BORDERS[level].split(text)
    # One word without end: no place is better than the middle.
    middle = len(text) // 2
    return [text[:middle], text[middle:]]
