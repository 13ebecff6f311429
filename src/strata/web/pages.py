"""The page: one file for every screen, which its script tells apart by the address."""

import os
from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from strata.base.errors import StrataError
from strata.web.api import Api
from strata.web.assets import Assets
from strata.web.headers import policy
from strata.web.plain_pages import message_page
from strata.web.shell import Shell, Visitor
from strata.web.sign_in import SignIn
from strata.web.sign_in_target import local_target, sign_in_path

# What the built page has where the number belongs by which a browser knows the page's own styles.
_NONCE = "STRATA_NONCE"
_NOT_BUILT = "The page was not built with this program: run ./dev frontend, and load it again."


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
_OF_DOCUMENT = ("/d/{document}", "/d/{document}/history", "/d/{document}/links")


class Pages:
    """Shows the built page to those who are signed in."""

    def __init__(self, shell: Shell) -> None:
        self._shell = shell
        self._assets = Assets(shell)

    def routes(self) -> Sequence[BaseRoute]:
        """Return the paths of the page and its files."""
        return [
            *(Route(path, self._screen, methods=["GET"]) for path in _SCREENS),
            *(Route(path, self._document, methods=["GET"]) for path in _OF_DOCUMENT),
            # Where a link leads that signs in: its code is behind a #, which no server sees.
            Route("/hello", self._hello, methods=["GET"]),
            *self._assets.routes(),
            Route("/{anything:path}", _missing, methods=["GET"]),
        ]

    async def _screen(self, request: Request) -> Response:
        visitor = await self._shell.visitor(request)
        return _to_sign_in(request) if visitor is None else await self._page()

    async def _hello(self, _request: Request) -> Response:
        return await self._page()

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
        return await self._page()

    def _may_read(self, visitor: Visitor, document: str, *place: str | None) -> bool:
        """Tell whether a user may read a document; False if it does not exist."""
        try:
            self._shell.db_for(visitor, *place).documents.get(document)
        except StrataError:
            return False
        return True

    async def _page(self) -> Response:
        found = await self._shell.run(self._assets.find, "index.html")
        if found is None:
            return message_page("There is no page yet", _NOT_BUILT, status=503)
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


async def _missing(_request: Request) -> Response:
    text = "There is nothing at this address, or it is not shared with you."
    return message_page("Not found", text, status=404)


def page_routes(shell: Shell) -> Sequence[BaseRoute]:
    """Return everything but live documents and what is published."""
    return [*SignIn(shell).routes(), *Api(shell).routes(), *Pages(shell).routes()]
