"""The eight tools of an agent: store, recall, search, forget, log, branch, history, status."""

from strata.tools.declare import Tool
from strata.tools.memory import branches, facts, finding, past, status
from strata.tools.memory.surface import memory

__all__ = ["SURFACES", "branches", "facts", "finding", "past", "status"]

# The order in which they are listed: what is needed most comes first.
_ORDER = "store recall search forget log branch history status".split()


def _place(tool: Tool) -> int:
    return _ORDER.index(tool.name.removeprefix("strata_"))


memory.tools.sort(key=_place)
SURFACES = (memory,)
