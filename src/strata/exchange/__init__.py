"""Exports for people and programs, and imports of them and of other programs' files."""

from strata.exchange.earlier import StoreImport, import_store
from strata.exchange.exporting import export_jsonl, export_markdown, format_of
from strata.exchange.gitfiles import (
    GitMemory,
    GitSharing,
    GitSync,
    HookState,
    SharedPrefix,
    SharedProblem,
    checkout_at,
    git_memory,
    sync_before_commit,
    sync_git,
    turn_git_off,
    turn_git_on,
)
from strata.exchange.importing import import_file
from strata.exchange.lines import Flaw
from strata.exchange.mama import (
    BACKFILLS,
    Backfill,
    LeftBehind,
    MamaExport,
    MamaImport,
    RowWarning,
    counted,
    export_mama,
    find_mama,
    import_mama,
)
from strata.exchange.outcome import Clash, Export, Import, Secret
from strata.exchange.record_import import OnConflict
from strata.exchange.records import KINDS
from strata.exchange.vault import SkippedFile, VaultReport, export_vault, import_vault

__all__ = [
    "BACKFILLS",
    "KINDS",
    "Backfill",
    "Clash",
    "Export",
    "Flaw",
    "GitMemory",
    "GitSharing",
    "GitSync",
    "HookState",
    "Import",
    "LeftBehind",
    "MamaExport",
    "MamaImport",
    "OnConflict",
    "RowWarning",
    "Secret",
    "SharedPrefix",
    "SharedProblem",
    "SkippedFile",
    "StoreImport",
    "VaultReport",
    "checkout_at",
    "counted",
    "export_jsonl",
    "export_mama",
    "export_markdown",
    "export_vault",
    "find_mama",
    "format_of",
    "git_memory",
    "import_file",
    "import_mama",
    "import_store",
    "import_vault",
    "sync_before_commit",
    "sync_git",
    "turn_git_off",
    "turn_git_on",
]
