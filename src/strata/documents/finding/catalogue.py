"""What a branch knows of its documents beside their texts, in memory, following the commits.

A list of twenty thousand documents is sorted, filtered and counted here without reading one of
them: a process reads each document's card once, and afterwards only those that were written.
"""

import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping

import msgspec

from strata.base import limits
from strata.documents.records import DOCUMENT, SPACE, TEXT, Card, card_of, find_card
from strata.store import GONE, NOW, TRIMMED, Snapshot


class Entry(msgspec.Struct, frozen=True, gc=False):
    """What finding needs to know of a document. `version` and `updated` are its text's."""

    id: str
    card: Card
    version: int
    updated: int
    bytes: int


class Catalogue:
    """The documents of one branch, now or as of a version. Entries are replaced, not changed."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.upto = snapshot.newest()
        self.removals = snapshot.store.catalog.removals
        self.entries: Mapping[str, Entry] = dict(_read_all(snapshot))

    def follow(self, snapshot: Snapshot) -> None:
        """Take in what was written since; `entries` is another object if that was anything."""
        now = snapshot.newest()
        if now <= self.upto:
            return
        written = {
            key
            for kind in (DOCUMENT, TEXT)
            for key in snapshot.written_between(SPACE, kind, after=self.upto, upto=now)
        }
        if written:
            found = dict(self.entries)
            for id_ in written:
                found.pop(id_, None)
            found.update(_read(snapshot, written))
            self.entries = found
        self.upto = now


class Catalogues:
    """The catalogues of a store that were asked for last. Safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: OrderedDict[tuple[int, int], Catalogue] = OrderedDict()

    def entries(self, snapshot: Snapshot) -> Mapping[str, Entry]:
        """Return the documents that a snapshot shows: the same object while they are the same."""
        with self._lock:
            key = (snapshot.current_branch(), snapshot.bound)
            found = self._known.get(key)
            if found is None or found.removals != snapshot.store.catalog.removals:
                found = self._known[key] = Catalogue(snapshot)
            elif snapshot.bound == NOW:
                found.follow(snapshot)
            self._known.move_to_end(key)
            while len(self._known) > limits.CATALOGUES_KEPT:
                self._known.popitem(last=False)
            return found.entries

    def forget(self) -> None:
        """Drop everything, after values were erased."""
        with self._lock:
            self._known.clear()


class _Notes(msgspec.Struct, frozen=True):
    """What the newest row of a text's log says that a list shows."""

    bytes: int = 0


_notes = msgspec.json.Decoder(_Notes)


def _entry(id_: str, card: Card, row: tuple[int, int, bytes | None]) -> Entry:
    """Return the entry of a document from its card and version, time and notes of its text."""
    version, timestamp, notes = row
    return Entry(id_, card, version, timestamp, _notes.decode(notes).bytes if notes else 0)


def _read(snapshot: Snapshot, ids: Iterable[str]) -> Iterable[tuple[str, Entry]]:
    """Yield some documents, those that are there."""
    for id_ in ids:
        card, text = find_card(snapshot, id_), snapshot.get(SPACE, TEXT, id_)
        if card is not None and text is not None and not text[2] & GONE:
            yield id_, _entry(id_, card, (text[0], text[1], text[4]))


def _read_all(snapshot: Snapshot) -> Iterable[tuple[str, Entry]]:
    """Yield every document without reading a single text."""
    store = snapshot.store
    texts = dict(snapshot.keys(SPACE, TEXT))
    wanted = msgspec.json.encode(sorted(texts.values())).decode()
    rows = store.connection().rows(store.queries.notes_of_versions, (wanted,))
    noted = {row[0]: (row[0], row[1], row[2]) for row in rows}
    # What retention has emptied says nothing any more, to nobody.
    for id_, record in snapshot.items(SPACE, DOCUMENT, hidden=GONE | TRIMMED):
        row = noted.get(texts.get(id_, -1))
        if row is not None:
            yield id_, _entry(id_, card_of(record), row)
