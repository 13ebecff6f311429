"""A long text in pieces that a model can read whole, cut where a reader would pause."""

import re
from collections.abc import Callable, Iterator
from itertools import islice
from typing import TypeAlias

# The parts of a piece in order, each with how many tokens it has.
Piece: TypeAlias = list[tuple[str, int]]

# Where a sentence or a line ends, and where a word does; the space goes with what it ends.
_SENTENCE_END = re.compile(r"(?<=[.!?…])\s+|(?<=[。！？])|\n\s*")
_WORD_END = re.compile(r"\s+")
# No tokenizer makes fewer tokens of a text than one for so many characters.
_TOKEN_CHARACTERS_MAX = 16
# What a piece repeats of the one before it, as a share of its room.
_REPEATED = 1 / 8


def split(text: str, room: int, *, count: Callable[[str], int], most: int) -> list[str]:
    """Cut a text into at most so many pieces of at most `room` tokens; the rest is left out.

    A piece begins with the last sentence of the one before it, if that is a short one, so that
    nothing is torn from what it refers to.
    """
    pieces = cut_up(text, room, count=count, most=most)
    return ["".join(part for part, _size in piece).strip() for piece in pieces]


def cut_up(text: str, room: int, *, count: Callable[[str], int], most: int) -> list[Piece]:
    """Cut a text as `split` does, and return of what parts each piece is made."""
    text = text[: room * most * _TOKEN_CHARACTERS_MAX].strip()
    if not text:
        return []
    size = count(text)
    return [[(text, size)]] if size <= room else list(islice(_filled(text, room, count), most))


def stretches(piece: str, characters: int) -> Iterator[str]:
    """Yield the sentences of a piece; of longer ones parts of so many characters, whole words."""
    for sentence in _cut(piece, _SENTENCE_END):
        part = ""
        for word in _cut(sentence, _WORD_END) if len(sentence) > characters else (sentence,):
            if part and len(part) + len(word) > characters:
                yield part
                part = ""
            part += word
        yield part


def estimate(text: str) -> int:
    """Guess how many tokens a text has, for a model that does not tell: rather too many."""
    plain = sum(map(str.isascii, text))
    return plain // 3 + (len(text) - plain) + 1


def _filled(text: str, room: int, count: Callable[[str], int]) -> Iterator[Piece]:
    filled: Piece = []
    size = 0
    for part in _parts(text, room, count):
        length = part[1]
        if filled and size + length > room:
            yield filled
            last = filled[-1]
            is_short = last[1] <= room * _REPEATED and last[1] + length <= room
            filled, size = ([last], last[1]) if is_short else ([], 0)
        filled.append(part)
        size += length
    if any(part.strip() for part, _size in filled):
        yield filled


def _parts(text: str, room: int, count: Callable[[str], int]) -> Iterator[tuple[str, int]]:
    """Yield sentences; words of one that has no room; halves of a word that has none."""
    for sentence in _cut(text, _SENTENCE_END):
        size = count(sentence)
        if size <= room:
            yield sentence, size
            continue
        for word in _cut(sentence, _WORD_END):
            yield from _halves(word, room, count)


def _cut(text: str, end: re.Pattern[str]) -> Iterator[str]:
    start = 0
    for found in end.finditer(text):
        if found.end() > start:
            yield text[start : found.end()]
            start = found.end()
    if start < len(text):
        yield text[start:]


def _halves(word: str, room: int, count: Callable[[str], int]) -> Iterator[tuple[str, int]]:
    size = count(word)
    if len(word) == 1 or size <= room:
        yield word, size
        return
    middle = len(word) // 2
    yield from _halves(word[:middle], room, count)
    yield from _halves(word[middle:], room, count)
