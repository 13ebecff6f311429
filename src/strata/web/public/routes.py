"""Addresses that begin with `/@`: what each shows, and one answer for all that shows nothing."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from strata.base.errors import StrataError
from strata.mcp.serving.origins import OriginCheck
from strata.publishing import Public, path_of, slug_of
from strata.web.public import answers
from strata.web.public.answers import HttpAnswer, send
from strata.web.public.server import PageServer

if TYPE_CHECKING:
    from strata.web.shell import Shell, Visitor

_IMAGE = re.compile(r"[0-9a-f]{64}", re.ASCII)
_NUMBER = re.compile(r"[1-9][0-9]{0,8}", re.ASCII)
# No profile has a longer one, so it need not be looked up.
_PATH_CHARACTERS_MAX = 400


def public_routes(shell: "Shell") -> Sequence[BaseRoute]:
    """Return the routes of all public pages."""
    routes = PublicRoutes(shell)
    return [Route("/@{rest:path}", routes.answer, methods=["GET"])]


class PublicRoutes:
    """Answers visitors, who need not sign in."""

    def __init__(self, shell: "Shell") -> None:
        self._shell = shell
        self._origins = OriginCheck(shell.serving)
        shell.host.pages_at = shell.serving.base_url
        self.pages = PageServer(self._public, lambda: shell.serving.base_url)

    def _public(self) -> Public:
        return self._shell.host.db.publishing.public

    async def answer(self, request: Request) -> Response:
        """Answer a request for anything below `/@`."""
        rest: str = request.path_params["rest"]
        parts = rest.split("/")
        if "version" in request.query_params and len(parts) > 1:
            found = await self._old(request, parts)
        else:
            found = await self._shell.run(self._find, rest, parts)
        if isinstance(found, str):
            return RedirectResponse(found, 301, {"Cache-Control": "no-cache"})
        return send(request, found or answers.missing())

    def _find(self, rest: str, parts: list[str]) -> HttpAnswer | str | None:
        """Return an answer, an address to look at instead, or None."""
        if len(rest) > _PATH_CHARACTERS_MAX or "\0" in rest:
            return None
        return self._answer_for(parts) or self._moved(parts)

    def _answer_for(self, parts: list[str]) -> HttpAnswer | None:
        pages = self.pages
        match parts:
            case [name]:
                return pages.profile(name)
            case [name, "feed.xml"]:
                return pages.feed(name)
            case [name, slug] if slug.endswith(".md"):
                return pages.markdown(name, slug.removesuffix(".md"))
            case [name, slug]:
                return pages.page(name, slug)
            case [name, slug, "images", image] if _IMAGE.fullmatch(image):
                return pages.image(name, slug, image)
            case _:
                return None

    def _moved(self, parts: list[str]) -> str | None:
        """Return where an address leads that is spelled otherwise, or has an old name in it."""
        name, *rest = parts
        present = self._public().present_name(slug_of(name))
        if present is None:
            return None
        if rest == [""]:
            rest = []
        if rest:
            stem, dot, ending = rest[0].partition(".")
            rest[0] = rest[0] if rest[0] == "feed.xml" else slug_of(stem) + dot + ending
        if [present, *rest] == parts or self._answer_for([present, *rest]) is None:
            return None
        return _address(present, rest)

    async def _old(self, request: Request, parts: list[str]) -> HttpAnswer | None:
        """Return a version by its number, to those who manage the document."""
        number = request.query_params["version"]
        # These pages are asked for by any name, and a name may be a stranger's who points it here.
        if self._origins.check_page(request.scope, request.headers) is not None:
            return None
        visitor = await self._shell.visitor(request)
        if visitor is None or not _NUMBER.fullmatch(number):
            return None
        return await self._shell.run(self._old_part, visitor, parts, int(number))

    def _old_part(self, visitor: "Visitor", parts: list[str], number: int) -> HttpAnswer | None:
        name, slug, *rest = parts
        public = self._public()
        document, profile = public.document_of(name, slug), public.profile(name)
        if document is None or profile is None or not self._manages(visitor, document):
            return None
        version = public.version(document, number)
        match rest:
            case [] if version is not None:
                return self.pages.old_page(profile, slug, version)
            case ["images", image] if version is not None:
                return self.pages.old_image(version, image)
            case _:
                return None

    def _manages(self, visitor: "Visitor", document: str) -> bool:
        try:
            return self._shell.db_for(visitor).rights.may_manage(document)
        except StrataError:  # removed a moment ago
            return False


def _address(name: str, rest: list[str]) -> str:
    if not rest:
        return path_of(name)
    stem, dot, ending = rest[0].partition(".")
    return "/".join([path_of(name, stem) + dot + ending, *rest[1:]])
