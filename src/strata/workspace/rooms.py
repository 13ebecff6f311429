"""The kinds of values, as a view of the store or an open transaction shows them."""

from functools import cached_property

from strata.memory import Events, JsonDocuments, Kv, Matrices, State, Vectors
from strata.store import Instant, StagingView, Transaction, View, check_name


class Rooms:
    """The kinds of values, seen from one view."""

    def __init__(self, view: View, matrices: Matrices) -> None:
        self._view = view
        self._matrices = matrices

    @cached_property
    def kv(self) -> Kv:
        """Facts: any JSON value under a key."""
        return Kv(self._view)

    @cached_property
    def json(self) -> JsonDocuments:
        """Documents that are read and written at a path."""
        return JsonDocuments(self._view)

    @cached_property
    def state(self) -> State:
        """Cells with a counter, for compare-and-set."""
        return State(self._view)

    @cached_property
    def events(self) -> Events:
        """An append-only log."""
        return Events(self._view)

    @cached_property
    def vectors(self) -> Vectors:
        """Collections of vectors."""
        return Vectors(self._view, self._matrices)


class WorkspaceTransaction(Rooms):
    """What `db.transaction()` gives: the same rooms, committed together.

    Versions and times are 0 until the block ends; `commit` tells them afterwards.
    """

    def __init__(
        self, transaction: Transaction, matrices: Matrices, *, space: str, reads_only: bool
    ) -> None:
        super().__init__(StagingView(transaction, space=space, reads_only=reads_only), matrices)
        self._transaction = transaction
        self._reads_only = reads_only

    def space(self, name: str) -> "WorkspaceTransaction":
        """Return the same transaction in another space."""
        return WorkspaceTransaction(
            self._transaction, self._matrices, space=check_name(name, what="space"),
            reads_only=self._reads_only,
        )  # fmt: skip

    def rollback(self) -> None:
        """Drop everything; the block may go on reading but writes no more."""
        self._transaction.rollback()

    @property
    def commit(self) -> Instant | None:
        """Version and time of the commit, once there is one."""
        receipt = self._transaction.receipt
        return None if receipt is None else Instant(receipt.version, receipt.timestamp)
