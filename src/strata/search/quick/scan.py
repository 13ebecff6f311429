"""What the texts of a store have to say about a prompt, by their words.

For callers that must answer at once and have nothing in memory, such as a hook that is started for
each prompt: loading numpy alone would take as long as all of this. It reads what segments hold of
the prompt's words, and the entries of newer texts as they lie in the store.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from time import thread_time
from typing import NamedTuple

from msgspec.structs import replace

from strata.base import limits
from strata.base.values import encode
from strata.search import cues, everyday, relevance, tokens
from strata.search.entry import hash_term
from strata.search.hits import hit_of
from strata.search.query import Hit
from strata.search.quick.sealed import SealedHolders
from strata.search.quick.words import Word, words_of
from strata.search.text import TURN
from strata.store import GUARDED, NOW, Snapshot, version_row

_PAGE = 500
# A text has to hold this share of what a prompt says; of a long prompt, of its rarest few words.
_SHARE_MIN = 0.25
_RAREST = 5
# One word says too little, and so does less than half of one.
_WORDS_MIN = 2
_HALF = 0.5


class _Text(NamedTuple):
    """A text of the store, which terms of the prompt it holds, and its place, if that is known."""

    version: int
    terms: frozenset[str]
    keyspace: int = 0
    key: str = ""


class _Judged(NamedTuple):
    """A text, how much of what a prompt says it holds, and how relevant it is."""

    text: _Text
    score: float = 0.0
    relevance: float = 0.0


def look(snapshot: Snapshot, text: str, k: int) -> tuple[Hit, ...]:
    """Return what says something about a text, best first; often nothing."""
    words = words_of(text)
    if len(words) < _WORDS_MIN:
        return ()
    terms = list(dict.fromkeys(term for word in words for term in word))
    with snapshot.reading():
        sealed = SealedHolders(
            snapshot.store, terms, guarded=_guarded(snapshot), live_only=_is_present(snapshot)
        )
        read, texts = _matching(snapshot, terms, sealed.gaps)
        held = sealed.held + Counter(term for found in texts for term in found.terms)
        total = sealed.texts + read
        rarity = {term: everyday.term_weight(total, held[term], hash_term(term)) for term in terms}
        found = [*texts, *(_Text(*one) for one in sealed.best(rarity))]
    absent = _absent(text, held)
    weights = [max(rarity[term] for term in word) for word in words]
    judged = (_judged(one, words, weights, absent=absent) for one in found)
    worth = (one for one in judged if one.score >= _SHARE_MIN and one.relevance >= relevance.FLOOR)
    ordered = sorted(worth, key=lambda one: (-one.score, -one.text.version))
    return _hits(snapshot, ordered, k, rarity=rarity)


def newest(snapshot: Snapshot, k: int) -> tuple[Hit, ...]:
    """Return what was written last, newest first."""
    rows = (row for page in _pages(snapshot) for row in page)
    found = (_Judged(_Text(row[0], frozenset(), row[2], row[3])) for row in rows)
    return _hits(snapshot, found, k, rarity={})


def _absent(text: str, held: Counter[str]) -> float:
    """Return the share of what a prompt names that occurs nowhere in the store."""
    named = [tokens.question(name).terms for name in cues.named(text)]
    return sum(not any(held[term] for term in terms) for terms in named) / max(len(named), 1)


def _judged(text: _Text, words: list[Word], weights: list[float], *, absent: float) -> _Judged:
    """Judge a text by how much of what the rarest words say it holds, given what each word says.

    It scores more than 1 if it holds more than that.
    """
    parts = [_part(word, text.terms) for word in words]
    matched = [(weight, part) for weight, part in zip(weights, parts, strict=True) if part >= _HALF]
    if len(matched) < _WORDS_MIN:
        return _Judged(text)
    share = sum(weight * part for weight, part in matched) / sum(sorted(weights)[-_RAREST:])
    most = max(weight for weight, _part in matched)
    return _Judged(text, share, relevance.by_words_of_one(min(share, 1.0), most, absent))


def _part(word: Word, held: frozenset[str]) -> float:
    """Return how much of a word a text holds; a Korean one begins with what it means."""
    if len(word) == 1:
        return float(word[0] in held)
    part = sum(term in held for term in word) / len(word)
    return max(part, _HALF) if word[0] in held and not word[0].isascii() else part


# ---------------------------------------------------------------- the store


def _matching(
    snapshot: Snapshot, terms: list[str], gaps: Sequence[tuple[int, int]]
) -> tuple[int, list[_Text]]:
    """Return how many texts were read that no segment holds, and those that hold a term."""
    # Four bytes of an entry may be such a term by chance: of a billion, a few.
    packed = [(term, hash_term(term).to_bytes(4, "little")) for term in terms]
    seen, found, until = 0, list[_Text](), thread_time() + limits.LOOK_S
    for page in (page for gap in gaps for page in _pages(snapshot, gap)):
        seen += len(page)
        for version, _branch, keyspace, key, entry in page:
            held = frozenset(term for term, data in packed if data in entry)
            if held:
                found.append(_Text(version, held, keyspace, key))
        if thread_time() > until or seen >= limits.LOOK_TEXTS_MAX:
            break
    return seen, found


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
