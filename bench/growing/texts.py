"""Facts and documents by the million, no two alike, with the words of technical prose.

A text is a walk from word to word: each follows the one before it somewhere in Python's own
documentation. So words are as common and as rare as there, and texts are not cut from a few
sentences. Facts of one folder share identifiers that the rest of the store does not have.
"""

import random
from collections.abc import Iterator
from itertools import pairwise

from finding import korean
from finding.sources import sentences

TURNS = 20
_FOLDERS_SHARE = 0.6
_KOREAN_SHARE = 0.04
_NAMED_SHARE = 0.5
_WORDS_MIN, _WORDS_MAX = 15, 35
SECTIONS = 5
_PAGE_WORDS, _PAGE_CHARACTERS = 340, 2_000


class Writer:
    """Writes texts; the same ones at every run with the same seed."""

    def __init__(self, seed: int = 7) -> None:
        self._rng = random.Random(seed)
        self._starts: list[str] = []
        self._after: dict[str, list[str]] = {}
        for sentence in sentences():
            self._starts.append(sentence[0])
            for word, following in pairwise(sentence):
                self._after.setdefault(word, []).append(following)
        self._parts = sorted(word for word in self._after if word.isalpha() and word.islower())

    def facts(self, count: int) -> Iterator[tuple[str, str]]:
        """Yield keys and texts: folders of twenty first, then single notes."""
        folders = int(count * _FOLDERS_SHARE) // TURNS
        for folder in range(folders):
            names = self._identifiers(3)
            for turn in range(TURNS):
                yield f"talk/{folder:05d}/{turn:02d}", self.fact(names)
        for number in range(count - folders * TURNS):
            yield f"note-{number:06d}", self.fact(self._identifiers(1))

    def fact(self, names: list[str]) -> str:
        """Return a text of 15 to 35 words, half of them with one of the identifiers."""
        rng = self._rng
        wanted = rng.randint(_WORDS_MIN, _WORDS_MAX)
        if rng.random() < _KOREAN_SHARE:
            words = korean.note(rng).split()
            while len(words) < _WORDS_MIN:
                words += korean.note(rng).split()
        else:
            words = self._walk(wanted)
        if rng.random() < _NAMED_SHARE:
            words[rng.randrange(len(words))] = rng.choice(names)
        return " ".join(words[:wanted])

    def page(self) -> str:
        """Return a text of 2,000 characters."""
        return " ".join(self._walk(_PAGE_WORDS))[:_PAGE_CHARACTERS]

    def document(self) -> tuple[str, str]:
        """Return the title and the text of a document of five sections."""
        parts = [
            f"# {' '.join(self._walk(5))}\n\n{' '.join(self._walk(60))}\n\n"
            for _ in range(SECTIONS)
        ]
        return " ".join(self._walk(5)), "".join(parts)

    def _walk(self, count: int) -> list[str]:
        choose = self._rng.random
        word = self._starts[int(choose() * len(self._starts))]
        words = [word]
        while len(words) < count:
            following = self._after.get(word) or self._starts
            word = following[int(choose() * len(following))]
            words.append(word)
        return words

    def _identifiers(self, count: int) -> list[str]:
        rng, parts = self._rng, self._parts
        return [
            f"{rng.choice(parts)}_{rng.choice(parts)}{rng.randrange(100)}" for _ in range(count)
        ]
