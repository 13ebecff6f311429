"""Every tool of Strata by group; a group's declarations are loaded when it is asked for."""

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from strata.tools.declare import Surface, Tool

# Groups in the order in which they are listed, and the package whose SURFACES declare them.
_PLACES = {
    "memory": "strata.tools.memory",
    "core": "strata.tools.documents",
    "collaboration": "strata.tools.collaboration",
    "comments": "strata.tools.comments",
    "publishing": "strata.tools.publishing",
    "agents": "strata.tools.agents",
    "decisions": "strata.tools.decisions",
    "developer": "strata.tools.developer",
    "developer_compact": "strata.tools.developer.compact",
    "legacy": "strata.tools.decisions.legacy",
}
GROUPS = tuple(_PLACES)


class Registry:
    """The tools by group and by name."""

    def __init__(self) -> None:
        self._groups: dict[str, tuple[Tool, ...]] = {}
        self._names: dict[str, dict[str, Tool]] = {}

    @property
    def groups(self) -> tuple[str, ...]:
        """The names of all groups, in order."""
        return GROUPS

    def tools(self, group: str) -> "tuple[Tool, ...]":
        """Return the tools of a group, in the order of their declaration."""
        if group not in self._groups:
            surfaces: tuple[Surface, ...] = import_module(_PLACES[group]).SURFACES
            found = tuple(tool for surface in surfaces for tool in surface.tools)
            self._groups[group] = found
            named = ((name, tool) for tool in found for name in (tool.name, *tool.aliases))
            self._names[group] = dict(named)
        return self._groups[group]

    def find(self, name: str) -> "Tool | None":
        """Return a tool by its name or an alias, loading groups until one has it.

        Two groups may have tools of one name; the first group's is meant, whichever was loaded.
        """
        for group in GROUPS:
            self.tools(group)
            if name in self._names[group]:
                return self._names[group][name]
        return None

    def all(self) -> "list[Tool]":
        """Return every tool of every group."""
        return [tool for group in GROUPS for tool in self.tools(group)]


@cache
def registry() -> Registry:
    """Return the one registry of this process."""
    return Registry()
