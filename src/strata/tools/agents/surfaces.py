"""The two tools in the order in which they are listed: one asks, and then looks."""

from strata.tools.agents.invoking import agents

SURFACES = (agents,)
