"""Floor 6: data in and out: exports for people and programs, imports from other memories."""

from strata.exchange.exporting import export_jsonl, export_markdown, format_of
from strata.exchange.importing import import_file
from strata.exchange.lines import Flaw
from strata.exchange.outcome import Clash, Export, Import, Secret
from strata.exchange.records import KINDS
from strata.exchange.take import OnConflict

__all__ = [
    "KINDS",
    "Clash",
    "Export",
    "Flaw",
    "Import",
    "OnConflict",
    "Secret",
    "export_jsonl",
    "export_markdown",
    "format_of",
    "import_file",
]
