"""The tables of a database, and the workspaces in them."""

import os
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import psycopg
from psycopg import errors

from strata.base import clock, ids
from strata.base.errors import AlreadyExists, NewerFormat, NotFound, StoreNotFound, Unavailable
from strata.sql.address import Address, check_workspace_name, parse_address
from strata.sql.migrate import format_number
from strata.sql.postgres.connection import Cursor, new_cursor
from strata.sql.postgres.errors import translated
from strata.sql.postgres.types import adapt_types
from strata.sql.queries import load
from strata.sql.server_results import WorkspaceRow

# What a connection needs so that plans do not depend on statistics: every statement reads by an
# index that begins with the workspace. Other tables of the database are in other schemas.
SETTINGS: Mapping[str, object] = {
    "search_path": "strata",
    "random_page_cost": 1.1,
    "enable_seqscan": "off",
    "jit": "off",
    "max_parallel_workers_per_gather": 0,
}
_FOLDER = Path(__file__).parent.parent / "statements" / "postgres" / "migrations"


class OpenedWorkspace(NamedTuple):
    """A workspace by its number, and what a role may do with it.

    `is_limited` tells that row-level security holds for the role, so that it may not COPY.
    """

    number: int
    is_new: bool
    is_limited: bool


def open_workspace(address: Address, *, create: bool) -> OpenedWorkspace:
    """Find a workspace, or make it; the first one in an empty database makes the tables."""
    with connected(address.database) as cursor:
        if create:
            migrate(cursor)
        else:
            check_tables(cursor)
        number, is_new = _found_or_made(cursor, address, create=create)
        return OpenedWorkspace(number, is_new, is_limited(cursor))


def is_limited(cursor: Cursor) -> bool:
    """Whether row-level security holds for the role of a connection."""
    return bool(value_of(cursor, load("postgres").is_limited_by_rows))


def _found_or_made(cursor: Cursor, address: Address, *, create: bool) -> tuple[int, bool]:
    """Return the number of a workspace, and whether it was made now."""
    found = workspace_number(cursor, address.workspace)
    if found is not None:
        return found, False
    if not create:
        raise StoreNotFound(
            f"There is no workspace {address.workspace!r} in {address.display}.",
            hint="`strata workspace create NAME` makes it, `strata workspace list` lists all.",
            path=address.display,
        )
    try:
        return add_workspace(cursor, address.workspace), True
    except errors.UniqueViolation:  # another process has just made it
        number = workspace_number(cursor, address.workspace)
        assert number is not None
        return number, False


def create_workspace(url: str, name: str) -> WorkspaceRow:
    """Make an empty workspace."""
    check_workspace_name(name)
    with connected(parse_address(url).database) as cursor:
        migrate(cursor)
        try:
            add_workspace(cursor, name)
        except errors.UniqueViolation as error:
            raise AlreadyExists(
                f"There is a workspace {name!r} already.", hint="Choose another name.", name=name
            ) from error
        return next(row for row in all_workspaces(cursor) if row.name == name)


def list_workspaces(url: str) -> list[WorkspaceRow]:
    """Return the workspaces of a database by name."""
    with connected(parse_address(url).database) as cursor:
        check_tables(cursor)
        return all_workspaces(cursor)


def delete_workspace(url: str, name: str) -> None:
    """Delete a workspace with everything in it."""
    queries = load("postgres")
    with connected(parse_address(url).database) as cursor:
        check_tables(cursor)
        number = workspace_number(cursor, name)
        if number is None:
            raise NotFound(
                f"There is no workspace {name!r}.",
                hint="`strata workspace list` lists them.",
                name=name,
            )
        with cursor.connection.transaction():
            choose(cursor, number, deletes=True)
            empty(cursor, number)
            cursor.execute(queries.delete_workspace, (clock.now_us(), number))


def empty(cursor: Cursor, number: int) -> None:
    """Delete all rows of the workspace that was chosen for deletion, its name excepted."""
    queries = load("postgres")
    for (table,) in cursor.execute(queries.workspace_tables).fetchall():
        cursor.execute(queries.delete_workspace_rows.replace(":table", table), (number,))


@contextmanager
def connected(database: str) -> Generator[Cursor]:
    """Give a cursor for work that belongs to no workspace, on a connection of its own."""
    options = " ".join(f"-c {name}={value}" for name, value in SETTINGS.items())
    try:
        with psycopg.connect(
            database, autocommit=True, options=options, application_name="strata"
        ) as session:
            adapt_types(session)
            yield new_cursor(session)
    except (psycopg.Error, UnicodeError) as error:
        raise translated(error) from error


@cache
def steps() -> Mapping[int, str]:
    """Return the text of every migration by the format that it leads to.

    The first one makes all tables of its format; there were no stores in PostgreSQL before it.
    """
    files = sorted(_FOLDER.iterdir())
    return {int(file.name[:4]): file.read_text(encoding="utf-8") for file in files}


def migrate(cursor: Cursor) -> int:
    """Bring the tables up to this program's format; return the number that they had before."""
    queries = load("postgres")
    before = format_of(cursor)
    if before == format_number():
        return before
    with cursor.connection.transaction():
        cursor.execute(queries.lock_format)
        # Another process may have taken the steps while this one waited.
        for number in [number for number in steps() if number > format_of(cursor)]:
            cursor.execute(steps()[number])
            cursor.execute(queries.insert_format, (number, clock.now_us()))
    return before


def format_of(cursor: Cursor) -> int:
    """Return the format of the tables, 0 without any; refuse a newer one."""
    queries = load("postgres")
    if not value_of(cursor, queries.has_tables):
        return 0
    number = value_of(cursor, queries.last_format) or 0
    if number > format_number():
        raise NewerFormat(
            f"The database has format {number}; this Strata knows formats up to {format_number()}.",
            hint="Update Strata; nothing was changed.",
            found=number,
            known=format_number(),
        )
    return number


def check_tables(cursor: Cursor) -> None:
    """Raise Unavailable unless the tables have this program's format."""
    number = format_of(cursor)
    if number != format_number():
        raise Unavailable(
            "The database has no tables of Strata."
            if number == 0
            else f"The database has format {number}, and this Strata reads {format_number()}.",
            hint="`strata db init` prepares it; `strata db upgrade` brings it up to date.",
        )


def workspace_number(cursor: Cursor, name: str) -> int | None:
    """Return the number of a workspace; None if there is none of that name."""
    return value_of(cursor, load("postgres").workspace_number, (name,))


def all_workspaces(cursor: Cursor) -> list[WorkspaceRow]:
    """Return the workspaces by name."""
    rows = cursor.execute(load("postgres").workspaces).fetchall()
    return [WorkspaceRow(name, created) for _number, name, created in rows]


def add_workspace(cursor: Cursor, name: str) -> int:
    """Make a workspace with its owner, as a new file has one."""
    queries, now = load("postgres"), clock.now_us()
    with cursor.connection.transaction():
        cursor.execute(queries.lock_format)
        number = value_of(cursor, queries.insert_workspace, (name, now))
        choose(cursor, number)
        drawn = [ids.new_id(kind) for kind in ("user", "team", "folder")]
        mark = int.from_bytes(os.urandom(8), signed=True)
        cursor.execute(queries.seed_workspace, (mark, *drawn, now, number))
    return number


def choose(cursor: Cursor, number: int, *, deletes: bool = False) -> None:
    """Let the rest of a transaction see the rows of one workspace."""
    cursor.execute(load("postgres").choose_workspace, (str(number), "on" if deletes else "off"))


def value_of(
    cursor: Cursor, statement: str, values: Sequence[object] = (), *, column: int = 0
) -> Any:
    """Return one column of the first row, None without a row; its type is the statement's."""
    found = cursor.execute(statement, values).fetchone()
    return None if found is None else found[column]
