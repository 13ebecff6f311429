"""Every command of `strata user`, joined to the group by being imported."""

from strata.cli.commands.people import browsers
from strata.cli.commands.people.users import user

__all__ = ["browsers", "user"]
