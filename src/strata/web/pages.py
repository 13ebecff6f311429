"""The page: one file for every screen, which its script tells apart by the address."""

import logging
import os
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeAlias
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from strata.base.errors import StrataError
from strata.documents import AttachedFile
from strata.mcp.upload_requests import status_of
from strata.web.api import Api
from strata.web.assets import Assets
from strata.web.headers import policy
from strata.web.joining import Joining
from strata.web.plain_pages import message_page
from strata.web.plain_words import plain_words
from strata.web.shell import Shell, Visitor
from strata.web.sign_in import SignIn
from strata.web.sign_in_target import local_target, sign_in_path

# What the built page has where the number belongs by which a browser knows the page's own styles.
_NONCE = "STRATA_NONCE"
_log = logging.getLogger(__name__)
Answering: TypeAlias = Callable[[Request], Awaitable[Response]]


# The addresses of screens. What follows a place is the script's business; documents are looked at
# here too, so that a wrong address is answered as such.
_SCREENS = (
    "/",
    "/find",
    "/trash",
    "/activity",
    "/branches",
    "/agents",
    "/published",
    "/space/{space}",
    "/tasks/{task}",
    "/compare/{branches:path}",
    *(
        f"/{place}{rest}"
        for place in ("docs", "memory", "decisions", "events", "settings")
        for rest in ("", "/{rest:path}")
    ),
)
# Of a file that a user has sent: a browser keeps it, and neither shows nor runs any of it.
_DOWNLOAD = {
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "sandbox; default-src 'none'",
    "Cache-Control": "private, no-store",
}
_OF_DOCUMENT = ("/d/{document}", "/d/{document}/history", "/d/{document}/links")


class Pages:
    """Shows the built page to those who are signed in."""

    def __init__(self, shell: Shell) -> None:
        self._shell = shell
        self._assets = Assets()

    def routes(self) -> Sequence[BaseRoute]:
        """Return the paths of the page and its files."""
        return [
            *(Route(path, _explained(self._screen), methods=["GET"]) for path in _SCREENS),
            *(Route(path, _explained(self._document), methods=["GET"]) for path in _OF_DOCUMENT),
            Route("/d/{document}/files/{file}", _explained(self._file), methods=["GET"]),
            # Where links lead that sign in or let in: a code is behind a #, which no server sees.
            Route("/hello", self._hello, methods=["GET"]),
            Route("/join", self._hello, methods=["GET"]),
            *self._assets.routes(),
            Route("/{anything:path}", _missing, methods=["GET"]),
        ]

    async def _screen(self, request: Request) -> Response:
        visitor = await self._shell.visitor(request)
        return _to_sign_in(request) if visitor is None else self._page(request)

    async def _hello(self, request: Request) -> Response:
        return self._page(request)

    async def _document(self, request: Request) -> Response:
        visitor = await self._shell.visitor(request)
        if visitor is None:
            return _to_sign_in(request)
        place = [request.query_params.get(name) or None for name in ("branch", "at")]
        may_read = visitor.reads and await self._shell.run(
            self._may_read, visitor, request.path_params["document"], *place
        )
        if not may_read:
            return await _missing(request)
        return self._page(request)

    def _may_read(self, visitor: Visitor, document: str, *place: str | None) -> bool:
        """Tell whether a user may read a document; False if it does not exist."""
        try:
            self._shell.db_for(visitor, *place).documents.get(document)
        except StrataError:
            return False
        return True

    async def _file(self, request: Request) -> Response:
        """Give a file of a document to a user who may read it."""
        visitor = await self._shell.visitor(request)
        if visitor is None:
            return _to_sign_in(request)
        place = [request.query_params.get(name) or None for name in ("branch", "at")]
        names = [request.path_params[name] for name in ("document", "file")]
        try:
            if not visitor.reads:
                return await _missing(request)
            found, data = await self._shell.run(self._read_file, visitor, names, place)
        except StrataError:
            return await _missing(request)
        named = f"attachment; filename*=UTF-8''{quote(found.name, safe='')}"
        headers = {**_DOWNLOAD, "Content-Disposition": named}
        return Response(data, media_type=found.media_type, headers=headers)

    def _read_file(
        self, visitor: Visitor, names: Sequence[str], place: Sequence[str | None]
    ) -> tuple[AttachedFile, bytes]:
        return self._shell.db_for(visitor, *place).documents.file(*names)

    def _page(self, request: Request) -> Response:
        found = self._assets.find("index.html")
        if found is None:
            words = plain_words(request)
            return message_page(request, words.not_built, words.not_built_text, status=503)
        # The editor puts its styles into the page, and says by this that they are its own.
        nonce = os.urandom(16).hex()
        return Response(
            found.data.decode().replace(_NONCE, nonce),
            media_type="text/html",
            headers={"Content-Security-Policy": policy(f"'self' 'nonce-{nonce}'")},
        )


def _to_sign_in(request: Request) -> Response:
    query = f"?{request.url.query}" if request.url.query else ""
    return RedirectResponse(sign_in_path(local_target(request.url.path + query)), 303)


async def _missing(request: Request) -> Response:
    words = plain_words(request)
    return message_page(request, words.missing, words.missing_text, status=404)


def _explained(answer: Answering) -> Answering:
    """Return an answer that says so on a page where the store cannot be read."""

    async def explained(request: Request) -> Response:
        try:
            return await answer(request)
        except StrataError as error:
            _log.warning("a page could not be shown: %s", error)
            words = plain_words(request)
            status = status_of(error)
            return message_page(request, words.failed, words.failed_text, status=status)

    return explained


def page_routes(shell: Shell) -> Sequence[BaseRoute]:
    """Return everything but live documents and what is published."""
    sign_in = SignIn(shell)
    parts = (sign_in, Joining(shell, sign_in), Api(shell), Pages(shell))
    return [route for part in parts for route in part.routes()]
