"""Facts of a whole space that say the same, found in one pass and in little memory.

Of each text a few numbers are kept. Texts that share most of their words are likely to share one
of them, so only such texts are compared. What very many texts share is a form that they were made
from, and no reason to compare them.
"""

from array import array
from collections.abc import Iterator
from hashlib import blake2b
from itertools import combinations, groupby
from zlib import crc32

from strata.base.values import Json
from strata.search import LIKENESS_MIN, TextMark, likeness, mark_of

# Numbers kept of a text, and the smallest hashes of its words that each joins: two texts that
# share three quarters of their words have one in common nearly always.
_BANDS, _ROWS = 6, 2
# More texts than this with one number were made from a form.
_FORM = 40
# Texts are numbered in this many bits, below those of the hash.
_PLACE_BITS = 24
_PLACE = (1 << _PLACE_BITS) - 1
_HASH = (1 << (64 - _PLACE_BITS)) - 1
_WORD = (1 << 32) - 1
# Odd numbers that turn one hash of a word into several.
_TURNS = tuple(
    int.from_bytes(blake2b(bytes([n]), digest_size=4).digest()) | 1 for n in range(_BANDS * _ROWS)
)


class FactTwins:
    """Gathers the texts of one space, and then finds those that are alike."""

    def __init__(self) -> None:
        self._keys: list[str] = []
        self._versions = array("Q")
        self._same = array("Q")
        self._near = [array("Q") for _ in range(_BANDS)]

    def add(self, key: str, value: Json, version: int) -> None:
        """Gather a fact; what is no text, or too short, is left out."""
        mark = mark_of(value)
        if mark is None or len(self._keys) > _PLACE:
            return
        place = len(self._keys)
        self._keys.append(key)
        self._versions.append(version)
        plain = plain_text(value).encode(errors="surrogatepass")
        self._same.append(_packed(blake2b(plain, digest_size=8).digest(), place))
        for band, number in zip(self._near, _numbers(mark), strict=True):
            band.append(_packed(number, place))

    def equal(self) -> Iterator[tuple[str, str]]:
        """Yield facts that most likely have the text of one that was written before, and that one.

        Forty bits of a hash decide: among a million texts two others may have the same.
        """
        for places in _shared(self._same):
            first, *rest = sorted(places, key=self._versions.__getitem__)
            for place in rest:
                yield self._keys[place], self._keys[first]

    def likely(self) -> Iterator[tuple[str, str]]:
        """Yield pairs that may be alike, the later one first, each once."""
        known: set[int] = set()
        groups = (places for band in self._near for places in _shared(band))
        for places in (one for one in groups if len(one) <= _FORM):
            ordered = sorted(places, key=self._versions.__getitem__)
            for earlier, later in combinations(ordered, 2):
                pair = later << _PLACE_BITS | earlier
                if pair not in known:
                    known.add(pair)
                    yield self._keys[later], self._keys[earlier]


def plain_text(value: Json) -> str:
    """Return a text without what does not count when texts are compared: spaces and case."""
    return " ".join(str(value).split()).casefold()


def share(value: Json, other: Json) -> float:
    """Return how much two values share; 0 where they do not say the same."""
    one, two = mark_of(value), mark_of(other)
    found = 0.0 if one is None or two is None else likeness(one, two)
    return found if found >= LIKENESS_MIN else 0.0


def _numbers(mark: TextMark) -> Iterator[bytes]:
    """Yield what is kept of a text: the smallest hashes of its words, in several orders.

    Texts with other numbers are no twins, so these are part of each.
    """
    numbers = " ".join(sorted(mark.numbers)).encode(errors="surrogatepass")
    hashes = [crc32(word.encode(errors="surrogatepass")) for word in mark.words]
    least = [min([one * turn & _WORD for one in hashes]) for turn in _TURNS]
    for band in range(_BANDS):
        rows = least[band * _ROWS : (band + 1) * _ROWS]
        joined = b"".join([numbers, *(row.to_bytes(4) for row in rows)])
        yield blake2b(joined, digest_size=8).digest()


def _packed(digest: bytes, place: int) -> int:
    return (int.from_bytes(digest) & _HASH) << _PLACE_BITS | place


def _shared(band: "array[int]") -> Iterator[list[int]]:
    """Yield the places of texts that have a number in common."""
    for _number, found in groupby(sorted(band), key=lambda one: one >> _PLACE_BITS):
        places = [one & _PLACE for one in found]
        if len(places) > 1:
            yield places
