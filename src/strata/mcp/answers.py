"""What requests are answered with, over whichever transport they came.

Standard input and output (`core.py`) and HTTP (`serving/server.py`) carry requests here and answers
back. What cannot be answered raises ProtocolError.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from strata.mcp import encode, protocol
from strata.mcp.protocol import ProtocolError
from strata.tools import PROMPTS, Prompt, Session, Tool

if TYPE_CHECKING:
    from strata.hooks import ToolList

# Any: messages are whatever the other side sends.
Message: TypeAlias = dict[str, Any]


class Answers:
    """Answers about the tools, prompts and pages that one session sees.

    `is_modern`: requests need no session, as since 2026-07-28.
    """

    def __init__(self, session: Session, *, is_modern: bool = False) -> None:
        self._session = session
        self.is_modern = is_modern
        # Chooses what is listed of the tools that may be called, where lists may change.
        self.follows: ToolList | None = None
        self.methods: dict[str, Callable[[Message], Message]] = {
            "tools/list": self._list_tools,
            "prompts/list": self._list_prompts,
            "prompts/get": self._get_prompt,
            "resources/list": self._list_resources,
            "resources/read": self._read_resource,
        }

    def tool(self, name: object) -> Tool:
        """Return the tool that a call names."""
        if not isinstance(name, str):
            raise _invalid()
        exposure = self._session.exposure
        tool = exposure.find(name)
        if tool is None:
            problem = encode.unknown_tool(name, exposure, self._session.grant)
            raise ProtocolError(protocol.INVALID_PARAMS, problem)
        return tool

    def arguments(self, given: object) -> Message:
        """Return the arguments of a call; a call without any has none."""
        if not isinstance(given, (dict, type(None))):
            raise _invalid()
        return cast("Message", given or {})

    def _list_tools(self, _params: Message) -> Message:
        exposure = self._session.exposure
        tools = exposure.tools
        if self.follows is not None:
            tools = self.follows.visible(tools)
            self.follows.listed()
        return self._with_lifetime(
            {"tools": [encode.tool_entry(t, exposure.spelled(t)) for t in tools]}
        )

    @property
    def _prompts(self) -> tuple[Prompt, ...]:
        # They name the tools of memory.
        return PROMPTS if "memory" in self._session.exposure.groups else ()

    def _list_prompts(self, _params: Message) -> Message:
        return self._with_lifetime(
            {"prompts": [encode.prompt_entry(prompt) for prompt in self._prompts]}
        )

    def _get_prompt(self, params: Message) -> Message:
        name, arguments = params.get("name"), params.get("arguments")
        if not isinstance(name, str) or not _are_texts(arguments):
            raise _invalid()
        found = next((prompt for prompt in self._prompts if prompt.name == name), None)
        if found is None:
            known = ", ".join(prompt.name for prompt in self._prompts) or "none"
            raise ProtocolError(
                protocol.INVALID_PARAMS, f"Unknown prompt: {name!r:.100}. There are {known}."
            )
        digest: list[str] = []
        if found.name == "resume":
            from strata.hooks import resuming_lines  # noqa: PLC0415  (not before it is needed)

            digest = resuming_lines(self._session)
        return encode.prompt_result(found, cast("Message", arguments or {}), digest)

    def _list_resources(self, _params: Message) -> Message:
        return self._with_lifetime({"resources": encode.resource_entries(self._session.exposure)})

    def _read_resource(self, params: Message) -> Message:
        uri = params.get("uri")
        if not isinstance(uri, str):
            raise _invalid()
        found = encode.resource_result(uri, self._session.exposure)
        if found is None:
            code = protocol.INVALID_PARAMS if self.is_modern else protocol.RESOURCE_NOT_FOUND
            raise ProtocolError(code, f"Unknown resource: {uri[:200]}", {"uri": uri[:200]})
        return self._with_lifetime(found)

    def _with_lifetime(self, result: Message) -> Message:
        """Add how long a list may be kept, where the era has that."""
        if not self.is_modern:
            return result
        return {**result, "ttlMs": protocol.LIST_TTL_MS, "cacheScope": "private"}


def _are_texts(arguments: object) -> bool:
    """Tell whether these can be the arguments of a prompt."""
    if not isinstance(arguments, dict):
        return arguments is None
    return all(isinstance(value, str) for value in cast("Message", arguments).values())


def _invalid() -> ProtocolError:
    return ProtocolError(protocol.INVALID_PARAMS, "Invalid request parameters", "")
