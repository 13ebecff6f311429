"""Entries of the text index: what a search needs to know of a version, as few bytes.

An entry is written in the commit, beside the value. It holds which terms the text has and how
often, its length, and what else the text tells: a date, a speaker, whether it asks something,
and the sequence it belongs to. Terms are kept as 32-bit hashes: in a store of a million words, a
word shares its own with another by a chance of two in ten thousand, and then ranks a little high.
"""

import struct
from collections import Counter
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from itertools import chain
from typing import TypeAlias
from zlib import crc32

from strata.base import limits
from strata.base.memo import remembered
from strata.search import cues, tokens
from strata.search.text import TURN, text_of_change, type_of, whole_of
from strata.store import EVENT, GUARDED, IndexEntry, StagedChange

# Layout, traits, length in words, date as ordinal, hash of the label, sequence.
HEAD = struct.Struct("<BBHiIQ")
LAYOUT = 1
# Bits of the traits. The number of names, up to three, takes two bits.
QUESTION, TEMPORAL, NUMBER, NAMES, GAPLESS, FOREIGN, TOPIC = 1, 2, 4, 8, 32, 64, 128

_SESSION = "session:"
# Folders of keys and sequences that are remembered: those which are written to just now.
_FOLDERS_MAX = 1_024
# Chunks whose note is remembered: the words of a large project, in ten MiB or so; and
# identifiers whose words are.
_NOTES_MAX, _SURFACE_MAX = 32_768, 4_096
# In a longer text most chunks come again.
_CHUNKS_FEW = 500


class TextIndexer:
    """Makes entries, and knows which words are in the store already. Safe from many threads."""

    def __init__(self) -> None:
        self._seen = _KnownWords(0)

    @property
    def epoch(self) -> int:
        """How often it has forgotten the words that it took for known."""
        return self._seen.epoch

    def entry(self, change: StagedChange) -> IndexEntry | None:
        """Return what the index keeps of a change, or None for what is not searched."""
        text = text_of_change(change)
        if text is None:
            return None
        # If words are forgotten meanwhile, what is learned here goes with them.
        seen = self._seen
        data, chunks = _indexed(change, text)
        return IndexEntry(data, seen.new_words(chunks), seen.epoch)

    def remember(self, words: Iterable[str], epoch: int | None = None) -> None:
        """Note words that were in the store at that epoch; nothing if a purge came since."""
        seen = self._seen
        if epoch not in (None, seen.epoch):
            return
        if len(seen.words) > limits.SEEN_WORDS_MAX:
            seen.clear()
        seen.words.update(words)

    def forget(self) -> None:
        """Take no word for known any more, after a purge."""
        self._seen = _KnownWords(self._seen.epoch + 1)


def pack(change: StagedChange, text: str) -> bytes:
    """Return the entry of a text under the change's key."""
    return _indexed(change, text)[0]


def words_of(change: StagedChange) -> tuple[str, ...]:
    """Return every word that a change gives to the list for completing prefixes."""
    entry = TextIndexer().entry(change)
    return () if entry is None else entry.new_words


def hash_term(term: str) -> int:
    """Return the number under which a term is kept."""
    return hash_encoded(term.encode("utf-8", "surrogatepass"))


# The same of a term in UTF-8.
hash_encoded = crc32


class _KnownWords:
    """Words that are in the store, and chunks that have no other words."""

    def __init__(self, epoch: int) -> None:
        self.epoch = epoch
        self.words: set[str] = set()
        self._chunks: set[str] = set()

    def clear(self) -> None:
        """Make room for other words."""
        self.words, self._chunks = set(), set()

    def new_words(self, chunks: Sequence[str]) -> tuple[str, ...]:
        """Return the words of chunks that are not in the store yet."""
        if self._chunks.issuperset(chunks):
            return ()
        unseen = sorted(set(chunks).difference(self._chunks))
        return tuple(dict.fromkeys(chain.from_iterable(map(self._new_in, unseen))))

    def _new_in(self, chunk: str) -> list[str]:
        is_word = chunk.isalpha()
        surface = tokens.surface_words(chunk) if is_word else _SURFACE[chunk]
        words = [word for word in surface if word not in self.words]
        # Numbers and ids would fill the set, and most of them do not come again.
        if is_word and not words and tokens.is_short(chunk):
            if len(self._chunks) >= limits.SEEN_WORDS_MAX:
                self._chunks = set()
            self._chunks.add(chunk)
        return words


# ---------------------------------------------------------------- one pass over a text

# What is known of a chunk: the hashes of its terms, how many of them are no stop words, its
# signs, and how many more foreign letters than Latin ones it has.
_Note: TypeAlias = tuple[tuple[int, ...], int, int, int]


def _note(chunk: str) -> _Note:
    terms = tokens.terms_of(chunk)
    length = len(terms) - sum(map(tokens.is_stop, terms))
    return tuple(map(hash_term, terms)), length, cues.signs(chunk), tokens.foreignness(chunk)


_NOTES = tokens.Memo(_note, _NOTES_MAX)
_SURFACE = tokens.Memo(tokens.surface_words, _SURFACE_MAX)


class _Sum:
    """What the chunks of a text amount to."""

    __slots__ = ("counts", "foreign", "length", "signs")

    def __init__(self) -> None:
        self.counts: dict[int, int] = {}
        self.length = self.signs = self.foreign = 0

    def add(self, chunks: list[str]) -> None:
        """Add the chunks of a part."""
        if len(chunks) > _CHUNKS_FEW:
            self._add_many(chunks)
            return
        counts, length, signs, foreign = self.counts, self.length, self.signs, self.foreign
        for hashes, words, sign, letters in map(_NOTES.__getitem__, chunks):
            length += words
            signs |= sign
            foreign += letters
            for number in hashes:
                counts[number] = counts.get(number, 0) + 1
        self.length, self.signs, self.foreign = length, signs, foreign

    def _add_many(self, chunks: list[str]) -> None:
        """Do the same, but look at each different chunk once."""
        for chunk, times in Counter(chunks).items():
            hashes, words, sign, letters = _NOTES[chunk]
            self.length += times * words
            self.signs |= sign
            self.foreign += times * letters
            for number in hashes:
                self.counts[number] = self.counts.get(number, 0) + times


def _indexed(change: StagedChange, text: str) -> tuple[bytes, list[str]]:
    """Return the entry of a text, and the chunks of the text and of its key."""
    front = cues.read_front(text)
    found = _Sum()
    before: list[str] = []
    if front.body > front.start:
        before = tokens.cut(text[front.start : front.body])[1]
        found.add(before)
        found.signs = 0  # A label is nothing that the text tells.
    body, chunks = tokens.cut(text[front.body :])
    found.add(chunks)
    is_temporal, has_number, names = _signs_of(text, front, body=body, signs=found.signs)
    sequence, is_gapless = _sequence(change)
    traits = (
        QUESTION * cues.asks(text, front.body)
        | TEMPORAL * is_temporal
        | NUMBER * has_number
        | NAMES * names
        | GAPLESS * is_gapless
        | FOREIGN * (found.foreign > 0)
        | TOPIC * front.is_topic
    )
    label = hash_term(front.label) if front.label else 0
    head = HEAD.pack(LAYOUT, traits, min(found.length, 0xFFFF), front.date, label, sequence)
    in_key = _chunks_of_key(change)
    return head + _postings(found.counts, in_key), [*in_key, *before, *chunks]


def _signs_of(text: str, front: cues.Front, *, body: str, signs: int) -> tuple[bool, bool, int]:
    """Return what a text tells; only the beginning of a long one counts."""
    if len(text) - front.body <= cues.TOLD_CHARACTERS_MAX:
        return cues.tell(body, signs)
    told = cues.read(text)
    return told.is_temporal, told.has_number, told.names


def _postings(counts: dict[int, int], chunks_of_key: Sequence[str]) -> bytes:
    """Return hashes and counts of all terms; those of the key alone count once."""
    for chunk in chunks_of_key:
        for number in _NOTES[chunk][0]:
            counts.setdefault(number, 1)
    hashes = struct.pack(f"<{len(counts)}I", *counts)
    try:
        return hashes + bytes(counts.values())
    except ValueError:
        return hashes + bytes(min(count, 255) for count in counts.values())


# ---------------------------------------------------------------- keys and sequences


def _chunks_of_key(change: StagedChange) -> Sequence[str]:
    """Return the chunks of a key that say something: numbers and ids are addresses."""
    if change.kind in (EVENT, TURN) or change.kind in GUARDED:
        return ()
    folder, _slash, name = change.key.rpartition("/")
    return (*_chunks_of_folder(folder), *_speaking(name)) if folder else _speaking(name)


def _speaking(name: str) -> list[str]:
    parts = name.replace("/", " ").replace(":", " ").split()
    words = [part for part in parts if sum(map(str.isalpha, part)) * 2 > len(part) > 2]
    return tokens.cut(" ".join(words))[1]


@remembered(_FOLDERS_MAX)
def _chunks_of_folder(folder: str) -> tuple[str, ...]:
    return tuple(_speaking(folder))


def _sequence(change: StagedChange) -> tuple[int, bool]:
    """Return which sequence a change belongs to (0: none), and whether pauses do not end it."""
    # In order: a merge knows the tags of what it copies, but not in which order they came.
    for tag in sorted(change.tags):
        if tag.startswith(_SESSION):
            return _number(change.space, tag), True
    if change.kind == EVENT:
        return _number(change.space, EVENT, type_of(change.meta or b"{}")), True
    if change.kind in GUARDED:
        # A document's title and its sections are one text, whenever each was written.
        return _number(change.space, "document", whole_of(change.key)), True
    folder, slash, _name = change.key.rpartition("/")
    if change.kind == TURN:
        return _number(change.space, TURN, folder), True
    return (_number(change.space, change.kind, folder), False) if slash else (0, False)


@remembered(_FOLDERS_MAX)
def _number(*names: str) -> int:
    text = "\0".join(names).encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(text, digest_size=8).digest(), "little") or 1
