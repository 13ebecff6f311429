"""The low-level server of the SDK, whose every answer comes from the registry of tools."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from functools import partial
from typing import Any, NamedTuple, TypeAlias

from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INTERNAL_ERROR,
    CallToolRequestParams,
    GetPromptRequestParams,
    PaginatedRequestParams,
    ReadResourceRequestParams,
    RequestParams,
)
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from strata.access import EVERYTHING, Grant
from strata.base import limits
from strata.base.errors import Unavailable
from strata.base.version import __version__
from strata.mcp import encode
from strata.mcp.answers import Answers, Message
from strata.mcp.protocol import ProtocolError
from strata.mcp.serving.calls import Relay, Workers
from strata.tools import (
    CallOutcome,
    Cancel,
    Exposure,
    Session,
    SessionState,
    StoreHost,
    call_tool,
    instructions_for,
    refusal,
)

_log = logging.getLogger(__name__)
# Any: nothing is kept for the lifetime of the server, and requests are of any transport.
Context: TypeAlias = ServerRequestContext[Any, Any]
# Runs a call in a thread, within its client's share.
_Run: TypeAlias = Callable[["partial[CallOutcome]"], Awaitable[CallOutcome]]
_STATE = "strata"
_PARAMS: dict[str, type[RequestParams]] = {
    "tools/list": PaginatedRequestParams,
    "prompts/list": PaginatedRequestParams,
    "prompts/get": GetPromptRequestParams,
    "resources/list": PaginatedRequestParams,
    "resources/read": ReadResourceRequestParams,
}
# Those of them that read the store, which takes a thread.
_READING = ("prompts/get",)


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
        exposure: Exposure,
    ) -> None:
        self._host = host
        self._workers = workers
        self._visit = visit
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
            # Otherwise every call would list the tools first, to look for headers in schemas.
            get_tool_input_schema=lambda _name: None,
            on_subscriptions_listen=self.listen,
        )
        # Not by the constructor: what `encode` makes is the wire's own form already.
        server.add_request_handler("tools/call", CallToolRequestParams, self._call_tool)
        for method, params in _PARAMS.items():
            server.add_request_handler(method, params, partial(self._answer, method))
        return server

    async def _answer(self, method: str, context: Context, params: RequestParams) -> Message:
        """Answer a request about lists, prompts or pages."""
        visit = self._visit(context)
        answers = Answers(self._session(context, visit), is_modern=_is_modern(context))
        given = params.model_dump(mode="json", by_alias=True, exclude_none=True)
        work = partial(answers.methods[method], given)
        try:
            if method in _READING:
                answer = await self._workers.run(_client_of(context, visit), work, Cancel())
            else:
                answer = work()
        except ProtocolError as error:
            raise _wire_error(error) from error
        except Unavailable as error:
            raise MCPError(code=INTERNAL_ERROR, message=error.message) from error
        return _whole(context, answer)

    async def _call_tool(self, context: Context, params: CallToolRequestParams) -> Message:
        visit = self._visit(context)
        session = self._session(context, visit)
        try:
            tool = Answers(session).tool(params.name)
        except ProtocolError as error:
            raise _wire_error(error) from error
        arguments = visit.arguments or params.arguments or {}
        cancel = Cancel()
        work = partial(call_tool, session, tool, arguments, cancel=cancel)
        run = partial(
            self._workers.run,
            _client_of(context, visit),
            cancel=cancel,
            writes=tool.may_write(arguments),
        )
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
        """Return a session for a request; those of one connection share its state."""
        who = _actor(context, visit.grant)
        is_modern = _is_modern(context)
        return Session(
            self._host,
            state=None if is_modern else self._state(context),
            keeps_state=not is_modern,
            exposure=visit.exposure,
            caller=visit.grant,
            client=who,
            lends_files=visit.lends_files,
        )

    def _state(self, context: Context) -> SessionState:
        """Return what a connection has chosen so far."""
        # The SDK shows handlers no other way to what belongs to a connection.
        connection = context.session._connection  # pyright: ignore[reportPrivateUsage]
        state = connection.state.get(_STATE)
        if state is None:
            state = connection.state[_STATE] = SessionState()
            connection.exit_stack.push_async_callback(self._close, state)
        return state

    async def _close(self, state: SessionState) -> None:
        # Not by the workers: an end must not wait until a slow call gives a thread back.
        await asyncio.get_running_loop().run_in_executor(None, state.close)


def _whole(context: Context, answer: Message) -> Message:
    """Say that an answer is complete, where the era wants to hear that."""
    return answer | {"resultType": "complete"} if _is_modern(context) else answer


def _is_modern(context: Context) -> bool:
    return context.protocol_version in MODERN_PROTOCOL_VERSIONS


def _wire_error(error: ProtocolError) -> MCPError:
    return MCPError(code=error.code, message=error.message, data=error.data)


def _client_of(context: Context, visit: Visit) -> str:
    """Return whose share of the threads a call takes."""
    if visit.grant.principal or context.request is None:
        return visit.grant.principal
    address = context.request.client
    return context.request.headers.get("mcp-session-id") or (address.host if address else "")


def _actor(context: Context, grant: Grant) -> str | None:
    """Return the actor of commits: the user of the token, else what the client calls itself."""
    told = context.session.client_params
    name = grant.who if grant is not EVERYTHING else told.client_info.name if told else ""
    plain = "".join(letter for letter in name if letter.isprintable()).strip().lstrip("-")
    return plain[: limits.ACTOR_CHARACTERS_MAX] or None
