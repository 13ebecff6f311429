"""The eight tools in the order in which they are listed: what is needed most comes first."""

from strata.tools.declare import Tool
from strata.tools.memory import branches, facts, finding, past, status
from strata.tools.memory.surface import memory

_ORDER = [
    f"strata_{name}"
    for name in ("store", "recall", "search", "forget", "log", "branch", "history", "status")
]


def _place(tool: Tool) -> int:
    return _ORDER.index(tool.name)


assert {branches, facts, finding, past, status}, "importing them declares their tools"
memory.tools.sort(key=_place)
SURFACES = (memory,)
