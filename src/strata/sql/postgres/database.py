"""A workspace in PostgreSQL: the pool of connections that the threads of this process share."""

from collections.abc import Iterator, Sequence
from typing import Any

from psycopg_pool import ConnectionPool

from strata.base import limits
from strata.sql.address import Address, parse_address
from strata.sql.connection import Connection, Durability
from strata.sql.database import Database
from strata.sql.postgres.connection import Pool, PostgresConnection, Session
from strata.sql.postgres.types import adapt_types
from strata.sql.postgres.workspaces import SETTINGS, open_workspace
from strata.sql.queries import Dialect, load


class PostgresDatabase(Database):
    """The connections of this process to one workspace."""

    dialect: Dialect = "postgres"
    appends = True

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
        self._number, self.was_empty, self._copies = (
            found.number,
            found.is_new,
            not found.is_limited,
        )
        self._pool: Pool | None = None
        super().__init__(durability=durability, read_only=read_only)

    def _start_afresh(self) -> None:
        super()._start_afresh()
        self._pool = None

    def _leave_to_parent(self, abandoned: list[object]) -> None:
        abandoned.append(self._pool)
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

    def _open_connection(self) -> PostgresConnection:
        with self._opening:
            if self._pool is None:
                self._pool = self._make_pool()
            return PostgresConnection(
                self._pool, load("postgres"), workspace=self._number, copies=self._copies
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
        kwargs: dict[str, Any] = {
            "autocommit": True,
            "prepare_threshold": 1,
            "options": " ".join(f"-c {name}={value}" for name, value in options.items()),
            # What operators see beside each connection; the server cuts it.
            "application_name": f"strata {self.address.workspace}",
        }
        return ConnectionPool(
            self.address.database,
            kwargs=kwargs,
            min_size=0,
            max_size=limits.POSTGRES_CONNECTIONS,
            num_workers=1,
            configure=_configure,
            reconnect_timeout=limits.LOCK_WAIT_S,
            open=True,
        )

    def _look_around(self) -> None:
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
        """Do nothing: the server holds the pages."""

    def _prepare_close(self, connections: Sequence[Connection]) -> None:
        pass

    def close(self) -> None:
        """Close every connection of this process; a second call does nothing."""
        was_closed = self.is_closed
        super().close()
        if not was_closed and self._pool is not None:
            self._pool.close()


def _configure(session: Session) -> None:
    session.prepared_max = limits.POSTGRES_STATEMENTS
    adapt_types(session)
