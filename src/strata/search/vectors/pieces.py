"""A long text in pieces that a model can read whole, cut where a reader would pause."""

import re
from collections.abc import Callable, Iterator

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
    text = text[: room * most * _TOKEN_CHARACTERS_MAX].strip()
    if not text:
        return []
    if count(text) <= room:
        return [text]
    found: list[str] = []
    for piece in _filled(text, room, count):
        found.append(piece.strip())
        if len(found) == most:
            break
    return found


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


def _filled(text: str, room: int, count: Callable[[str], int]) -> Iterator[str]:
    filled, size, last = "", 0, ""
    for part in _parts(text, room, count):
        length = count(part)
        if filled and size + length > room:
            yield filled
            repeated = count(last)
            is_short = repeated <= room * _REPEATED and repeated + length <= room
            filled, size = (last, repeated) if is_short else ("", 0)
        filled, size, last = filled + part, size + length, part
    if filled.strip():
        yield filled


def _parts(text: str, room: int, count: Callable[[str], int]) -> Iterator[str]:
    """Yield sentences; words of one that has no room; halves of a word that has none."""
    for sentence in _cut(text, _SENTENCE_END):
        if count(sentence) <= room:
            yield sentence
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


def _halves(word: str, room: int, count: Callable[[str], int]) -> Iterator[str]:
    if len(word) == 1 or count(word) <= room:
        yield word
        return
    middle = len(word) // 2
    yield from _halves(word[:middle], room, count)
    yield from _halves(word[middle:], room, count)
