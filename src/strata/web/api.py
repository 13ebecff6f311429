"""What the page asks for: who is there, and tools, as agents call them and for pages alone."""

from base64 import b64encode
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Route

from strata.base.errors import InvalidArgument, NotAllowed, NotFound, StrataError
from strata.base.shell import in_shell_words
from strata.base.version import __version__
from strata.mcp.server_config import choose
from strata.mcp.serving.bodies import Holding, body_bytes_max, is_short, parse_object
from strata.mcp.upload_requests import status_of_code
from strata.tools import (
    GROUPS,
    PAGE_GROUP,
    CallOutcome,
    Cancel,
    Exposure,
    Session,
    SessionState,
    Tool,
    call_tool,
    registry,
)
from strata.web.shell import Shell, Visitor, read_body

_JSON = "application/json"
_PNG = "image/png"
# All but those that stand for other tools, or are old names of them.
_GROUPS = tuple(group for group in GROUPS if group not in ("developer_compact", "legacy"))
_LANGUAGES = ("en", "ko")
_PLACE_CHARACTERS_MAX = 500
_NOT_SIGNED_IN = {
    "code": "not_signed_in",
    "message": "You are not signed in.",
    "hint": "Sign in at /sign-in, or send a token: Authorization: Bearer TOKEN.",
}
_NOT_JSON = {
    "code": "invalid_input",
    "message": "Arguments are sent as JSON.",
    "hint": "Send the header Content-Type: application/json.",
}


class Api:
    """Answers the page in JSON."""

    def __init__(self, shell: Shell) -> None:
        self._shell = shell

    def routes(self) -> Sequence[BaseRoute]:
        """Return the paths that the page asks."""
        return [
            Route("/api/me", self._me, methods=["GET"]),
            Route("/api/tools/{tool}", self._call, methods=["POST"]),
            Route("/api/backups/{name}", self._backup, methods=["GET"]),
        ]

    async def _me(self, request: Request) -> Response:
        """Tell a visitor who they are, and what is there for them."""
        visitor = await self._shell.visitor(request)
        if visitor is None:
            return JSONResponse(_NOT_SIGNED_IN, 401)
        about = await self._shell.run(self._about, visitor)
        return JSONResponse({**about, "language": _language(request)})

    def _about(self, visitor: Visitor) -> dict[str, Any]:
        user, grant, exposure = visitor.user, visitor.grant, self._exposure(visitor)
        return {
            "person": {"id": user.id, "name": user.name, "email": user.email},
            "isOwner": user.is_owner,
            "browser": visitor.browser,
            "noAuth": self._shell.serving.no_auth,
            "readOnly": exposure.read_only,
            "suggestOnly": grant.cap.suggest_only,
            "branch": self._shell.host.db.settings.branch(),
            "groups": [group for group in exposure.groups if group != PAGE_GROUP],
            "tools": [tool.name for tool in exposure.tools if _may_call(visitor, tool)],
            "version": __version__,
        }

    async def _call(self, request: Request) -> Response:
        """Call a tool for a visitor."""
        visitor = await self._shell.visitor(request)
        if visitor is None:
            return JSONResponse(_NOT_SIGNED_IN, 401)
        if _kind_of(request) != _JSON:
            return JSONResponse(_NOT_JSON, 415)
        try:
            exposure = self._exposure(visitor)
            tool = _found(exposure, request.path_params["tool"])
            with self._shell.bodies.holding(visitor.user.id) as holding:
                arguments = await self._arguments(request, exposure, holding)
                session = self._session(visitor, exposure, _Place.of(request))
                outcome = await self._outcome(visitor, tool, session, arguments=arguments)
        except StrataError as error:
            value = {
                "code": error.code,
                "message": error.message,
                "hint": in_shell_words(error.hint),
            }
            outcome = CallOutcome(
                {name: text for name, text in value.items() if text}, is_error=True
            )
        return _answered(outcome, takes_png=_PNG in request.headers.get("accept", ""))

    async def _arguments(
        self, request: Request, exposure: Exposure, holding: Holding
    ) -> dict[str, Any]:
        most = body_bytes_max(self._shell.serving.body_bytes_max, read_only=exposure.read_only)
        body = await read_body(request, most, holding)
        if is_short(body):
            return parse_object(body)
        return await self._shell.bodies.parse(parse_object, body)

    async def _backup(self, request: Request) -> Response:
        """Send a backup to the owner, who has signed in by a code: it holds everything."""
        visitor = await self._shell.visitor(request)
        if visitor is None:
            return JSONResponse(_NOT_SIGNED_IN, 401)
        try:
            path = await self._shell.run(self._backup_of, visitor, request.path_params["name"])
        except StrataError as error:
            status = status_of_code(error.code)
            return JSONResponse({"code": error.code, "message": error.message}, status)
        return FileResponse(path, media_type="application/octet-stream", filename=path.name)

    def _backup_of(self, visitor: Visitor, name: str) -> Path:
        db = self._shell.db_for(visitor)
        browsers = {one.id: one for one in db.sign_ins.list()}
        browser = browsers.get(visitor.browser or "")
        if not visitor.user.is_owner or browser is None or browser.token is not None:
            raise NotAllowed("Backups are for the owner, signed in with a code.")
        found = [one.path for one in db.backups() if one.path.name == name]
        if not found:
            raise NotFound("There is no such backup.")
        return found[0]

    def _exposure(self, visitor: Visitor) -> Exposure:
        """Return the tools that a visitor may use, and what is for pages alone."""
        chosen = choose(self._shell.serving, visitor.grant, header=" ".join(_GROUPS))
        return msgspec.structs.replace(chosen, groups=(*chosen.groups, PAGE_GROUP))

    def _session(self, visitor: Visitor, exposure: Exposure, place: "_Place") -> Session:
        is_page = visitor.browser is not None  # where a user clicks, not a model
        return Session(
            self._shell.host,
            state=SessionState(place.branch),
            keeps_state=False,
            exposure=exposure,
            caller=visitor.grant,
            client=None if is_page else visitor.grant.who,
            creator="user" if is_page else "llm",
            lends_files=self._shell.serving.is_for_this_machine,
            at=place.at,
        )

    async def _outcome(
        self, visitor: Visitor, tool: Tool, session: Session, *, arguments: dict[str, Any]
    ) -> CallOutcome:
        cancel = Cancel()
        work = partial(call_tool, session, tool, arguments, cancel=cancel)
        who = visitor.grant.principal or visitor.user.id
        writes = tool.may_write(arguments)
        return await self._shell.workers.run(who, work, cancel, writes=writes)


class _Place(NamedTuple):
    """Where a call works: a branch, and a past moment, as the address of the page has them."""

    branch: str | None
    at: str | None

    @classmethod
    def of(cls, request: Request) -> "_Place":
        """Read the query of a request; what is empty counts as not given."""
        found = [request.query_params.get(name) or None for name in cls._fields]
        for name, text in zip(cls._fields, found, strict=True):
            if text is not None and len(text) > _PLACE_CHARACTERS_MAX:
                raise InvalidArgument(f"{name} is too long.", parameter=name)
        return cls(*found)


def _may_call(visitor: Visitor, tool: Tool) -> bool:
    return tool.needs is None or visitor.grant.permits(tool.needs)


def _language(request: Request) -> str:
    """Return the language in which pages greet a browser: the first one that it asks for."""
    asked = request.headers.get("accept-language", "").lower().replace(" ", "").split(",")
    wanted = (word[:2] for word in asked)
    return next((word for word in wanted if word in _LANGUAGES), _LANGUAGES[0])


def _kind_of(request: Request) -> str:
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


def _found(exposure: Exposure, name: str) -> Tool:
    """Return a tool that may be called, or say why not."""
    tool = exposure.find(name)
    if tool is not None:
        return tool
    if exposure.hides_for_writing(name):
        raise NotAllowed(f"{name} writes, and here everything is for reading only.")
    known = registry().find(name)
    if known is None or known.group not in _GROUPS:
        raise NotFound(f"There is no tool {name[:80]!r} here.", hint="/api/me lists the tools.")
    raise NotAllowed(f"{known.name} is in the group {known.group}, which is not for you.")


def _answered(outcome: CallOutcome, *, takes_png: bool) -> Response:
    if outcome.is_error:
        return _json(outcome.value, status_of_code(str(outcome.value.get("code"))))
    if outcome.png is None:
        return _json(outcome.value)
    if takes_png:
        return Response(outcome.png, media_type=_PNG)
    return _json(outcome.value | {"data": b64encode(outcome.png).decode()})


def _json(value: dict[str, Any], status: int = 200) -> Response:
    return Response(msgspec.json.encode(value), status, media_type=_JSON)
