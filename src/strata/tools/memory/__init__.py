"""The eight tools of an agent: store, recall, search, forget, log, branch, history, status."""

from strata.tools.declare import Tool
from strata.tools.memory import branches, facts, finding, past, status
from strata.tools.memory.surface import memory

__all__ = ["SURFACES", "branches", "facts", "finding", "past", "status"]

# The order in which they are listed: what is needed most comes first.
_ORDER = tuple("store recall search forget log branch history status".split())


def _place(tool: Tool) -> int:
    names = [f"strata_{name}" for name in _ORDER]
    return names.index(tool.name)


memory.tools.sort(key=_place)
SURFACES = (memory,)
