"""Signing in and out: a code or a token in, a cookie out."""

import math
from collections.abc import Sequence
from urllib.parse import parse_qs, urlsplit

import msgspec
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from strata.access import Opened
from strata.base import limits
from strata.base.errors import NotAllowed, ReadOnly, StrataError
from strata.mcp.upload_requests import status_of
from strata.web.attempts import Attempts, Turns
from strata.web.plain_pages import plain_style, sign_in_page
from strata.web.plain_words import PlainWords, plain_words
from strata.web.shell import COOKIE, Shell, read_body
from strata.web.sign_in_target import HOME, local_target

_FORM = "application/x-www-form-urlencoded"
_FORM_BYTES_MAX = 8 * 1024
# As long as browsers keep any: the server decides when the secret in it ends.
_COOKIE_S = 400 * 24 * 3600


class _HelloBody(msgspec.Struct, forbid_unknown_fields=True):
    """What the first page sends."""

    code: str


class SignIn:
    """The form, and what it sends."""

    def __init__(self, shell: Shell) -> None:
        self._shell = shell
        self._attempts = Attempts(limits.SIGN_IN_FAILURES_MAX, limits.SIGN_IN_FAILURES_OF_ALL_MAX)
        self._turns = Turns()

    def routes(self) -> Sequence[BaseRoute]:
        """Return the paths of signing in and out."""
        return [
            Route("/sign-in", self._show, methods=["GET"]),
            Route("/sign-in", self._enter, methods=["POST"]),
            Route("/sign-in/plain.css", _style, methods=["GET"]),
            Route("/api/hello", self._hello, methods=["POST"]),
            Route("/sign-out", self._leave, methods=["POST"]),
        ]

    async def _show(self, request: Request) -> Response:
        """Show the form to a user who is not signed in."""
        goal = local_target(request.query_params.get("next"))
        if await self._shell.visitor(request) is not None:
            return RedirectResponse(goal, 303)
        note = plain_words(request).signed_out if "out" in request.query_params else ""
        return sign_in_page(request, goal, note=note)

    async def _enter(self, request: Request) -> Response:
        """Take a code or a token."""
        goal, words = HOME, plain_words(request)
        try:
            form = await _read_form(request)
            goal = local_target(form.get("next"))
            wait_s = self._attempts.wait_s(address_of(request))
            if wait_s > 0 and not await self._turns.wait(address_of(request)):
                return _come_back(request, wait_s)
            opened = await self._opened(request, form.get("code", ""))
        except ReadOnly:
            return sign_in_page(request, goal, fault=words.only_reads, status=403)
        except NotAllowed:
            return self._refuse(request, goal)
        except StrataError as error:
            return sign_in_page(request, goal, fault=words.failed_text, status=status_of(error))
        return await self.signed_in(request, RedirectResponse(goal, 303), opened)

    async def _hello(self, request: Request) -> Response:
        """Take the code of a link that the server printed where it was started.

        The link has it behind a #, which browsers send to no server; the page sends it here.
        """
        address, words = address_of(request), plain_words(request)
        try:
            body = msgspec.json.decode(await read_body(request, _FORM_BYTES_MAX), type=_HelloBody)
            wait_s = self._attempts.wait_s(address)
            if wait_s > 0 and not await self._turns.wait(address):
                return error_answer(429, "limit_exceeded", too_many(words, wait_s))
            opened = await self._opened(request, body.code)
        except msgspec.MsgspecError:
            return error_answer(400, "invalid_input", "Send the code as JSON.")
        except ReadOnly:
            return error_answer(403, "access_denied", words.only_reads)
        except NotAllowed as error:
            wait_s = self._attempts.wait_s(address)
            if wait_s > 0:
                return error_answer(429, "limit_exceeded", too_many(words, wait_s))
            self._attempts.failed(address)
            return error_answer(403, error.code, words.used_up)
        except StrataError as error:
            return error_answer(status_of(error), error.code, error.message)
        return await self.signed_in(request, JSONResponse({"signedIn": True}), opened)

    async def _opened(self, request: Request, code: str) -> Opened:
        return await self._shell.run(self._open, code, browser_name(request))

    async def signed_in(self, request: Request, answer: Response, opened: Opened) -> Response:
        """Give the browser of a request its secret with an answer."""
        before = request.cookies.get(COOKIE)
        if before:  # the browser forgets that secret now, so it must not work any more
            await self._shell.run(self._close, before)
        self._keep(answer, opened)
        return answer

    def _refuse(self, request: Request, goal: str) -> Response:
        """Count a failure. A right code is still taken: behind a proxy all have one address."""
        address = address_of(request)
        wait_s = self._attempts.wait_s(address)
        if wait_s > 0:
            return _come_back(request, wait_s)
        self._attempts.failed(address)
        return sign_in_page(request, goal, fault=plain_words(request).refused, status=403)

    def _open(self, code: str, label: str) -> Opened:
        return self._shell.host.writing().sign_ins.open(code, label=label)

    def _keep(self, answer: Response, opened: Opened) -> None:
        """Give the browser its secret.

        Lax and not strict: a user who follows a link to a document from a mail or a chat would
        look signed out. Whatever changes something is a POST or a socket, and those have to
        come from a page of this server, by their Origin.
        """
        answer.set_cookie(
            COOKIE,
            opened.secret,
            max_age=_COOKIE_S,
            path="/",
            secure=self._is_https,
            httponly=True,
            samesite="lax",
        )

    async def _leave(self, request: Request) -> Response:
        """Sign the browser out that asks for it."""
        secret = request.cookies.get(COOKIE)
        if secret:
            await self._shell.run(self._close, secret)
        answer = RedirectResponse("/sign-in?out=1", 303)
        answer.delete_cookie(COOKIE, path="/", secure=self._is_https, httponly=True, samesite="lax")
        return answer

    def _close(self, secret: str) -> None:
        self._shell.host.db.sign_ins.close(secret)

    @property
    def _is_https(self) -> bool:
        return urlsplit(self._shell.serving.base_url).scheme == "https"


async def _style(_request: Request) -> Response:
    return plain_style()


async def _read_form(request: Request) -> dict[str, str]:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    body = await read_body(request, _FORM_BYTES_MAX)
    if kind != _FORM:
        return {}
    try:
        found = parse_qs(body.decode("utf-8", "replace"), max_num_fields=10)
    except ValueError:
        return {}
    return {name: values[-1] for name, values in found.items()}


def address_of(request: Request) -> str:
    """Return the address that a request came from."""
    return request.client.host if request.client is not None else ""


def _come_back(request: Request, wait_s: float) -> Response:
    fault = too_many(plain_words(request), wait_s)
    answer = sign_in_page(request, HOME, fault=fault, status=429)
    answer.headers["Retry-After"] = str(math.ceil(wait_s))
    return answer


def too_many(words: PlainWords, wait_s: float) -> str:
    """Return the message for an address that has failed too often."""
    return words.too_many.format(seconds=math.ceil(wait_s))


def error_answer(status: int, code: str, message: str) -> Response:
    """Return why nothing was done, as pages read it."""
    return JSONResponse({"code": code, "message": message}, status)


# What a browser calls itself, shortened to what its owner recognises; the first that fits.
_PROGRAMS = {
    "Edg/": "Edge",
    "OPR/": "Opera",
    "Firefox/": "Firefox",
    "Chrome/": "Chrome",
    "Safari/": "Safari",
}
_SYSTEMS = {
    "Android": "Android",
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Windows": "Windows",
    "Mac OS X": "macOS",
    "Linux": "Linux",
}


def browser_name(request: Request) -> str:
    """Return what a browser calls itself, as its owner recognises it."""
    agent = request.headers.get("user-agent", "")
    program, system = (
        next((name for mark, name in names.items() if mark in agent), "")
        for names in (_PROGRAMS, _SYSTEMS)
    )
    return " on ".join(word for word in (program, system) if word) or agent
