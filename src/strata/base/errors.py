"""Every error Strata raises, in one tree.

StrataError
├── NotFound                not_found            nothing by that name; also a KeyError
│   ├── BranchNotFound  CollectionNotFound  CommitNotFound  KeyNotFound
│   ├── SpaceNotFound   TagNotFound         TokenNotFound
│   ├── StoreNotFound                            also a FileNotFoundError
│   └── NoTransaction       txn_not_active       nothing is open that could be ended
├── AlreadyExists           already_exists
├── Conflict                conflict             someone else changed what this depends on
│   ├── MergeConflict       merge_conflict       carries the conflicting entries
│   ├── TransactionConflict txn_conflict         carries the keys that moved
│   ├── TransactionOpen     txn_already_active   one is open, and has to end first
│   ├── UpdateGap           update_gap           an edit of a document builds on one not here
│   └── VersionConflict     version_conflict     a compare-and-set that lost
├── InvalidArgument         invalid_input        carries the parameter; also a ValueError
│   ├── InvalidKey          invalid_key
│   ├── InvalidPath         invalid_path
│   ├── InvalidTime         invalid_time
│   ├── WrongType           wrong_type           also a TypeError
│   └── DimensionMismatch   dimension_mismatch
├── NotAllowed              not_allowed
│   ├── ReadOnly            access_denied
│   └── SecretRefused       secret_refused       carries kinds and places, never the secret
├── LimitExceeded           limit_exceeded       carries the limit and the size
├── TooOld                  history_trimmed      asked for a state that retention removed
├── Unavailable             unavailable          worth trying again
│   ├── Locked              locked
│   ├── DiskFull            disk_full
│   └── Interrupted         interrupted
├── Unusable                unusable             this program cannot work on that file
│   ├── NewerFormat         newer_format
│   ├── NetworkFileSystem   network_file_system
│   └── NotAStore           not_a_store
└── Damaged                 damaged              the bytes are not what was written
    ├── DamagedStore        damaged_store
    ├── DamagedBundle       damaged_bundle
    └── DamagedUpdate       damaged_update       an edit of a document that cannot be read

Where Python has an error of its own for a case, ours is one of those too: a program that catches
KeyError, ValueError, TypeError or FileNotFoundError need not know this tree.

An error is raised once, where the fact is known, with a sentence a user can act on and,
where we can tell, a hint that names the next thing to do.
"""

from typing import Any, ClassVar, cast

from strata.base.results import Result


class StrataError(Exception):
    """The root of everything Strata raises on purpose."""

    code: ClassVar[str] = "internal"

    def __init__(self, message: str, *, hint: str | None = None, **details: object) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.details = details

    def __str__(self) -> str:
        return f"{self.message} {self.hint}" if self.hint else self.message

    def __reduce__(self) -> tuple[object, ...]:
        # Keyword-only arguments do not survive pickling by default, and errors
        # cross process borders in worker pools.
        return (_rebuild, (type(self), self.message, {"hint": self.hint, **self.details}))


def _rebuild(kind: type[StrataError], message: str, rest: dict[str, Any]) -> StrataError:
    return kind(message, **rest)


class NotFound(StrataError, KeyError):
    """Nothing by that name on this branch."""

    code = "not_found"


class BranchNotFound(NotFound):
    """There is no branch of that name."""


class CollectionNotFound(NotFound):
    """There is no vector collection of that name."""


class CommitNotFound(NotFound):
    """No commit contains that version number."""


class KeyNotFound(NotFound):
    """Nothing is kept under that key in this space."""


class SpaceNotFound(NotFound):
    """There is no space of that name on this branch."""


class StoreNotFound(NotFound, FileNotFoundError):
    """There is no store at that path."""


class TagNotFound(NotFound):
    """There is no tag of that name."""


class TokenNotFound(NotFound):
    """There is no token of that name."""


class NoTransaction(NotFound):
    """There is no open transaction, or it was rolled back meanwhile."""

    code = "txn_not_active"


class AlreadyExists(StrataError):
    """The name is taken."""

    code = "already_exists"


class Conflict(StrataError):
    """Someone else changed what this call depends on."""

    code = "conflict"


class ConflictEntry(Result, frozen=True):
    """A place that both sides changed since `base`; `path` is "$" for a whole value.

    `id` names it in the choices of a merge: it follows from the place and the three values, so a
    conflict that has changed since has another one. `choice` is what a caller chose for it.
    """

    space: str
    kind: str
    key: str
    path: str
    base: Any
    source: Any
    target: Any
    id: str = ""
    choice: str | None = None


class MergeConflict(Conflict):
    """A strict merge met keys that both sides changed.

    `conflicts` holds one entry per key or field, with base and both values.
    """

    code = "merge_conflict"

    @property
    def conflicts(self) -> tuple[ConflictEntry, ...]:
        """One entry for every place that both sides changed."""
        return tuple(cast("list[ConflictEntry]", self.details.get("conflicts", [])))


class TransactionConflict(Conflict):
    """Something the transaction read has moved since; nothing was written."""

    code = "txn_conflict"


class TransactionOpen(Conflict):
    """A transaction is open, and has to end before this can be done."""

    code = "txn_already_active"


class UpdateGap(Conflict):
    """An edit of a document builds on an edit that is not here."""

    code = "update_gap"


class VersionConflict(Conflict):
    """A compare-and-set found another version than expected."""

    code = "version_conflict"


class InvalidArgument(StrataError, ValueError):
    """An argument cannot be used; `details["parameter"]` names it."""

    code = "invalid_input"


class InvalidKey(InvalidArgument):
    """A key is empty, too odd or not text."""

    code = "invalid_key"


class InvalidPath(InvalidArgument):
    """A JSON path is malformed or does not fit the document."""

    code = "invalid_path"


class InvalidTime(InvalidArgument):
    """A time cannot be understood."""

    code = "invalid_time"


class WrongType(InvalidArgument, TypeError):
    """A value has a type that this operation cannot take."""

    code = "wrong_type"


class DimensionMismatch(InvalidArgument):
    """A vector's length differs from its collection's dimension."""

    code = "dimension_mismatch"


class NotAllowed(StrataError):
    """The operation is forbidden here."""

    code = "not_allowed"


class ReadOnly(NotAllowed):
    """The store, view or transaction is open for reading only."""

    code = "access_denied"


class SecretRefused(NotAllowed):
    """A value, a key or a note holds a secret; nothing of it was written.

    `details["found"]` lists the kind and the place of each; the secret is nowhere in the error.
    """

    code = "secret_refused"


class LimitExceeded(StrataError):
    """A named limit is passed; `details` has the limit and the size."""

    code = "limit_exceeded"


class TooOld(StrataError):
    """The state asked for was removed by retention."""

    code = "history_trimmed"


class Unavailable(StrataError):
    """Not possible now; the same call may succeed later."""

    code = "unavailable"


class Locked(Unavailable):
    """Another process held the store for too long."""

    code = "locked"


class DiskFull(Unavailable):
    """There was no space to write; nothing was changed."""

    code = "disk_full"


class Interrupted(Unavailable):
    """The call was cancelled or ran out of time; nothing was changed."""

    code = "interrupted"


class Unusable(StrataError):
    """This program cannot work on that file."""

    code = "unusable"


class NewerFormat(Unusable):
    """The store was written by a newer Strata."""

    code = "newer_format"


class NetworkFileSystem(Unusable):
    """The store lies on a file system whose locks cannot be trusted."""

    code = "network_file_system"


class NotAStore(Unusable):
    """The file is not a Strata store."""

    code = "not_a_store"


class Damaged(StrataError):
    """The bytes are not what was written."""

    code = "damaged"


class DamagedStore(Damaged):
    """SQLite or the hash chain found damage in the store."""

    code = "damaged_store"


class DamagedBundle(Damaged):
    """A bundle fails its checks; nothing of it was taken in."""

    code = "damaged_bundle"


class DamagedUpdate(Damaged):
    """The bytes of an edit of a document cannot be read, or say what no edit says."""

    code = "damaged_update"
