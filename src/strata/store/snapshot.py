"""Reads of one branch, now or pinned to a version."""

import heapq
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from itertools import islice
from operator import itemgetter
from typing import cast

import msgspec

from strata.base.errors import BranchNotFound
from strata.sql import Connection, Read, Row
from strata.store import ancestry
from strata.store.catalog import BranchRow
from strata.store.counting import live_keys
from strata.store.record import GONE, NEXT_KEY, NOW, Address, Record, after_prefix
from strata.store.store import Store

# Listings fetch a small page first, because most of them ask for no more.
_PAGE_MIN = 128
_PAGE_MAX = 2048
# So many tags are read at once to learn whether there are more.
_FEW_TAGS = 50


class Snapshot:
    """What a branch shows: the newest state, or the one right after version `bound`."""

    def __init__(
        self, store: Store, branch: str, bound: int = NOW, *, branch_id: int | None = None
    ) -> None:
        # A number instead of a name finds a branch that was deleted: tags outlive theirs.
        self._given_id = branch_id
        self.store = store
        self.branch = branch
        self.bound = bound
        self._database = store.database
        self._catalog = store.catalog
        self._queries = store.queries
        self._attach(store.database.connection())

    def _attach(self, connection: Connection) -> None:
        """Find the branch and choose the statement that reads it."""
        if self._given_id is not None:
            row = self._catalog.by_id(self._given_id, connection)
        else:
            # What other processes have done to it meanwhile is noticed by the first read.
            is_told = connection.state() == connection.seen and not connection.in_transaction
            known = self._catalog.known(self.branch) if is_told else None
            row = known or self._catalog.readable(self.branch, connection)
        self.branch_id = row.id
        # Whether the branch is yet to be made by its first write; its parent is shown till then.
        self.is_unborn = self._given_id is None and row.name != self.branch
        self.lineage = self._catalog.lineage(row.id, connection)
        self._generation = self._catalog.generation
        self._is_flat = len(self.lineage) == 1
        self._deep_reads = 0
        self._writers: dict[tuple[int, str], int] | None = None

    @property
    def is_current(self) -> bool:
        """Whether no branch has changed since this snapshot found its own."""
        return self._generation == self._catalog.generation and not self.is_unborn

    def _has_moved(self, connection: Connection) -> bool:
        """Notice what others have committed; tell whether this branch is another one now."""
        self._catalog.look(connection)
        if self.is_current:
            return False
        if self._given_id is not None:
            self._generation = self._catalog.generation
            return False
        row = self._catalog.known(self.branch) or self._unborn_parent()
        if row is None:
            raise BranchNotFound(
                f"The branch {self.branch!r} was deleted.",
                hint=f"`db.branches.restore({self.branch!r})` brings it back.",
                branch=self.branch,
            )
        self._generation = self._catalog.generation
        self.is_unborn = row.name != self.branch
        if row.id == self.branch_id:
            return False
        self._attach(connection)
        return True

    def _unborn_parent(self) -> BranchRow | None:
        unborn = self._catalog.unborn.get(self.branch)
        return None if unborn is None else self._catalog.parent_of(unborn)

    def get(self, space: str, kind: str, key: str) -> Record | None:
        """Return the visible version of a key, deleted ones included, or None."""
        connection, catalog = self._database.connection(), self._catalog
        keyspace = catalog.keyspaces.get((space, kind))
        if keyspace is None:
            keyspace = catalog.keyspace(space, kind, connection)
        if keyspace is None:
            row = None
        elif self._is_flat:
            values = (self.branch_id, keyspace, key, self.bound)
            row = connection.row(self._queries.version_at, values)
        else:
            row = self._through_ancestors(connection, keyspace, key)
        connection.reads_left -= 1
        if connection.reads_left < 0:
            self._database.hold_reads(connection)
        is_other = connection.state() != connection.seen or self._generation != catalog.generation
        if is_other and self._has_moved(connection):
            return self.get(space, kind, key)
        return cast("Record | None", row)

    def _through_ancestors(self, connection: Connection, keyspace: int, key: str) -> Row | None:
        """Read a key of a branch that was forked."""
        self._deep_reads += 1
        if self._deep_reads == ancestry.READS_BEFORE and len(self.lineage) > ancestry.DEPTH_MIN:
            self._writers = ancestry.gather(
                connection, self._queries, self.lineage, bound=self.bound
            )
        values = (self.branch_id, keyspace, key, self.bound)
        if self._writers is None:
            return connection.row(self._queries.version_through_lineage, values)
        ancestor, upto = self.lineage[self._writers.get((keyspace, key), -1)]
        return connection.row(self._queries.version_on_either, (*values, ancestor, upto))

    def reads_of(self, addresses: Iterable[Address]) -> Iterator[Read]:
        """Yield the reads by which `get` looks keys up, for a caller that foresees them."""
        for space, kind, key in addresses:
            keyspace = self._catalog.keyspaces.get((space, kind))
            if keyspace is not None and self._writers is None:
                queries, values = self._queries, (self.branch_id, keyspace, key, self.bound)
                is_flat = self._is_flat
                yield queries.version_at if is_flat else queries.version_through_lineage, values

    def ahead(self, addresses: Iterable[Address]) -> AbstractContextManager[None]:
        """Let a block that looks these keys up, one after the other, wait for them once."""
        return self._database.connection().together(self.reads_of(addresses))

    def reads_of_items(self, space: str, kind: str, prefixes: Iterable[str]) -> Iterator[Read]:
        """Yield the reads by which `items` begins, for a caller that foresees them."""
        keyspace = self._catalog.keyspaces.get((space, kind))
        if keyspace is not None:
            for prefix in prefixes:
                values = (*key_range(prefix, None), self.bound, GONE, _PAGE_MAX)
                yield self._items_query, (self.branch_id, keyspace, *values)

    def history(self, space: str, kind: str, key: str, *, limit: int | None = None) -> list[Record]:
        """Return the versions of a key that the branch can see, newest first."""
        connection = self._database.connection()
        keyspace = self._catalog.keyspace(space, kind, connection) or 0
        rows = connection.rows(
            self._queries.key_history,
            (self.branch_id, keyspace, key, self.bound, NOW if limit is None else limit),
        )
        if self._is_overtaken(connection) and self._has_moved(connection):
            return Snapshot.history(self, space, kind, key, limit=limit)
        return cast("list[Record]", rows)

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
        """Return live keys in order, each with its visible version number.

        Older versions of a key are skipped; `in_one_pass` reads them, which is quicker where most
        keys have one.
        """
        if limit <= _PAGE_MAX and self._is_flat:
            found = self._page(space, kind, key_range(prefix, after), limit=limit)
            if found is not None:
                return found
        with self.reading() as connection:
            keyspace = self._catalog.keyspace(space, kind, connection)
            if keyspace is None:
                return []
            query = self._queries.newest_of_keys if in_one_pass else None
            keys = key_range(prefix, after)
            visible = self._visible(keyspace, keys, query=query, page=_PAGE_MAX)
            return list(islice(visible, limit))

    def _page(
        self, space: str, kind: str, keys: tuple[str, str], *, limit: int
    ) -> list[tuple[str, int]] | None:
        """Return the first live keys of a range by one statement; None if that reads too few."""
        connection = self._database.connection()
        keyspace = self._catalog.keyspace(space, kind, connection)
        if keyspace is None:
            return None
        page = max(_PAGE_MIN, limit)
        values = (self.branch_id, keyspace, *keys, self.bound, page)
        rows = connection.rows(self._queries.keys_in_order, values)
        if self._is_overtaken(connection) and self._has_moved(connection):
            return None
        found = [(key, number) for key, number, flags in rows if not flags & GONE][:limit]
        return found if len(found) == limit or len(rows) < page else None

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
        """Return live keys in order, each with its visible version.

        `hidden` are the marks of versions that do not count as live.
        """
        low, high = key_range(prefix, after)
        if limit <= _PAGE_MAX:
            return self._items(space, kind, (low, high, self.bound, hidden, limit))
        found: list[tuple[str, Record]] = []
        with self.reading():
            while len(found) < limit:
                page = min(limit - len(found), _PAGE_MAX)
                more = self._items(space, kind, (low, high, self.bound, hidden, page))
                found += more
                if len(more) < page:
                    break
                low = more[-1][0] + NEXT_KEY
        return found

    def _items(
        self, space: str, kind: str, values: tuple[str, str, int, int, int]
    ) -> list[tuple[str, Record]]:
        """Return the first live keys of a range, with their versions, by one statement."""
        connection = self._database.connection()
        keyspace = self._catalog.keyspace(space, kind, connection)
        rows = (
            []
            if keyspace is None
            else connection.rows(self._items_query, (self.branch_id, keyspace, *values))
        )
        if self._is_overtaken(connection) and self._has_moved(connection):
            return self._items(space, kind, values)
        return [(row[0], cast("Record", row[1:])) for row in rows]

    @property
    def _items_query(self) -> str:
        return self._queries.items_of_branch if self._is_flat else self._queries.items_in_order

    def get_many(self, space: str, kind: str, keys: Sequence[str]) -> dict[str, Record]:
        """Return the visible version of each key that has one, deleted ones included."""
        connection = self._database.connection()
        keyspace = self._catalog.keyspace(space, kind, connection)
        rows: list[Row] = []
        if keyspace is not None:
            wanted = msgspec.json.encode(keys).decode()
            values = (self.branch_id, keyspace, wanted, self.bound)
            rows = connection.rows(self._queries.versions_of_keys, values)
        if self._is_overtaken(connection) and self._has_moved(connection):
            return self.get_many(space, kind, keys)
        return {row[0]: cast("Record", row[1:]) for row in rows}

    def _is_overtaken(self, connection: Connection) -> bool:
        """Whether the last read has noticed commits that this process does not know yet."""
        return connection.state() != connection.seen or not self.is_current

    def _visible(
        self,
        keyspace: int,
        keys: tuple[str, str],
        *,
        hidden: int = GONE,
        query: str | None = None,
        page: int = _PAGE_MIN,
    ) -> Iterator[tuple[str, int]]:
        """Yield live keys in order with their version, merged over all ancestors.

        One ordered cursor for each ancestor can stop at a limit; a GROUP BY could not. The
        nearest ancestor that has a key decides.
        """
        query = query or self._queries.keys_in_order
        cursors = [
            self._of_ancestor(depth, keyspace, keys, query=query, page=page)
            for depth in range(len(self.lineage))
        ]
        decided = None
        # Of equal keys that of the first cursor comes first.
        rows = heapq.merge(*cursors, key=itemgetter(0)) if cursors[1:] else cursors[0]
        for key, number, flags in rows:
            if key != decided:
                decided = key
                if not flags & hidden:
                    yield key, number

    def _of_ancestor(
        self, depth: int, keyspace: int, keys: tuple[str, str], *, query: str, page: int
    ) -> Iterator[tuple[str, int, int]]:
        # Page by page: a statement left open would outlive an interrupted listing.
        ancestor, upto = self.lineage[depth]
        bound, (low, high) = min(upto, self.bound), keys
        while True:
            values = (ancestor, keyspace, low, high, bound, page)
            rows = self._database.connection().rows(query, values)
            yield from cast("list[tuple[str, int, int]]", rows)
            if len(rows) < page:
                return
            low, page = rows[-1][0] + NEXT_KEY, _PAGE_MAX

    def names(
        self, space: str, kind: str, prefix: str = "", *, after: str | None = None
    ) -> Iterator[str]:
        """Yield live keys in order, inside `reading`; for a caller who reads many of them.

        `keys` skips older versions of a key, which takes longer where most keys have one.
        """
        keyspace = self._catalog.keyspace(space, kind, self._database.connection())
        if keyspace is None:
            return iter(())
        query = self._queries.newest_of_keys
        visible = self._visible(keyspace, key_range(prefix, after), query=query)
        return (key for key, _version in visible)

    def count(self, space: str, kind: str, prefix: str = "") -> int:
        """Return how many live keys begin with the prefix; without one, few keys are looked at."""
        if not prefix:
            keyspace = self._catalog.keyspace(space, kind, self._current()) or 0
            return live_keys(self.store, self.branch_id, self.bound, keyspace=keyspace).get(
                keyspace, 0
            )
        return self.count_between(space, kind, key_range(prefix, None))

    def count_between(self, space: str, kind: str, keys: tuple[str, str]) -> int:
        """Return how many live keys there are from one on, before another."""
        with self.reading() as connection:
            keyspace = self._catalog.keyspace(space, kind, connection)
            if keyspace is None:
                return 0
            if len(self.lineage) > 1:
                return sum(1 for _ in self._visible(keyspace, keys))
            values = (self.branch_id, keyspace, *keys, self.bound)
            row = connection.row(self._queries.count_keys, values)
            return row[0] if row else 0

    def key_groups(
        self, space: str, kind: str, prefix: str = "", *, after: str | None = None, limit: int = NOW
    ) -> list[str]:
        """Return where live keys go on behind a prefix, in order.

        A place that ends with "/" stands for all keys below it; any other one is a key. Keys below
        a place are not read, so the cost is that of the places and not of the keys.
        """
        found: list[str] = []
        with self.reading() as connection:
            keyspace = self._catalog.keyspace(space, kind, connection)
            if keyspace is None:
                return []
            low, high = key_range(prefix, after)
            if after is not None and after.endswith("/") and after.startswith(prefix):
                low = max(low, after_prefix(after))
            visible = self._visible(keyspace, (low, high))
            while len(found) < limit and (shown := next(visible, None)) is not None:
                name, slash, _rest = shown[0][len(prefix) :].partition("/")
                place = prefix + name + slash
                found.append(place)
                if slash:
                    visible = self._visible(keyspace, (after_prefix(place), high))
        return found

    def greatest_key(self, space: str, kind: str) -> str | None:
        """Return the greatest key ever written there by the branch or its ancestors."""
        connection = self._current()
        keyspace = self._catalog.keyspace(space, kind, connection) or 0
        found = (
            connection.row(self._queries.last_key, (ancestor, keyspace))
            for ancestor, _upto in self.lineage
        )
        return max((row[0] for row in found if row), default=None)

    def by_attribute(self, space: str, kind: str, name: str, *, value: str) -> list[str]:
        """Return the keys whose visible version declares this attribute."""
        connection = self._current()
        keyspace = self._catalog.keyspace(space, kind, connection) or 0
        values = (self.bound, keyspace, name, value, self.branch_id)
        return [row[0] for row in connection.rows(self._queries.keys_by_attribute, values)]

    def attribute_values(
        self, space: str, kind: str, name: str, *, after: str = "", limit: int = NOW
    ) -> list[str]:
        """Return the values that an attribute has on any branch, in order."""
        connection = self._current()
        keyspace = self._catalog.keyspace(space, kind, connection) or 0
        values = (keyspace, name, after, limit)
        return [row[0] for row in connection.rows(self._queries.attribute_values, values)]

    def newest_with(
        self,
        place: tuple[str, str],
        attribute: tuple[str, str],
        *,
        after: str = "",
        upto: str | None = None,
        limit: int = NOW,
    ) -> list[str]:
        """Return the keys of a space and kind whose visible version has an attribute.

        Those written last come first. `after` and `upto` are keys of a kind whose keys grow as
        they are written, such as a log.
        """
        span = self._span(place, after, upto)
        return self._with(self._queries.newest_by_attribute, place, attribute, rest=(*span, limit))

    def oldest_with(
        self, place: tuple[str, str], attribute: tuple[str, str], *, after: str, limit: int = NOW
    ) -> list[str]:
        """Return the same keys, those written first ahead."""
        span = self._span(place, after, None)
        return self._with(self._queries.oldest_by_attribute, place, attribute, rest=(*span, limit))

    def _span(self, place: tuple[str, str], after: str, upto: str | None) -> tuple[int, int]:
        """Return the versions of two keys; no version is greater than NOW or less than 0."""
        first = self.get(*place, after) if after else None
        last = self.get(*place, upto) if upto is not None else None
        return first[0] if first else 0, last[0] if last else NOW

    def _with(
        self,
        query: str,
        place: tuple[str, str],
        attribute: tuple[str, str],
        *,
        rest: tuple[int, int, int],
    ) -> list[str]:
        connection = self._current()
        keyspace = self._catalog.keyspace(*place, connection) or 0
        values = (self.bound, keyspace, *attribute, self.branch_id, *rest)
        return [row[0] for row in connection.rows(query, values)]

    def items_by_attribute(
        self, space: str, kind: str, name: str, *, value: str
    ) -> list[tuple[str, Record]]:
        """Return the keys whose visible version declares this attribute, with that version."""
        keyspace = self._catalog.keyspace(space, kind, self._current()) or 0
        values = (self.bound, keyspace, name, value, self.branch_id)
        rows = self._database.connection().rows(self._queries.items_by_attribute, values)
        return [(row[0], cast("Record", row[1:])) for row in rows]

    def reads_by_attribute(
        self, space: str, kind: str, name: str, *, values: Iterable[str]
    ) -> Iterator[Read]:
        """Yield the reads of `items_by_attribute` for several values, for who foresees them."""
        keyspace = self._catalog.keyspaces.get((space, kind))
        if keyspace is not None:
            for value in values:
                given = (self.bound, keyspace, name, value, self.branch_id)
                yield self._queries.items_by_attribute, given

    def reads_of_newest(
        self, place: tuple[str, str], name: str, *, values: Iterable[str], limit: int
    ) -> Iterator[Read]:
        """Yield the reads of `newest_with` for several values, for who foresees them."""
        keyspace = self._catalog.keyspaces.get(place)
        if keyspace is not None:
            for value in values:
                given = (self.bound, keyspace, name, value, self.branch_id, 0, NOW, limit)
                yield self._queries.newest_by_attribute, given

    def written_between(self, space: str, kind: str, *, after: int, upto: int) -> list[str]:
        """Return the keys that may look different since a version; some do not."""
        keyspace = self._catalog.keyspace(space, kind, self._current()) or 0
        values = (after, upto, keyspace, self.branch_id)
        rows = self._database.connection().rows(self._queries.keys_written_between, values)
        return [row[0] for row in rows]

    def reads_of_written(
        self, places: Iterable[tuple[str, str]], *, after: int, upto: int
    ) -> Iterator[Read]:
        """Yield the reads of `written_between` for several places, for who foresees them."""
        for place in places:
            keyspace = self._catalog.keyspaces.get(place)
            if keyspace is not None:
                values = (after, upto, keyspace, self.branch_id)
                yield self._queries.keys_written_between, values

    def newest(self) -> int:
        """Return the newest version of the store that this snapshot may show."""
        look = self._catalog.look(self._database.connection())
        if not self.is_current:
            self._current()
        return min(self.bound, look.version)

    def latest(
        self, space: str, kind: str, name: str, *, below: str, least: str = ""
    ) -> Iterator[str]:
        """Yield the keys whose visible version has an attribute in a range, greatest first."""
        keyspace = self._catalog.keyspace(space, kind, self._current()) or 0
        page, last = _PAGE_MIN, ""
        while True:
            values = (self.bound, keyspace, name, below, last, least, self.branch_id, page)
            rows = self._database.connection().rows(self._queries.keys_by_attribute_down, values)
            yield from (row[0] for row in rows)
            if len(rows) < page:
                return
            (last, below), page = rows[-1], _PAGE_MAX

    def by_tag(self, space: str, kind: str, tag: str) -> list[str]:
        """Return the keys whose visible version carries this tag."""
        connection = self._current()
        keyspace = self._catalog.keyspace(space, kind, connection) or 0
        values = (self.bound, keyspace, tag, self.branch_id)
        return [row[0] for row in connection.rows(self._queries.keys_by_tag, values)]

    def known_tags(self, tags: Collection[str], *, between: tuple[str, str]) -> set[str]:
        """Return which tags any version of any branch carries: others need not be looked up.

        All of them lie between two texts. Where the store has few tags between these, one read,
        which a caller may foresee, brings all of them.
        """
        connection = self._database.connection()
        rows = connection.rows(*self.read_of_tags(between))
        if len(rows) == _FEW_TAGS:
            wanted = msgspec.json.encode([*tags]).decode()
            rows = connection.rows(self._queries.tags_among, (wanted,))
        return {row[0] for row in rows}.intersection(tags)

    def read_of_tags(self, between: tuple[str, str]) -> Read:
        """Return the read by which `known_tags` begins, for a caller that foresees it."""
        return self._queries.tags_between, (*between, _FEW_TAGS)

    def links_from(self, space: str, kind: str, key: str) -> list[tuple[str, str]]:
        """Return (type, target) of the visible version's links."""
        record = self.get(space, kind, key)
        if record is None or record[2] & GONE:
            return []
        rows = self._database.connection().rows(self._queries.links_of_version, (record[0],))
        return [(row[0], row[1]) for row in rows]

    def links_to(self, target: str) -> list[tuple[str, str, str, str]]:
        """Return (space, kind, key, type) of every visible link to a target."""
        connection = self._current()
        values = (self.bound, target, self.branch_id)
        rows = connection.rows(self._queries.links_to, values)
        return [(*self._catalog.keyspace_name(row[0], connection), row[1], row[2]) for row in rows]

    def kinds(self, *, but: Collection[str] = ()) -> list[tuple[str, str]]:
        """Return (space, kind) of every keyspace in which this branch shows a live key.

        `but` are kinds to leave out.
        """
        return [place for place in self.counts() if place[1] not in but]

    def counts(self) -> dict[tuple[str, str], int]:
        """Return how many live keys there are in each keyspace (space, kind) that has one."""
        self._current()
        found = live_keys(self.store, self.branch_id, self.bound)
        return {self.store.keyspace_name(keyspace): live for keyspace, live in found.items()}

    def current_branch(self) -> int:
        """Return the branch's number after making sure that the branch is still there."""
        self._current()
        return self.branch_id

    def branch_of_read(self) -> int:
        """Return the branch's number as of the last read, which may have noticed another one."""
        connection = self._database.connection()
        if self._is_overtaken(connection):
            self._has_moved(connection)
        return self.branch_id

    def _current(self) -> Connection:
        """Return the connection after making sure that the branch is still the same."""
        connection = self._database.connection()
        self._has_moved(connection)
        return connection

    def reading(self) -> AbstractContextManager[Connection]:
        """Make all reads of this thread see one state while the block runs.

        Other processes commit between any two statements, so what is put together from several
        reads needs this.
        """
        if not self._database.connection().in_transaction:
            self._current()
        return self._database.reading()


def key_range(prefix: str, after: str | None) -> tuple[str, str]:
    """Return the half-open range of keys with a prefix, beginning behind `after`."""
    low = prefix
    if after is not None and after >= prefix:
        low = after + NEXT_KEY
    return low, after_prefix(prefix)
