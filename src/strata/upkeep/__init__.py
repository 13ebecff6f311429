"""Maintenance of a store: leases, retention, purge, bundles, copies, verification."""

from typing import TYPE_CHECKING

from strata.base.lazy import lazily

if TYPE_CHECKING:
    from strata.upkeep.bundle import BundleImport, BundleInfo, damaged_bundle, export_bundle
    from strata.upkeep.bundle_import import import_bundle, validate_bundle
    from strata.upkeep.copies import (
        Backup,
        BackupFile,
        Compaction,
        backup,
        backups_in,
        compact,
        restore,
    )
    from strata.upkeep.copying import StoreCopy, copy_store
    from strata.upkeep.erasures import ErasedContent, all_erasures, versions_erased_by
    from strata.upkeep.examining import Examination, examine
    from strata.upkeep.leases import Lease, StoreLeases
    from strata.upkeep.packs import (
        PackedCommit,
        Packer,
        PackInfo,
        missing_commits,
        reach_of,
        read_pack,
    )
    from strata.upkeep.purging import Purge, erase, purge
    from strata.upkeep.receiving import (
        BranchTip,
        ReceivedBranch,
        ReceivedCommits,
        Receiver,
        receive_all,
    )
    from strata.upkeep.reindexing import Reindex, change_of, reindex
    from strata.upkeep.retention import Chains, Policy, Progress, Retention, Trim, version_spans
    from strata.upkeep.verifying import Problem, Verification, verify

__all__ = [
    "Backup",
    "BackupFile",
    "BranchTip",
    "BundleImport",
    "BundleInfo",
    "Chains",
    "Compaction",
    "ErasedContent",
    "Examination",
    "Lease",
    "PackInfo",
    "PackedCommit",
    "Packer",
    "Policy",
    "Problem",
    "Progress",
    "Purge",
    "ReceivedBranch",
    "ReceivedCommits",
    "Receiver",
    "Reindex",
    "Retention",
    "StoreCopy",
    "StoreLeases",
    "Trim",
    "Verification",
    "all_erasures",
    "backup",
    "backups_in",
    "change_of",
    "compact",
    "copy_store",
    "damaged_bundle",
    "erase",
    "examine",
    "export_bundle",
    "import_bundle",
    "missing_commits",
    "purge",
    "reach_of",
    "read_pack",
    "receive_all",
    "reindex",
    "restore",
    "validate_bundle",
    "verify",
    "version_spans",
    "versions_erased_by",
]

__getattr__ = lazily(
    __name__,
    {
        "strata.upkeep.bundle": "BundleImport BundleInfo damaged_bundle export_bundle",
        "strata.upkeep.bundle_import": "import_bundle validate_bundle",
        "strata.upkeep.copies": "Backup BackupFile Compaction backup backups_in compact restore",
        "strata.upkeep.copying": "StoreCopy copy_store",
        "strata.upkeep.erasures": "ErasedContent all_erasures versions_erased_by",
        "strata.upkeep.examining": "Examination examine",
        "strata.upkeep.leases": "Lease StoreLeases",
        "strata.upkeep.packs": ("PackInfo PackedCommit Packer missing_commits reach_of read_pack"),
        "strata.upkeep.purging": "Purge erase purge",
        "strata.upkeep.receiving": "ReceivedBranch ReceivedCommits BranchTip Receiver receive_all",
        "strata.upkeep.reindexing": "Reindex change_of reindex",
        "strata.upkeep.retention": "Chains Policy Progress Retention Trim version_spans",
        "strata.upkeep.verifying": "Problem Verification verify",
    },
)
