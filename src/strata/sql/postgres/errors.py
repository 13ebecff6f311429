"""What PostgreSQL's errors mean for the caller."""

from collections.abc import Callable

import psycopg
from psycopg import errors

from strata.base import limits
from strata.base.errors import (
    DamagedStore,
    DiskFull,
    Interrupted,
    InvalidArgument,
    Locked,
    ReadOnly,
    StrataError,
    Unavailable,
)
from strata.sql.connection import interrupted


def translated(error: Exception) -> StrataError:
    """Return the error of ours that says what one of the driver's means for the caller."""
    if isinstance(error, UnicodeEncodeError):
        return InvalidArgument(
            f"{ascii(error.object)[:100]} is no text: it holds bytes that are not UTF-8.",
            hint="Check how it was typed or read; a store keeps Unicode.",
        )
    if isinstance(error, psycopg.DataError) and "NUL" in str(error):
        return InvalidArgument(
            "A name or a note holds the character NUL, which PostgreSQL cannot keep.",
            hint="Remove it; values may hold it.",
        )
    if isinstance(error, errors.CharacterNotInRepertoire) and error.diag.context:
        return InvalidArgument(
            "A name or a note of the store holds the character NUL, which PostgreSQL cannot keep: "
            f"{error.diag.context}.",
            hint="A store with it stays in a file, where it can be used as before.",
        )
    for kinds, build in _TRANSLATIONS:
        if isinstance(error, kinds):
            return build(_first_line(error))
    return DamagedStore(
        f"PostgreSQL refused a statement: {_first_line(error)}.",
        hint="Please report this; `db.verify()` checks the store.",
    )


def is_lost_node(error: Exception) -> bool:
    """Whether the server has lost a node behind it, and with that whatever was sent there."""
    state = (isinstance(error, psycopg.Error) and error.sqlstate) or ""
    return state.startswith("08") or state in _ENDED


def is_passing(error: BaseException | None) -> bool:
    """Whether the server undid a statement because of others, such as the move of a workspace."""
    return isinstance(error, (errors.SerializationFailure, errors.DeadlockDetected))


# A server that is being stopped, has crashed or does not take connections yet.
_ENDED = frozenset({"57P01", "57P02", "57P03"})


class LostConnection(Unavailable):
    """The connection was lost, and whatever was sent over it was not committed."""


def lost(error: Exception) -> StrataError:
    """Return the error for a statement that a lost connection has ended."""
    return LostConnection(
        f"The connection to the database was lost: {_first_line(error)}.",
        hint="Nothing was changed. Try again; the next call connects anew.",
    )


def lost_transaction() -> StrataError:
    """Return the error for a statement of a transaction whose connection was lost before."""
    return Unavailable(
        "The connection to the database was lost during the transaction.",
        hint="Nothing was changed. Try again; the next call connects anew.",
    )


class LostCommit(Exception):
    """The connection was lost while a change was committed, and the answer with it."""

    def __init__(self, cause: Exception) -> None:
        super().__init__(str(cause))
        self.cause = cause


def lost_commit(error: Exception) -> StrataError:
    """Return the error for a lost commit that the database did not come back to tell about."""
    return Unavailable(
        f"The connection to the database was lost during a commit: {_first_line(error)}.",
        hint="It did not come back in time to tell whether the change was made: as a whole, or not "
        "at all. Read before you write it again.",
    )


def undone() -> StrataError:
    """Return the error for a commit of a transaction in which a statement had failed."""
    return DamagedStore(
        "A statement of the transaction had failed, so the database undid all of it.",
        hint="Nothing was changed. Please report this.",
    )


def gone_workspace() -> StrataError:
    """Return the error for a workspace that was deleted since it was opened here."""
    return Unavailable(
        "The workspace was deleted since it was opened here.",
        hint="Nothing was written. Open another one.",
    )


def _first_line(error: Exception) -> str:
    return str(error).strip().split("\n", maxsplit=1)[0].rstrip(".")


def _locked(_text: str) -> StrataError:
    return Locked(
        f"Another process has held the store for over {limits.LOCK_WAIT_S:.0f} seconds.",
        hint="Nothing was changed. Try again, or end the process that holds it.",
    )


def _full(_text: str) -> StrataError:
    return DiskFull(
        "There is no room left on the database's disk.",
        hint="Nothing was changed. Free some space there and try again.",
    )


def _read_only(_text: str) -> StrataError:
    return ReadOnly(
        "The database cannot be written here.",
        hint="It is a replica or set to read only; connect to the primary.",
    )


def _refused(text: str) -> StrataError:
    return Unavailable(
        f"The database refused access: {text}.",
        hint="Check the user's permissions; `strata db init` grants what Strata needs.",
    )


def _missing_table(text: str) -> StrataError:
    return Unavailable(
        f"The database is not prepared for Strata: {text}.",
        hint="Run `strata db init` once.",
    )


# What to do about a connection that was not made, by a word of what server or library say of it.
_CONNECTING = {
    "password": "Give the user's password in PGPASSWORD or ~/.pgpass, and check the user's name in "
    "the address.",
    "does not exist": "Check the names in STRATA_DB or --db. PostgreSQL's own `createdb` makes a "
    "database, `createuser` a role.",
    "pg_hba.conf": "The server's pg_hba.conf says who may connect from where.",
    "too many": "End programs that use it, or raise the server's max_connections: 13 for each "
    "process of Strata.",
    "connection slots": "End programs that use it, or raise the server's max_connections: 13 for "
    "each process of Strata.",
}


def _unreachable(text: str) -> StrataError:
    hints = (hint for word, hint in _CONNECTING.items() if word in text)
    return Unavailable(
        f"The database cannot be reached: {text}.",
        hint=next(hints, "Check that it runs, and the address in STRATA_DB or --db."),
    )


def _interrupted(text: str) -> StrataError:
    if "statement timeout" not in text:
        return interrupted()
    return Interrupted(
        "The database has ended a statement that took longer than its statement_timeout allows.",
        hint="Nothing was changed. Raise it for Strata's role: ALTER ROLE … SET statement_timeout.",
    )


_TRANSLATIONS: tuple[
    tuple[type[Exception] | tuple[type[Exception], ...], Callable[[str], StrataError]], ...
] = (
    (errors.QueryCanceled, _interrupted),
    (errors.LockNotAvailable, _locked),
    ((errors.SerializationFailure, errors.DeadlockDetected), _locked),
    (errors.DiskFull, _full),
    (errors.ReadOnlySqlTransaction, _read_only),
    (errors.InsufficientPrivilege, _refused),
    ((errors.UndefinedTable, errors.UndefinedColumn, errors.InvalidSchemaName), _missing_table),
    ((psycopg.OperationalError, psycopg.InterfaceError), _unreachable),
)
