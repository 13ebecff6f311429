"""Maintenance of a store: leases, retention, purge, bundles, copies, verification."""

from typing import TYPE_CHECKING

from strata.base.lazy import lazily

if TYPE_CHECKING:
    from strata.upkeep.bundle import BundleImport, BundleInfo, export_bundle
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
    from strata.upkeep.examining import Examination, examine
    from strata.upkeep.leases import Lease, StoreLeases
    from strata.upkeep.purging import Purge, erase, purge
    from strata.upkeep.reindexing import Reindex, change_of, reindex
    from strata.upkeep.retention import Chains, Policy, Progress, Retention, Trim, version_spans
    from strata.upkeep.verifying import Problem, Verification, verify

__all__ = [
    "Backup",
    "BackupFile",
    "BundleImport",
    "BundleInfo",
    "Chains",
    "Compaction",
    "Examination",
    "Lease",
    "Policy",
    "Problem",
    "Progress",
    "Purge",
    "Reindex",
    "Retention",
    "StoreCopy",
    "StoreLeases",
    "Trim",
    "Verification",
    "backup",
    "backups_in",
    "change_of",
    "compact",
    "copy_store",
    "erase",
    "examine",
    "export_bundle",
    "import_bundle",
    "purge",
    "reindex",
    "restore",
    "validate_bundle",
    "verify",
    "version_spans",
]

__getattr__ = lazily(
    __name__,
    {
        "strata.upkeep.bundle": "BundleImport BundleInfo export_bundle",
        "strata.upkeep.bundle_import": "import_bundle validate_bundle",
        "strata.upkeep.copies": "Backup BackupFile Compaction backup backups_in compact restore",
        "strata.upkeep.copying": "StoreCopy copy_store",
        "strata.upkeep.examining": "Examination examine",
        "strata.upkeep.leases": "Lease StoreLeases",
        "strata.upkeep.purging": "Purge erase purge",
        "strata.upkeep.reindexing": "Reindex change_of reindex",
        "strata.upkeep.retention": "Chains Policy Progress Retention Trim version_spans",
        "strata.upkeep.verifying": "Problem Verification verify",
    },
)
