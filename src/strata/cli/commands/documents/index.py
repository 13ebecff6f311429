"""Every command of `strata doc`, joined to the group by being imported."""

from strata.cli.commands.documents import past, placing, presence, reading, vaults, writing
from strata.cli.commands.documents.group import doc

__all__ = ["doc", "past", "placing", "presence", "reading", "vaults", "writing"]
