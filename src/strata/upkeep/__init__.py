"""Maintenance of a store: leases, retention, purge, bundles, copies, verification."""

from strata.upkeep.bundle import BundleImport, BundleInfo, export_bundle
from strata.upkeep.bundle_import import import_bundle, validate_bundle
from strata.upkeep.copies import Backup, Compaction, backup, compact, restore
from strata.upkeep.examine import Examination, examine
from strata.upkeep.leases import Lease, StoreLeases
from strata.upkeep.purge import Purge, erase, purge
from strata.upkeep.reindex import Reindex, change_of, reindex
from strata.upkeep.retention import Chains, Policy, Progress, Retention, Trim, version_spans
from strata.upkeep.verify import Problem, Verification, verify

__all__ = [
    "Backup",
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
    "StoreLeases",
    "Trim",
    "Verification",
    "backup",
    "change_of",
    "compact",
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
