"""What two branches have in common of a document, update by update.

The states from which branches parted, as the store counts them, are not enough: what one branch
took over by a merge is in its log as a row of its own. But an update is the same bytes
wherever it was carried, or a part of a larger one. So both sides know what a log holds and
the other's replica has taken in. One log is enough for that: retention may have dropped rows of
the other.
"""

from collections.abc import Sequence
from functools import cached_property

from strata.base.errors import TooOld
from strata.documents.log import LogEntry, entries_after, load, rows_after
from strata.documents.text import (
    Deletion,
    KnownUpdates,
    Overlap,
    Replica,
    Splice,
    apply_as_splices,
    read_update,
    undeletions,
)
from strata.store import GONE, Snapshot, Store


class _Side:
    """One side of a merge: its replica, and what it has written, unless some of it was dropped."""

    def __init__(self, snapshot: Snapshot, document: str, parted: int) -> None:
        self.replica = load(snapshot, document)
        self.entries: list[LogEntry] = []
        self.dropped: TooOld | None = None
        try:
            self.entries = entries_after(snapshot, document, parted)
        except TooOld as error:
            self.dropped = error
        self._updates = {entry.update for entry in self.entries}

    @cached_property
    def _knowledge(self) -> KnownUpdates:
        return KnownUpdates(self.replica)

    def knows(self, update: bytes) -> bool:
        """Tell whether an update is in the text of this side."""
        return update in self._updates or self._knowledge.has(update)

    def has_lost(self, deletion: Deletion) -> bool:
        """Tell whether this side has deleted the same letters."""
        return self._knowledge.has_lost(deletion)


class DocumentMergeBase:
    """The base of both sides of a merge, and what each of them did to it."""

    def __init__(
        self, document: str, *, ours: Snapshot, theirs: Snapshot, shared: Snapshot | None
    ) -> None:
        parted = 0 if shared is None else shared.bound
        if any(_was_away(side, document, parted) for side in (ours, theirs)):
            parted = 0  # what came back need not be all that was there
        self._ours, self._theirs = (_Side(side, document, parted) for side in (ours, theirs))
        if self._ours.dropped and self._theirs.dropped:
            raise self._ours.dropped
        base = load(shared, document) if shared is not None and parted else Replica()
        for one, other in ((self._ours, self._theirs), (self._theirs, self._ours)):
            for entry in one.entries:
                if other.knows(entry.update):
                    base.apply(entry.update)
        self._state, self._vector = base.state(), base.vector()
        self.text = base.text

    def ours(self) -> Replica:
        """Return a replica of the target's text."""
        return Replica(state=self._ours.replica.state())

    def replica(self) -> Replica:
        """Return a replica of the common text."""
        return Replica(state=self._state)

    def missing(self) -> list[LogEntry]:
        """Return what the source has written and the target lacks, with its authors."""
        return [entry for entry in self._theirs.entries if not self._ours.knows(entry.update)]

    def dropped(self) -> bytes:
        """Return all that the target lacks as one update, if its authors are not known any more.

        Otherwise, and where nothing lacks, it is empty.
        """
        update = self._theirs.replica.since(self._ours.replica.vector())
        return b"" if self._theirs.dropped is None or self._ours.knows(update) else update

    def returns(self, overlaps: Sequence[Overlap]) -> list[bytes]:
        """Return updates that bring back what the target keeps of words that the source deleted.

        They are the same on every branch that keeps these words.
        """
        if not overlaps:
            return []
        spans = [Splice(one.at, one.at + len(one.base), "") for one in overlaps]
        update = Replica(state=self._state).splice(spans)
        kept = read_update(update).deletions if update else []
        updates = [entry.update for entry in self.missing()] or [self.dropped()]
        gone = (one for update in updates for one in read_update(update).deletions)
        declined = [
            one
            for one in gone
            if any(_meets(one, other) for other in kept) and not self._ours.has_lost(one)
        ]
        return undeletions(self._state, declined)

    def edits(self) -> tuple[list[Splice], list[Splice]]:
        """Return what each side did to the common text."""
        return self._edits(self._ours), self._edits(self._theirs)

    def _edits(self, side: _Side) -> list[Splice]:
        return apply_as_splices(self.replica(), [side.replica.since(self._vector)])


def _meets(one: Deletion, other: Deletion) -> bool:
    is_before = one.clock + one.length <= other.clock or other.clock + other.length <= one.clock
    return one.client == other.client and not is_before


def trunk(store: Store, ours: Snapshot, theirs: Snapshot) -> tuple[int, int]:
    """Return the ancestor that both sides have, and the version up to which they share it."""
    mine = dict(store.lineage(ours.branch_id))
    for ancestor, upto in store.lineage(theirs.branch_id):
        if ancestor in mine:
            return ancestor, min(upto, mine[ancestor], ours.bound, theirs.bound)
    return 0, 0


def _was_away(side: Snapshot, document: str, version: int) -> bool:
    """Tell whether a document was removed, and brought back, since a version."""
    return any(row[2] & GONE for row in rows_after(side, document, version))
