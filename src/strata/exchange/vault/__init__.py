"""A folder of markdown, as of Obsidian: taken in as documents, and written out byte for byte."""

from strata.exchange.vault.exporting import export_vault
from strata.exchange.vault.importing import import_vault
from strata.exchange.vault.report import Skipped, Step, VaultReport

__all__ = ["Skipped", "Step", "VaultReport", "export_vault", "import_vault"]
