"""A small OpenAI-compatible server on the loopback, and clients that speak to Strata's core."""

import json
import queue
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from strata.mcp.core import Core
from strata.tools import Session


class Endpoint:
    """Answers chat completions of the model `writer`, and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self.pause_s = 0.0
        self.answer: Callable[[str], str] = lambda prompt: f"답: {prompt}"
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                outer.asked.append(body)
                outer.keys.append(self.headers.get("Authorization"))
                time.sleep(outer.pause_s)
                status, value = outer.reply(body)
                data = json.dumps(value).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, format: str, *args: object) -> None:
                """Say nothing."""

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()
        self.url = f"http://127.0.0.1:{self._http.server_port}/v1"

    def reply(self, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        """Return status and answer of a request."""
        if body["model"] != "writer":
            return 404, {"error": {"message": f"The model {body['model']} is not here."}}
        text = self.answer(body["messages"][0]["content"])
        choice = {"index": 0, "message": {"role": "assistant", "content": text}}
        usage = {"prompt_tokens": 5, "completion_tokens": 3, "total_tokens": 8}
        return 200, {"choices": [{**choice, "finish_reason": "length"}], "usage": usage}

    def close(self) -> None:
        """Stop serving."""
        self._http.shutdown()
        self._http.server_close()
        self._thread.join(30)


class Threads:
    """Runs each call in a thread of its own, as a server's pool may."""

    def submit(self, work: Callable[[], None], /) -> object:
        """Run a piece of work."""
        thread = threading.Thread(target=work)
        thread.start()
        return thread


class Wire:
    """A client of the protocol, with the server's core in the same process."""

    def __init__(self, session: Session) -> None:
        self._got: queue.Queue[dict[str, Any]] = queue.Queue()
        self.notices: list[dict[str, Any]] = []
        self._core = Core(session, self._got.put, Threads())
        self._last = 0
        about = {"name": "test", "version": "1"}
        self.request("initialize", protocolVersion="2025-11-25", capabilities={}, clientInfo=about)

    def request(self, method: str, **params: Any) -> dict[str, Any]:
        """Ask, and return the result as it comes over the wire."""
        self._last += 1
        message = {"jsonrpc": "2.0", "id": self._last, "method": method, "params": params}
        self._core.receive(json.loads(json.dumps(message)))
        while True:
            got = json.loads(json.dumps(self._got.get(timeout=60)))
            if "id" in got:
                assert "error" not in got, got
                return got["result"]
            self.notices.append(got)

    def call(self, name: str, arguments: dict[str, Any], **meta: Any) -> dict[str, Any]:
        """Call a tool and return its result."""
        return self.request("tools/call", name=name, arguments=arguments, _meta=meta)

    def close(self) -> None:
        """Hang up."""
        self._core.close()
