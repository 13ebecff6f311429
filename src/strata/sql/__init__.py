"""Connections, transactions, statements and migrations. Only this package imports a driver."""

from strata.sql.database import Database
from strata.sql.earlier import copy_tables, earlier_store, seal_tables
from strata.sql.files import earlier_format, file_system, sync_folder
from strata.sql.foreign import (
    BrokenText,
    ForeignFile,
    ForeignReader,
    ForeignRow,
    ForeignTable,
    ForeignWriter,
    Gap,
    open_foreign,
    read_foreign,
    write_foreign,
)
from strata.sql.integrity import declared, digest_of_rows, seal_commit, wrong_tables
from strata.sql.migrate import bump_generation, check_format, checksum, format_number
from strata.sql.queries import Queries, load
from strata.sql.sqlite import (
    SQLITE_VERSION,
    Connection,
    Durability,
    Row,
    connect,
    limit_memory,
)

__all__ = [
    "SQLITE_VERSION",
    "BrokenText",
    "Connection",
    "Database",
    "Durability",
    "ForeignFile",
    "ForeignReader",
    "ForeignRow",
    "ForeignTable",
    "ForeignWriter",
    "Gap",
    "Queries",
    "Row",
    "bump_generation",
    "check_format",
    "checksum",
    "connect",
    "copy_tables",
    "declared",
    "digest_of_rows",
    "earlier_format",
    "earlier_store",
    "file_system",
    "format_number",
    "limit_memory",
    "load",
    "open_foreign",
    "read_foreign",
    "seal_commit",
    "seal_tables",
    "sync_folder",
    "write_foreign",
    "wrong_tables",
]
