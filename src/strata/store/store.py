"""What every part of the store stands on: the database, its statements, catalog and clock."""

import time
from collections.abc import Callable, Generator
from contextlib import contextmanager

from strata.base import clock, ids
from strata.base.errors import NotAStore
from strata.sql import Connection, Database, Queries, load
from strata.store.catalog import DEFAULT_BRANCH, Catalog


class Store:
    """One opened store."""

    def __init__(self, database: Database, *, now: Callable[[], int] = clock.now_us) -> None:
        self.database = database
        self.queries: Queries = load()
        self.clock = now
        self.catalog = Catalog(self.queries)
        self.opened = time.monotonic()
        connection = database.connection()
        if not database.read_only:
            self._initialise(connection)
        elif database.format_before == 0:
            raise NotAStore("The file is empty.", hint="Open it once for writing.")
        self.catalog.refresh(connection)

    def _initialise(self, connection: Connection) -> None:
        """Give a new file its catalog row and its first branch."""
        if connection.row(self.queries.generation) is not None:
            return
        with self.database.writing() as writer:
            if writer.row(self.queries.generation) is None:
                now = self.clock()
                writer.run(self.queries.insert_catalog, (ids.token(), now))
                values = (DEFAULT_BRANCH, None, None, now, None, None)
                row = writer.row(self.queries.insert_branch, values)
                assert row is not None, "INSERT … RETURNING gave no row"
                writer.run(self.queries.insert_branch_itself, (row[0],))

    @contextmanager
    def writing(self) -> Generator[Connection]:
        """Give a write transaction for what is not versioned, after looking for changes.

        A newer program may have migrated the file: then nothing may be written.
        """
        with self.database.writing() as connection:
            self.refresh()
            yield connection

    def refresh(self) -> None:
        """Notice what other processes have changed; refuse a file of a newer format."""
        connection = self.database.connection()
        connection.row(self.queries.generation)
        if connection.data_version() != connection.seen:
            self.catalog.refresh(connection)

    def sync(self) -> None:
        """Make everything durable that was committed so far, whatever the mode."""
        connection = self.database.connection()
        before = connection.pragma("synchronous")
        connection.pragma("synchronous", "FULL")
        try:
            with self.writing():
                connection.run(self.queries.count_sync)
        finally:
            connection.pragma("synchronous", before)

    def connection(self) -> Connection:
        """Return this thread's connection, inside its transaction if one is open."""
        return self.database.connection()

    def lineage(self, branch: int) -> tuple[tuple[int, int], ...]:
        """Return what a branch sees: (ancestor, up to which version), itself first."""
        return self.catalog.lineage(branch, self.database.connection())

    def shelf_name(self, shelf: int) -> tuple[str, str]:
        """Return space and kind of a shelf."""
        return self.catalog.shelf_name(shelf, self.database.connection())

    def last_version(self) -> int:
        """Return the newest version of the whole store."""
        row = self.database.connection().row(self.queries.last_version)
        return (row[0] if row else 0) or 0

    def close(self) -> None:
        """Close the database."""
        self.database.close()
