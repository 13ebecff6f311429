"""A model on loopback that says what a test tells it to, in the words of both makers."""

import json
import threading
from collections.abc import Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import MappingProxyType
from typing import Any, NamedTuple

# One answer: a text, calls of tools by name and arguments, or a status with headers.
Step = "str | list[tuple[str, dict[str, Any]]] | Failure"


class Failure(NamedTuple):
    """An answer that is none."""

    status: int
    headers: Mapping[str, str] = MappingProxyType({})
    body: str = '{"error": {"message": "no"}}'


class Asked(NamedTuple):
    """A request as it arrived."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def tools(self) -> dict[str, dict[str, Any]]:
        """The tools that were offered, by name, with what they take."""
        listed = self.body.get("tools", [])
        plain = [tool.get("function", tool) for tool in listed]
        return {tool["name"]: tool.get("parameters") or tool["input_schema"] for tool in plain}

    @property
    def results(self) -> list[Any]:
        """What tools have answered so far."""
        found: list[Any] = []
        for message in self.body["messages"]:
            if message["role"] == "tool":
                found.append(json.loads(message["content"]))
            elif isinstance(message["content"], list):
                parts = [part for part in message["content"] if part["type"] == "tool_result"]
                found += [json.loads(_text(part["content"])) for part in parts]
        return found


def _text(content: Any) -> str:
    return content if isinstance(content, str) else "".join(part["text"] for part in content)


class Scripted:
    """The model: answers one step after another, and remembers what it was asked."""

    def __init__(self, steps: Sequence[Any]) -> None:
        self.steps = list(steps)
        self.asked: list[Asked] = []
        self.release = threading.Event()
        self.release.set()
        self._held_after: int | None = None
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    def hold_after(self, answers: int) -> None:
        """Answer so many requests, and let the next ones wait until `release` is set."""
        self._held_after = len(self.asked) + answers

    def close(self) -> None:
        self.release.set()
        self._server.shutdown()
        self._server.server_close()

    def results(self) -> list[Any]:
        """What tools answered over the whole conversation."""
        return self.asked[-1].results

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        model = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, format: str, *_: object) -> None:
                pass

            def do_POST(self) -> None:
                size = int(self.headers["content-length"])
                body = json.loads(self.rfile.read(size))
                headers = {name.lower(): value for name, value in self.headers.items()}
                if len(model.asked) == model._held_after:
                    model.release.clear()
                model.asked.append(Asked(self.path, headers, body))
                model.release.wait(30)
                step = model.steps.pop(0) if model.steps else "done"
                if isinstance(step, Failure):
                    self._send(step.status, step.body.encode(), step.headers)
                    return
                made = _openai(step) if "completions" in self.path else _anthropic(step)
                self._send(200, json.dumps(made).encode(), {})

            def _send(self, status: int, data: bytes, headers: Mapping[str, str]) -> None:
                self.send_response(status)
                for name, value in {"content-type": "application/json", **headers}.items():
                    self.send_header(name, value)
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

        return Handler


def _openai(step: Any) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": step}
    if not isinstance(step, str):
        calls = [
            {
                "id": f"call_{at}",
                "type": "function",
                "function": {"name": name, "arguments": json.dumps(arguments)},
            }
            for at, (name, arguments) in enumerate(step)
        ]
        message = {"role": "assistant", "content": None, "tool_calls": calls}
    reason = "stop" if isinstance(step, str) else "tool_calls"
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "scripted",
        "choices": [{"index": 0, "message": message, "finish_reason": reason}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15},
    }


def _anthropic(step: Any) -> dict[str, Any]:
    content: list[dict[str, Any]] = [{"type": "text", "text": step}]
    if not isinstance(step, str):
        content = [
            {"type": "tool_use", "id": f"toolu_{at}", "name": name, "input": arguments}
            for at, (name, arguments) in enumerate(step)
        ]
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "scripted",
        "content": content,
        "stop_reason": "end_turn" if isinstance(step, str) else "tool_use",
        "stop_sequence": None,
        "usage": {"input_tokens": 10, "output_tokens": 5},
    }
