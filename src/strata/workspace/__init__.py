"""Floor 6: opening a store, joining its rooms, settings."""

from strata.workspace.branches import Branches
from strata.workspace.bundles import Bundles
from strata.workspace.care import Info, TimeRange
from strata.workspace.embedding import EmbeddingRoom
from strata.workspace.finding import first_moment
from strata.workspace.language import ModelRoom
from strata.workspace.locate import Location, locate_store, make_folder, user_folder
from strata.workspace.rooms import OpenTransaction, WorkspaceTransaction
from strata.workspace.serving import Counters, Serving
from strata.workspace.settings import SETTINGS, Setting, Settings, key_for, require_setting
from strata.workspace.trust import StoreTrust, restore
from strata.workspace.trust_notes import TrustedStore, drop_trust, trusted_stores
from strata.workspace.workspace import Workspace, open_workspace

__all__ = [
    "SETTINGS",
    "Branches",
    "Bundles",
    "Counters",
    "EmbeddingRoom",
    "Info",
    "Location",
    "ModelRoom",
    "OpenTransaction",
    "Serving",
    "Setting",
    "Settings",
    "StoreTrust",
    "TimeRange",
    "TrustedStore",
    "Workspace",
    "WorkspaceTransaction",
    "drop_trust",
    "first_moment",
    "key_for",
    "locate_store",
    "make_folder",
    "open_workspace",
    "require_setting",
    "restore",
    "trusted_stores",
    "user_folder",
]
