"""A folder of markdown, as of Obsidian: taken in as documents, and written out byte for byte."""

from strata.exchange.vault.exporting import export_vault
from strata.exchange.vault.importing import import_vault
from strata.exchange.vault.report import SkippedFile, VaultReport, VaultStep

__all__ = ["SkippedFile", "VaultReport", "VaultStep", "export_vault", "import_vault"]
