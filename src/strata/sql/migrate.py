"""The store's format: numbered, forward-only, checksummed steps.

The number is in the file's header (`user_version`), so that it is known before any
table is read. A step and its number are written in one transaction.
"""

import re
from functools import cache
from hashlib import sha256
from pathlib import Path

from strata.base.errors import DamagedStore, NewerFormat, Unusable
from strata.sql import integrity
from strata.sql.connection import Connection
from strata.sql.queries import load
from strata.sql.sqlite import APPLICATION_ID, SqliteConnection


@cache
def steps() -> tuple[str, ...]:
    """Return the text of every migration, in order."""
    folder = Path(__file__).parent / "statements" / "sqlite" / "migrations"
    found = sorted((entry for entry in folder.iterdir()), key=lambda entry: entry.name)
    return tuple(entry.read_text(encoding="utf-8") for entry in found)


def format_number() -> int:
    """Return the format that this program writes."""
    return len(steps())


def check_format(connection: Connection) -> int:
    """Return the store's format number; 0 is an empty file. Refuse a newer one."""
    number = connection.format
    if number > format_number():
        raise NewerFormat(
            f"The store has format {number}; this Strata knows formats up to {format_number()}.",
            hint="Update Strata; nothing was changed.",
            found=number,
            known=format_number(),
        )
    return number


# As SQLite names what a file defines: in small letters.
_CREATE = re.compile(r"^create (?:unique )?(table|index|trigger|view) (\w+)", re.MULTILINE)
# What SQLite says of a column that is there already.
_DUPLICATE = re.compile(r"duplicate column name: (\w+)")
# They are more than a shape: what they say is done, whenever something is written or read.
_ACTIVE = ("trigger", "view")


def check_schema(connection: SqliteConnection) -> int:
    """Return the file's format number; refuse a file that defines what no migration made.

    A trigger in a store that came from elsewhere would run with every write.
    """
    connection.begin(write=False)  # another process may be migrating
    try:
        number = check_format(connection)
        found = connection.rows(load().schema_objects)
    finally:
        connection.rollback()
    known, text = _known_objects(number)
    for kind, name, sql in found:
        is_known = (kind, name) in known
        if is_known and (kind not in _ACTIVE or sql in text):
            continue
        if kind in ("table", "index") and name.startswith("sqlite_"):
            continue
        if not is_known and (kind, name) in _known_objects(format_number())[0]:
            raise _lowered(number, name)
        if missing := known - {(kind, name) for kind, name, _sql in found}:
            raise _of_another_version(name, min(missing)[1])
        raise Unusable(
            f"The store's file defines a {kind} {name[:80]!r} that Strata did not make.",
            hint="It was added by hand, and could change what you write. If you trust the "
            f"rest of the file, remove it with sqlite3: DROP {kind.upper()} …",
            kind=kind,
            name=name[:80],
        )
    return number


def _of_another_version(name: str, missing: str) -> Unusable:
    """Return the error for a file whose tables have other names: nothing of it may be removed."""
    return Unusable(
        f"The store was made by an unreleased version of Strata: it defines {name[:80]!r}, and not "
        f"{missing!r}.",
        hint="Nothing was changed. Export it with the version that made it, and import it here.",
        name=name[:80],
        missing=missing,
    )


def _lowered(number: int, name: str) -> DamagedStore:
    """Return the error for a file that holds more than its number says."""
    return DamagedStore(
        f"The file says that its format is {number}, but it holds {name!r} of a later one: its "
        "number (PRAGMA user_version) was changed.",
        hint="Nothing was changed. Set the number back, or restore a backup with "
        "`strata.restore(BACKUP, PATH)`.",
        found=number,
    )


@cache
def _known_objects(number: int) -> tuple[frozenset[tuple[str, str]], str]:
    """Return what the migrations up to a format define, kind and name, and their text."""
    text = "\n".join(steps()[:number])
    return frozenset(_CREATE.findall(text.lower())), text


def migrate(connection: SqliteConnection) -> int:
    """Bring a file up to this program's format in one go; return the number it had before."""
    before = check_schema(connection)
    if before == format_number():
        return before
    connection.begin(write=True)
    try:
        # Another process may have taken the steps while this one waited for the lock.
        for number in range(connection.pragma("user_version") + 1, format_number() + 1):
            _run_step(connection, number)
        integrity.seal_all(connection)
        connection.forget_tally()
    except BaseException:
        connection.rollback()
        raise
    connection.commit()
    return before


def _run_step(connection: SqliteConnection, number: int) -> None:
    try:
        connection.script(steps()[number - 1])
    except DamagedStore as error:
        column = _DUPLICATE.search(error.message)
        if column is None:
            raise
        raise _lowered(number - 1, column[1]) from error
    # A program of the old format looks again, and refuses, before its next write.
    bump_generation(connection)
    connection.pragma("application_id", APPLICATION_ID)
    connection.pragma("user_version", number)


def bump_generation(connection: Connection) -> None:
    """Let every process look at format and branches again before its next write."""
    connection.run(load(connection.dialect).bump_generation)


def checksum(number: int) -> str:
    """Return the sha256 of a step; a released step never changes."""
    return sha256(steps()[number - 1].encode()).hexdigest()
