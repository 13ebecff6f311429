"""What a process knows of branches and keyspaces, and when it must look again."""

from threading import Lock

import msgspec

from strata.base.digests import digest
from strata.base.errors import BranchNotFound, DamagedStore, ReadOnly
from strata.base.values import Json, decode
from strata.sql import Connection, Look, Queries, Read, Row, check_format
from strata.store.record import NOW, check_name

DEFAULT_BRANCH = "default"
DEFAULT_SPACE = "default"


def row_digest(*columns: str | int | None) -> bytes:
    """Return the digest of a row that no commit covers: a branch, a tag or a setting."""
    return digest(msgspec.json.encode(columns))


class BranchRow(msgspec.Struct, frozen=True):
    """A branch as the table has it."""

    id: int
    name: str
    parent: int | None
    fork_version: int | None
    created: int
    deleted: int | None
    actor: str | None
    metadata: Json

    @property
    def remote(self) -> str | None:
        """The remote whose commits it follows; None for a branch that is written to here."""
        noted = self.metadata
        name = noted.get("remote") if isinstance(noted, dict) and len(noted) == 1 else None
        return name if isinstance(name, str) else None


class UnbornBranch(msgspec.Struct, frozen=True):
    """A branch that its first write makes; until then it shows what its parent shows.

    With `renames` the parent is the same branch under its former name, and the first write gives
    it the new one.
    """

    parent: str
    metadata: Json = None
    renames: bool = False


class Catalog:
    """Branches by name and id, lineages, and keyspaces, cached until the store moves."""

    def __init__(self, queries: Queries) -> None:
        self._queries = queries
        # Threads share what is known; changed rows are taken over one change after the other.
        self._lock = Lock()
        self.generation = -1
        self.removals = 0
        self._by_name: dict[str, BranchRow] = {}
        self._by_id: dict[int, BranchRow] = {}
        # Branches that follow a remote.
        self.following: frozenset[int] = frozenset()
        # Lineages and keyspaces never change once written, so these two only grow.
        self._lineages: dict[int, tuple[tuple[int, int], ...]] = {}
        self.keyspaces: dict[tuple[str, str], int] = {}
        self.keyspace_names: dict[int, tuple[str, str]] = {}
        # By name: branches that this process may write to, and that need not exist yet.
        self.unborn: dict[str, UnbornBranch] = {}
        # All keyspaces up to this one are known.
        self._newest_keyspace = 0

    def look(self, connection: Connection) -> Look:
        """Look at the store, and take over what has changed since this process last did."""
        look = connection.look()
        while connection.state() != connection.seen and not self._follow(connection, look):
            look = connection.look()  # another thread has followed a change meanwhile
        return look

    def _follow(self, connection: Connection, look: Look) -> bool:
        """Take over what has changed since the last look; False if another thread did.

        The lock is held only while nothing is read: in a store in memory a reader may wait for a
        writer that waits for this thread's transaction.
        """
        known, generation = self.generation, look.generation
        if generation < known and connection.in_transaction:
            # It began before a change that another thread has noticed since.
            return True
        rows = list[BranchRow]()
        if generation != known:
            # A newer program may have migrated the file, which raises the generation too.
            check_format(connection)
            rows = self._changed(connection, known if generation > known else -1)
        with self._lock:
            if self.generation != known:
                return False
            self.removals = look.removals
            if generation != known:
                self._apply(rows, is_all=generation < known)
                self.generation = generation
        connection.seen = connection.state()
        return True

    def _changed(self, connection: Connection, since: int) -> list[BranchRow]:
        """Read the branches that have changed since a generation."""
        return list(
            map(_branch_row, connection.rows(self._queries.branches_changed_since, (since,)))
        )

    def _apply(self, rows: list[BranchRow], *, is_all: bool) -> None:
        by_id, by_name = ({}, {}) if is_all else (self._by_id, self._by_name)
        for row in rows:
            before = by_id.get(row.id)
            if before is not None and by_name.get(before.name) is before:
                del by_name[before.name]
            by_id[row.id] = row
            if row.deleted is None:
                by_name[row.name] = row
        if DEFAULT_BRANCH not in by_name:
            raise unreadable(f"the branch {DEFAULT_BRANCH!r}")
        following = frozenset(row.id for row in rows if row.remote is not None)
        if is_all or following:
            self.following = following if is_all else self.following | following
        self._by_id, self._by_name = by_id, by_name

    def last_number(self) -> int:
        """Return the greatest number of a branch, as of the last look."""
        return max(self._by_id)

    def add(self, row: BranchRow, since: int, parent: tuple[tuple[int, int], ...]) -> bool:
        """Take over a branch that this process has just forked, and what it sees of its parent.

        False if more has changed since the generation of the fork.
        """
        with self._lock:
            if self.generation != since or row.fork_version is None:
                return False
            self._apply([row], is_all=False)
            self.generation = since + 1
        fork = row.fork_version
        self._lineages[row.id] = (
            (row.id, NOW),
            *((ancestor, min(upto, fork)) for ancestor, upto in parent),
        )
        return True

    def find(self, name: str, connection: Connection) -> BranchRow | None:
        """Return the branch of that name as it is now, or None."""
        look = self.look(connection)
        found = self._by_name.get(name)
        if found is not None and look.generation < self.generation:
            # A transaction that began earlier does not see a branch that is younger than it.
            return found if self.lineage(found.id, connection) else None
        return found

    def require(self, name: str, connection: Connection) -> BranchRow:
        """Return the branch of that name or raise BranchNotFound."""
        row = self.find(check_name(name, what="branch"), connection)
        if row is None:
            raise BranchNotFound(
                f"There is no branch {name!r}.",
                hint=self._suggestion(name),
                branch=name,
            )
        return row

    def readable(self, name: str, connection: Connection) -> BranchRow:
        """Return the branch of that name, or the parent that an unborn one shows."""
        unborn = self.unborn.get(name)
        found = None if unborn is None else self.find(name, connection) or self.parent_of(unborn)
        return found or self.require(name, connection)

    def parent_of(self, unborn: UnbornBranch) -> BranchRow | None:
        """Return what an unborn branch shows: its parent, or `default` where that is gone."""
        return self._by_name.get(unborn.parent) or self._by_name.get(DEFAULT_BRANCH)

    def _suggestion(self, name: str) -> str:
        from difflib import get_close_matches  # noqa: PLC0415  (needed for this error only)

        close = get_close_matches(name, list(self._by_name), n=1)
        if close:
            return f"Did you mean {close[0]!r}? `db.branches.list()` lists them."
        return "`db.branches.list()` lists them; `db.branches.fork(NAME)` makes one."

    def known(self, name: str) -> BranchRow | None:
        """Return the branch from what was last loaded."""
        return self._by_name.get(name)

    def by_id(self, branch: int, connection: Connection | None = None) -> BranchRow:
        """Return a branch, deleted ones included, by a number the store itself wrote.

        With the connection of a transaction also one that this transaction has made.
        """
        known = self._by_id.get(branch)
        if known is not None:
            return known
        if connection is not None and connection.has_written:
            row = connection.row(self._queries.branch, (branch,))
            if row is not None:
                return _branch_row((branch, *row[:7]))
        raise unreadable(f"branch {branch}")

    def check_followed(self, branch: int) -> None:
        """Raise ReadOnly for a branch that follows a remote: only what is pulled goes there."""
        if branch not in self.following:
            return
        row = self.by_id(branch)
        own = row.name.removeprefix(f"{row.remote}/")
        if own != row.name and own in self._by_name:
            hint = f"Write to {own!r}; a pull merges into it what the remote has."
        else:
            hint = f"Fork it, and write to the fork: `strata fork NAME --from {row.name}`."
        raise ReadOnly(
            f"The branch {row.name!r} follows the remote {row.remote!r} and cannot be written.",
            hint=hint,
        )

    def active(self) -> list[BranchRow]:
        """Return every branch in use."""
        return list(self._by_name.values())

    def all(self) -> list[BranchRow]:
        """Return every branch, deleted ones included, oldest first."""
        return list(self._by_id.values())

    def lineage(self, branch: int, connection: Connection) -> tuple[tuple[int, int], ...]:
        """Return what a branch sees: (ancestor, up to which version), itself first."""
        found = self._lineages.get(branch)
        if found is None:
            found = tuple(
                (row[0], row[1]) for row in connection.rows(self._queries.lineage, (branch,))
            )
            if found and not connection.has_written:
                self._lineages[branch] = found
        return found

    def keyspace(self, space: str, kind: str, connection: Connection) -> int | None:
        """Return the number of a keyspace, or None while nothing was ever put there."""
        found = self.keyspaces.get((space, kind))
        if found is not None:
            return found
        if connection.has_written:
            # A transaction may still undo the row that it wrote.
            row = connection.row(self._queries.keyspace, (space, kind))
            return None if row is None else row[0]
        newest = connection.look().keyspaces
        if newest != self._newest_keyspace:
            for number, *place in self.all_keyspaces(connection):
                self._remember(number, *place)
            self._newest_keyspace = newest
        return self.keyspaces.get((space, kind))

    def keyspace_name(self, keyspace: int, connection: Connection) -> tuple[str, str]:
        """Return space and kind of a keyspace by its number."""
        found = self.keyspace_names.get(keyspace)
        if found is None:
            for number, space, kind in connection.rows(self._queries.keyspaces):
                if not connection.has_written:
                    self._remember(number, space, kind)
                elif number == keyspace:
                    return (space, kind)
            if keyspace not in self.keyspace_names:
                raise unreadable(f"keyspace {keyspace}")
            found = self.keyspace_names[keyspace]
        return found

    @property
    def read_of_all(self) -> Read:
        """The read of `all_keyspaces`, for a caller that foresees it."""
        return self._queries.keyspaces, ()

    def all_keyspaces(self, connection: Connection) -> list[tuple[int, str, str]]:
        """Return number, space and kind of every keyspace."""
        return [(row[0], row[1], row[2]) for row in connection.rows(self._queries.keyspaces)]

    def _remember(self, keyspace: int, space: str, kind: str) -> None:
        self.keyspaces[space, kind] = keyspace
        self.keyspace_names[keyspace] = (space, kind)


def _branch_row(row: Row) -> BranchRow:
    try:
        return BranchRow(*row[:7], metadata=decode(row[7]) if row[7] else None)
    except msgspec.DecodeError as error:
        raise unreadable("the notes of a branch") from error


def unreadable(what: str) -> DamagedStore:
    """Return the error for a row that is not what was written."""
    return DamagedStore(
        f"The store is damaged: {what} cannot be read.",
        hint="Restore a backup with `strata.restore(BACKUP, PATH)`; `db.verify()` tells what is "
        "hurt.",
    )
