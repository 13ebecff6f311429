"""Entries of the text index: what a search needs to know of a version, as few bytes.

An entry is written in the commit, beside the value. It holds which terms the text has and how
often, its length, and what else the text tells: a date, a speaker, whether it asks something,
and the sequence it belongs to. Terms are kept as 32-bit hashes: two of a million words in a
store share one with a chance of two in ten thousand, and then only rank a little too high.
"""

import struct
from collections import Counter
from collections.abc import Iterable
from hashlib import blake2b
from zlib import crc32

from strata.base import limits
from strata.search import cues, tokens
from strata.search.text import text_of_change, type_of
from strata.store import EVENT, Change, Entry

# Layout, traits, length in words, date as ordinal, hash of the label, sequence.
HEAD = struct.Struct("<BBHiIQ")
LAYOUT = 1
# Bits of the traits. The number of names, up to three, takes two bits.
QUESTION, TEMPORAL, NUMBER, NAMES, GAPLESS, FOREIGN, TOPIC = 1, 2, 4, 8, 32, 64, 128

_SESSION = "session:"


class TextIndexer:
    """Makes entries, and knows which words are in the store already."""

    def __init__(self) -> None:
        self._seen: set[str] = set()

    def entry(self, change: Change) -> Entry | None:
        """Return what the index keeps of a change, or None for what nobody searches."""
        text = text_of_change(change)
        if text is None:
            return None
        heading = _words_of_key(change)
        words = tokens.surface(f"{heading} {text}" if heading else text)
        return Entry(pack(change, text), tuple(word for word in words if word not in self._seen))

    def remember(self, words: Iterable[str]) -> None:
        """Note words that are in the store for good."""
        if len(self._seen) > limits.SEEN_WORDS_MAX:
            self._seen = set()
        self._seen.update(words)

    def forget(self) -> None:
        """Take no word for known any more, after a purge."""
        self._seen = set()


def pack(change: Change, text: str) -> bytes:
    """Return the entry of a text that stands under the change's key."""
    told = cues.read(text)
    found = tokens.analyse(text[told.start :])
    terms = Counter(found.terms)
    for term in tokens.analyse(_words_of_key(change)).terms:
        terms.setdefault(term, 1)
    sequence, is_gapless = _sequence(change)
    traits = (
        QUESTION * told.is_question | TEMPORAL * told.is_temporal | NUMBER * told.has_number
        | NAMES * told.names | GAPLESS * is_gapless | FOREIGN * found.is_foreign
        | TOPIC * _is_topic(text, told)
    )  # fmt: skip
    label = hash_term(told.label) if told.label else 0
    head = HEAD.pack(LAYOUT, traits, min(found.length, 0xFFFF), told.date, label, sequence)
    hashes = struct.pack(f"<{len(terms)}I", *map(hash_term, terms))
    return head + hashes + bytes(min(count, 255) for count in terms.values())


def _is_topic(text: str, told: cues.Cues) -> bool:
    """Whether the label names a topic, as in `Decision cache_policy: …`, not a speaker."""
    return bool(told.label) and not text[told.start : told.body].lower().startswith(told.label[:1])


def hash_term(term: str) -> int:
    """Return the number under which a term is kept."""
    return crc32(term.encode("utf-8", "surrogatepass"))


def _words_of_key(change: Change) -> str:
    """Return the part of a key that says something: numbers and ids are addresses."""
    if change.kind == EVENT:
        return ""
    parts = change.key.replace("/", " ").replace(":", " ").split()
    return " ".join(part for part in parts if sum(map(str.isalpha, part)) * 2 > len(part) > 2)


def _sequence(change: Change) -> tuple[int, bool]:
    """Return which sequence a change belongs to (0: none), and whether pauses do not end it."""
    session = next((tag for tag in change.tags if tag.startswith(_SESSION)), None)
    if session is not None:
        return _number(change.space, session), True
    if change.kind == EVENT:
        return _number(change.space, EVENT, type_of(change.meta or b"{}")), True
    folder, slash, _name = change.key.rpartition("/")
    return (_number(change.space, change.kind, folder), False) if slash else (0, False)


def _number(*names: str) -> int:
    text = "\0".join(names).encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(text, digest_size=8).digest(), "little") or 1
