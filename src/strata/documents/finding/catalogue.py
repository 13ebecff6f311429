"""What a branch knows of its documents beside their texts, in memory, following the commits.

A list of twenty thousand documents is sorted, filtered and counted here without reading one of
them: a process reads each document's card once, and afterwards only those that were written.
"""

from collections.abc import Iterable, Mapping
from typing import cast

import msgspec

from strata.base import limits
from strata.base.values import encode
from strata.documents.records import DOCUMENT, SPACE, TEXT, Card, card_of
from strata.store import GONE, TRIMMED, Commits, Derived, Record, Snapshot, Store


class CatalogueEntry(msgspec.Struct, frozen=True, gc=False):
    """What finding needs to know of a document. `version` and `updated` are its text's.

    `carded` is the version of its card: title, trash and the like.
    """

    id: str
    card: Card
    version: int
    updated: int
    bytes: int
    carded: int


class Catalogues:
    """The documents of branches, now or as of a version. Entries are replaced, not changed."""

    def __init__(self, store: Store) -> None:
        self._entries: Derived[None, Mapping[str, CatalogueEntry]] = Derived(
            store, build=_read_all, follow=_follow, most=limits.CATALOGUES_KEPT
        )

    def entries(self, snapshot: Snapshot) -> Mapping[str, CatalogueEntry]:
        """Return the documents that a snapshot shows: the same object while they are the same."""
        return self._entries.of(snapshot, None)


class _Notes(msgspec.Struct, frozen=True):
    """What the newest row of a text's log says that a list shows."""

    bytes: int = 0


_notes = msgspec.json.Decoder(_Notes)


def _entry(id_: str, card: Record, text: Record) -> CatalogueEntry:
    """Return the entry of a document from its card and the newest row of its text's log."""
    version, timestamp, _flags, _value, notes = text
    size = _notes.decode(notes).bytes if notes else 0
    return CatalogueEntry(id_, card_of(card), version, timestamp, size, card[0])


def _read(snapshot: Snapshot, ids: Iterable[str]) -> Iterable[tuple[str, CatalogueEntry]]:
    """Yield some documents, those that are there."""
    for id_ in ids:
        card, text = (snapshot.get(SPACE, kind, id_) for kind in (DOCUMENT, TEXT))
        if card is not None and text is not None and not (card[2] | text[2]) & GONE:
            yield id_, _entry(id_, card, text)


def _follow(
    entries: Mapping[str, CatalogueEntry], commits: Commits, _key: None
) -> Mapping[str, CatalogueEntry]:
    kinds = (DOCUMENT, TEXT)
    with commits.ahead(*((SPACE, kind) for kind in kinds)):
        written = {key for kind in kinds for key in commits.keys(SPACE, kind)}
    if not written:
        return entries
    kept = {id_: entry for id_, entry in entries.items() if id_ not in written}
    return kept | dict(_read(commits.snapshot, written))


def _read_all(snapshot: Snapshot, _key: None) -> Mapping[str, CatalogueEntry]:
    """Return every document without reading a single text."""
    store, texts = snapshot.store, dict(snapshot.keys(SPACE, TEXT))
    cards = snapshot.keys(SPACE, DOCUMENT, in_one_pass=True)
    wanted = encode(sorted([*texts.values(), *(version for _id, version in cards)])).decode()
    connection = store.connection()
    keyspace = store.catalog.keyspace(SPACE, TEXT, connection)
    rows = connection.rows(store.queries.cards_and_notes, (wanted, keyspace))
    records = {row[0]: cast("Record", row) for row in rows}
    found = ((id_, records[card], records.get(texts.get(id_, -1))) for id_, card in cards)
    return {
        id_: _entry(id_, card, text)
        for id_, card, text in found
        # What retention has emptied has no card any more.
        if text is not None and not card[2] & TRIMMED
    }
