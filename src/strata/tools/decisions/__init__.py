"""The ten tools of decisions: save, load, search, evolve."""

from strata.tools.decisions import load, save
from strata.tools.decisions.group import TOOL_GROUPS

__all__ = ["TOOL_GROUPS", "load", "save"]
