"""Every tool by group, loaded when it is asked for, and which of them a client may see and call."""

from collections.abc import Iterable, Sequence
from functools import cache, cached_property
from importlib import import_module
from typing import Literal, TypeAlias

import msgspec

from strata.base.groups import EVERY_GROUP, includes
from strata.tools.declare import Tool, ToolGroup

# Groups in the order in which they are listed, and the package whose TOOL_GROUPS declare them.
_PLACES = {
    "memory": "strata.tools.memory",
    "core": "strata.tools.documents",
    "collaboration": "strata.tools.presence",
    "comments": "strata.tools.comments",
    "publishing": "strata.tools.publishing",
    "agents": "strata.tools.agents",
    "decisions": "strata.tools.decisions",
    "developer": "strata.tools.developer",
    "developer_compact": "strata.tools.developer.compact",
    "legacy": "strata.tools.decisions.legacy",
}
GROUPS = tuple(_PLACES)
# What only pages ask for: no client can choose, list or call it, and no token names it. Each of
# its operations names the group whose permission it takes.
PAGE_GROUP = "page"
_PLACES[PAGE_GROUP] = "strata.tools.page"


class Registry:
    """The tools by group and by name."""

    def __init__(self) -> None:
        self._groups: dict[str, tuple[Tool, ...]] = {}
        self._names: dict[str, dict[str, Tool]] = {}

    @property
    def groups(self) -> tuple[str, ...]:
        """The names of all groups, in order."""
        return GROUPS

    def tools(self, group: str) -> tuple[Tool, ...]:
        """Return the tools of a group, in the order of their declaration."""
        if group not in self._groups:
            groups: tuple[ToolGroup, ...] = import_module(_PLACES[group]).TOOL_GROUPS
            found = tuple(tool for one in groups for tool in one.tools)
            self._groups[group] = found
            named = ((name, tool) for tool in found for name in (tool.name, *tool.aliases))
            self._names[group] = dict(named)
        return self._groups[group]

    def find(self, name: str) -> Tool | None:
        """Return a tool by its name or an alias, loading groups until one has it.

        Two groups may have tools of one name; the first group's is meant, whichever was loaded.
        """
        for group in GROUPS:
            self.tools(group)
            if name in self._names[group]:
                return self._names[group][name]
        return None

    def all(self) -> list[Tool]:
        """Return every tool of every group."""
        return [tool for group in GROUPS for tool in self.tools(group)]


@cache
def registry() -> Registry:
    """Return the one registry of this process."""
    return Registry()


Names: TypeAlias = Literal["underscore", "dot", "slash"]
DEFAULT_GROUPS = ("memory",)
# Names of MAMA 1.0 that are tools of today: the group `legacy` has them beside its own.
LEGACY_NAMES = ("save_decision", "save_checkpoint", "load_checkpoint")
# What separates the words of a name that has two; names themselves have underscores.
_SEPARATORS = {"dot": ".", "slash": "/"}


class Exposure(msgspec.Struct, frozen=True, dict=True):
    """What was chosen, and what of the choice could not be understood."""

    groups: tuple[str, ...]
    # Single tools, beside the groups.
    extra: tuple[str, ...] = ()
    read_only: bool = False
    names: Names = "underscore"
    warnings: tuple[str, ...] = ()
    # Whether what callers write waits for a user's decision.
    proposes: bool = False

    @cached_property
    def tools(self) -> tuple[Tool, ...]:
        """The tools as they are listed, in order: for reading only, with what reads of them.

        For a caller who proposes, with what they may write.
        """
        chosen = self._chosen.values()
        if self.read_only:
            return tuple(_reading(chosen))
        if not self.proposes:
            return tuple(chosen)
        from strata.tools.proposable import proposing  # noqa: PLC0415  (seldom needed)

        return tuple(tool for one in chosen if (tool := proposing(one)) is not None)

    @cached_property
    def _chosen(self) -> dict[str, Tool]:
        """The chosen tools by name, whether they may write here or not."""
        found = [tool for group in self.groups for tool in registry().tools(group)]
        beside = LEGACY_NAMES if "legacy" in self.groups else ()
        names = (*self.extra, *beside)
        named = [tool for name in names if (tool := registry().find(name)) is not None]
        # The developer's strata_search takes more than the one of the memory group.
        return {tool.name: tool for tool in [*found, *named]}

    @cached_property
    def _allowed(self) -> dict[str, Tool]:
        # Whole tools, so that an action which is not listed is refused for what it is.
        allowed = [self._chosen.get(tool.name, tool) for tool in self.tools]
        return {name: tool for tool in allowed for name in (tool.name, *tool.aliases)}

    def hides_for_writing(self, name: str) -> bool:
        """Tell whether a tool was chosen, but is not here because all of it writes."""
        known = {one for tool in self._chosen.values() for one in (tool.name, *tool.aliases)}
        return name in known and name not in self._allowed

    def find(self, name: str) -> Tool | None:
        """Return a tool that may be called here, by its name or an alias."""
        found = self._allowed.get(name)
        if found is None and "developer_compact" in self.groups:
            return next((tool for tool in registry().tools("developer") if tool.name == name), None)
        return found

    def allows(self, tool: Tool) -> bool:
        """Tell whether a tool may be called here."""
        return self.find(tool.name) is not None

    def spelled(self, tool: Tool) -> str:
        """Return a tool's name as this client wants it."""
        separator = _SEPARATORS.get(self.names)
        if separator is None:
            return tool.name
        return next((name for name in tool.aliases if separator in name), tool.name)


def _reading(tools: Iterable[Tool]) -> Iterable[Tool]:
    return (tool for one in tools if (tool := one.reading()) is not None)


def expose(
    groups: str | None = None,
    tools: str | None = None,
    *,
    default: Sequence[str] = DEFAULT_GROUPS,
    read_only: bool = False,
    proposes: bool = False,
    names: Names = "underscore",
) -> Exposure:
    """Read a choice such as "memory,decisions" or "all"; unknown names only warn.

    Refusing a name would make clients fail to connect, with nothing to see.
    """
    warnings: list[str] = []
    wanted = _groups(_words(groups), warnings)
    extra = tuple(_tools(_words(tools), warnings))
    if not wanted and not (extra and groups is None):
        wanted = [group for group in GROUPS if group in default]
    return Exposure(
        groups=tuple(wanted),
        extra=extra,
        read_only=read_only,
        proposes=proposes,
        names=names,
        warnings=tuple(warnings),
    )


def _words(text: str | None) -> list[str]:
    return [word for word in (text or "").replace(",", " ").lower().split() if word]


def _groups(words: Iterable[str], warnings: list[str]) -> list[str]:
    chosen: set[str] = set()
    for word in words:
        if word == EVERY_GROUP or word in GROUPS:
            chosen.update(group for group in GROUPS if includes([word], group))
        else:
            known = ", ".join(GROUPS)
            warnings.append(f"There is no tool group {word[:60]!r}; there are {known}, all.")
    return [group for group in GROUPS if group in chosen]


def _tools(words: Iterable[str], warnings: list[str]) -> Iterable[str]:
    for word in words:
        if registry().find(word) is not None:
            yield word
        else:
            warnings.append(f"There is no tool {word[:60]!r}.")
