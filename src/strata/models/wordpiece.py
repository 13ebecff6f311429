"""The tokenizer of BERT's uncased models: words without accents, cut into known pieces.

Hangul is put together again after its marks are stripped, so that its pieces are syllables.

Text is normalised by one table over code points, which also puts spaces around signs that are
tokens of their own, so that splitting at spaces is all that is left to do.
"""

import unicodedata
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from weakref import WeakValueDictionary

from strata.base.normal import normal

UNKNOWN = "[UNK]"
FIRST = "[CLS]"
LAST = "[SEP]"
# BERT's own bound: longer words are noise, and cutting them costs time.
_WORD_CHARACTERS_MAX = 100
# Words met again cost one look-up. The table starts afresh when full, at two megabytes.
_WORDS_REMEMBERED = 8_192
# A vocabulary of 45,000 pieces has eleven of them in each.
_BUCKETS = 4_096
_IDEOGRAPHS = (
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B920, 0x2CEAF),
    (0x2F800, 0x2FA1F),
)


class PieceCutter:
    """Cuts text into pieces, and names each by the number that `find` gives for it.

    Unlike the library this follows, it has no magic words: a text that says "[SEP]" is cut like
    any other, and cannot pretend to end.
    """

    def __init__(self, find: Callable[[str], int | None], longest: int, *, unknown: int) -> None:
        self._find = find
        self._longest = longest
        self._table = _Table()
        self._words: dict[str, list[int]] = {}
        self.unknown = unknown

    def ids(self, text: str, limit: int | None = None) -> list[int]:
        """Return the numbers of the pieces of a text, without the marks of its ends.

        With a limit, the rest of a long text is not looked at.
        """
        found: list[int] = []
        plain = normal("NFD", text).translate(self._table)
        for word in normal("NFC", plain).split():
            found += self._words.get(word) or self._cut(word)
            if limit is not None and len(found) >= limit:
                return found[:limit]
        return found

    def _cut(self, word: str) -> list[int]:
        pieces = self._pieces(word) or [self.unknown]
        if len(self._words) >= _WORDS_REMEMBERED:
            self._words.clear()
        self._words[word] = pieces
        return pieces

    def _pieces(self, word: str) -> list[int]:
        """Cut the longest known piece off the front until nothing is left; none if that fails."""
        found: list[int] = []
        start = 0
        prefix = ""
        while start < len(word) <= _WORD_CHARACTERS_MAX:
            for end in range(min(len(word), start + self._longest), start, -1):
                number = self._find(prefix + word[start:end])
                if number is not None:
                    break
            else:
                return []
            found.append(number)
            start, prefix = end, "##"
        return found


class _Numbers:
    """The number of each piece, in strings of a few pieces: a fifth of what a `dict` takes.

    A string has a line for each of its pieces, with a space before the number. Neither sign is in
    a piece, or in a word that is looked for.
    """

    def __init__(self, pieces: Iterable[str]) -> None:
        buckets = ["\n"] * _BUCKETS
        count = longest = 0
        for piece in pieces:
            buckets[hash(piece) % _BUCKETS] += f"{piece} {count}\n"
            count += 1
            if len(piece) > longest:  # noqa: PLR1730  (a call less, 45,000 times)
                longest = len(piece)
        self._buckets, self._count, self.longest = buckets, count, longest

    def get(self, piece: str) -> int | None:
        """Return the number of a piece, or None when it is not in the vocabulary."""
        bucket = self._buckets[hash(piece) % _BUCKETS]
        at = bucket.find(f"\n{piece} ")
        if at < 0:
            return None
        at += len(piece) + 2
        return int(bucket[at : bucket.index("\n", at)])

    def __getitem__(self, piece: str) -> int:
        number = self.get(piece)
        if number is None:
            raise KeyError(piece)
        return number

    def __iter__(self) -> Iterator[tuple[str, int]]:
        for bucket in self._buckets:
            for line in bucket.split("\n")[1:-1]:
                piece, _space, number = line.partition(" ")
                yield piece, int(number)

    def __len__(self) -> int:
        return self._count


class WordPiece(PieceCutter):
    """Turns text into the numbers of its pieces, by a vocabulary."""

    def __init__(self, vocabulary: Iterable[str]) -> None:
        self._numbers = _Numbers(vocabulary)
        unknown = self._numbers[UNKNOWN]
        super().__init__(self._numbers.get, self._numbers.longest, unknown=unknown)
        self.first = self._numbers[FIRST]
        self.last = self._numbers[LAST]

    @classmethod
    def shared(cls, path: Path) -> "WordPiece":
        """Return the one of a file that others in this process use, or make it."""
        # Two threads may both make one; either serves.
        return _shared.get(path) or _shared.setdefault(path, cls.read(path))

    @classmethod
    def read(cls, path: Path) -> "WordPiece":
        """Make one from a file with one piece a line."""
        with path.open(encoding="utf-8", newline="\n") as lines:
            return cls(line.removesuffix("\n") for line in lines)

    def __len__(self) -> int:
        return len(self._numbers)

    def text(self, ids: Iterable[int]) -> str:
        """Return the text of some pieces, without the marks; words are separated by spaces.

        What the tokenizer drops, such as capitals and accents, is not in the pieces.
        """
        pieces = {number: piece for piece, number in self._numbers}
        marks = {self.first, self.last}
        words = " ".join(pieces[number] for number in ids if number not in marks)
        return words.replace(" ##", "").removeprefix("##")


# Kept as long as a model or a tokenizer uses it.
_shared: "WeakValueDictionary[Path, WordPiece]" = WeakValueDictionary()


def ends(ids: list[int], most: int) -> list[int]:
    """Return the beginning and the end of many pieces: users ask there, and paste between."""
    return ids if len(ids) <= most else [*ids[: most // 2], *ids[-(most // 2) :]]


class _Table(dict[int, str]):
    """What each code point becomes; worked out when first met, and remembered."""

    def __missing__(self, code: int) -> str:
        self[code] = text = _normal_character(chr(code), code)
        return text


def _normal_character(character: str, code: int) -> str:
    category = unicodedata.category(character)
    if character in "\t\n\r" or category[0] == "Z":
        return " "
    # Unassigned code points stay: a newer Python, to which they are known, would keep them too.
    if category in {"Mn", "Cc", "Cf", "Co", "Cs"} or character == "\ufffd":
        return ""
    is_symbol = code < 128 and not character.isalnum()
    is_ideograph = any(low <= code <= high for low, high in _IDEOGRAPHS)
    if is_symbol or is_ideograph or category[0] == "P":
        return f" {character} "
    return character.lower()
