"""Opening a database by what a user calls it: a path, or the address of a server."""

import os
from pathlib import Path

from strata.base.errors import Unavailable
from strata.sql.connection import Durability
from strata.sql.database import Database
from strata.sql.sqlite_database import SqliteDatabase


def open_database(
    place: Path | str | None,
    *,
    durability: Durability = "always",
    read_only: bool = False,
    create: bool = True,
) -> Database:
    """Open a file, a workspace at an address, or, without a place, a database in memory."""
    if not isinstance(place, str):
        return SqliteDatabase(place, durability=durability, read_only=read_only, create=create)
    check_driver()
    from strata.sql.postgres import PostgresDatabase  # noqa: PLC0415  (an extra)

    return PostgresDatabase(place, durability=durability, read_only=read_only, create=create)


def open_existing(place: Path | str) -> Database:
    """Open what is there; a file for reading only where this process may not write it.

    A file that is opened for writing has no log beside it after it is closed.
    """
    may_write = isinstance(place, str) or all(
        os.access(each, os.W_OK) for each in (place, place.parent)
    )
    return open_database(place, read_only=not may_write, create=False)


def check_driver() -> None:
    """Raise Unavailable unless the driver of PostgreSQL is installed."""
    try:
        import psycopg  # noqa: PLC0415  (an extra)
        import psycopg_pool  # noqa: PLC0415
    except ImportError as error:
        raise Unavailable(
            f"A store in PostgreSQL needs a driver that is not installed: {error}.",
            hint="Install it with: pip install 'strata-workspace[postgres]'",
        ) from error
    assert psycopg and psycopg_pool
