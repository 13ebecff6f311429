"""Models behind an OpenAI-compatible endpoint: against a real server, well-behaved and not."""

import contextlib
import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np
import pytest

from strata.base import limits
from strata.base.errors import (
    DimensionMismatch,
    InvalidArgument,
    NotAllowed,
    NotFound,
    StrataError,
    Unavailable,
)
from strata.models import Embedder, Endpoint, EndpointEmbedder, EndpointGenerator, Generator

KEY = "sk-비밀-secret-1234".encode().hex()
# What the server does with the next request: status, headers, body.
Reply = tuple[int, dict[str, str], bytes]
Script = Callable[[dict[str, Any]], Reply | None]


class Server:
    """A server on the loopback that answers by a script, one step a request."""

    def __init__(self) -> None:
        self.requests: list[tuple[str, dict[str, str], dict[str, Any]]] = []
        self.script: list[Script] = []
        self.pauses: list[float] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                outer.requests.append((self.path, dict(self.headers), body))
                step = outer.script.pop(0) if len(outer.script) > 1 else outer.script[0]
                outer.reply(self, step(body))

            def log_message(self, format: str, *args: object) -> None:
                """Say nothing."""

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()
        self.url = f"http://127.0.0.1:{self._http.server_port}/v1"

    @staticmethod
    def reply(handler: BaseHTTPRequestHandler, reply: Reply | None) -> None:
        if reply is None:  # Hang up without a word.
            handler.close_connection = True
            return
        status, headers, body = reply
        handler.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            handler.send_header(name, value)
        with contextlib.suppress(ConnectionError):  # Whoever asked may have left.
            handler.end_headers()
            handler.wfile.write(body)

    def endpoint(self, **options: Any) -> Endpoint:
        return Endpoint(self.url, sleep=self.pauses.append, api_key=KEY, **options)

    def embedder(self, **options: Any) -> EndpointEmbedder:
        return EndpointEmbedder(self.endpoint(), "test-model", **options)

    def close(self) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join(30)


@pytest.fixture
def server() -> Iterator[Server]:
    server = Server()
    yield server
    server.close()


def vectors(body: dict[str, Any]) -> Reply:
    """Answer as OpenAI does, in another order than asked, which it may."""
    rows = [
        {"object": "embedding", "index": index, "embedding": [float(len(text)), 1.0, 0.0]}
        for index, text in enumerate(body["input"])
    ]
    return ok({"object": "list", "data": rows[::-1], "model": body["model"]})


def ok(value: object) -> Reply:
    return 200, {}, json.dumps(value).encode()


def failing(status: int, message: str = "", **headers: str) -> Script:
    body = json.dumps({"error": {"message": message, "type": "test"}}).encode()
    return lambda _body: (status, headers, body)


def test_texts_become_rows_of_length_one_in_their_order(server: Server) -> None:
    server.script = [vectors]
    embedder: Embedder = server.embedder()
    rows = embedder.embed(["가", "four"])
    assert rows.dtype == np.float32
    expected = np.array([[1, 1, 0], [4, 1, 0]]) / np.sqrt([[2], [17]])
    assert np.allclose(rows, expected)
    path, headers, body = server.requests[0]
    assert path == "/v1/embeddings"
    assert headers["Authorization"] == f"Bearer {KEY}"
    assert body == {"model": "test-model", "input": ["가", "four"], "encoding_format": "float"}


def test_the_dimension_is_asked_for_once(server: Server) -> None:
    server.script = [vectors]
    embedder = server.embedder()
    assert embedder.known_dimension is None
    assert (embedder.dimension, embedder.dimension) == (3, 3)
    assert embedder.embed([]).shape == (0, 3)
    assert len(server.requests) == 1


def test_many_texts_go_in_batches(server: Server) -> None:
    server.script = [vectors]
    texts = [f"텍스트 {number}" for number in range(limits.ENDPOINT_TEXTS_MAX * 2 + 5)]
    assert server.embedder().embed(texts).shape == (len(texts), 3)
    sizes = [len(body["input"]) for _, _, body in server.requests]
    assert sizes == [limits.ENDPOINT_TEXTS_MAX, limits.ENDPOINT_TEXTS_MAX, 5]


def test_prefixes_and_empty_texts_are_put_as_the_server_wants_them(server: Server) -> None:
    server.script = [vectors]
    embedder = server.embedder(prefixes=("passage: ", "query: "))
    embedder.embed(["문서", ""])
    embedder.embed(["질문"], kind="query")
    assert [body["input"] for _, _, body in server.requests] == [
        ["passage: 문서", " "],
        ["query: 질문"],
    ]


def test_ids_tell_servers_models_and_prefixes_apart(server: Server) -> None:
    endpoint = server.endpoint()
    ids = [
        EndpointEmbedder(endpoint, "a").id,
        EndpointEmbedder(endpoint, "b").id,
        EndpointEmbedder(endpoint, "a", prefixes=("x", "y")).id,
        EndpointEmbedder(Endpoint("http://127.0.0.1:1/v1"), "a").id,
    ]
    assert len(set(ids)) == 4
    assert EndpointEmbedder(server.endpoint(), "a").id == ids[0]


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, InvalidArgument),
        (401, NotAllowed),
        (403, NotAllowed),
        (404, NotFound),
        (413, InvalidArgument),
        (301, Unavailable),
    ],
)
def test_a_refusal_is_final(server: Server, status: int, kind: type[StrataError]) -> None:
    server.script = [failing(status, "no such thing")]
    with pytest.raises(kind) as caught:
        server.embedder().embed(["x"])
    assert caught.value.details["status"] == status
    assert len(server.requests) == 1
    assert server.pauses == []


def test_a_busy_server_is_asked_again_when_it_says(server: Server) -> None:
    server.script = [failing(429, "slow down", **{"Retry-After": "3"}), failing(503), vectors]
    assert server.embedder().embed(["x"]).shape == (1, 3)
    assert server.pauses == [3.0, limits.ENDPOINT_PAUSE_MIN_S * 2]
    assert len(server.requests) == 3


def test_a_pause_is_never_longer_than_we_bear(server: Server) -> None:
    server.script = [failing(429, **{"Retry-After": "86400"}), vectors]
    server.embedder().embed(["x"])
    assert server.pauses == [limits.ENDPOINT_PAUSE_MAX_S]


def test_a_server_that_keeps_failing_is_given_up(server: Server) -> None:
    server.script = [failing(500, "CUDA 메모리가 부족하다")]
    with pytest.raises(Unavailable, match="answered 500"):
        server.embedder().embed(["x"])
    assert len(server.requests) == limits.ENDPOINT_ATTEMPTS
    assert server.pauses == sorted(server.pauses)


def test_a_connection_that_is_cut_is_tried_again(server: Server) -> None:
    server.script = [lambda _body: None, vectors]
    assert server.embedder().embed(["x"]).shape == (1, 3)
    server.script = [lambda _body: None]
    with pytest.raises(Unavailable, match="cannot be reached"):
        server.embedder().embed(["x"])


def test_an_answer_that_ends_too_soon_is_unavailable(server: Server) -> None:
    server.script = [lambda _body: (200, {"Content-Length": "999"}, b'{"data"')]
    with pytest.raises(Unavailable):
        server.embedder().embed(["x"])


def test_a_slow_server_is_not_waited_for_beyond_the_limit(server: Server) -> None:
    answered = threading.Event()

    def sleepy(body: dict[str, Any]) -> Reply:
        answered.wait()
        return vectors(body)

    server.script = [sleepy]
    with pytest.raises(Unavailable, match=r"did not answer within 0\.2 s"):
        EndpointEmbedder(server.endpoint(timeout_s=0.2), "m").embed(["x"])
    answered.set()
    assert len(server.requests) == 1, "a time-out is not tried again"


def test_nobody_there_is_unavailable() -> None:
    waits: list[float] = []
    endpoint = Endpoint("http://127.0.0.1:9/v1", sleep=waits.append)
    with pytest.raises(Unavailable, match="cannot be reached"):
        EndpointEmbedder(endpoint, "m").embed(["x"])
    assert len(waits) == limits.ENDPOINT_ATTEMPTS - 1


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html>Bad gateway</html>",
        b"{",
        b"\xff\xfe",
        b"[]",
        b'{"data": null}',
        b'{"data": [{"embedding": "AAAA"}]}',
        b'{"data": []}',
        b'{"data": [{"embedding": [1]}, {"embedding": [2]}]}',
        b'{"data": [{"embedding": [1e999]}]}',
    ],
)
def test_an_answer_that_is_none_is_said_so(server: Server, body: bytes) -> None:
    server.script = [lambda _body: (200, {}, body)]
    with pytest.raises(Unavailable):
        server.embedder().embed(["x"])
    assert len(server.requests) == 1


def test_an_answer_without_end_is_refused(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "ENDPOINT_ANSWER_BYTES_MAX", 1000)
    server.script = [lambda _body: (200, {}, b" " * 5000 + b'{"data": []}')]
    with pytest.raises(Unavailable, match="more than can be read"):
        server.embedder().embed(["x"])


def test_vectors_of_another_length_are_refused(server: Server) -> None:
    server.script = [vectors]
    with pytest.raises(DimensionMismatch) as caught:
        server.embedder(dimension=4).embed(["x"])
    assert caught.value.details["expected"] == 4
    uneven = {"data": [{"embedding": [1.0, 2.0]}, {"embedding": [1.0]}]}
    server.script = [lambda _body: ok(uneven)]
    with pytest.raises(DimensionMismatch):
        server.embedder().embed(["x", "y"])


def test_the_key_is_shown_nowhere(server: Server) -> None:
    endpoint = server.endpoint()
    assert KEY not in repr(endpoint)
    shown: list[str] = []
    for status in (400, 401, 404, 500):
        server.script = [failing(status, f"the key {KEY} is bad")]
        with pytest.raises(StrataError) as caught:
            EndpointEmbedder(endpoint, "m").embed(["x"])
        shown.append(f"{caught.value} {caught.value.details} {caught.value.__cause__}")
    assert KEY not in "".join(shown)


@pytest.mark.parametrize(
    "url",
    ["", "localhost:11434", "ftp://host/v1", "http://", "http://a:b@host/v1", "http://host:x/v1"],
)
def test_what_is_no_address_is_refused_without_showing_it(url: str) -> None:
    with pytest.raises(InvalidArgument) as caught:
        Endpoint(url)
    assert "a:b" not in str(caught.value)


def test_a_generator_answers_a_prompt(server: Server) -> None:
    server.script = [lambda _body: ok({"choices": [{"message": {"content": "서울"}}]})]
    generator: Generator = EndpointGenerator(server.endpoint(), "chat-model")
    assert generator.generate("한국의 수도는?", 16) == "서울"
    path, headers, body = server.requests[0]
    assert path == "/v1/chat/completions"
    assert headers["Authorization"] == f"Bearer {KEY}"
    assert body["messages"] == [{"role": "user", "content": "한국의 수도는?"}]
    assert (body["max_tokens"], body["temperature"], body["stream"]) == (16, 0, False)


def test_a_generator_asks_a_busy_server_again(server: Server) -> None:
    done = ok({"choices": [{"message": {"content": "ok"}}]})
    server.script = [failing(429), failing(500), lambda _body: done]
    assert EndpointGenerator(server.endpoint(), "m").generate("p", 1) == "ok"
    assert len(server.pauses) == 2


@pytest.mark.parametrize(
    "answer", [{"choices": []}, {"choices": [{"message": {"content": None}}]}, {"choice": 1}, 7]
)
def test_a_generator_without_a_text_is_unavailable(server: Server, answer: object) -> None:
    server.script = [lambda _body: ok(answer)]
    with pytest.raises(Unavailable):
        EndpointGenerator(server.endpoint(), "m").generate("p", 1)


def test_a_generator_that_is_refused_says_so(server: Server) -> None:
    server.script = [failing(401)]
    with pytest.raises(NotAllowed):
        EndpointGenerator(server.endpoint(), "m").generate("p", 1)
