"""Strata: where AI agents, and the people beside them, keep what they know.

>>> import strata
>>> db = strata.open(durability="cache")
>>> _ = db.kv.put("greeting", {"ko": "안녕"})
>>> db.kv.get("greeting").value
{'ko': '안녕'}
"""

from typing import TYPE_CHECKING

from strata.base.lazy import lazily

if TYPE_CHECKING:
    from strata.access import NewToken, Token
    from strata.base.errors import (
        AlreadyExists,
        BranchNotFound,
        CollectionNotFound,
        CommitNotFound,
        Conflict,
        ConflictEntry,
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
        KeyNotFound,
        LimitExceeded,
        Locked,
        MergeConflict,
        NetworkFileSystem,
        NewerFormat,
        NotAllowed,
        NotAStore,
        NotFound,
        NoTransaction,
        ReadOnly,
        SecretRefused,
        SpaceNotFound,
        StoreNotFound,
        StrataError,
        TagNotFound,
        TokenNotFound,
        TooOld,
        TransactionConflict,
        TransactionOpen,
        Unavailable,
        Unusable,
        VersionConflict,
        WrongType,
    )
    from strata.base.page import ResultPage
    from strata.base.values import Json
    from strata.base.version import __version__
    from strata.memory import Cell, Collection, Event, Match, Metric, Vector, Version
    from strata.models import (
        CallableEmbedder,
        Completion,
        Embedder,
        Endpoint,
        EndpointEmbedder,
        ModelInfo,
    )
    from strata.remotes import Pull, PulledBranch, Push
    from strata.search import Answer, Hit, Mode, ModelStatus
    from strata.search import Status as EmbeddingStatus
    from strata.secrets import SecretMode, StoredSecret
    from strata.store import (
        Branch,
        Commit,
        Diff,
        EditedValue,
        FiledEdit,
        Instant,
        Merge,
        Strategy,
        Tag,
    )
    from strata.store import ShownChange as Change
    from strata.upkeep import (
        Backup,
        BundleImport,
        BundleInfo,
        Compaction,
        Lease,
        Policy,
        Problem,
        Purge,
        StoreCopy,
        Trim,
        Verification,
    )
    from strata.workspace import (
        Counters,
        Info,
        Location,
        OpenTransaction,
        RemoteInfo,
        Sync,
        TimeRange,
        Workspace,
        WorkspaceTransaction,
        clone,
        locate_store,
        restore,
    )
    from strata.workspace import copy_workspace as copy
    from strata.workspace import open_workspace as open

__all__ = [
    "AlreadyExists",
    "Answer",
    "Backup",
    "Branch",
    "BranchNotFound",
    "BundleImport",
    "BundleInfo",
    "CallableEmbedder",
    "Cell",
    "Change",
    "Collection",
    "CollectionNotFound",
    "Commit",
    "CommitNotFound",
    "Compaction",
    "Completion",
    "Conflict",
    "ConflictEntry",
    "Counters",
    "Damaged",
    "DamagedBundle",
    "DamagedStore",
    "Diff",
    "DimensionMismatch",
    "DiskFull",
    "EditedValue",
    "Embedder",
    "EmbeddingStatus",
    "Endpoint",
    "EndpointEmbedder",
    "Event",
    "FiledEdit",
    "Hit",
    "Info",
    "Instant",
    "Interrupted",
    "InvalidArgument",
    "InvalidKey",
    "InvalidPath",
    "InvalidTime",
    "Json",
    "KeyNotFound",
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
    "NewToken",
    "NewerFormat",
    "NoTransaction",
    "NotAStore",
    "NotAllowed",
    "NotFound",
    "OpenTransaction",
    "Policy",
    "Problem",
    "Pull",
    "PulledBranch",
    "Purge",
    "Push",
    "ReadOnly",
    "RemoteInfo",
    "ResultPage",
    "SecretMode",
    "SecretRefused",
    "SpaceNotFound",
    "StoreCopy",
    "StoreNotFound",
    "StoredSecret",
    "StrataError",
    "Strategy",
    "Sync",
    "Tag",
    "TagNotFound",
    "TimeRange",
    "Token",
    "TokenNotFound",
    "TooOld",
    "TransactionConflict",
    "TransactionOpen",
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
    "clone",
    "copy",
    "locate_store",
    "open",
    "restore",
]

# Loading everything takes as long as answering a hundred questions, and a server must answer
# its first one at once: so a name is loaded when it is first used.
__getattr__ = lazily(
    __name__,
    {
        "strata.access": "NewToken Token",
        "strata.base.errors": (
            "AlreadyExists BranchNotFound CollectionNotFound CommitNotFound Conflict ConflictEntry "
            "Damaged DamagedBundle DamagedStore DimensionMismatch DiskFull Interrupted "
            "InvalidArgument InvalidKey InvalidPath InvalidTime KeyNotFound LimitExceeded Locked "
            "MergeConflict NetworkFileSystem NewerFormat NoTransaction NotAStore NotAllowed "
            "NotFound ReadOnly SecretRefused SpaceNotFound StoreNotFound StrataError TagNotFound "
            "TokenNotFound TooOld "
            "TransactionConflict TransactionOpen Unavailable Unusable VersionConflict WrongType"
        ),
        "strata.base.page": "ResultPage",
        "strata.base.values": "Json",
        "strata.base.version": "__version__",
        "strata.memory": "Cell Collection Event Match Metric Vector Version",
        "strata.models": "CallableEmbedder Completion Embedder Endpoint EndpointEmbedder ModelInfo",
        "strata.remotes": "Pull PulledBranch Push",
        "strata.search": "Answer Hit Mode ModelStatus Status=EmbeddingStatus",
        "strata.secrets": "SecretMode StoredSecret",
        "strata.store": (
            "Branch Commit Diff EditedValue FiledEdit Instant Merge ShownChange=Change Strategy Tag"
        ),
        "strata.upkeep": (
            "Backup BundleImport BundleInfo Compaction Lease Policy Problem Purge StoreCopy Trim "
            "Verification"
        ),
        "strata.workspace": (
            "Counters Info Location OpenTransaction RemoteInfo Sync TimeRange Workspace "
            "WorkspaceTransaction clone copy_workspace=copy locate_store open_workspace=open "
            "restore"
        ),
    },
)


def __dir__() -> list[str]:
    """Return the public names."""
    return __all__
