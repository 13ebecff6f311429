"""Every command of `strata agent`, joined to the group by being imported."""

from strata.cli.commands.agents import asking, defining, working
from strata.cli.commands.agents.group import agent

__all__ = ["agent", "asking", "defining", "working"]
