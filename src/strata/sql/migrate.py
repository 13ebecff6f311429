"""The store's format: numbered, forward-only, checksummed steps.

The number stands in the file's header (`user_version`), so that it is known before any
table is read. A step and its number are written in one transaction.
"""

from functools import cache
from hashlib import sha256
from pathlib import Path

from strata.base.errors import NewerFormat
from strata.sql import integrity
from strata.sql.queries import load
from strata.sql.sqlite import APPLICATION_ID, Connection


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
    """Return the file's format number; 0 is an empty file. Refuse a newer one."""
    number = connection.pragma("user_version")
    if number > format_number():
        raise NewerFormat(
            f"The store has format {number}; this Strata knows formats up to {format_number()}.",
            hint="Update Strata; nothing was changed.",
            found=number,
            known=format_number(),
        )
    return number


def migrate(connection: Connection) -> int:
    """Bring a file up to this program's format in one go; return the number it had before."""
    before = check_format(connection)
    if before == format_number():
        return before
    connection.begin(write=True)
    try:
        # Another process may have taken the steps while this one waited for the lock.
        for number in range(connection.pragma("user_version") + 1, format_number() + 1):
            _take_step(connection, number)
        if format_number() >= integrity.FIRST_FORMAT:
            integrity.seal_all(connection)
            integrity.seal_commits(connection)
    except BaseException:
        connection.rollback()
        raise
    connection.commit()
    return before


def _take_step(connection: Connection, number: int) -> None:
    connection.script(steps()[number - 1])
    # A program of the old format looks again, and refuses, before its next write.
    connection.run(load().bump_generation)
    connection.pragma("application_id", APPLICATION_ID)
    connection.pragma("user_version", number)


def checksum(number: int) -> str:
    """Return the sha256 of a step; a released step never changes."""
    return sha256(steps()[number - 1].encode()).hexdigest()
