"""The kinds of values, as a view of the store or an open transaction shows them."""

# Names in signatures would load their packages: a command needs one kind, or none.
from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from strata import memory
from strata.base import ids
from strata.base.errors import NoTransaction
from strata.store import Instant, StagingView, Transaction, View, check_name

if TYPE_CHECKING:
    from strata.decisions import TransactionDecisions
    from strata.documents import TransactionDocuments

# Gives the documents of a transaction, as one of its views shows them.
MakesDocuments: TypeAlias = "Callable[[View], TransactionDocuments]"


class Kinds:
    """The kinds of values, seen from one view."""

    def __init__(self, view: View, matrices: Callable[[], memory.Matrices]) -> None:
        self._view = view
        self._matrices = matrices

    @cached_property
    def facts(self) -> memory.Facts:
        """What is known by name, as agents mean it."""
        return memory.Facts(self._view)

    @cached_property
    def kv(self) -> memory.Kv:
        """Facts: any JSON value under a key."""
        return memory.Kv(self._view)

    @cached_property
    def json(self) -> memory.JsonDocuments:
        """Documents that are read and written at a path."""
        return memory.JsonDocuments(self._view)

    @cached_property
    def state(self) -> memory.State:
        """Cells with a counter, for compare-and-set."""
        return memory.State(self._view)

    @cached_property
    def events(self) -> memory.Events:
        """An append-only log."""
        return memory.Events(self._view)

    @cached_property
    def vectors(self) -> memory.Vectors:
        """Collections of vectors."""
        return memory.Vectors(self._view, self._matrices())

    @cached_property
    def spaces(self) -> memory.Spaces:
        """Separate sets of keys."""
        return memory.Spaces(self._view)


class TransactionKinds(Kinds):
    """What an open transaction has beside the kinds of values."""

    def __init__(
        self, view: View, matrices: Callable[[], memory.Matrices], documents: MakesDocuments
    ) -> None:
        super().__init__(view, matrices)
        self._make_documents = documents

    @cached_property
    def documents(self) -> TransactionDocuments:
        """Documents and their texts: committed with the rest of the transaction."""
        return self._make_documents(self._view)

    @cached_property
    def decisions(self) -> TransactionDecisions:
        """What was decided, and why: saved with the rest of the transaction."""
        from strata.decisions import TransactionDecisions  # noqa: PLC0415  (seldom needed)

        return TransactionDecisions(self._view)


class WorkspaceTransaction(TransactionKinds):
    """What `db.transaction()` gives: the same kinds of values, committed together.

    Versions and times are 0 until the block ends; `commit` tells them afterwards.
    """

    def __init__(
        self,
        transaction: Transaction,
        matrices: Callable[[], memory.Matrices],
        documents: MakesDocuments,
        *,
        space: str,
        reads_only: bool,
        screened: bool = True,
    ) -> None:
        view = StagingView(transaction, space=space, reads_only=reads_only, screened=screened)
        super().__init__(view, matrices, documents)
        self._transaction = transaction
        self._reads_only = reads_only

    def space(self, name: str) -> WorkspaceTransaction:
        """Return the same transaction in another space."""
        return WorkspaceTransaction(
            self._transaction,
            self._matrices,
            self._make_documents,
            space=check_name(name, what="space"),
            reads_only=self._reads_only,
            screened=self._view.screened,
        )

    def allowing_secrets(self) -> WorkspaceTransaction:
        """Return the same transaction, keeping keys, tokens and passwords as they are."""
        return WorkspaceTransaction(
            self._transaction,
            self._matrices,
            self._make_documents,
            space=self._view.space,
            reads_only=self._reads_only,
            screened=False,
        )

    def rollback(self) -> None:
        """Drop everything; the block may go on reading but writes no more."""
        self._transaction.rollback()

    @property
    def commit(self) -> Instant | None:
        """Version and time of the commit, once there is one."""
        receipt = self._transaction.receipt
        return None if receipt is None else Instant(receipt.version, receipt.timestamp)


class OpenTransaction(TransactionKinds):
    """What `db.begin()` gives: the same kinds of values, until `commit` or `rollback` ends it.

    For programs whose transaction outlives one block, such as a server between two requests.
    It locks nothing while it is open. Several threads may use it, one at a time.
    """

    def __init__(
        self,
        transaction: Transaction,
        matrices: Callable[[], memory.Matrices],
        documents: MakesDocuments,
        *,
        space: str,
        reads_only: bool,
    ) -> None:
        view = StagingView(transaction, space=space, reads_only=reads_only)
        super().__init__(view, matrices, documents)
        self._transaction = transaction
        self.reads_only = reads_only
        self.id = ids.token()
        self.started_at = transaction.store.clock()

    @property
    def branch(self) -> str:
        """The branch it reads, and will be committed to."""
        return self._view.branch

    @property
    def is_open(self) -> bool:
        """Whether it can still be committed."""
        return self._transaction.is_open

    def space(self, name: str) -> WorkspaceTransaction:
        """Return the same transaction in another space.

        >>> tx = db.begin()
        >>> _ = tx.space("notes").kv.put("k", 1)
        >>> _ = tx.commit()
        >>> db.space("notes").kv.get("k").value
        1
        """
        return WorkspaceTransaction(
            self._transaction,
            self._matrices,
            self._make_documents,
            space=check_name(name, what="space"),
            reads_only=self.reads_only,
        )

    def allowing_secrets(self) -> WorkspaceTransaction:
        """Return the same transaction, keeping keys, tokens and passwords as they are.

        >>> tx = db.begin()
        >>> _ = tx.allowing_secrets().kv.put("dsn", "postgres://app:" + "tr0ub4dor" + "@db/app")
        >>> tx.commit().version
        1
        """
        return self.space(self._view.space).allowing_secrets()

    def commit(self) -> Instant | None:
        """Write everything as one commit; return its version and time, None without changes.

        Raises TransactionConflict, and has written nothing, when anything that was read here
        has changed since; NoTransaction when it has ended before.

        >>> tx = db.begin()
        >>> _ = tx.kv.put("k", "값")
        >>> tx.commit().version == db.kv.get("k").version
        True
        """
        if not self.is_open:
            raise NoTransaction("The transaction has ended.", hint="Begin another one.")
        receipt = self._transaction.commit()
        return None if receipt is None else Instant(receipt.version, receipt.timestamp)

    def rollback(self) -> None:
        """Drop everything; a second call does nothing.

        >>> tx = db.begin()
        >>> _ = tx.kv.put("k", 1)
        >>> tx.rollback()
        >>> db.kv.get("k") is None
        True
        """
        self._transaction.rollback()
