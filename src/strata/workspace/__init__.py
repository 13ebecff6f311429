"""Floor 5: opening a store, joining its rooms, settings."""

from strata.workspace.branches import Branches
from strata.workspace.bundles import Bundles
from strata.workspace.locate import Location, locate_store, user_folder
from strata.workspace.settings import SETTINGS, Setting, Settings, require_setting
from strata.workspace.version import VERSION
from strata.workspace.workspace import (
    Counters,
    Info,
    TimeRange,
    Workspace,
    WorkspaceTransaction,
    open_workspace,
)

__all__ = [
    "SETTINGS",
    "VERSION",
    "Branches",
    "Bundles",
    "Counters",
    "Info",
    "Location",
    "Setting",
    "Settings",
    "TimeRange",
    "Workspace",
    "WorkspaceTransaction",
    "locate_store",
    "open_workspace",
    "require_setting",
    "user_folder",
]
