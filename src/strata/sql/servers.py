"""Databases of workspaces, for administrators; each call loads the driver of PostgreSQL."""

from strata.sql.opening import check_driver
from strata.sql.server_results import DatabaseSetup, DatabaseStatus, WorkspaceRow


def prepare_database(
    url: str,
    *,
    role: str | None = None,
    distributed: bool = False,
    makes_workspace: bool = False,
) -> DatabaseSetup:
    """Make the tables or bring them up to date, and let a role use them.

    With `makes_workspace` the one of the address is made, and with `distributed` the workspaces
    are spread over the nodes of a Citus cluster.
    """
    check_driver()
    from strata.sql import postgres  # noqa: PLC0415  (an extra)

    return postgres.prepare_database(
        url, role=role, distributed=distributed, makes_workspace=makes_workspace
    )


def database_status(url: str) -> DatabaseStatus:
    """Return a database at a glance; it need not have any tables."""
    check_driver()
    from strata.sql import postgres  # noqa: PLC0415  (an extra)

    return postgres.database_status(url)


def create_workspace(url: str, name: str) -> WorkspaceRow:
    """Make an empty workspace."""
    check_driver()
    from strata.sql import postgres  # noqa: PLC0415  (an extra)

    return postgres.create_workspace(url, name)


def list_workspaces(url: str) -> list[WorkspaceRow]:
    """Return the workspaces of a database by name."""
    check_driver()
    from strata.sql import postgres  # noqa: PLC0415  (an extra)

    return postgres.list_workspaces(url)


def delete_workspace(url: str, name: str) -> None:
    """Delete a workspace with everything in it."""
    check_driver()
    from strata.sql import postgres  # noqa: PLC0415  (an extra)

    postgres.delete_workspace(url, name)
