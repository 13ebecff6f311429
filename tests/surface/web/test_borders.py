"""Which pages may use a server: its own, and no others, whatever cookies a browser adds."""

import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import httpx2
import pytest
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from strata.base import limits
from tests.surface.web.conftest import COOKIE, Serve, Served

FOREIGN = [
    "https://evil.example",
    "null",
    "http://127.0.0.1.evil.example",
    "http://localhost:5173",
    "http://127.0.0.1:1",
    "file://",
    "",
    "https://evil.example, {own}",
    "{own}.evil.example",
    "{own}@evil.example",
]


class Echo:
    """A site of one socket and one page."""

    def __init__(self) -> None:
        self.stopped = 0

    def __call__(self, *_parts: Any, **_more: Any) -> "Echo":
        return self

    def routes(self) -> Sequence[BaseRoute]:
        return [
            WebSocketRoute("/live/{document}", self._echo),
            Route("/change", self._change, methods=["POST"]),
            Route("/@ann/page", self._change, methods=["GET"]),
            WebSocketRoute("/@ann/page", self._echo),
        ]

    async def start(self) -> None:
        self.sockets: set[WebSocket] = set()

    async def stop(self) -> None:
        self.stopped += 1
        for socket in list(self.sockets):
            await socket.close(1001)

    async def _echo(self, socket: WebSocket) -> None:
        await socket.accept()
        self.sockets.add(socket)
        try:
            while True:
                await socket.send_bytes(await socket.receive_bytes())
        except (WebSocketDisconnect, RuntimeError):
            self.sockets.discard(socket)

    async def _change(self, _request: Request) -> Response:
        return JSONResponse({"changed": True})


@pytest.fixture
def echo(monkeypatch: pytest.MonkeyPatch) -> Echo:
    made = Echo()
    monkeypatch.setattr("tests.surface.web.conftest.site", made)
    return made


def opened(served: Served, path: str = "/live/doc_1", **more: Any) -> ClientConnection:
    origin, headers = more.pop("origin", None), more.pop("headers", {})
    port = int(served.base.rpartition(":")[2])
    name = more.pop("name", "127.0.0.1")  # by which the server is asked
    return connect(
        f"ws://{name}:{port}{path}",
        address=("127.0.0.1", port),
        origin=origin,
        additional_headers=headers,
        compression=None,
        open_timeout=60,
        **more,
    )


def refused(served: Served, **more: Any) -> int:
    with pytest.raises(InvalidStatus) as met, opened(served, **more):
        pass
    return met.value.response.status_code


def test_a_socket_of_the_server_s_own_page_is_served(serve: Serve, echo: Echo) -> None:
    served = serve()
    local = served.base.replace("127.0.0.1", "localhost")
    names = ((served.base, "127.0.0.1"), (None, "127.0.0.1"), (local, "localhost"))
    for origin, name in names:
        with opened(served, origin=origin, name=name) as socket:
            socket.send("한글".encode())
            assert socket.recv(timeout=60) == "한글".encode()


@pytest.mark.parametrize("origin", FOREIGN)
def test_a_socket_of_another_page_is_refused(serve: Serve, echo: Echo, origin: str) -> None:
    served = serve()
    told = origin.format(own=served.base)
    assert refused(served, origin=told) == 403
    assert refused(served, headers={"Origin": told, "Cookie": f"{COOKIE}=x"}) == 403
    # Public pages are for everybody; sockets are not, wherever they are.
    assert refused(served, path="/@ann/page", origin=told) == 403


def test_a_browser_has_to_say_which_page_opens_a_socket(
    serve: Serve, echo: Echo, caplog: pytest.LogCaptureFixture
) -> None:
    served = serve()
    assert refused(served, headers={"Cookie": f"{COOKIE}=x"}) == 403
    assert refused(served, name="evil.example") == 421
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


@pytest.mark.parametrize("origin", FOREIGN)
def test_what_another_page_sends_is_refused(serve: Serve, echo: Echo, origin: str) -> None:
    served = serve(no_auth=True)
    told = origin.format(own=served.base)
    for headers in ({"Origin": told}, {"Origin": told, "Cookie": f"{COOKIE}=x"}):
        answer = httpx2.post(f"{served.base}/change", headers=headers)
        assert answer.status_code == 403, headers
        assert answer.json()["error"] == "origin_not_allowed"
    assert httpx2.get(f"{served.base}/change", headers={"Origin": told}).status_code == 403


def test_programs_send_no_origin_and_browsers_must(serve: Serve, echo: Echo) -> None:
    served = serve()
    change = f"{served.base}/change"
    assert httpx2.post(change).status_code == 200
    assert httpx2.post(change, headers={"Cookie": "other=1"}).status_code == 403
    assert httpx2.post(change, headers={"Origin": served.base}).status_code == 200
    two = [("Origin", served.base), ("Origin", "https://evil.example")]
    assert httpx2.post(change, headers=two).status_code == 403


def test_allowed_and_public_origins_are_the_server_s_own(serve: Serve, echo: Echo) -> None:
    served = serve(origins=("https://app.example",), public_url="https://strata.example.com")
    for origin in ("https://app.example", "https://strata.example.com"):
        answer = httpx2.post(f"{served.base}/change", headers={"Origin": origin})
        assert answer.status_code == 200
    for origin in (
        "http://app.example",
        "https://app.example.evil",
        "https://strata.example.com:1",
    ):
        answer = httpx2.post(f"{served.base}/change", headers={"Origin": origin})
        assert answer.status_code == 403


def test_the_public_name_without_its_scheme_is_another_page(serve: Serve, echo: Echo) -> None:
    served = serve(public_url="https://strata.example.com")
    for origin, status in (
        ("https://strata.example.com", 200),
        ("http://strata.example.com", 403),
        ("http://STRATA.example.com", 403),
    ):
        headers = {"Origin": origin, "Host": "strata.example.com"}
        answer = httpx2.post(f"{served.base}/change", headers=headers)
        assert answer.status_code == status, origin


def test_no_answer_lets_other_pages_use_cookies(serve: Serve, echo: Echo) -> None:
    served = serve(origins=("https://app.example",))
    asked = {"Origin": "https://app.example", "Access-Control-Request-Method": "POST"}
    for answer in (
        httpx2.options(f"{served.base}/change", headers=asked),
        httpx2.post(f"{served.base}/change", headers=asked),
    ):
        assert "access-control-allow-credentials" not in answer.headers


@pytest.mark.parametrize("path", ["/change", "/", "/d/doc_1", "/api/me", "/sign-in", "/nowhere"])
def test_pages_answer_to_no_other_name(serve: Serve, echo: Echo, path: str) -> None:
    served = serve()
    answer = httpx2.get(served.base + path, headers={"Host": "evil.example"})
    assert answer.status_code == 421


def test_public_pages_answer_to_any_name(serve: Serve, echo: Echo) -> None:
    served = serve()
    for path in ("/@ann/page", "/health"):
        headers = {"Host": "blog.example", "Origin": "https://elsewhere.example"}
        assert httpx2.get(served.base + path, headers=headers).status_code == 200
    answer = httpx2.get(f"{served.base}/@ann/../change", headers={"Host": "evil.example"})
    assert answer.status_code in (404, 421)


def test_only_so_many_sockets_are_open_at_once(
    serve: Serve, echo: Echo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "SOCKETS_MAX", 2)
    served = serve()
    with opened(served) as first, opened(served):
        assert refused(served) == 503
        first.close()
        with opened(served) as third:
            third.send(b"x")
            assert third.recv(timeout=60) == b"x"


def test_a_message_that_is_too_large_ends_its_socket(
    serve: Serve, echo: Echo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "SOCKET_MESSAGE_BYTES_MAX", 1_000)
    with opened(serve()) as socket:
        socket.send(b"x" * 1_000)
        assert socket.recv(timeout=60) == b"x" * 1_000
        with suppress(ConnectionClosed):  # the server may end it before the message has ended
            socket.send([b"x" * 600, b"x" * 600])
        with pytest.raises(ConnectionClosed) as met:
            socket.recv(timeout=60)
        assert met.value.rcvd is not None
        assert met.value.rcvd.code == 1009


def test_a_socket_outlives_the_patience_with_slow_heads(
    serve: Serve, echo: Echo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "SERVE_HEAD_S", 0.2)
    with opened(serve()) as socket:
        with pytest.raises(TimeoutError):
            socket.recv(timeout=1)
        socket.send(b"still here")
        assert socket.recv(timeout=60) == b"still here"


def test_a_client_that_does_not_answer_pings_is_let_go(
    serve: Serve, echo: Echo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "SOCKET_PING_S", 0.2)
    served = serve()
    with opened(served) as socket:
        socket.protocol.receive_data = lambda data: None  # hears nothing, so answers nothing
        socket.recv_events_thread.join(60)
        assert not socket.recv_events_thread.is_alive()


def test_a_stop_ends_sockets_and_tells_the_site_once_or_more(serve: Serve, echo: Echo) -> None:
    served = serve()
    with opened(served) as socket:
        socket.send(b"x")
        assert socket.recv(timeout=60) == b"x"
        served.listener.should_exit = True
        with pytest.raises(ConnectionClosed) as met:
            socket.recv(timeout=60)
        assert met.value.rcvd is not None
        assert met.value.rcvd.code in (1001, 1012)
    assert echo.stopped >= 1


def test_a_site_that_cannot_end_does_not_keep_the_server(
    serve: Serve, echo: Echo, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def broken() -> None:
        raise RuntimeError("stuck")

    monkeypatch.setattr(echo, "stop", broken)
    served = serve()
    served.listener.should_exit = True
    deadline = time.monotonic() + 60
    while "did not end well" not in caplog.text:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    # That the server has ended all the same is looked at when the test does.
