"""Strata: where AI agents, and the people beside them, keep what they know.

>>> import strata
>>> db = strata.open(durability="cache")
>>> _ = db.kv.put("greeting", {"ko": "안녕"})
>>> db.kv.get("greeting").value
{'ko': '안녕'}
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from strata.base.errors import (
        AlreadyExists,
        BranchNotFound,
        CollectionNotFound,
        CommitNotFound,
        Conflict,
        Damaged,
        DamagedBundle,
        DamagedStore,
        DimensionMismatch,
        DiskFull,
        Interrupted,
        InvalidArgument,
        InvalidKey,
        InvalidPath,
        InvalidTime,
        LimitExceeded,
        Locked,
        MergeConflict,
        NetworkFileSystem,
        NewerFormat,
        NotAllowed,
        NotAStore,
        NotFound,
        ReadOnly,
        SpaceNotFound,
        StoreNotFound,
        StrataError,
        TagNotFound,
        TooOld,
        TransactionConflict,
        Unavailable,
        Unusable,
        VersionConflict,
        WrongType,
    )
    from strata.base.values import Json
    from strata.base.version import __version__
    from strata.memory import Cell, Collection, Event, Match, Metric, Vector, Version
    from strata.models import CallableEmbedder, Embedder, Endpoint, EndpointEmbedder, ModelInfo
    from strata.search import Answer, Hit, Mode, ModelStatus
    from strata.search import Status as EmbeddingStatus
    from strata.store import Branch, Commit, ConflictEntry, Diff, Instant, Merge, Strategy
    from strata.store import ShownChange as Change
    from strata.upkeep import (
        Backup,
        BundleInfo,
        Compaction,
        Lease,
        Policy,
        Problem,
        Purge,
        Tag,
        Trim,
        Verification,
        restore,
    )
    from strata.workspace import (
        Counters,
        Info,
        Location,
        TimeRange,
        Workspace,
        WorkspaceTransaction,
        locate_store,
    )
    from strata.workspace import open_workspace as open

# Loading everything takes as long as answering a hundred questions, and a server must answer
# its first one at once: so a name is loaded when it is first used. `real=name` gives a name here
# to what is called otherwise there.
_HOMES = {
    "strata.base.errors": (
        "AlreadyExists BranchNotFound CollectionNotFound CommitNotFound Conflict "
        "Damaged DamagedBundle DamagedStore DimensionMismatch DiskFull Interrupted "
        "InvalidArgument InvalidKey InvalidPath InvalidTime LimitExceeded Locked "
        "MergeConflict NetworkFileSystem NewerFormat NotAStore NotAllowed NotFound "
        "ReadOnly SpaceNotFound StoreNotFound StrataError TagNotFound TooOld "
        "TransactionConflict Unavailable Unusable VersionConflict WrongType"
    ),
    "strata.base.values": "Json",
    "strata.base.version": "__version__",
    "strata.memory": "Cell Collection Event Match Metric Vector Version",
    "strata.models": "CallableEmbedder Embedder Endpoint EndpointEmbedder ModelInfo",
    "strata.search": "Answer Hit Mode ModelStatus Status=EmbeddingStatus",
    "strata.store": "Branch Commit ConflictEntry Diff Instant Merge ShownChange=Change Strategy",
    "strata.upkeep": (
        "Backup BundleInfo Compaction Lease Policy Problem Purge Tag Trim Verification "
        "restore"
    ),
    "strata.workspace": (
        "Counters Info Location TimeRange Workspace WorkspaceTransaction locate_store "
        "open_workspace=open"
    ),
}
_PLACES = {
    name.rpartition("=")[2]: (home, name.partition("=")[0])
    for home, names in _HOMES.items()
    for name in names.split()
}

__all__ = [
    "AlreadyExists",
    "Answer",
    "Backup",
    "Branch",
    "BranchNotFound",
    "BundleInfo",
    "CallableEmbedder",
    "Cell",
    "Change",
    "Collection",
    "CollectionNotFound",
    "Commit",
    "CommitNotFound",
    "Compaction",
    "Conflict",
    "ConflictEntry",
    "Counters",
    "Damaged",
    "DamagedBundle",
    "DamagedStore",
    "Diff",
    "DimensionMismatch",
    "DiskFull",
    "Embedder",
    "EmbeddingStatus",
    "Endpoint",
    "EndpointEmbedder",
    "Event",
    "Hit",
    "Info",
    "Instant",
    "Interrupted",
    "InvalidArgument",
    "InvalidKey",
    "InvalidPath",
    "InvalidTime",
    "Json",
    "Lease",
    "LimitExceeded",
    "Location",
    "Locked",
    "Match",
    "Merge",
    "MergeConflict",
    "Metric",
    "Mode",
    "ModelInfo",
    "ModelStatus",
    "NetworkFileSystem",
    "NewerFormat",
    "NotAStore",
    "NotAllowed",
    "NotFound",
    "Policy",
    "Problem",
    "Purge",
    "ReadOnly",
    "SpaceNotFound",
    "StoreNotFound",
    "StrataError",
    "Strategy",
    "Tag",
    "TagNotFound",
    "TimeRange",
    "TooOld",
    "TransactionConflict",
    "Trim",
    "Unavailable",
    "Unusable",
    "Vector",
    "Verification",
    "Version",
    "VersionConflict",
    "Workspace",
    "WorkspaceTransaction",
    "WrongType",
    "__version__",
    "locate_store",
    "open",
    "restore",
]


def __getattr__(name: str) -> object:
    """Load a public name from its room."""
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home, real = _PLACES[name]
    found = getattr(import_module(home), real)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    """Return the public names."""
    return __all__
