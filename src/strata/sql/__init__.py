"""Connections, transactions, statements and migrations. Only this package imports a driver."""

from strata.sql.address import (
    Address,
    check_file_name,
    is_address,
    is_unfinished_workspace,
    parse_address,
)
from strata.sql.connection import Connection, Durability, Look, Read, Row
from strata.sql.copying import (
    RowSum,
    StoredRows,
    UnfinishedStore,
    copied_tables,
    digest_of_row,
    filling_rows,
    keys_of_tables,
    reading_rows,
)
from strata.sql.database import Database, HintSource
from strata.sql.earlier import copy_tables, earlier_store, seal_tables
from strata.sql.files import (
    check_finished,
    earlier_format,
    file_system,
    is_unfinished,
    settle,
    sync_folder,
)
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
from strata.sql.integrity import (
    declared,
    digest_of_rows,
    read_of_declared,
    seal_commit,
    wrong_tables,
)
from strata.sql.migrate import bump_generation, check_format, checksum, format_number
from strata.sql.opening import check_driver, open_database, open_existing
from strata.sql.queries import Queries, load
from strata.sql.server_results import DatabaseSetting, DatabaseSetup, DatabaseStatus, WorkspaceRow
from strata.sql.servers import (
    create_workspace,
    database_status,
    delete_workspace,
    list_workspaces,
    prepare_database,
)
from strata.sql.sqlite import SQLITE_VERSION, SqliteConnection, connect, limit_memory
from strata.sql.sqlite_database import SqliteDatabase

__all__ = [
    "SQLITE_VERSION",
    "Address",
    "BrokenText",
    "Connection",
    "Database",
    "DatabaseSetting",
    "DatabaseSetup",
    "DatabaseStatus",
    "Durability",
    "ForeignFile",
    "ForeignReader",
    "ForeignRow",
    "ForeignTable",
    "ForeignWriter",
    "Gap",
    "HintSource",
    "Look",
    "Queries",
    "Read",
    "Row",
    "RowSum",
    "SqliteConnection",
    "SqliteDatabase",
    "StoredRows",
    "UnfinishedStore",
    "WorkspaceRow",
    "bump_generation",
    "check_driver",
    "check_file_name",
    "check_finished",
    "check_format",
    "checksum",
    "connect",
    "copied_tables",
    "copy_tables",
    "create_workspace",
    "database_status",
    "declared",
    "delete_workspace",
    "digest_of_row",
    "digest_of_rows",
    "earlier_format",
    "earlier_store",
    "file_system",
    "filling_rows",
    "format_number",
    "is_address",
    "is_unfinished",
    "is_unfinished_workspace",
    "keys_of_tables",
    "limit_memory",
    "list_workspaces",
    "load",
    "open_database",
    "open_existing",
    "open_foreign",
    "parse_address",
    "prepare_database",
    "read_foreign",
    "read_of_declared",
    "reading_rows",
    "seal_commit",
    "seal_tables",
    "settle",
    "sync_folder",
    "write_foreign",
    "wrong_tables",
]
