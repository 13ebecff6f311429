"""A workspace in PostgreSQL: the pool of connections that the threads of this process share."""

import logging
from collections.abc import Iterator, Sequence
from typing import Any

import psycopg
from psycopg_pool import ConnectionPool

from strata.base import clock, limits
from strata.sql.address import Address, parse_address
from strata.sql.connection import Connection, Durability, Read
from strata.sql.database import Database
from strata.sql.postgres.connection import PostgresConnection
from strata.sql.postgres.distributed import steps
from strata.sql.postgres.hints import Hints
from strata.sql.postgres.lender import Lender, Pool, Session
from strata.sql.postgres.types import adapt_types
from strata.sql.postgres.workspaces import SETTINGS, connecting, open_workspace
from strata.sql.queries import Dialect, load

# The pool notes every connection that was cut. Programs that keep a log get it; it is not printed
# where there is none: callers get an error if it concerns them.
logging.getLogger("psycopg").addHandler(logging.NullHandler())


class PostgresDatabase(Database):
    """The connections of this process to one workspace."""

    dialect: Dialect = "postgres"
    appends = foresees = True

    def __init__(
        self,
        url: str,
        *,
        durability: Durability = "always",
        read_only: bool = False,
        create: bool = True,
    ) -> None:
        self.address: Address = parse_address(url)
        found = open_workspace(self.address, create=create and not read_only)
        self._number, self.was_empty = found.number, found.is_new
        self._copies, self.is_distributed = not found.is_limited, found.is_distributed
        # A fork by one statement is one that a distributed database cannot run.
        self.forks_at_once = not self.is_distributed
        self._lender: Lender | None = None
        # How far the database's clock is ahead of this machine's, where that matters.
        self._ahead_us = 0
        super().__init__(durability=durability, read_only=read_only)
        self.now_us = self._time_of_database

    def _start_afresh(self) -> None:
        super()._start_afresh()
        self._lender = None
        self.hints = self._hints = Hints(self._number, self._connect_to_hear, self._send_hint)

    def _connect_to_hear(self) -> Session:
        database = self.address.database
        chosen = connecting(database, SETTINGS, name="strata hints", reads=self.read_only)
        return psycopg.connect(database, autocommit=True, **chosen)

    def _send_hint(self, text: str) -> None:
        self.connection().row(load("postgres").send_hint, (text,))

    def _leave_to_parent(self, abandoned: list[object]) -> None:
        abandoned.append(self._lender)
        super()._leave_to_parent(abandoned)

    @property
    def location(self) -> str:
        """The address without its password."""
        return self.address.display

    @property
    def engine(self) -> str:
        """The server, with its version."""
        found = self.connection().row(load("postgres").server_version)
        return "PostgreSQL" if found is None else f"PostgreSQL {found[0]}"

    def reads_of_engine(self) -> Iterator[Read]:
        """Yield what `engine` reads, for a caller that foresees it."""
        yield load("postgres").server_version, ()

    def _open_connection(self) -> PostgresConnection:
        with self._opening:
            if self._lender is None:
                self._lender = Lender(self._make_pool())
            return PostgresConnection(
                self._lender,
                load("postgres"),
                workspace=self._number,
                copies=self._copies,
                steps=steps() if self.is_distributed else {},
            )

    def _make_pool(self) -> Pool:
        synchronous = "on" if self.durability == "always" else "off"
        options = {
            **SETTINGS,
            "strata.ws": self._number,
            "synchronous_commit": synchronous,
            "lock_timeout": int(limits.LOCK_WAIT_S * 1000),
            "default_transaction_read_only": "on" if self.read_only else "off",
        }
        if self.is_distributed:
            options["citus.propagate_set_commands"] = "local"
        database, name = self.address.database, f"strata {self.address.workspace}"
        kwargs: dict[str, Any] = {
            **connecting(database, options, name=name, reads=self.read_only),
            "autocommit": True,
            "prepare_threshold": 1,
        }
        return ConnectionPool(
            database,
            kwargs=kwargs,
            min_size=0,
            max_size=limits.POSTGRES_CONNECTIONS,
            num_workers=1,
            configure=self._configure,
            reconnect_timeout=limits.LOCK_WAIT_S,
            open=True,
        )

    def _configure(self, session: Session) -> None:
        """Prepare a new connection, and compare the clocks.

        Leases, sign-ins and the times of commits are then by one clock, whichever machine writes.
        """
        configure(session)
        before = clock.now_us()
        found = session.execute(load("postgres").database_time.encode()).fetchone()
        after = clock.now_us()
        assert found is not None
        ahead = int(found[0]) - (before + after) // 2
        is_apart = abs(ahead) > limits.CLOCK_DIFFERENCE_S * 1_000_000 + after - before
        self._ahead_us = ahead if is_apart else 0

    def _time_of_database(self) -> int:
        return clock.now_us() + self._ahead_us

    def _look_around(self) -> None:
        if self._lender is not None:
            self._lender.collect()
        for connection in self._each_connection():
            assert isinstance(connection, PostgresConnection)
            connection.give_back_unused()
        if self.on_watch is not None:
            self.on_watch()

    def size_bytes(self) -> int:
        """Return how much room the tables of all workspaces of the database take."""
        found = self.connection().row(load("postgres").size)
        return 0 if found is None else found[0]

    def counters(self) -> tuple[int, int, int, int]:
        """Return commits, syncs, bytes written (which only the server knows) and time of syncs."""
        syncs = self._appends if self.durability == "always" else 0
        return self._appends, syncs, 0, self._sync_nanos

    def fold_log(self) -> None:
        """Do nothing: the server does so by itself."""

    def rewrite(self) -> bool:
        """Tell that logs, replicas and dead rows may keep what was erased, until they are gone."""
        return False

    def problems(self) -> Iterator[str]:
        """Yield nothing: the server checks its files, with checksums if it was made with them."""
        yield from ()

    def wrong_tables(self) -> Iterator[tuple[str, int, int]]:
        """Yield nothing: there are no sums of tables that other clients may write as well."""
        yield from ()

    def check_file(self) -> None:
        """Do nothing: there is no file here that could be gone."""

    def release_memory(self) -> None:
        """Let the connections of all threads forget what they have read."""
        for connection in self._each_connection():
            connection.release_memory()

    def _prepare_close(self, connections: Sequence[Connection]) -> None:
        pass

    def close(self) -> None:
        """Close every connection of this process; a second call does nothing."""
        was_closed = self.is_closed
        self._hints.close()
        super().close()
        if not was_closed and self._lender is not None:
            self._lender.close()


def configure(session: Session) -> None:
    """Prepare a new connection for what is sent on it."""
    session.prepared_max = limits.POSTGRES_STATEMENTS
    adapt_types(session)
