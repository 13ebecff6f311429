"""The ten tools, in the order in which they are listed."""

from strata.tools.decisions import evolve, load, save, search
from strata.tools.decisions.surface import decisions
from strata.tools.declare import Tool

__all__ = ["SURFACES", "evolve", "load", "save", "search"]

_VERBS = ("save", "load", "search", "evolve")


def _place(tool: Tool) -> int:
    return _VERBS.index(tool.name.partition("_")[0])


decisions.tools.sort(key=_place)
SURFACES = (decisions,)
