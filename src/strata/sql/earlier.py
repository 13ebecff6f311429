"""Stores from before the first release, copied table by table.

Their last format had the tables of format 1, some under other names, but for counts and
checkpoints.
"""

from collections.abc import Generator, Iterable
from contextlib import contextmanager
from pathlib import Path

from strata.base.errors import Unusable
from strata.sql import integrity
from strata.sql.connection import Connection
from strata.sql.files import earlier_format
from strata.sql.foreign import located
from strata.sql.queries import load
from strata.sql.sqlite import SqliteConnection

# The last format before 0.1.0.
_FORMAT = 12
# What tables and columns were called then.
_EARLIER_NAMES = {"keyspaces": "shelves", "keyspace": "shelf", "user_id": "person"}
# Written by commits as they are taken over, or worth nothing in another file.
_OWN_WAY = frozenset(
    {
        "catalog",
        "versions",
        "count_checkpoints",
        "counts",
        "digests",
        "leases",
        "presence",
    }
)


@contextmanager
def earlier_store(connection: Connection, path: Path) -> Generator[None]:
    """Let a connection read an earlier store, under the name `earlier`, without changing it."""
    if not isinstance(connection, SqliteConnection):
        raise Unusable(
            "A store from before 0.1.0 can be taken over into a file only.",
            hint="Import it into a new file, then move that with `strata.copy(FROM, TO)`.",
        )
    found = earlier_format(path)
    if found != _FORMAT:
        raise Unusable(
            f"{path} has the earlier format {found}; only format {_FORMAT} can be taken over.",
            hint="Open it once for writing with the program that knows both, then import it.",
            found=found,
        )
    queries = load()
    with located(path) as location:
        connection.run(queries.attach_earlier, (location,))
        try:
            yield
        finally:
            connection.run(queries.detach_earlier)


def copy_tables(connection: Connection) -> None:
    """Replace what a new store holds by the rows of the attached one, versions excepted."""
    queries = load()
    connection.run(queries.copy_catalog)
    names = [
        name
        for kind, name, _sql in connection.rows(queries.schema_objects)
        if kind == "table" and name not in _OWN_WAY
    ]
    # Last, because rows of publications that are written move the profile's mark.
    for name in sorted(names, key=lambda name: name == "profiles"):
        columns = _common_columns(connection, name)
        if not columns:
            continue
        connection.run(queries.delete_rows.replace(":table", name))
        connection.run(
            queries.copy_rows.replace(":table", name)
            .replace(":columns", _listed(columns))
            .replace(":earlier_table", _earlier_name(name))
            .replace(":earlier_columns", _listed(map(_earlier_name, columns)))
        )
    connection.run(queries.mark_copied_branches)


def _common_columns(connection: Connection, table: str) -> list[str]:
    """Return the columns of a table that the attached store has too; migrations add others."""
    statement = load().columns_of
    known = set(connection.rows(statement, (_earlier_name(table), "earlier")))
    rows = connection.rows(statement, (table, "main"))
    return [column for (column,) in rows if (_earlier_name(column),) in known]


def _earlier_name(name: str) -> str:
    return _EARLIER_NAMES.get(name, name)


def _listed(columns: Iterable[str]) -> str:
    return ", ".join(f'"{column}"' for column in columns)


def seal_tables(connection: Connection) -> None:
    """Compute the sums of all tables, after rows were copied."""
    assert isinstance(connection, SqliteConnection)
    integrity.seal_all(connection)
    connection.forget_tally()
