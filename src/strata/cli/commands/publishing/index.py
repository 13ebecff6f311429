"""Every command of `strata publish`, joined to the group by being imported."""

from strata.cli.commands.publishing import changing
from strata.cli.commands.publishing.group import publish

__all__ = ["changing", "publish"]
