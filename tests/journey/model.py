"""A model on loopback that follows a script and writes down what a client tells it."""

import json
import threading
from collections.abc import Callable, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

from tests.journey.wires import (
    PROGRAM,
    TOOL_SEARCHES,
    Json,
    Reply,
    Result,
    Turn,
    Wire,
    dumps,
    wire_of,
)

LAST_WORDS = "The script is done."


class Call(NamedTuple):
    """A call the model makes: the end of the tool's name, since clients put things before it."""

    tool: str
    arguments: Json


# What comes next may depend on the results so far.
Step = Call | Callable[[list[Result]], Call]


class ScriptedModel:
    """Serves on a free port; `url` is where. One conversation follows the script once."""

    def __init__(self, script: Sequence[Step]) -> None:
        self.script = script
        self.turns: list[Turn] = []
        self.unknown: list[str] = []
        self.escapes: list[str] = []
        self.faults: list[Exception] = []
        self._calls: dict[int, Call] = {}
        self._server = _Server(self)
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> "ScriptedModel":
        self._thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def conversation(self) -> list[Turn]:
        """The requests that offered tools; clients also ask for titles and the like."""
        return [turn for turn in self.turns if turn.tools]

    @property
    def results(self) -> list[Result]:
        """The results of all calls, as the client fed them back."""
        return max((turn.results for turn in self.turns), key=len, default=[])

    def reply(self, turn: Turn) -> Reply:
        """Return the next step. How far the script is, the conversation itself says."""
        self.turns.append(turn)
        if not turn.tools or len(turn.results) >= len(self.script):
            return Reply(None, {}, LAST_WORDS)
        try:
            call = self._call(turn.results)
        except Exception as fault:  # noqa: BLE001  (it belongs to the test, which is elsewhere)
            self.faults.append(fault)
            return Reply(None, {}, "The script failed.")
        return reach(call, turn) or Reply(None, {}, f"{call.tool} was not offered.")

    def _call(self, results: list[Result]) -> Call:
        """Return the call that follows these results; a client may ask for it more than once."""
        place = len(results)
        if place not in self._calls:
            step = self.script[place]
            self._calls[place] = step if isinstance(step, Call) else step(results)
        return self._calls[place]


def reach(call: Call, turn: Turn) -> Reply | None:
    """Return the call of a tool that is offered, else what brings it nearer."""
    name = ending(call.tool, turn)
    if name is not None:
        return Reply(name, call.arguments)
    search = next((name for name in TOOL_SEARCHES if name in turn.tools), None)
    if search is not None and not turn.has_looked_up:
        names = ",".join(sorted(turn.by_name_only))
        query = {"query": f"select:{names}", "max_results": 99} if names else {"query": "strata"}
        return Reply(search, query)
    program = ending(f"::{PROGRAM}", turn)
    if program is None:
        return None
    ask = f"await tools.mcp__strata__{call.tool}({dumps(call.arguments)})"
    return Reply(program, {"program": f"text(JSON.stringify(({ask}).structuredContent))"})


def ending(tool: str, turn: Turn) -> str | None:
    """Return the name under which a client offers a tool: it puts things before it."""
    return next((name for name in turn.tools if name.endswith(tool)), None)


class _Server(ThreadingHTTPServer):
    """The server, which knows the model it speaks for."""

    def __init__(self, model: ScriptedModel) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.model = model


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    @property
    def _model(self) -> ScriptedModel:
        assert isinstance(self.server, _Server)
        return self.server.model

    def do_HEAD(self) -> None:
        self._send(b"", "text/plain")

    def do_GET(self) -> None:
        self._json({"object": "list", "data": [], "models": []})

    def do_CONNECT(self) -> None:
        # We are the proxy too: a client that wants out of this machine asks here.
        self._model.escapes.append(self.path)
        self.send_error(403)

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        path, _mark, _query = self.path.partition("?")
        wire = wire_of(path)
        if wire is not None:
            self._answer(wire, json.loads(body), is_stream=":stream" in path)
        elif path.endswith(("/count_tokens", ":countTokens")):
            self._json({"input_tokens": 10, "totalTokens": 10})
        else:
            self._model.unknown.append(path)
            self._json({})

    def _answer(self, wire: Wire, request: Json, *, is_stream: bool) -> None:
        reply = self._model.reply(wire.read(request))
        name = request.get("model", "scripted")
        if not is_stream and not request.get("stream"):
            self._json(wire.whole(reply, name))
            return
        lines = [
            (f"event: {event}\n" if event else "")
            + f"data: {data if isinstance(data, str) else dumps(data)}\n\n"
            for event, data in wire.stream(reply, name)
        ]
        self._send("".join(lines).encode(), "text/event-stream")

    def _json(self, value: Json) -> None:
        self._send(dumps(value).encode(), "application/json")

    def _send(self, body: bytes, kind: str) -> None:
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Keep quiet: the turns are the record."""
