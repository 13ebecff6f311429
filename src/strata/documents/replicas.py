"""Replicas that stay loaded between the edits of one author, and what follows from their text.

A replica's client id belongs to one author, one branch and one process for good: an id that two
places write with destroys text at the next merge. So a replica is taken out of here for each
edit, and put back only when its edit is in the store; else it is thrown away.
"""

import threading
from collections import OrderedDict
from typing import TypeAlias

from strata.base import limits
from strata.documents.log import entries_of, find_head, load, rows_after
from strata.documents.sections import Layout, layout_of
from strata.documents.text import Replica
from strata.store import GONE, TRIMMED, Snapshot

# Branch, document, author and the agent that writes for them.
Key: TypeAlias = tuple[int, str, str, str | None]


class Desk:
    """One document laid out for one author: its replica, and how its text is cut up."""

    def __init__(self, key: Key, replica: Replica, version: int, *, epoch: int) -> None:
        self.key = key
        self.replica = replica
        self.version = version
        # Of Replicas, when it was laid out.
        self.epoch = epoch
        # None until an edit needs it.
        self.layout: Layout | None = None

    def catches_up(self, snapshot: Snapshot) -> bool:
        """Take over what others have written since; False where that is not all there is.

        Retention may have dropped some of it, or the document was away and its log began anew.
        """
        head = find_head(snapshot, self.key[1])
        if head is None or head.version == self.version:
            return head is not None
        rows = rows_after(snapshot, self.key[1], self.version)
        if any(row[2] & (TRIMMED | GONE) for row in rows):
            return False
        for entry in (entry for row in rows for entry in entries_of(row)):
            self.replica.apply(entry.update)
        self.version, self.layout = rows[-1][0], None
        return True

    def known_layout(self, snapshot: Snapshot) -> Layout:
        """Return the text as the store has it cut up."""
        if self.layout is None:
            self.layout = layout_of(snapshot, self.key[1], self.replica.text)
        return self.layout


class Replicas:
    """The desks of a process; the least used ones are cleared first. Safe from many threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        # Each with the length of its text when it was put back.
        self._desks: OrderedDict[Key, tuple[Desk, int]] = OrderedDict()
        self._held = 0
        # How often all desks were cleared: one that was laid out before does not come back.
        self.epoch = 0

    def take(self, snapshot: Snapshot, key: Key) -> Desk:
        """Return a desk with the document as a snapshot shows it; it is the caller's."""
        with self._lock:
            epoch = self.epoch
            desk, size = self._desks.pop(key, (None, 0))
            self._held -= size
        if desk is not None and desk.catches_up(snapshot):
            return desk
        with snapshot.reading():
            head = find_head(snapshot, key[1])
            replica = load(snapshot, key[1])
        return Desk(key, replica, head.version if head else 0, epoch=epoch)

    def give(self, desk: Desk, version: int) -> None:
        """Put a desk back after its edit was committed as a version."""
        desk.version = version
        size = len(desk.replica.text)
        with self._lock:
            if desk.epoch != self.epoch:
                return
            # Another thread may have laid out the same document meanwhile.
            _other, known = self._desks.pop(desk.key, (None, 0))
            self._desks[desk.key] = (desk, size)
            self._held += size - known
            while self._held > limits.REPLICAS_CHARACTERS_MAX or self._is_full():
                self._held -= self._desks.popitem(last=False)[1][1]

    def _is_full(self) -> bool:
        return len(self._desks) > limits.REPLICAS_MAX

    def forget(self) -> None:
        """Clear every desk, after values were erased."""
        with self._lock:
            self._desks.clear()
            self._held = 0
            self.epoch += 1
