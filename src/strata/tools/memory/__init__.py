"""The eight tools of an agent: store, recall, search, forget, log, branch, history, status."""

from strata.tools.memory import branches, facts, past
from strata.tools.memory.group import TOOL_GROUPS

__all__ = ["TOOL_GROUPS", "branches", "facts", "past"]
