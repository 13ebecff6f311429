"""The position of a caller: a branch, a space, an actor, and perhaps a moment in the past."""

from collections.abc import Callable, Iterable
from functools import cached_property
from types import TracebackType
from typing import Protocol

from strata.base.checks import is_text
from strata.base.errors import ReadOnly
from strata.base.values import Json, decode, encode
from strata.store.branch import bear
from strata.store.commit import Header, write_alone
from strata.store.history import Instant
from strata.store.record import NOW, Address, StagedChange, check_name
from strata.store.signature import Signature, check_actor, read_signature, with_person
from strata.store.snapshot import Snapshot
from strata.store.store import Screen, Store
from strata.store.transaction import Transaction


class TransactionScope(Protocol):
    """Something that gives a transaction for the length of a `with` block."""

    def __enter__(self) -> Transaction: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None: ...


def _nothing() -> Json:
    return None


class View:
    """Reads of a branch; each write is one commit of its own."""

    def __init__(
        self,
        store: Store,
        *,
        branch: str,
        space: str,
        actor: str | None = None,
        person: Callable[[], Signature] = Signature,
        instant: Instant | None = None,
        branch_id: int | None = None,
        screened: bool = True,
    ) -> None:
        self.store = store
        self.screened = screened
        self.branch = branch
        self.space = check_name(space, what="space")
        self.actor = check_actor(actor)
        self._person = person
        self.instant = instant
        bound = NOW if instant is None else instant.version
        self.snapshot = Snapshot(store, branch, bound, branch_id=branch_id)

    @cached_property
    def signature(self) -> str | None:
        """Who is named on the commits made here."""
        return self.signed(self.actor)

    def signed(self, actor: str | None) -> str | None:
        """Return who is named on a commit by an actor: the actor, and the person here."""
        return with_person(check_actor(actor), self._person())

    @property
    def screen(self) -> Screen | None:
        """What new values must pass; None where secrets are allowed."""
        return self.store.screen if self.screened else None

    @property
    def masks(self) -> bool:
        """Whether secrets in new values are replaced by marks."""
        screen = self.store.screen
        return self.screened and screen is not None and screen.masks

    def encoded(
        self,
        value: Json,
        *,
        name: str = "",
        what: str = "value",
        before: Callable[[], Json] = _nothing,
    ) -> tuple[Json, bytes]:
        """Return a value as it may be written, with secrets masked if told to, and its bytes.

        `name` is what it is kept under, `before` gives what is kept there now.
        """
        data = encode(value, what=what)
        screen = self.store.screen
        if screen is None or not self.masks:
            return value, data
        clean = screen.cleaned(name, data, before)
        return (value, data) if clean is data else (decode(clean), clean)

    def screen_note(self, value: Json, what: str) -> Json:
        """Return what is noted beside values as it may be kept; raise SecretRefused."""
        screen = self.screen
        return value if screen is None or value is None else screen.screen_note(value, what)

    def message(self, text: str | None) -> str | None:
        """Return a message as it may be kept, masked if told to; raise SecretRefused."""
        # What is no text is refused later, when it is stored.
        return str(self.screen_note(text, "message")) if is_text(text) else text

    def check_name(self, text: str | None, what: str) -> None:
        """Raise SecretRefused for a name with a secret in it."""
        if is_text(text) and (screen := self.screen) is not None:
            screen.screen_note(str(text), what, is_name=True)

    def writing(self, operation: str, *, about: Iterable[Address] = ()) -> TransactionScope:
        """Begin a transaction that commits at the end of the `with` block.

        `about` are keys that it looks up, which are read with its begin.
        """
        if self.instant is not None:
            self.check_writable()
        if about and self.store.database.foresees:
            self.store.connection().foresee(self.snapshot.reads_of(about))
        header = Header(operation, self.signature)
        return Transaction(self.snapshot, header, locked=True, screen=self.screen)

    def write(self, change: StagedChange, operation: str) -> tuple[int, int]:
        """Commit one change by itself; return its version and time."""
        if self.instant is not None or self.store.database.read_only:
            self.check_writable()
        screen = self.store.screen
        if screen is not None and self.screened:
            # Before the index: nothing may be derived from what is refused.
            screen.check(change, self.snapshot.get)
        if self.store.indexer is not None:
            change = self.store.indexed(change)
        header = Header(operation, self.signature)
        is_plain = not (change.tags or change.attributes or change.links)
        branch = self.snapshot.branch_id
        if is_plain and self.snapshot.is_current and branch not in self.store.catalog.following:
            receipt = write_alone(self.store, branch, change, header=header)
            if receipt is not None:
                return receipt.version, receipt.timestamp
        with Transaction(self.snapshot, header, locked=True) as transaction:
            return transaction.stage(change)

    def bear_branch(self) -> None:
        """Make an unborn branch, for a caller that writes versions by itself."""
        if self.snapshot.is_unborn and not self.store.database.read_only:
            bear(self.store, self.branch)

    def check_writable(self) -> None:
        """Raise ReadOnly where nothing can be written: in the past, or a read-only store."""
        if self.instant is not None:
            raise ReadOnly(
                f"This is the state of {self.instant.iso_time}; the past cannot be written.",
                hint="Write to the branch itself, or fork it from that point.",
            )
        if self.store.database.read_only:
            raise ReadOnly("The store is open for reading only.", hint="Open it for writing.")


class StagingView(View):
    """Reads and writes inside an open transaction; nothing commits before it does."""

    def __init__(
        self,
        transaction: Transaction,
        *,
        space: str,
        reads_only: bool = False,
        screened: bool = True,
    ) -> None:
        self.store = transaction.store
        self.screened = screened and transaction.screen is not None
        self.branch = transaction.branch
        self.space = space
        self.actor = read_signature(transaction.header.actor).agent
        self.signature = transaction.header.actor
        self.instant = None
        self.snapshot = transaction
        self._joined = _Joined(transaction, screened=self.screened)
        self._reads_only = reads_only

    def writing(
        self,
        operation: str,
        *,
        about: Iterable[Address] = (),  # noqa: ARG002  (it has begun)
    ) -> TransactionScope:
        """Join the open transaction."""
        self._check_open(operation)
        return self._joined

    def write(self, change: StagedChange, operation: str) -> tuple[int, int]:
        """Stage one change in the open transaction."""
        self._check_open(operation)
        with self._joined as transaction:
            return transaction.stage(change)

    def _check_open(self, operation: str) -> None:
        if self._reads_only:
            raise ReadOnly(f"The transaction is read-only; {operation} cannot be part of it.")


class _Joined:
    """Lends out a transaction that another caller will commit."""

    def __init__(self, transaction: Transaction, *, screened: bool) -> None:
        self._transaction = transaction
        self._screened = screened
        self._screen = transaction.screen

    def __enter__(self) -> Transaction:
        if not self._transaction.is_open:
            raise ReadOnly("The transaction has ended.", hint="Begin another one.")
        if not self._screened:  # for this one call
            self._transaction.screen = None
        return self._transaction

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._transaction.screen = self._screen
