"""The tables of a database, and the workspaces in them."""

import os
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from shlex import quote
from typing import Any, NamedTuple

import psycopg
from psycopg import errors
from psycopg.conninfo import conninfo_to_dict

from strata.base import clock, ids, limits
from strata.base.errors import (
    AlreadyExists,
    NewerFormat,
    NotAllowed,
    NotFound,
    StoreNotFound,
    StrataError,
    Unavailable,
    Unusable,
)
from strata.sql.address import (
    Address,
    check_workspace_name,
    malformed,
    parse_address,
    unfinished_workspace,
)
from strata.sql.migrate import format_number
from strata.sql.postgres.connection import Cursor, new_cursor
from strata.sql.postgres.distributed import steps
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
    # A client whose machine is gone holds a lock until the server notices.
    "tcp_keepalives_idle": int(limits.POSTGRES_SILENCE_S / 2),
    "tcp_keepalives_interval": int(limits.POSTGRES_SILENCE_S / 4),
    "tcp_keepalives_count": 2,
}
_FOLDER = Path(__file__).parent.parent / "statements" / "postgres" / "migrations"


class OpenedWorkspace(NamedTuple):
    """A workspace by its number, and what a role may do with it.

    `is_limited` tells that row-level security holds for the role, so that it may not COPY, and
    `is_distributed` that workspaces are spread over several nodes.
    """

    number: int
    is_new: bool
    is_limited: bool
    is_distributed: bool


def open_workspace(address: Address, *, create: bool) -> OpenedWorkspace:
    """Find a workspace, or make it; the first one in an empty database makes the tables."""
    with connected(address.database) as cursor:
        if create:
            migrate(cursor)
        else:
            check_tables(cursor)
        number, is_new = found_or_made(cursor, address, create=create)
        return OpenedWorkspace(number, is_new, is_limited(cursor), is_distributed(cursor))


def is_distributed(cursor: Cursor) -> bool:
    """Whether workspaces are spread over several nodes; `strata db init --distributed` says so."""
    return value_of(cursor, load("postgres").is_distributed) == "on"


def is_limited(cursor: Cursor) -> bool:
    """Whether row-level security holds for the role of a connection."""
    return bool(value_of(cursor, load("postgres").is_limited_by_rows))


def found_or_made(cursor: Cursor, address: Address, *, create: bool) -> tuple[int, bool]:
    """Return the number of a workspace, and whether it was made now."""
    found = workspace_number(cursor, address.workspace)
    if found is not None:
        return found, False
    check_finished(cursor, address)
    if not create:
        raise StoreNotFound(
            f"There is no workspace {address.workspace!r} in {address.display}.",
            hint=f"`strata workspace create {quote(address.workspace)}` makes it, "
            "`strata workspace list` lists all.",
            path=address.display,
        )
    try:
        return add_workspace(cursor, address.workspace), True
    except errors.UniqueViolation:  # another process has just made it
        number = workspace_number(cursor, address.workspace)
        assert number is not None
        return number, False


def check_finished(cursor: Cursor, address: Address) -> None:
    """Raise Unusable for a workspace that a copy was begun to."""
    unfinished = unfinished_workspace(address.workspace)
    if workspace_number(cursor, unfinished) is not None:
        raise Unusable(
            f"A copy to {address.display} was begun and is not complete.",
            hint="Run `strata copy` to that address again, which goes on where it was cut short, "
            f"or give it up with `strata workspace delete '{unfinished}'`.",
            path=address.display,
        )


def create_workspace(url: str, name: str) -> WorkspaceRow:
    """Make an empty workspace."""
    check_workspace_name(name)
    address = parse_address(url)._replace(workspace=name)
    with connected(address.database) as cursor:
        migrate(cursor)
        check_finished(cursor, address)
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


def connecting(
    database: str, settings: Mapping[str, object], *, name: str, reads: bool = False
) -> dict[str, Any]:
    """Return how to connect to a database: its settings, and what its address leaves open.

    The name is what operators see beside each connection. Of several hosts the one is chosen that
    can be written to, so that a replica which was promoted is found; to read, any will do. A host
    that says nothing any more is given up after a while, instead of hours.
    """
    seconds = int(limits.POSTGRES_SILENCE_S)
    defaults: dict[str, Any] = {
        "application_name": name,
        "connect_timeout": seconds,
        "keepalives_idle": seconds // 2,
        "keepalives_interval": seconds // 4,
        "keepalives_count": 2,
        "tcp_user_timeout": seconds * 1000,
    }
    try:
        given = conninfo_to_dict(database)
    except psycopg.ProgrammingError as error:
        # What else the driver says may quote the password.
        says = str(error).strip()
        raise malformed(says if "query parameter" in says else "") from error
    if "," in str(given.get("host", "")) and not reads:
        defaults["target_session_attrs"] = "read-write"
    chosen = {key: value for key, value in defaults.items() if key not in given}
    return {**chosen, "options": " ".join(f"-c {key}={value}" for key, value in settings.items())}


@contextmanager
def connected(database: str) -> Generator[Cursor]:
    """Give a cursor for work that belongs to no workspace, on a connection of its own."""
    parameters = connecting(database, {**SETTINGS}, name="strata")
    try:
        with psycopg.connect(database, autocommit=True, **parameters) as session:
            adapt_types(session)
            yield new_cursor(session)
    except (psycopg.Error, UnicodeError) as error:
        raise translated(error) from error


@cache
def migrations() -> Mapping[int, str]:
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
    with _owning(_unprepared(before)), cursor.connection.transaction():
        cursor.execute(queries.lock_format)
        # Another process may have taken the steps while this one waited.
        for number in [number for number in migrations() if number > format_of(cursor)]:
            cursor.execute(migrations()[number])
            cursor.execute(queries.insert_format, (number, clock.now_us()))
        for number, _name, _created in cursor.execute(queries.workspaces).fetchall():
            # A running program of the old format looks again, and refuses, before its next write.
            choose(cursor, number)
            cursor.execute(queries.begin_change, (number,))
            cursor.execute(queries.bump_generation, (number,))
    return before


@contextmanager
def _owning(refusal: StrataError) -> Generator[None]:
    """Raise an error that says what to do where only the role that owns the tables may."""
    try:
        yield
    except errors.InsufficientPrivilege as error:
        raise refusal from error


def _unprepared(number: int) -> NotAllowed:
    """Return the error for a role that may not bring the tables up to date."""
    if number:
        return NotAllowed(
            f"The database has format {number}, this Strata needs {format_number()}, and the "
            "address's role may not change the tables.",
            hint="`strata db upgrade` with the role that owns them brings them up to date.",
        )
    return NotAllowed(
        "The database has no tables of Strata, and the address's role may not make them.",
        hint="`strata db init --role NAME` with an administrator's role makes them for this one.",
    )


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
    refusal = NotAllowed(
        f"There is no workspace {name!r}, and the address's role may not make one.",
        hint=f"`strata workspace create {quote(name)}` with the role that owns the tables does.",
    )
    with _owning(refusal), cursor.connection.transaction():
        cursor.execute(queries.lock_format)
        number = value_of(cursor, queries.insert_workspace, (name, now))
        choose(cursor, number)
        drawn = [ids.new_id(kind) for kind in ("user", "team", "folder")]
        mark = int.from_bytes(os.urandom(8), signed=True)
        given = (mark, *drawn, now, number)
        if is_distributed(cursor):
            for step in steps()[queries.seed_workspace]:
                cursor.execute(step.statement, step.values(given))
        else:
            cursor.execute(queries.seed_workspace, given)
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
