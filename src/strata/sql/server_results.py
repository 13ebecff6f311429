"""What an administrator reads of a database of workspaces."""

from strata.base.results import Result


class WorkspaceRow(Result, frozen=True):
    """A workspace of a database."""

    name: str
    created: int


class DatabaseSetting(Result, frozen=True):
    """A setting of a database that is not what Strata's plans need."""

    name: str
    found: str
    wanted: str


class DatabaseStatus(Result, frozen=True):
    """A database of workspaces at a glance; format 0 means that there are no tables yet."""

    address: str
    server_version: str
    database: str
    format: int
    known_format: int
    size_bytes: int
    is_distributed: bool
    workspaces: tuple[WorkspaceRow, ...]
    differing: tuple[DatabaseSetting, ...]
    connections: int
    connections_max: int


class DatabaseSetup(Result, frozen=True):
    """What was done to a database: its format before and now, and what is still to be set.

    `workspace` is one that was made.
    """

    address: str
    format_before: int
    format: int
    workspace: str | None
    role: str | None
    is_distributed: bool
    differing: tuple[DatabaseSetting, ...]
