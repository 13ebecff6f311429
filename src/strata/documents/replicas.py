"""Replicas that stay loaded between the edits of one author, and what follows from their text.

A replica's client id belongs to one author, one branch and one process for good: an id that two
places write with destroys text at the next merge. So a replica is taken out of here for each
edit, and put back only when its edit is in the store; else it is thrown away.
"""

from typing import TypeAlias

from strata.base import limits
from strata.documents.log import LogHead, entries_of, find_head, load, rows_after
from strata.documents.sections import SectionLayout, layout_of
from strata.documents.text import Replica
from strata.store import GONE, TRIMMED, Remembered, Snapshot, Store

# Branch, document, author and the agent that writes for them.
Key: TypeAlias = tuple[int, str, str, str | None]


class EditingReplica:
    """One document laid out for one author: its replica, and how its text is cut up."""

    def __init__(self, key: Key, replica: Replica, head: LogHead | None, *, epoch: int) -> None:
        self.key = key
        self.replica = replica
        # The newest row of the log when the replica was taken out; None for no document.
        self.head = head
        self.version = 0 if head is None else head.version
        # Of what is remembered, when it was laid out.
        self.epoch = epoch
        # None until an edit needs it.
        self.layout: SectionLayout | None = None

    def catches_up(self, snapshot: Snapshot, newest: LogHead | None = None) -> bool:
        """Take over what others have written since; False where that is not all there is.

        Retention may have dropped some of it, or the document was away and its log began anew.
        `newest` is the newest row, for a caller that knows it.
        """
        head = self.head = newest or find_head(snapshot, self.key[1])
        if head is None or head.version == self.version:
            return head is not None
        rows = rows_after(snapshot, self.key[1], self.version)
        if any(row[2] & (TRIMMED | GONE) for row in rows):
            return False
        for entry in (entry for row in rows for entry in entries_of(row)):
            self.replica.apply(entry.update)
        self.version, self.layout = rows[-1][0], None
        return True

    def known_layout(self, snapshot: Snapshot) -> SectionLayout:
        """Return the text as the store has it cut up."""
        if self.layout is None:
            self.layout = layout_of(snapshot, self.key[1], self.replica.text)
        return self.layout


class Replicas:
    """The replicas of a process; the least used ones are dropped first. Safe from many threads."""

    def __init__(self, store: Store) -> None:
        self._replicas: Remembered[Key, EditingReplica] = Remembered(
            store,
            most=limits.REPLICAS_MAX,
            size=lambda editing: len(editing.replica.text),
            size_max=limits.REPLICAS_CHARACTERS_MAX,
        )

    @property
    def epoch(self) -> int:
        """How often all replicas were dropped: one that was lent out before does not come back."""
        return self._replicas.epoch

    def acquire(
        self, snapshot: Snapshot, key: Key, newest: LogHead | None = None
    ) -> EditingReplica:
        """Return a replica with the document as a snapshot shows it; it is the caller's.

        `newest` is the newest row of the log, for a caller that knows it.
        """
        editing = self._replicas.pop(key)
        if editing is not None and editing.catches_up(snapshot, newest):
            return editing
        return self.load(snapshot, key)

    def load(self, snapshot: Snapshot, key: Key) -> EditingReplica:
        """Return a new replica with the document as a snapshot shows it."""
        epoch = self.epoch
        with snapshot.reading():
            head = find_head(snapshot, key[1])
            replica = load(snapshot, key[1])
        return EditingReplica(key, replica, head, epoch=epoch)

    def release(self, editing: EditingReplica, version: int) -> None:
        """Put a replica back after its edit was committed as a version.

        Another thread may have laid out the same document meanwhile: the last one stays.
        """
        editing.version = version
        self._replicas.keep(editing.key, editing, editing.epoch)
