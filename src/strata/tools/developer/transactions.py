"""Category txn: several calls of one session as one commit."""

from typing import Annotated, Literal

from msgspec import Struct

from strata.base.errors import NoTransaction, TransactionOpen
from strata.tools.declare import ToolGroup
from strata.tools.session import Call, Session, SessionTransaction

txn = ToolGroup("developer", pattern="strata_txn_{}", shared=())

_BEGIN = "strata_txn_begin begins one."


class BeginAnswer(Struct, frozen=True):
    """A transaction was begun."""

    status: Literal["begun"]


class CommitAnswer(Struct, frozen=True):
    """A transaction is durable; `version` is null when there was nothing to write."""

    status: Literal["committed"]
    version: int | None


class RollbackAnswer(Struct, frozen=True):
    """A transaction was dropped."""

    status: Literal["aborted"]


class TransactionInfo(Struct, frozen=True):
    """The open transaction; it began at that time, in microseconds."""

    id: str
    status: str
    started_at: int


@txn.writes(sets_session=True, shared=("branch",), example={"read_only": False})
def begin(
    call: Call,
    *,
    read_only: Annotated[bool, "Only read, from one unmoving state"] = False,
) -> BeginAnswer:
    """Begin a transaction for this session.

    Until strata_txn_commit the kv, state, json, event, vector and space tools read one state, see
    their own writes, and write nothing; versions are 0 meanwhile. One at a time; it is rolled back
    when the session ends or nothing uses it for five minutes. One call that writes many, such as
    strata_kv_put_many, is atomic without it.
    """
    state = call.session.state
    found = _held(call.session) or state.transaction
    if found is not None:
        raise TransactionOpen(
            f"A transaction is open on branch {found.branch!r}.",
            hint="End it first: strata_txn_commit or strata_txn_rollback.",
        )
    state.transaction = SessionTransaction(call.db.begin(read_only=read_only), call.session)
    return BeginAnswer("begun")


@txn.writes(sets_session=True, example={})
def commit(call: Call) -> CommitAnswer:
    """Commit the open transaction.

    All of it becomes one commit. If anything that was read in it has changed since, nothing is
    written and the error has the code txn_conflict: begin again. Without one: txn_not_active.
    """
    held = _required(call.session)
    call.session.state.transaction = None  # it ends here, however this goes
    made = held.opened.commit()
    return CommitAnswer("committed", None if made is None else made.version)


@txn.writes(sets_session=True, destructive=True, example={})
def rollback(call: Call) -> RollbackAnswer:
    """Drop the open transaction.

    Nothing of it was written. Without one the error has the code txn_not_active.
    """
    held = _required(call.session)
    call.session.state.transaction = None
    held.rollback()
    return RollbackAnswer("aborted")


@txn.reads(example={})
def info(call: Call) -> TransactionInfo | None:
    """Describe the open transaction.

    Answers {id, status, started_at}, or {result: null} when none is open.
    """
    held = _held(call.session)
    if held is None:
        return None
    status = "read_only" if held.opened.reads_only else "active"
    return TransactionInfo(held.opened.id, status, held.opened.started_at)


@txn.reads(example={})
def active(call: Call) -> bool:
    """Tell whether a transaction is open.

    Answers {result}.
    """
    return _held(call.session) is not None


def _held(session: Session) -> SessionTransaction | None:
    """Return the session's transaction, unless it was left alone for too long."""
    found = session.transaction
    if found is not None and found.is_forgotten:
        found.rollback()
        session.state.transaction = found = None
    return found


def _required(session: Session) -> SessionTransaction:
    found = session.transaction
    if found is None:
        raise NoTransaction("No transaction is open.", hint=_BEGIN)
    found.check()
    return found
