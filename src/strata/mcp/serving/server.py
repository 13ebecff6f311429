"""The low-level server of the SDK, whose every answer comes from the registry of tools."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from functools import partial
from typing import Any, NamedTuple, TypeAlias

from mcp.server.caching import CacheHint
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    GetPromptRequestParams,
    PaginatedRequestParams,
    ReadResourceRequestParams,
)
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from strata.access import EVERYTHING, Grant
from strata.base import limits
from strata.base.errors import Unavailable
from strata.base.version import __version__
from strata.mcp import encode, protocol
from strata.mcp.serving.calls import Relay, Workers
from strata.tools import (
    PROMPTS,
    CallOutcome,
    Cancel,
    Exposure,
    Prompt,
    Session,
    StoreHost,
    Tool,
    call_tool,
    instructions_for,
    refusal,
    registry,
)

_log = logging.getLogger(__name__)
# Any: nothing is kept for the lifetime of the server, and requests are of any transport.
Context: TypeAlias = ServerRequestContext[Any, Any]
Answer: TypeAlias = dict[str, Any]
# Runs a call in a thread, within its client's share.
_Run: TypeAlias = Callable[["partial[CallOutcome]"], Awaitable[CallOutcome]]
_STATE = "strata"
_LISTS = ("tools/list", "prompts/list", "resources/list", "resources/read")
_KEPT = CacheHint(ttl_ms=protocol.LIST_TTL_MS, scope="private")


class Visit(NamedTuple):
    """Who asks, and which tools are there for them."""

    grant: Grant
    exposure: Exposure
    # Whether tools may touch files of this machine.
    lends_files: bool = True
    # The arguments of a call that were too long for the SDK to read.
    arguments: dict[str, Any] | None = None


# The tools of the request that is being answered, for what the SDK gives a server no context.
EXPOSED: ContextVar[Exposure | None] = ContextVar("strata.exposed", default=None)


class _ToolServer(Server[Any]):
    """The SDK's server, whose instructions are about the tools that a client has chosen."""

    @property
    def instructions(self) -> str | None:
        """What the server tells a client about the tools it gets, and what it does not get."""
        exposure = EXPOSED.get()
        if exposure is None:
            return self._instructions
        return instructions_for(exposure.groups, exposure.warnings)

    @instructions.setter
    def instructions(self, text: str | None) -> None:
        self._instructions = text


class RequestHandlers:
    """Answers requests: finds the session, runs the tool in a thread, encodes what it says."""

    def __init__(
        self,
        host: StoreHost,
        workers: Workers,
        *,
        visit: Callable[[Context], Visit],
        session: Session | None = None,
        exposure: Exposure,
    ) -> None:
        self._host = host
        self._workers = workers
        self._visit = visit
        # Where one process serves one client, the session is the process's.
        self._only_session = session
        self.listen = ListenHandler(
            InMemorySubscriptionBus(), max_subscriptions=limits.SERVE_SESSIONS_MAX
        )
        self.server = self._server(instructions_for(exposure.groups, exposure.warnings))

    def _server(self, instructions: str) -> Server[Any]:
        server = _ToolServer(
            "strata",
            version=__version__,
            title="Strata",
            instructions=instructions,
            cache_hints=dict.fromkeys(_LISTS, _KEPT),
            # Otherwise every call would list the tools first, to look for headers in schemas.
            get_tool_input_schema=lambda _name: None,
            on_subscriptions_listen=self.listen,
        )
        # Not by the constructor: what `encode` makes is the wire's own form already.
        server.add_request_handler("tools/list", PaginatedRequestParams, self._list_tools)
        server.add_request_handler("tools/call", CallToolRequestParams, self._call_tool)
        server.add_request_handler("prompts/list", PaginatedRequestParams, self._list_prompts)
        server.add_request_handler("prompts/get", GetPromptRequestParams, self._get_prompt)
        # Over HTTP each request chooses its tools, and with them the pages that show answers.
        only = self._only_session
        if only is None or encode.resource_entries(only.exposure):
            server.add_request_handler(
                "resources/list", PaginatedRequestParams, self._list_resources
            )
            server.add_request_handler(
                "resources/read", ReadResourceRequestParams, self._read_resource
            )
        return server

    async def _list_tools(self, context: Context, _params: PaginatedRequestParams) -> Answer:
        exposure = self._visit(context).exposure
        return _whole(context, {"tools": encode.tool_entries(exposure)})

    async def _call_tool(self, context: Context, params: CallToolRequestParams) -> Answer:
        visit = self._visit(context)
        tool = visit.exposure.find(params.name)
        if tool is None:
            raise MCPError(code=INVALID_PARAMS, message=_not_here(params.name, visit))
        arguments = visit.arguments or params.arguments or {}
        if not visit.lends_files and _touches_files(tool, arguments):
            return _whole(context, encode.call_result(_NOT_HERE))
        session = self._session(context, visit)
        cancel = Cancel()
        work = partial(call_tool, session, tool, arguments, cancel=cancel)
        run = partial(
            self._workers.run, _client_of(context, visit),
            cancel=cancel, writes=tool.may_write(arguments),
        )  # fmt: skip
        outcome = await self._run(context, run, work)
        return _whole(context, encode.call_result(outcome))

    async def _run(self, context: Context, run: _Run, work: "partial[CallOutcome]") -> CallOutcome:
        if "progress_token" not in (context.meta or {}):
            return await self._outcome(run, work)
        relay = Relay(context.session.report_progress)
        async with relay.running():
            return await self._outcome(run, partial(work, progress=relay))

    async def _outcome(self, run: _Run, work: "partial[CallOutcome]") -> CallOutcome:
        try:
            return await run(work)
        except Unavailable as error:
            return refusal(error)

    def _session(self, context: Context, visit: Visit) -> Session:
        """Return the session of a connection; requests that stand alone have one each."""
        if self._only_session is not None:
            self._only_session.client = self._only_session.client or _actor(context, visit.grant)
            return self._only_session
        if context.protocol_version in MODERN_PROTOCOL_VERSIONS:
            session = Session(self._host, keeps_state=False)
        else:
            session = self._kept_session(context)
        session.exposure, session.grant = visit.exposure, visit.grant
        session.client = _actor(context, visit.grant)
        return session

    def _kept_session(self, context: Context) -> Session:
        # The SDK shows handlers no other way to what belongs to a connection.
        connection = context.session._connection  # pyright: ignore[reportPrivateUsage]
        session = connection.state.get(_STATE)
        if session is None:
            session = Session(self._host)
            connection.state[_STATE] = session
            connection.exit_stack.push_async_callback(self._close, session)
        return session

    async def _close(self, session: Session) -> None:
        # Not by the workers: an end must not wait until a slow call gives a thread back.
        await asyncio.get_running_loop().run_in_executor(None, session.close)

    async def _list_prompts(self, context: Context, _params: PaginatedRequestParams) -> Answer:
        prompts = _prompts(self._visit(context))
        return _whole(context, {"prompts": [encode.prompt_entry(prompt) for prompt in prompts]})

    async def _get_prompt(self, context: Context, params: GetPromptRequestParams) -> Answer:
        prompts = _prompts(self._visit(context))
        prompt = next((prompt for prompt in prompts if prompt.name == params.name), None)
        if prompt is None:
            names = ", ".join(prompt.name for prompt in prompts) or "none"
            message = f"Unknown prompt: {params.name!r:.100}. There are {names}."
            raise MCPError(code=INVALID_PARAMS, message=message)
        return _whole(context, encode.prompt_result(prompt, params.arguments or {}))

    async def _list_resources(self, context: Context, _params: PaginatedRequestParams) -> Answer:
        exposure = self._visit(context).exposure
        return _whole(context, {"resources": encode.resource_entries(exposure)})

    async def _read_resource(self, context: Context, params: ReadResourceRequestParams) -> Answer:
        uri = str(params.uri)
        found = encode.resource_result(uri, self._visit(context).exposure)
        if found is None:
            is_modern = context.protocol_version in MODERN_PROTOCOL_VERSIONS
            code = INVALID_PARAMS if is_modern else protocol.RESOURCE_NOT_FOUND
            data = {"uri": uri[:200]}
            raise MCPError(code=code, message=f"Unknown resource: {uri[:200]}", data=data)
        return _whole(context, found)


_NOT_HERE = CallOutcome(
    {
        "code": "not_allowed",
        "message": "This tool works on files of the server's machine, and clients are elsewhere.",
        "hint": "Run the command of the same name there: `strata bundle`, `strata models`.",
    },
    is_error=True,
)


def _prompts(visit: Visit) -> tuple[Prompt, ...]:
    """Return the prompts of a request: they name the tools of memory."""
    return PROMPTS if "memory" in visit.exposure.groups else ()


def _touches_files(tool: Tool, arguments: Answer) -> bool:
    """Tell whether a call reaches files, also through the tool that calls others."""
    named = arguments.get("name") if tool.group == "developer_compact" else None
    inner = registry().find(named) if isinstance(named, str) else None
    return tool.local or (inner is not None and inner.local)


def _whole(context: Context, answer: Answer) -> Answer:
    """Say that an answer is complete, where the era wants to hear that."""
    is_modern = context.protocol_version in MODERN_PROTOCOL_VERSIONS
    return answer | {"resultType": "complete"} if is_modern else answer


def _not_here(name: str, visit: Visit) -> str:
    """Say why a tool cannot be called: which group has it, or that it writes."""
    tool = registry().find(name)
    if tool is not None and not visit.grant.permits(tool.group):
        return f"Tool {tool.name} is in the group {tool.group}, which this token may not use."
    return encode.unknown_tool(name, visit.exposure)


def _client_of(context: Context, visit: Visit) -> str:
    """Return whose share of the threads a call takes."""
    if visit.grant.principal or context.request is None:
        return visit.grant.principal
    address = context.request.client
    return context.request.headers.get("mcp-session-id") or (address.host if address else "")


def _actor(context: Context, grant: Grant) -> str | None:
    """Return whom commits name: who the token is for, else what the client calls itself."""
    told = context.session.client_params
    name = grant.who if grant is not EVERYTHING else told.client_info.name if told else ""
    plain = "".join(letter for letter in name if letter.isprintable()).strip().lstrip("-")
    return plain[: limits.ACTOR_CHARACTERS_MAX] or None
