"""Keeping the tables in step with the commits, and making them again."""

from collections.abc import Iterator, Sequence

from strata.base.errors import Damaged
from strata.decisions.links import LINK
from strata.decisions.records import MEMORY, SPACE
from strata.decisions.tables.rows import Row, Table, tables
from strata.sql import Connection
from strata.store import (
    DEFAULT_BRANCH,
    GONE,
    NEXT_KEY,
    Record,
    Snapshot,
    StagedChange,
    Store,
    after_prefix,
    plain,
    version_row,
)

# Records that are compared at once: others wait for it no longer than for a large put.
_PAGE = 500


class Projection:
    """Writes `memories` and `memory_links`: what the branch `default` shows of them."""

    kinds = frozenset({MEMORY, LINK})

    def project(self, store: Store, changes: Sequence[StagedChange]) -> None:
        """Take changes over, inside the transaction that commits them."""
        for table in tables(store.queries):
            rows = {
                change.key: None if change.flags & GONE else table.row_of(change.key, change.data)
                for change in changes
                if (change.space, change.kind) == (SPACE, table.kind)
            }
            _write(store.connection(), table, rows)

    def forget(self, store: Store, versions: Sequence[int]) -> None:
        """Take out the rows of versions that are about to be erased, in the same transaction."""
        connection, shown = store.connection(), Snapshot(store, DEFAULT_BRANCH)
        keyspaces = {
            store.catalog.keyspace(SPACE, table.kind, connection): table
            for table in tables(store.queries)
        }
        for number in versions:
            row = version_row(store, number)
            if row is None or row[6] not in keyspaces:
                continue
            table, key = keyspaces[row[6]], row[7]
            record = shown.get(SPACE, table.kind, key)
            if record is not None and record[0] == number:
                connection.run(table.delete, (key,))

    def problems(self, store: Store) -> Iterator[str]:
        """Yield a sentence for each table that does not show what the records say."""
        for table in tables(store.queries):
            wrong = [key for page in _pages(store, table) for key in _differing(store, table, page)]
            if wrong:
                rows = "one row" if len(wrong) == 1 else f"{len(wrong):,} rows"
                yield f"The table {table.name!r} is wrong in {rows}: {', '.join(wrong[:3])}."

    def rebuild(self, store: Store) -> int:
        """Make the rows anew that are wrong, too many or missing; return how many."""
        changed = 0
        for table in tables(store.queries):
            for page in _pages(store, table):
                if _differing(store, table, page):
                    changed += _mend(store, table, page)
        return changed


def _mend(store: Store, table: Table, page: tuple[str, str]) -> int:
    with store.writing() as connection:
        # Others may have written since the first look.
        wrong = _differing(store, table, page)
        _write(connection, table, wrong)
    return len(wrong)


def _write(connection: Connection, table: Table, rows: dict[str, Row | None]) -> None:
    """Write rows by their ids; None takes one out."""
    gone = [(key,) for key, row in rows.items() if row is None]
    made = [row for row in rows.values() if row is not None]
    if gone:
        connection.run_many(table.delete, gone)
    if made:
        connection.run_many(table.upsert, made)


def _pages(store: Store, table: Table) -> Iterator[tuple[str, str]]:
    """Yield ranges of ids, each with a page of records, that cover every id there can be."""
    snapshot, low, last = Snapshot(store, DEFAULT_BRANCH), "", None
    while True:
        keys = snapshot.keys(SPACE, table.kind, after=last, limit=_PAGE)
        if len(keys) < _PAGE:
            yield low, after_prefix("")
            return
        last = keys[-1][0]
        high = last + NEXT_KEY
        yield low, high
        low = high


def _differing(store: Store, table: Table, page: tuple[str, str]) -> dict[str, Row | None]:
    """Return what the rows of a range should be, where they are something else."""
    with store.database.reading() as connection:
        # Columns behind those that are written must be empty.
        found = {str(row[0]): row for row in connection.rows(table.between, page)}
        expected = _expected(store, table, page)
    return {
        key: row
        for key in sorted(found.keys() | expected.keys())
        if not _is_same(row := expected.get(key), found.get(key))
    }


def _is_same(expected: Row | None, found: Row | None) -> bool:
    if expected is None or found is None:
        return expected is found
    return found[: len(expected)] == expected and not any(found[len(expected) :])


def _expected(store: Store, table: Table, page: tuple[str, str]) -> dict[str, Row]:
    """Return the rows that the records of a range give."""
    made = ((key, _row(table, key, record)) for key, record in _records(store, table, page))
    return {key: row for key, row in made if row is not None}


def _records(store: Store, table: Table, page: tuple[str, str]) -> Iterator[tuple[str, Record]]:
    snapshot, (after, high) = Snapshot(store, DEFAULT_BRANCH), page
    while True:
        items = snapshot.items(SPACE, table.kind, after=after, limit=_PAGE)
        yield from ((key, record) for key, record in items if key < high)
        if len(items) < _PAGE or items[-1][0] >= high:
            return
        after = items[-1][0]


def _row(table: Table, key: str, record: Record) -> Row | None:
    try:
        return table.row_of(key, plain(record))
    except Damaged:
        return None  # `verify` names the version
