"""Moving from MAMA, the memory that came before, and back to it."""

from strata.exchange.mama.backfill import BACKFILLS, Backfill
from strata.exchange.mama.exporting import counted, export_mama
from strata.exchange.mama.importing import import_mama
from strata.exchange.mama.report import LeftBehind, MamaExport, MamaImport, RowWarning
from strata.exchange.mama.source import find_mama

__all__ = [
    "BACKFILLS",
    "Backfill",
    "LeftBehind",
    "MamaExport",
    "MamaImport",
    "RowWarning",
    "counted",
    "export_mama",
    "find_mama",
    "import_mama",
]
