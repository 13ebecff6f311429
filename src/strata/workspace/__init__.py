"""Opening a store, its settings, and the handle that `strata.open` returns."""

from typing import TYPE_CHECKING

from strata.base.lazy import lazily

if TYPE_CHECKING:
    from strata.workspace.activity import ActivityItem, ActivityRun
    from strata.workspace.branches import Branches
    from strata.workspace.bundles import Bundles
    from strata.workspace.cloning import clone, clone_target
    from strata.workspace.copying import copy_workspace
    from strata.workspace.embedding import StoreEmbeddings
    from strata.workspace.finding import first_moment
    from strata.workspace.git_following import GitFollowing, GitState, MergeOffer
    from strata.workspace.info import Info, TimeRange, Totals
    from strata.workspace.kinds import OpenTransaction, WorkspaceTransaction
    from strata.workspace.locate import Location, locate_store, make_folder, project_folder
    from strata.workspace.models import StoreModels
    from strata.workspace.opening import open_workspace
    from strata.workspace.own_folder import user_folder
    from strata.workspace.provenance import CitedSource, EarlierValue, Provenance
    from strata.workspace.remotes import RemoteInfo, Remotes, Sync
    from strata.workspace.serving import Counters, Serving
    from strata.workspace.settings import SETTINGS, Setting, Settings, key_for, require_setting
    from strata.workspace.trust import StoreTrust, restore
    from strata.workspace.trust_notes import (
        TrustedStore,
        drop_trust,
        former_folders,
        trusted_stores,
    )
    from strata.workspace.workspace import Workspace

__all__ = [
    "SETTINGS",
    "ActivityItem",
    "ActivityRun",
    "Branches",
    "Bundles",
    "CitedSource",
    "Counters",
    "EarlierValue",
    "GitFollowing",
    "GitState",
    "Info",
    "Location",
    "MergeOffer",
    "OpenTransaction",
    "Provenance",
    "RemoteInfo",
    "Remotes",
    "Serving",
    "Setting",
    "Settings",
    "StoreEmbeddings",
    "StoreModels",
    "StoreTrust",
    "Sync",
    "TimeRange",
    "Totals",
    "TrustedStore",
    "Workspace",
    "WorkspaceTransaction",
    "clone",
    "clone_target",
    "copy_workspace",
    "drop_trust",
    "first_moment",
    "former_folders",
    "key_for",
    "locate_store",
    "make_folder",
    "open_workspace",
    "project_folder",
    "require_setting",
    "restore",
    "trusted_stores",
    "user_folder",
]

__getattr__ = lazily(
    __name__,
    {
        "strata.workspace.activity": "ActivityItem ActivityRun",
        "strata.workspace.branches": "Branches",
        "strata.workspace.bundles": "Bundles",
        "strata.workspace.cloning": "clone clone_target",
        "strata.workspace.copying": "copy_workspace",
        "strata.workspace.embedding": "StoreEmbeddings",
        "strata.workspace.finding": "first_moment",
        "strata.workspace.provenance": "CitedSource EarlierValue Provenance",
        "strata.workspace.git_following": "GitFollowing GitState MergeOffer",
        "strata.workspace.info": "Info TimeRange Totals",
        "strata.workspace.kinds": "OpenTransaction WorkspaceTransaction",
        "strata.workspace.locate": "Location locate_store make_folder project_folder",
        "strata.workspace.models": "StoreModels",
        "strata.workspace.opening": "open_workspace",
        "strata.workspace.remotes": "RemoteInfo Remotes Sync",
        "strata.workspace.serving": "Counters Serving",
        "strata.workspace.settings": "SETTINGS Setting Settings key_for require_setting",
        "strata.workspace.trust": "StoreTrust restore",
        "strata.workspace.trust_notes": "TrustedStore drop_trust former_folders trusted_stores",
        "strata.workspace.own_folder": "user_folder",
        "strata.workspace.workspace": "Workspace",
    },
)
