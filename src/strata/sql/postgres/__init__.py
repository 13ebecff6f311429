"""A store in PostgreSQL, one workspace among others of the same database."""

from strata.sql.postgres.database import PostgresDatabase
from strata.sql.postgres.workspaces import (
    WorkspaceRow,
    create_workspace,
    delete_workspace,
    initialise,
    list_workspaces,
)

__all__ = [
    "PostgresDatabase",
    "WorkspaceRow",
    "create_workspace",
    "delete_workspace",
    "initialise",
    "list_workspaces",
]
