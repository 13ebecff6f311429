"""What the newest texts have to say about a prompt, by their words.

For callers that must answer at once and have nothing in memory, such as a hook that is started for
each prompt: loading numpy alone would take as long as all of this. It reads the entries of the
newest texts as they lie in the store, as far back as its time allows.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from math import log
from time import monotonic
from typing import NamedTuple

from msgspec.structs import replace

from strata.base import limits
from strata.base.values import encode
from strata.search.entry import hash_term
from strata.search.query import Hit
from strata.search.quick.words import Word, words_of
from strata.search.snippets import snippet
from strata.search.text import text_of_value
from strata.store import EVENT, GUARDED, NOW, Snapshot, meta_of, value_of

_PAGE = 500
# As if there were so many other texts, so that in a young store a word is about as rare as it
# will turn out to be.
_OTHER_TEXTS = 200
# A text has to hold this share of what a prompt says; of a long prompt, of its rarest few words.
_SHARE_MIN = 0.3
_RAREST = 5
# One word says too little, and so does less than half of one.
_WORDS_MIN = 2
_HALF = 0.5


class _Text(NamedTuple):
    """A text of the store, and which terms of the prompt it holds."""

    version: int
    keyspace: int
    key: str
    terms: frozenset[str] = frozenset()


def look(snapshot: Snapshot, text: str, k: int) -> tuple[Hit, ...]:
    """Return what says something about a text, best first; often nothing."""
    words = words_of(text)
    if len(words) < _WORDS_MIN:
        return ()
    terms = list(dict.fromkeys(term for word in words for term in word))
    read, texts = _matching(snapshot, terms)
    held = Counter(term for found in texts for term in found.terms)
    rarity = {term: _rarity(read + _OTHER_TEXTS, held[term]) for term in terms}
    scored = sorted(
        ((_share(words, found.terms, rarity), found) for found in texts),
        key=lambda pair: (-pair[0], -pair[1].version),
    )
    worth = ((share, found) for share, found in scored if share >= _SHARE_MIN)
    return _hits(snapshot, worth, k)


def newest(snapshot: Snapshot, k: int) -> tuple[Hit, ...]:
    """Return what was written last, newest first."""
    rows = (row for page in _pages(snapshot) for row in page)
    return _hits(snapshot, ((0.0, _Text(row[0], row[2], row[3])) for row in rows), k)


def _rarity(texts: int, holders: int) -> float:
    return log(1 + (texts - holders + 0.5) / (holders + 0.5))


def _share(words: list[Word], held: frozenset[str], rarity: dict[str, float]) -> float:
    """Return how much of what the words say a text holds, from 0 to 1."""
    weights: list[float] = []
    total = 0.0
    matched = 0
    for word in words:
        weight = max(rarity[term] for term in word)
        part = _part(word, held)
        weights.append(weight)
        if part >= _HALF:
            matched += 1
            total += weight * part
    if matched < _WORDS_MIN:
        return 0.0
    return min(total / sum(sorted(weights)[-_RAREST:]), 1.0)


def _part(word: Word, held: frozenset[str]) -> float:
    """Return how much of a word a text holds; a Korean one begins with what it means."""
    part = sum(term in held for term in word) / len(word)
    return max(part, _HALF) if word[0] in held and not word[0].isascii() else part


# ---------------------------------------------------------------- the store


def _matching(snapshot: Snapshot, terms: list[str]) -> tuple[int, list[_Text]]:
    """Return how many texts were read, and those that hold a term."""
    # Four bytes of an entry may be such a term by chance: of a billion, a few.
    packed = [(term, hash_term(term).to_bytes(4, "little")) for term in terms]
    seen, found, until = 0, list[_Text](), monotonic() + limits.LOOK_S
    for page in _pages(snapshot):
        seen += len(page)
        for version, _branch, keyspace, key, entry in page:
            held = frozenset(term for term, data in packed if data in entry)
            if held:
                found.append(_Text(version, keyspace, key, held))
        if monotonic() > until or seen >= limits.LOOK_TEXTS_MAX:
            break
    return seen, found


def _pages(snapshot: Snapshot) -> Iterator[list[tuple[int, int, int, str, bytes]]]:
    """Yield the entries that this branch may show, newest first."""
    branches, store = dict(snapshot.lineage), snapshot.store
    before = min(snapshot.bound, NOW - 1) + 1
    kinds = store.catalog.all_keyspaces(store.connection())
    guarded = encode([number for number, _space, kind in kinds if kind in GUARDED]).decode()
    while True:
        rows = store.connection().rows(store.queries.texts_before, (before, _PAGE, guarded))
        yield [
            (row[0], row[1], row[2], row[3], row[4])
            for row in rows
            if row[0] <= branches.get(row[1], -1)
        ]
        if len(rows) < _PAGE:
            return
        before = rows[-1][0]


def _hits(snapshot: Snapshot, scored: Iterator[tuple[float, _Text]], k: int) -> tuple[Hit, ...]:
    """Return the first k that the branch still shows."""
    shown = (_hit(snapshot, text, score=score) for score, text in scored)
    found = islice((hit for hit in shown if hit is not None), k)
    return tuple(replace(hit, rank=rank) for rank, hit in enumerate(found, 1))


def _hit(snapshot: Snapshot, text: _Text, *, score: float) -> Hit | None:
    space, kind = snapshot.store.keyspace_name(text.keyspace)
    record = snapshot.get(space, kind, text.key)
    if record is None or record[0] != text.version:
        return None  # replaced or deleted since
    value = value_of(record)
    part = snippet(text_of_value(kind, value, record[4]), dict.fromkeys(text.terms, 1.0))
    return Hit(
        key=str(int(text.key)) if kind == EVENT else text.key,
        namespace=space,
        kind=kind,
        value=value,
        score=round(score, 4),
        rank=0,
        snippet=part.text,
        marks=part.marks,
        version=record[0],
        timestamp=record[1],
        tags=tuple(meta_of(record).get("tags", ())),
    )
