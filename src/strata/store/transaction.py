"""A snapshot plus staged changes, committed together or not at all.

There are two ways to begin. A *locked* transaction takes the write lock first: what it
reads cannot move, so it never conflicts; single SDK calls use it and end at once. An
*optimistic* one reads a pinned state and takes the lock only to commit; if anything it
read has a newer version by then, it raises TransactionConflict and writes nothing.
"""

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from types import TracebackType
from typing import Self

from strata.base.errors import ReadOnly, TransactionConflict
from strata.sql import Connection
from strata.store.branch import bear
from strata.store.commit import Header, Receipt, Slot, finish, open_slot, write_commit
from strata.store.record import (
    GONE,
    NEXT_KEY,
    NOW,
    Address,
    Record,
    StagedChange,
    after_prefix,
)
from strata.store.snapshot import Snapshot
from strata.store.store import Screen

# What a commit without changes writes, such as a merge that found nothing to do.
MARK = StagedChange("", "mark", "commit", b"null")


class Transaction(Snapshot):
    """Reads that see their own staged changes, and one commit at the end."""

    is_open: bool = True
    receipt: Receipt | None = None
    _connection: Connection | None = None
    _slot: Slot | None = None
    _on_commit: tuple[Callable[[], object], ...] = ()

    def __init__(
        self, base: Snapshot, header: Header, *, locked: bool, screen: Screen | None = None
    ) -> None:
        # Everything of the snapshot is taken over as it is. Every put is a transaction, so
        # this does no more than it must.
        self.__dict__.update(base.__dict__)
        self.header = header
        self.is_locked = locked
        # None for what is in the store already and only moves, as in a merge.
        self.screen = screen
        self._staged: dict[Address, StagedChange] = {}
        if locked:
            self._lock(base)
        else:
            self._reads: set[tuple[str, str, str, str]] = set()  # space, kind, from key, to key
            self._lookups: set[tuple[str, str, str, str]] = set()  # space, kind, name, value
            self._targets: set[str] = set()  # of links
            connection = self._database.connection()
            look = self._catalog.look(connection)
            if not self.is_current:
                self._has_moved(connection)
            self.bound = min(base.bound, look.version)

    def _lock(self, base: Snapshot) -> None:
        """Take the write lock, and with it the number and time of the commit to come."""
        if self.is_unborn:
            bear(self.store, self.branch)
        connection = self._connection = self._database.begin_writing()
        try:
            if connection.state() != connection.seen or not self.is_current:
                self._has_moved(connection)
                # The caller's next transaction begins with the same snapshot.
                base.current_branch()
            self._slot = open_slot(self.store, self.branch_id)
        except BaseException:
            self.rollback()
            raise

    # Reading: staged changes first, then the snapshot; what was read is remembered.

    def get(self, space: str, kind: str, key: str) -> Record | None:
        """Return what this transaction shows for a key, its own change included."""
        change = self._staged.get((space, kind, key))
        if change is not None:
            return self._as_record(change)
        if not self.is_locked:
            self._reads.add((space, kind, key, key + NEXT_KEY))
        return super().get(space, kind, key)

    def get_many(self, space: str, kind: str, keys: Sequence[str]) -> dict[str, Record]:
        """Return what this transaction shows for keys, its own changes included."""
        found = super().get_many(space, kind, keys)
        for key in keys:
            if not self.is_locked:
                self._reads.add((space, kind, key, key + NEXT_KEY))
            change = self._staged.get((space, kind, key))
            if change is not None:
                found[key] = self._as_record(change)
        return found

    def history(self, space: str, kind: str, key: str, *, limit: int | None = None) -> list[Record]:
        """Return the versions of a key, a staged one first."""
        if not self.is_locked:
            self._reads.add((space, kind, key, key + NEXT_KEY))
        change = self._staged.get((space, kind, key))
        staged = [self._as_record(change)] if change is not None else []
        return [*staged, *super().history(space, kind, key, limit=limit)][:limit]

    def links_to(self, target: str) -> list[tuple[str, str, str, str]]:
        """Return (space, kind, key, type) of every visible or staged link to a target."""
        stored = super().links_to(target)
        if not self.is_locked:
            self._targets.add(target)
            self._reads.update((at[0], at[1], at[2], at[2] + NEXT_KEY) for at in stored)
        kept = [link for link in stored if link[:3] not in self._staged]
        return kept + [
            (*change.address, type_)
            for change in self._staged.values()
            for type_, to in change.links
            if to == target
        ]

    def links_from(self, space: str, kind: str, key: str) -> list[tuple[str, str]]:
        """Return (type, target) of a key's links, staged ones if it was changed here."""
        change = self._staged.get((space, kind, key))
        return list(change.links) if change is not None else super().links_from(space, kind, key)

    def _as_record(self, change: StagedChange) -> Record:
        number, timestamp = self._number(change.address)
        return (number, timestamp, change.flags, change.data, change.meta)

    def _number(self, address: Address) -> tuple[int, int]:
        """Return version and time of a staged change; zeros while they are not known."""
        if self._slot is None:
            return (0, 0)
        return (self._slot.first + list(self._staged).index(address), self._slot.timestamp)

    def keys(
        self,
        space: str,
        kind: str,
        prefix: str = "",
        *,
        after: str | None = None,
        limit: int = NOW,
        in_one_pass: bool = False,
    ) -> list[tuple[str, int]]:
        """Return live keys in order, staged ones included."""
        self._note_range(space, kind, prefix)
        if not self._staged:
            return super().keys(
                space, kind, prefix, after=after, limit=limit, in_one_pass=in_one_pass
            )
        found = dict(super().keys(space, kind, prefix, after=after))
        for change in self._staged_under(space, kind, prefix=prefix, after=after):
            found.pop(change.key, None)
            if not change.flags & GONE:
                found[change.key] = self._number(change.address)[0]
        return sorted(found.items())[:limit]

    def names(
        self, space: str, kind: str, prefix: str = "", *, after: str | None = None
    ) -> Iterator[str]:
        """Yield live keys in order, staged ones included."""
        return (key for key, _version in self.keys(space, kind, prefix, after=after))

    def items(
        self,
        space: str,
        kind: str,
        prefix: str = "",
        *,
        after: str | None = None,
        limit: int = NOW,
        hidden: int = GONE,
    ) -> list[tuple[str, Record]]:
        """Return live keys and versions in order, staged ones included."""
        self._note_range(space, kind, prefix)
        if not self._staged:
            return super().items(space, kind, prefix, after=after, limit=limit, hidden=hidden)
        found = dict(super().items(space, kind, prefix, after=after, hidden=hidden))
        for change in self._staged_under(space, kind, prefix=prefix, after=after):
            found.pop(change.key, None)
            if not change.flags & hidden:
                found[change.key] = self._as_record(change)
        return sorted(found.items())[:limit]

    def _staged_under(
        self, space: str, kind: str, *, prefix: str = "", after: str | None = None
    ) -> list[StagedChange]:
        return [
            change
            for (at_space, at_kind, key), change in self._staged.items()
            if (at_space, at_kind) == (space, kind)
            and key.startswith(prefix)
            and (after is None or key > after)
        ]

    def count(self, space: str, kind: str, prefix: str = "") -> int:
        """Return how many live keys begin with the prefix, staged ones included."""
        self._note_range(space, kind, prefix)
        if not self._staged:
            return super().count(space, kind, prefix)
        return len(self.keys(space, kind, prefix))

    def counts(self) -> dict[tuple[str, str], int]:
        """Return how many live keys there are in each keyspace, staged ones included."""
        for _keyspace, space, kind in self._catalog.all_keyspaces(self._current()):
            self._note_range(space, kind, "")
        found = super().counts()
        staged = {(space, kind) for space, kind, _key in self._staged}
        found.update((place, self.count(*place)) for place in staged)
        return {place: live for place, live in found.items() if live}

    def greatest_key(self, space: str, kind: str) -> str | None:
        """Return the greatest key, staged ones included."""
        self._note_range(space, kind, "")
        staged = [change.key for change in self._staged_under(space, kind)]
        stored = super().greatest_key(space, kind)
        return max([*staged, stored] if stored is not None else staged, default=None)

    def by_attribute(self, space: str, kind: str, name: str, *, value: str) -> list[str]:
        """Return the keys whose visible or staged version declares this attribute."""
        keys = set(super().by_attribute(space, kind, name, value=value))
        self._note_lookup((space, kind, name, value), keys)
        for change in self._staged_under(space, kind):
            keys.discard(change.key)
            if (name, value) in change.attributes:
                keys.add(change.key)
        return sorted(keys)

    def newest_with(
        self,
        place: tuple[str, str],
        attribute: tuple[str, str],
        *,
        after: str = "",
        upto: str | None = None,
        limit: int = NOW,
    ) -> list[str]:
        """Return the keys that show or stage an attribute, the greatest first."""
        keys = self.by_attribute(*place, attribute[0], value=attribute[1])
        fitting = [key for key in keys if key > after and (upto is None or key <= upto)]
        return fitting[::-1][:limit]

    def oldest_with(
        self, place: tuple[str, str], attribute: tuple[str, str], *, after: str, limit: int = NOW
    ) -> list[str]:
        """Return the keys that show or stage an attribute, the least first."""
        return self.newest_with(place, attribute, after=after)[::-1][:limit]

    def items_by_attribute(
        self, space: str, kind: str, name: str, *, value: str
    ) -> list[tuple[str, Record]]:
        """Return the keys that show or stage this attribute, with their versions."""
        found = dict(super().items_by_attribute(space, kind, name, value=value))
        self._note_lookup((space, kind, name, value), set(found))
        for change in self._staged_under(space, kind):
            found.pop(change.key, None)
            if (name, value) in change.attributes:
                found[change.key] = self._as_record(change)
        return sorted(found.items())

    def latest(
        self, space: str, kind: str, name: str, *, below: str, least: str = ""
    ) -> Iterator[str]:
        """Yield keys by an attribute, greatest first, staged ones before all others."""
        self._note_range(space, kind, "")
        staged = self._staged_under(space, kind)
        mine = [
            (value, change.key)
            for change in staged
            for at, value in change.attributes
            if at == name and least <= value < below
        ]
        yield from (key for _value, key in sorted(mine, reverse=True))
        own = {change.key for change in staged}
        for key in super().latest(space, kind, name, below=below, least=least):
            if key not in own:
                yield key

    def by_tag(self, space: str, kind: str, tag: str) -> list[str]:
        """Return the keys whose visible or staged version carries this tag."""
        keys = set(super().by_tag(space, kind, tag))
        self._note_lookup((space, kind, "tag", tag), keys)
        for change in self._staged_under(space, kind):
            keys.discard(change.key)
            if tag in change.tags:
                keys.add(change.key)
        return sorted(keys)

    def _note_lookup(self, lookup: tuple[str, str, str, str], keys: set[str]) -> None:
        if not self.is_locked:
            space, kind = lookup[:2]
            self._lookups.add(lookup)
            self._reads.update((space, kind, key, key + NEXT_KEY) for key in keys)

    def _note_range(self, space: str, kind: str, prefix: str) -> None:
        if not self.is_locked:
            self._reads.add((space, kind, prefix, after_prefix(prefix)))

    # Writing.

    def stage(self, change: StagedChange) -> tuple[int, int]:
        """Stage a change; return its version and time, or zeros in an optimistic one."""
        if self.screen is not None:
            self.screen.check(change, self.get)
        return self._place((change,))[0]

    def stage_many(self, changes: Sequence[StagedChange]) -> list[tuple[int, int]]:
        """Stage several changes; return version and time of each, as `stage` does."""
        if self.screen is not None:
            self.screen.check_many(changes, self.get)
        return self._place(changes)

    def _place(self, changes: Sequence[StagedChange]) -> list[tuple[int, int]]:
        """Put changes behind those that are staged, or in the place of one of the same key."""
        if not self.is_open:
            raise ReadOnly("The transaction has ended.", hint="Begin another one.")
        staged, slot = self._staged, self._slot
        places: list[tuple[int, int]] = []
        for change in changes:
            address = (change.space, change.kind, change.key)
            is_new = address not in staged
            staged[address] = change
            if is_new and slot is not None:
                places.append((slot.first + len(staged) - 1, slot.timestamp))
            else:
                places.append(self._number(address))
        return places

    def is_staged(self, space: str, kind: str, key: str) -> bool:
        """Tell whether this transaction changes a key."""
        return (space, kind, key) in self._staged

    @contextmanager
    def whole(self) -> Generator[None]:
        """Drop what is staged in the block if it fails, and keep what was staged before it.

        For a call that stages several changes: the caller may catch its error and go on.
        """
        staged, on_commit = dict(self._staged), self._on_commit
        try:
            yield
        except BaseException:
            self._staged, self._on_commit = staged, on_commit
            raise

    def on_commit(self, work: Callable[[], object]) -> None:
        """Call something when this commits, under the write lock and in its SQL transaction.

        For what belongs to a commit and is kept beside the versions. An error that it raises ends
        the transaction, and nothing is written. Without changes to commit it is not called.
        """
        self._on_commit += (work,)

    @property
    def time(self) -> int:
        """The time of the commit to come, in microseconds; 0 before the lock is taken.

        It never lies before the branch's last commit, whatever the clock says.
        """
        return 0 if self._slot is None else self._slot.timestamp

    @property
    def mark(self) -> tuple[int, int, int] | None:
        """What two locked transactions have in common that begin with the same state.

        None without the lock. A commit moves the last number to that of its receipt.
        """
        if self._slot is None:
            return None
        return (self.branch_id, self._catalog.generation, self._slot.first - 1)

    @property
    def staged(self) -> list[StagedChange]:
        """The changes so far, in the order of their first staging."""
        return list(self._staged.values())

    def commit(self, *, always: bool = False) -> Receipt | None:
        """Write what was staged as one commit; `always` records even an empty one."""
        self.is_open = False
        if not self._staged and not always:
            self.rollback()
            return None
        if self.is_unborn and self._connection is None:
            bear(self.store, self.branch, bound=self.bound)
        connection = self._connection or self.store.database.begin_writing()
        self._connection = connection
        try:
            slot = self._slot or self._late_slot(connection)
            self._catalog.check_followed(slot.branch)
            for work in self._on_commit:
                work()
            changes = list(self._staged.values()) or [MARK]
            receipt = write_commit(self.store, slot, changes=changes, header=self.header)
        except BaseException:
            self.rollback()
            raise
        self._connection = None
        finish(self.store, receipt, slot.branch)
        self.receipt = receipt
        return receipt

    def _late_slot(self, connection: Connection) -> Slot:
        """Take the slot of an optimistic transaction after checking what it read."""
        if connection.state() != connection.seen or not self.is_current:
            self._has_moved(connection)
        slot = open_slot(self.store, self.branch_id)
        if slot.first - 1 > self.bound:
            self._check_reads(connection)
        return slot

    def _check_reads(self, connection: Connection) -> None:
        """Raise TransactionConflict if anything that was read has moved."""
        # Ancestors are frozen below the fork, so only the branch's own commits count.
        values = (self.branch_id, self.bound, NOW, NOW)
        rows = connection.rows(self._queries.versions_since, values)
        moved = sorted({key for row in rows if (key := self._touched(connection, row))})
        if moved:
            raise TransactionConflict(
                f"{len(moved)} of the keys this transaction read have changed since: "
                f"{', '.join(moved[:5])}{'…' if len(moved) > 5 else ''}.",
                hint="Nothing was written. Run it again; db.transact() does so by itself.",
                keys=moved,
            )

    def _touched(self, connection: Connection, row: tuple[object, ...]) -> str | None:
        """Return the row's key if this transaction's reads depend on it."""
        number, keyspace, key = row[0], row[6], row[7]
        assert isinstance(keyspace, int) and isinstance(key, str)
        space, kind = self._catalog.keyspace_name(keyspace, connection)
        for at_space, at_kind, low, high in self._reads:
            if (at_space, at_kind) == (space, kind) and low <= key < high:
                return key
        if self._targets and self._links_to_any(connection, number):
            return key
        if not self._lookups:
            return None
        declared = self._declared(connection, number)
        for at_space, at_kind, name, value in self._lookups:
            if (at_space, at_kind) == (space, kind) and (name, value) in declared:
                return key
        return None

    def _links_to_any(self, connection: Connection, number: object) -> bool:
        rows = connection.rows(self._queries.links_of_version, (number,))
        return any(row[1] in self._targets for row in rows)

    def _declared(self, connection: Connection, number: object) -> set[tuple[str, str]]:
        """Return what a version can be looked up by: attributes, and tags as such."""
        rows = connection.rows(self._queries.declared, (number,))
        return {("tag", row[1]) if row[0] == "tag" else (row[1], row[2]) for row in rows}

    def rollback(self) -> None:
        """Drop what was staged; a second call does nothing."""
        self.is_open = False
        self._staged.clear()
        connection, self._connection = self._connection, None
        if connection is not None:
            self.store.database.finish_writing(connection, keep=False)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if not self.is_open:
            return
        if kind is None:
            self.commit()
        else:
            self.rollback()
