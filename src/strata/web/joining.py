"""Joining by a link: a user, or a new person, takes what the link offers."""

from collections.abc import Sequence
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from strata.access import Opened
from strata.base import limits
from strata.base.errors import NotFound, StrataError
from strata.mcp.upload_requests import status_of
from strata.web.attempts import Attempts, Turns
from strata.web.plain_words import plain_words
from strata.web.shell import Shell, Visitor, read_body
from strata.web.sign_in import SignIn, address_of, browser_name, error_answer, too_many

_BODY_BYTES_MAX = 8 * 1024


class _JoinBody(msgspec.Struct, forbid_unknown_fields=True):
    """What the page sends: the code of its address; with `joins` it takes what is offered."""

    code: str
    joins: bool = False
    # Of a new person, who becomes a user.
    name: str | None = None


class Joining:
    """Answers the page behind a link. Its code is behind a #, so the page sends it here."""

    def __init__(self, shell: Shell, sign_in: SignIn) -> None:
        self._shell = shell
        self._sign_in = sign_in
        self._attempts = Attempts(limits.SIGN_IN_FAILURES_MAX, limits.SIGN_IN_FAILURES_OF_ALL_MAX)
        self._turns = Turns()

    def routes(self) -> Sequence[BaseRoute]:
        """Return the path that the page asks."""
        return [Route("/api/join", self._join, methods=["POST"])]

    async def _join(self, request: Request) -> Response:
        address = address_of(request)
        try:
            body = msgspec.json.decode(await read_body(request, _BODY_BYTES_MAX), type=_JoinBody)
            wait_s = self._attempts.wait_s(address)
            if wait_s > 0 and not await self._turns.wait(address):
                return error_answer(429, "limit_exceeded", too_many(plain_words(request), wait_s))
            return await self._answer(request, body)
        except msgspec.MsgspecError:
            return error_answer(400, "invalid_input", "Send the code as JSON.")
        except NotFound as error:
            wait_s = self._attempts.wait_s(address)
            if wait_s > 0:
                return error_answer(429, "limit_exceeded", too_many(plain_words(request), wait_s))
            self._attempts.failed(address)
            return error_answer(404, error.code, error.message)
        except StrataError as error:
            return error_answer(status_of(error), error.code, error.message)

    async def _answer(self, request: Request, body: _JoinBody) -> Response:
        visitor = await self._shell.visitor(request)
        if not body.joins:
            return JSONResponse(await self._shell.run(self._offer, visitor, body.code))
        if visitor is not None:
            return JSONResponse(await self._shell.run(self._joined, visitor, body.code))
        label = browser_name(request)
        opened, where = await self._shell.run(self._admitted, body.code, body.name or "", label)
        return await self._sign_in.signed_in(request, JSONResponse(where), opened)

    def _offer(self, visitor: Visitor | None, code: str) -> dict[str, Any]:
        """Say what a link offers, or that a visitor has to sign in to take it."""
        found = self._shell.host.db.share_links.look(code)
        link = found.link
        if visitor is None and not link.newcomers:
            return {"signIn": True}
        return {
            "signIn": False,
            "user": None if visitor is None else visitor.user.name,
            "by": found.by,
            "role": link.role,
            "team": found.team,
            "title": None if link.document is None else self._title(link.document, link.user),
        }

    def _title(self, document: str, maker: str) -> str:
        try:
            return self._shell.host.db.as_user(maker).documents.get(document).title
        except NotFound:  # it is on another branch
            return ""

    def _joined(self, visitor: Visitor, code: str) -> dict[str, Any]:
        done = self._shell.db_for(visitor).share_links.join(code)
        return _where(done.document)

    def _admitted(self, code: str, name: str, label: str) -> tuple[Opened, dict[str, Any]]:
        """Add the user, and sign the browser in that asks."""
        db = self._shell.host.writing()
        document = db.share_links.look(code).link.document
        user = db.share_links.admit(code, name)
        secret = db.sign_ins.create_code(user.id).secret
        return db.sign_ins.open(secret, label=label), _where(document)


def _where(document: str | None) -> dict[str, Any]:
    return {"path": "/docs" if document is None else f"/d/{document}"}
