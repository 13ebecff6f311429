"""A quick look at a store's file, changing nothing and opening no branch."""

from pathlib import Path

import msgspec

from strata.base.errors import Damaged
from strata.sql import SqliteConnection, check_format, connect, format_number


class Examination(msgspec.Struct, frozen=True):
    """What a file says of itself. `flaw` is the first thing that SQLite finds wrong."""

    format: int
    newest_format: int
    journal: str
    flaw: str | None


def examine(path: Path) -> Examination:
    """Read format, journal and structure of a file; raises Unusable for one that is no store."""
    location = f"{path.absolute().as_uri()}?mode=ro"
    connection = connect(location, durability="always", mode="read")
    try:
        number = check_format(connection)
        journal = connection.journal
        found = _quick_check(connection)
    finally:
        connection.close()
    return Examination(number, format_number(), journal, None if found == "ok" else found)


def _quick_check(connection: SqliteConnection) -> str:
    try:
        return connection.quick_check()
    except Damaged as error:  # it may break over what it finds
        return error.message
