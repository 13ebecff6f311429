"""What two branches have in common of a document, update by update.

The states from which branches parted, as the store counts them, are not enough: what one branch
took over by a merge stands in its log as a row of its own. But an update is the same bytes
wherever it was carried, so what both logs hold is exactly what both sides know.
"""

from strata.documents.log import entries_after, load, rows_after
from strata.documents.text import Replica, Splice, followed
from strata.store import GONE, Snapshot, Store


class Ground:
    """The text on which both sides of a merge stand, and what each of them did to it."""

    def __init__(self, store: Store, document: str, *, ours: Snapshot, theirs: Snapshot) -> None:
        self._document = document
        self._ours, self._theirs = ours, theirs
        ancestor, parted = _trunk(store, ours, theirs)
        if any(_was_away(side, document, parted) for side in (ours, theirs)):
            parted = 0  # what came back need not be all that was there
        mine = entries_after(ours, document, parted)
        other = entries_after(theirs, document, parted)
        known = {entry.update for entry in mine}
        shared = {entry.update for entry in other}
        # What the source has written and the target lacks, with its authors.
        self.missing = [entry for entry in other if entry.update not in known]
        there = Snapshot(store, "", parted, branch_id=ancestor) if parted else None
        base = Replica() if there is None else load(there, document)
        for entry in mine:
            if entry.update in shared:
                base.apply(entry.update)
        self._state, self._vector = base.state(), base.vector()
        self.text = base.text

    def edits(self) -> tuple[list[Splice], list[Splice]]:
        """Return what each side did to the common text."""
        return self._edits(self._ours), self._edits(self._theirs)

    def _edits(self, side: Snapshot) -> list[Splice]:
        update = load(side, self._document).since(self._vector)
        return followed(Replica(state=self._state), [update])


def _trunk(store: Store, ours: Snapshot, theirs: Snapshot) -> tuple[int, int]:
    """Return the ancestor that both sides have, and the version up to which they share it."""
    mine = dict(store.lineage(ours.branch_id))
    for ancestor, upto in store.lineage(theirs.branch_id):
        if ancestor in mine:
            return ancestor, min(upto, mine[ancestor], ours.bound, theirs.bound)
    return 0, 0


def _was_away(side: Snapshot, document: str, version: int) -> bool:
    """Tell whether a document was removed, and brought back, since a version."""
    return any(row[2] & GONE for row in rows_after(side, document, version))
