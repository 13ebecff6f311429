"""What an agent may call: reading, finding, proposing and commenting, unless it was told more.

Default is no: what is not listed is refused, however its name is spelled. The rights to each
document are not decided here but where they always are; this keeps agents from what their callers
could do themselves but did not ask for, such as sharing.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from strata.base.errors import InvalidArgument, NotAllowed
from strata.base.groups import includes
from strata.tasks import Caller, Definition
from strata.tools import GROUPS, Tool, plain, registry

# With a cap that leaves suggestions, the first two are kept for a user to accept.
_PROPOSING = frozenset(
    {
        "edit_document.edit",
        "edit_document.write",
        "manage_suggestions.propose",
        "manage_suggestions.withdraw",
        "manage_suggestions.list",
        "manage_comments.create",
        "manage_comments.reply",
        "manage_comments.list",
    }
)
_EDITING = frozenset({"edit_document.create", "edit_document.createFromTemplate"})
# An agent that asks agents could do so for ever.
_NEVER = frozenset({"invoke_agent"})


class ToolPermissions:
    """The tools of one task, and which of their actions."""

    def __init__(self, definition: Definition, caller: Caller) -> None:
        self._named = frozenset(definition.allow)
        self._reads_only = caller.read_only
        editing = _EDITING if definition.may_edit else frozenset[str]()
        self._writes = _PROPOSING | self._named | editing
        self._groups = tuple(
            group
            for group in GROUPS
            if group in definition.groups and includes(caller.groups, group)
        )

    @property
    def groups(self) -> tuple[str, ...]:
        """The groups that both the agent and its caller have."""
        return self._groups

    def tools(self) -> Iterator[tuple[Tool, tuple[str, ...]]]:
        """Yield each tool that may be called, with the actions that it may be called for."""
        for group in self._groups:
            for tool in registry().tools(group):
                actions = tuple(name for name in tool.actions if self._may(tool, name))
                if actions if tool.actions else self._may(tool, None):
                    yield tool, actions

    def check(self, tool: Tool, arguments: Mapping[str, Any]) -> None:
        """Raise NotAllowed for a call that an agent may not make."""
        names = [plain(name) for name in arguments]
        if len(set(names)) != len(names):
            raise InvalidArgument("A parameter is given twice.")
        action = self.action_of(tool, arguments)
        if tool.group not in self._groups or not self._may(tool, action):
            what = tool.name if action is None else f"{tool.name} with action {action}"
            raise NotAllowed(
                f"This agent may not call {what[:200]}.",
                hint="Say in your answer what should be done; the user who asked can do it.",
            )

    def accepts_key(self, tool: Tool, arguments: Mapping[str, Any]) -> bool:
        """Tell whether a call can carry a key, so that repeated it is done once."""
        action = tool.actions.get(self.action_of(tool, arguments) or "")
        parameters = tool.parameters if action is None else action.parameters
        return any(parameter.name == "idempotencyKey" for parameter in parameters)

    def action_of(self, tool: Tool, arguments: Mapping[str, Any]) -> str | None:
        """Return which action is meant, as `call_tool` would understand it."""
        if not tool.actions:
            return None
        given = next((v for name, v in arguments.items() if plain(name) == "action"), "")
        word = plain(str(given).strip())
        return next((name for name in tool.actions if plain(name) == word), str(given))

    def _may(self, tool: Tool, action: str | None) -> bool:
        if tool.name in _NEVER or tool.local or tool.sets_session:
            return False
        known = tool.actions.get(action) if action is not None else None
        if tool.reads_only or (known is not None and known.reads_only):
            return True
        if self._reads_only:
            return False
        full = tool.name if action is None else f"{tool.name}.{action}"
        return full in self._writes or tool.name in self._named
