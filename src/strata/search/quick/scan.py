"""What the texts of a store have to say about a prompt, by their words and their meaning.

For callers that must answer at once and have nothing in memory, such as a hook that is started for
each prompt: loading numpy alone would take as long as all of this. It reads what segments hold of
the prompt's words, and the entries of newer texts as they lie in the store. Of the texts that hold
most of the words it compares the vectors, where the store has them.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from heapq import nlargest
from itertools import islice
from time import thread_time
from typing import NamedTuple

from msgspec.structs import replace

from strata.base import limits
from strata.base.values import encode
from strata.search import cues, everyday, relevance, tokens
from strata.search.entry import HEAD, QUESTION, hash_term
from strata.search.hits import hit_of
from strata.search.index.talks import asks_often
from strata.search.query import Hit
from strata.search.quick.nearness import Nearness
from strata.search.quick.sealed import SealedHolders
from strata.search.quick.words import Word, words_of
from strata.search.text import TURN
from strata.store import GUARDED, NOW, Snapshot, version_row

_PAGE = 500
# Where words alone tell, a text has to hold this share of what the rarest words of a prompt say,
_SHARE_MIN = 0.25
# and two of its words: one says too little. Less than half of one says nothing.
_WORDS_MIN = 2
_HALF = 0.5
# How the entry of a text ends its head that is in no sequence.
_NO_SEQUENCE = bytes(8)


class _Text(NamedTuple):
    """A text of the store, which terms of the prompt it holds, and where it is if that is known.

    `sequence` is that of its entry, for a text that no segment holds.
    """

    version: int
    terms: frozenset[str]
    is_talk: bool = False
    keyspace: int = 0
    key: str = ""
    sequence: bytes = b""


class _Tail(NamedTuple):
    """The texts that no segment holds: of each how its entry begins, and those with a term."""

    heads: list[bytes]
    texts: list[_Text]


class _Match(NamedTuple):
    """A text, how many words of a prompt it holds, and what it holds of them all."""

    text: _Text
    words: int
    held: relevance.Held


class _Judged(NamedTuple):
    """A text, how much of what a prompt says it holds, and how relevant it is."""

    text: _Text
    score: float = 0.0
    relevance: float = 0.0


def look(
    snapshot: Snapshot, text: str, k: int, *, nearness: Nearness | None = None
) -> tuple[Hit, ...]:
    """Return what says something about a text, best first; often nothing."""
    words = words_of(text)
    if len(words) < _WORDS_MIN:
        return ()
    terms = list(dict.fromkeys(term for word in words for term in word))
    with snapshot.reading():
        sealed = SealedHolders(
            snapshot.store, terms, guarded=_guarded(snapshot), live_only=_is_present(snapshot)
        )
        tail = _matching(snapshot, terms, sealed.gaps)
        held = sealed.held + Counter(term for found in tail.texts for term in found.terms)
        total = sealed.texts + len(tail.heads)
        rarity = {term: everyday.term_weight(total, held[term], hash_term(term)) for term in terms}
        found = [*tail.texts, *(_Text(*one) for one in sealed.best(rarity))]
        best = _best(words, rarity, found)
        versions = [one.text.version for one in best]
        units = {} if nearness is None else nearness.units(text, versions)
    lack = _lack(text, held, looked_for=frozenset(terms))
    near = _near(best, units, tail, texts=total)
    judged = (_judged(one, lack, near.get(one.text.version)) for one in best)
    worth = (one for one in judged if one.relevance >= relevance.FLOOR)
    ordered = sorted(worth, key=lambda one: (-one.relevance, -one.score, -one.text.version))
    return _hits(snapshot, ordered, k, rarity=rarity)


def newest(snapshot: Snapshot, k: int) -> tuple[Hit, ...]:
    """Return what was written last, newest first."""
    rows = (row for page in _pages(snapshot) for row in page)
    found = (_Judged(_Text(row[0], frozenset(), keyspace=row[2], key=row[3])) for row in rows)
    return _hits(snapshot, found, k, rarity={})


class _Lack(NamedTuple):
    """Which share of what a prompt names occurs nowhere in the store, and if an identifier does."""

    absent: float
    is_identifier: bool


def _lack(text: str, held: Counter[str], *, looked_for: frozenset[str]) -> _Lack:
    def is_missing(name: str) -> bool:
        terms = looked_for.intersection(tokens.question(name).terms)
        return bool(terms) and not any(held[term] for term in terms)

    named = cues.named(text)
    absent = sum(map(is_missing, named)) / max(len(named), 1)
    return _Lack(absent, any(map(is_missing, cues.identifiers(text))))


def _best(words: list[Word], rarity: Mapping[str, float], texts: Iterable[_Text]) -> list[_Match]:
    """Return the texts that hold most of what the words say, those with two of them first."""
    told = relevance.HeldByOne([max(rarity[term] for term in word) for word in words])
    parts = ((text, [_part(word, text.terms) for word in words]) for text in texts)
    found = (_Match(text, sum(map(bool, held)), told.held(held)) for text, held in parts)
    return nlargest(
        limits.LOOK_CANDIDATES,
        (one for one in found if one.words),
        key=lambda one: (one.words >= _WORDS_MIN, one.held.share, one.text.version),
    )


def _near(
    matches: Iterable[_Match], units: Mapping[int, float], tail: _Tail, *, texts: int
) -> dict[int, relevance.Near]:
    """Return how near each version is among so many texts, of those that have a vector."""
    found = [one.text for one in matches if one.text.version in units]
    talks = _talks(tail.heads, {text.sequence for text in found} - {b"", _NO_SEQUENCE})
    return {
        text.version: relevance.Near(
            units[text.version], texts, text.is_talk or text.sequence in talks
        )
        for text in found
    }


def _judged(match: _Match, lack: _Lack, near: relevance.Near | None) -> _Judged:
    """Judge a text by its words and how near it is; without a vector it has to hold more words."""
    text, words, held = match
    if near is not None:
        likely = relevance.by_meaning_of_one(
            held, lack.absent, near, lacks_identifier=lack.is_identifier
        )
    elif words >= _WORDS_MIN and held.share >= _SHARE_MIN:
        likely = relevance.by_words_of_one(held, lack.absent)
    else:
        likely = 0.0
    return _Judged(text, held.share, likely)


def _part(word: Word, held: frozenset[str]) -> float:
    """Return how much of a word a text holds, at least half; a Korean one begins with its sense."""
    if len(word) == 1:
        return float(word[0] in held)
    part = sum(term in held for term in word) / len(word)
    part = max(part, _HALF) if word[0] in held and not word[0].isascii() else part
    return part if part >= _HALF else 0.0


# ---------------------------------------------------------------- the store


def _matching(snapshot: Snapshot, terms: list[str], gaps: Sequence[tuple[int, int]]) -> _Tail:
    # Four bytes of an entry may be such a term by chance: of a billion, a few.
    packed = [(term, hash_term(term).to_bytes(4, "little")) for term in terms]
    heads, found = list[bytes](), dict[tuple[int, str], _Text]()
    until = thread_time() + limits.LOOK_S
    for page in (page for gap in gaps for page in _pages(snapshot, gap)):
        heads += [entry[: HEAD.size] for *_place, entry in page]
        for version, _branch, keyspace, key, entry in page:
            held = frozenset(term for term, data in packed if data in entry)
            if held:
                text = _Text(version, held, False, keyspace, key, _sequence(entry))
                # The newest come first, and only these are shown.
                found.setdefault((keyspace, key), text)
        if thread_time() > until or len(heads) >= limits.LOOK_TEXTS_MAX:
            break
    return _Tail(heads, list(found.values()))


def _talks(heads: Iterable[bytes], wanted: set[bytes]) -> set[bytes]:
    """Return which of some sequences are talk, as far as they are in no segment."""
    items, asking = Counter[bytes](), Counter[bytes]()
    for head in heads if wanted else ():
        sequence = _sequence(head)
        if sequence in wanted:
            items[sequence] += 1
            asking[sequence] += head[1] & QUESTION
    return {one for one, count in items.items() if asks_often(count, asking[one])}


def _sequence(entry: bytes) -> bytes:
    return entry[HEAD.size - len(_NO_SEQUENCE) : HEAD.size]


def _pages(
    snapshot: Snapshot, gap: tuple[int, int] = (0, NOW)
) -> Iterator[list[tuple[int, int, int, str, bytes]]]:
    """Yield the entries that this branch may show, newest first, of versions in (after, upto]."""
    branches, store = dict(snapshot.lineage), snapshot.store
    after, upto = gap
    before = min(snapshot.bound, upto, NOW - 1) + 1
    guarded = encode(sorted(_guarded(snapshot))).decode()
    while True:
        rows = store.connection().rows(store.queries.texts_before, (before, _PAGE, guarded))
        found = [row for row in rows if row[0] > after]
        yield [
            (row[0], row[1], row[2], row[3], row[4])
            for row in found
            if row[0] <= branches.get(row[1], -1)
        ]
        if len(found) < _PAGE:
            return
        before = rows[-1][0]


def _guarded(snapshot: Snapshot) -> frozenset[int]:
    """Return the keyspaces that no glance looks at.

    Documents have a search of their own. A turn of a conversation is no answer to the next prompt:
    what is most like a prompt is the same prompt, as it was said before.
    """
    store = snapshot.store
    kinds = store.catalog.all_keyspaces(store.connection())
    return frozenset(number for number, _space, kind in kinds if kind in GUARDED or kind == TURN)


def _is_present(snapshot: Snapshot) -> bool:
    """Tell whether a snapshot is what the default branch shows now."""
    return snapshot.bound == NOW and snapshot.current_branch() == snapshot.store.default_branch


def _hits(
    snapshot: Snapshot, judged: Iterable[_Judged], k: int, *, rarity: Mapping[str, float]
) -> tuple[Hit, ...]:
    """Return the first k that the branch still shows."""
    shown = (_hit(snapshot, one, rarity) for one in judged)
    found = islice((hit for hit in shown if hit is not None), k)
    return tuple(replace(hit, rank=rank) for rank, hit in enumerate(found, 1))


def _hit(snapshot: Snapshot, judged: _Judged, rarity: Mapping[str, float]) -> Hit | None:
    text, score, relevant = judged
    if not text.keyspace:
        row = version_row(snapshot.store, text.version)
        if row is None:
            return None
        text = text._replace(keyspace=row[6], key=row[7])
    space, kind = snapshot.store.keyspace_name(text.keyspace)
    record = snapshot.get(space, kind, text.key)
    if record is None or record[0] != text.version:
        return None  # replaced or deleted since
    terms = {term: rarity[term] for term in text.terms}
    place = (space, kind, text.key)
    return hit_of(record, place, terms, score=min(score, 1.0), relevance=relevant)
