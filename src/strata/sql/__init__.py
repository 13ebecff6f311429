"""Connections, transactions, statements and migrations. Only this package imports a driver."""

from strata.sql.address import Address, is_address, parse_address
from strata.sql.connection import Connection, Durability, Look, Row
from strata.sql.database import Database
from strata.sql.earlier import copy_tables, earlier_store, seal_tables
from strata.sql.files import earlier_format, file_system, sync_folder
from strata.sql.foreign import (
    BrokenText,
    ForeignFile,
    ForeignRow,
    ForeignTable,
    ForeignWriter,
    Gap,
    read_foreign,
    write_foreign,
)
from strata.sql.integrity import declared, digest_of_rows, seal_commit, wrong_tables
from strata.sql.migrate import bump_generation, check_format, checksum, format_number
from strata.sql.opening import check_driver, open_database
from strata.sql.queries import Queries, load
from strata.sql.sqlite import SQLITE_VERSION, SqliteConnection, connect, limit_memory
from strata.sql.sqlite_database import SqliteDatabase

__all__ = [
    "SQLITE_VERSION",
    "Address",
    "BrokenText",
    "Connection",
    "Database",
    "Durability",
    "ForeignFile",
    "ForeignRow",
    "ForeignTable",
    "ForeignWriter",
    "Gap",
    "Look",
    "Queries",
    "Row",
    "SqliteConnection",
    "SqliteDatabase",
    "bump_generation",
    "check_driver",
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
    "is_address",
    "limit_memory",
    "load",
    "open_database",
    "parse_address",
    "read_foreign",
    "seal_commit",
    "seal_tables",
    "sync_folder",
    "write_foreign",
    "wrong_tables",
]
