"""A store in PostgreSQL, one workspace among others of the same database."""

from strata.sql.postgres.administration import database_status, prepare_database
from strata.sql.postgres.copying import filling_workspace, reading_workspace
from strata.sql.postgres.database import PostgresDatabase
from strata.sql.postgres.workspaces import create_workspace, delete_workspace, list_workspaces

__all__ = [
    "PostgresDatabase",
    "create_workspace",
    "database_status",
    "delete_workspace",
    "filling_workspace",
    "list_workspaces",
    "prepare_database",
    "reading_workspace",
]
