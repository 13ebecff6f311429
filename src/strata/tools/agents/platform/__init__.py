"""Strata's own agents."""

from strata.tools.agents.platform.behaviours import BEHAVIOURS

__all__ = ["BEHAVIOURS"]
