"""The four forms in which clients speak to a model: read a request, write the next reply.

Anthropic messages, OpenAI chat completions and responses, and Gemini generateContent, each
streamed or whole. A wire turns a request into a Turn and a Reply into what the client expects.
"""

import json
import re
from collections.abc import Iterator, Mapping
from itertools import count
from typing import Any, NamedTuple, Protocol

Json = dict[str, Any]
# An event of a stream: its name, if the wire gives one, and its data.
Event = tuple[str | None, Json | str]
# Clients that keep the tools of servers out of the prompt have one tool to reach them by: in Claude
# Code and for some models of Codex it brings their schemas, for others it runs a program.
TOOL_SEARCHES = ("ToolSearch", "tool_search")
PROGRAM = "exec"
_numbers = count(1)


class Tool(NamedTuple):
    """A tool as a client offers it to the model."""

    name: str
    description: str
    schema: Json


class Result(NamedTuple):
    """The result of a call as a client feeds it back: the text, and the JSON in it if any."""

    text: str

    @property
    def data(self) -> Any:
        """Return the JSON of the text, which clients may put behind a few words of their own."""
        start = self.text.find("{")
        assert start >= 0, f"no JSON came back but: {self.text}"
        return json.JSONDecoder().raw_decode(self.text[start:])[0]


class Turn(NamedTuple):
    """One request of a client to the model: tools it may call, and names it may look up."""

    wire: str
    tools: dict[str, Tool]
    results: list[Result]
    prompt: str
    by_name_only: frozenset[str] = frozenset()
    has_looked_up: bool = False

    @property
    def offered(self) -> set[str]:
        """The names of all tools that the model knows of."""
        return {*self.tools, *self.by_name_only}


class Reply(NamedTuple):
    """What the model says: a call of a tool, or words."""

    tool: str | None
    arguments: Json
    text: str = ""


class Wire(Protocol):
    """One wire form."""

    def read(self, request: Json) -> Turn: ...
    def whole(self, reply: Reply, model: str) -> Json: ...
    def stream(self, reply: Reply, model: str) -> Iterator[Event]: ...


def wire_of(path: str) -> Wire | None:
    """Return the wire form that a path belongs to."""
    for ending, wire in WIRES.items():
        if path.endswith(ending):
            return wire
    return None


class Messages:
    """Anthropic messages."""

    def read(self, request: Json) -> Turn:
        tools = [
            Tool(tool["name"], tool.get("description", ""), tool.get("input_schema", {}))
            for tool in request.get("tools", [])
        ]
        blocks = [
            block
            for message in request["messages"]
            if isinstance(message["content"], list)
            for block in message["content"]
        ]
        looked_up = {block["id"] for block in blocks if block.get("name") in TOOL_SEARCHES}
        results = [
            Result(joined(block.get("content", "")))
            for block in blocks
            if block["type"] == "tool_result" and block["tool_use_id"] not in looked_up
        ]
        read = turn("messages", tools, results, request)
        named = re.findall(r"\\n(mcp__\w+)", read.prompt)
        unread = frozenset(named) - read.tools.keys()
        return read._replace(by_name_only=unread, has_looked_up=bool(looked_up))

    def whole(self, reply: Reply, model: str) -> Json:
        stop = "tool_use" if reply.tool else "end_turn"
        return {
            **self._message(model),
            "content": [self._block(reply)],
            "stop_reason": stop,
        }

    def stream(self, reply: Reply, model: str) -> Iterator[Event]:
        block = self._block(reply)
        if reply.tool:
            start = {**block, "input": {}}
            delta = {"type": "input_json_delta", "partial_json": dumps(reply.arguments)}
        else:
            start = {**block, "text": ""}
            delta = {"type": "text_delta", "text": reply.text}
        ended = {"stop_reason": "tool_use" if reply.tool else "end_turn", "stop_sequence": None}
        yield typed("message_start", message=self._message(model))
        yield typed("content_block_start", index=0, content_block=start)
        yield typed("content_block_delta", index=0, delta=delta)
        yield typed("content_block_stop", index=0)
        yield typed("message_delta", delta=ended, usage={"output_tokens": 5})
        yield typed("message_stop")

    def _message(self, model: str) -> Json:
        return {
            "id": fresh("msg"),
            "type": "message",
            "role": "assistant",
            "model": model,
            "content": [],
            "stop_reason": None,
            "stop_sequence": None,
            "usage": {"input_tokens": 10, "output_tokens": 1},
        }

    def _block(self, reply: Reply) -> Json:
        if reply.tool is None:
            return {"type": "text", "text": reply.text}
        call = {"name": reply.tool, "input": reply.arguments}
        return {"type": "tool_use", "id": fresh("toolu"), **call}


class Chat:
    """OpenAI chat completions."""

    def read(self, request: Json) -> Turn:
        functions = [tool["function"] for tool in request.get("tools", [])]
        tools = [
            Tool(function["name"], function.get("description", ""), function.get("parameters", {}))
            for function in functions
        ]
        answers = [message for message in request["messages"] if message["role"] == "tool"]
        results = [Result(joined(message["content"])) for message in answers]
        return turn("chat", tools, results, request)

    def whole(self, reply: Reply, model: str) -> Json:
        choice = {"index": 0, "message": self._message(reply), "finish_reason": self._end(reply)}
        return {**self._head("chat.completion", model), "choices": [choice], "usage": self._usage()}

    def stream(self, reply: Reply, model: str) -> Iterator[Event]:
        head = self._head("chat.completion.chunk", model)
        said = {"index": 0, "delta": self._message(reply), "finish_reason": None}
        ended = {"index": 0, "delta": {}, "finish_reason": self._end(reply)}
        yield None, {**head, "choices": [said]}
        yield None, {**head, "choices": [ended], "usage": self._usage()}
        yield None, "[DONE]"

    def _head(self, kind: str, model: str) -> Json:
        return {"id": fresh("chat"), "object": kind, "created": 0, "model": model}

    def _usage(self) -> Json:
        return {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}

    def _end(self, reply: Reply) -> str:
        return "tool_calls" if reply.tool else "stop"

    def _message(self, reply: Reply) -> Json:
        if reply.tool is None:
            return {"role": "assistant", "content": reply.text}
        function = {"name": reply.tool, "arguments": dumps(reply.arguments)}
        call = {"index": 0, "id": fresh("call"), "type": "function", "function": function}
        return {"role": "assistant", "content": None, "tool_calls": [call]}


class Responses:
    """OpenAI responses. Tools may stand in a namespace; then both names travel apart."""

    def read(self, request: Json) -> Turn:
        items = request["input"]
        # Some models are told of tools in the conversation: at its start, or as they look them up.
        later = [tool for item in items for tool in item.get("tools", [])]
        tools = list(self._tools([*request.get("tools", []), *later]))
        kinds = ("function_call_output", "custom_tool_call_output")
        results = [Result(joined(item["output"])) for item in items if item["type"] in kinds]
        looked_up = any(item["type"] == "tool_search_output" for item in items)
        return turn("responses", tools, results, request)._replace(has_looked_up=looked_up)

    def whole(self, reply: Reply, model: str) -> Json:
        details = {
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens_details": {"reasoning_tokens": 0},
        }
        usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2, **details}
        return {
            "id": fresh("resp"),
            "object": "response",
            "created_at": 0,
            "status": "completed",
            "model": model,
            "output": [self._item(reply)],
            "usage": usage,
        }

    def stream(self, reply: Reply, model: str) -> Iterator[Event]:
        done = self.whole(reply, model)
        item = done["output"][0]
        begun = {**done, "status": "in_progress", "output": []}
        yield typed("response.created", response=begun)
        yield typed("response.output_item.added", output_index=0, item=item)
        yield typed("response.output_item.done", output_index=0, item=item)
        yield typed("response.completed", response=done)

    def _tools(self, offered: list[Json], inside: str = "") -> Iterator[Tool]:
        for tool in offered:
            if tool["type"] == "namespace":
                yield from self._tools(tool["tools"], f"{tool['name']}::")
            elif tool["type"] in ("function", "custom", "tool_search"):
                name = inside + tool.get("name", tool["type"])
                yield Tool(name, tool.get("description", ""), tool.get("parameters", {}))

    def _item(self, reply: Reply) -> Json:
        if reply.tool is None:
            words = {"type": "output_text", "text": reply.text, "annotations": []}
            item = {"type": "message", "role": "assistant", "content": [words]}
            return {**item, "id": fresh("msg"), "status": "completed"}
        own = {"id": fresh("fc"), "call_id": fresh("call"), "status": "completed"}
        if reply.tool in TOOL_SEARCHES:
            search = {"type": "tool_search_call", "execution": "client"}
            return {**own, **search, "arguments": reply.arguments}
        namespace, _separator, name = reply.tool.rpartition("::")
        inside = {"namespace": namespace} if namespace else {}
        if name == PROGRAM:
            item = {"type": "custom_tool_call", "name": name, "input": reply.arguments["program"]}
        else:
            item = {"type": "function_call", "name": name, "arguments": dumps(reply.arguments)}
        return {**own, **item, **inside}


class Gemini:
    """Gemini generateContent."""

    def read(self, request: Json) -> Turn:
        declared = [
            function
            for group in request.get("tools", [])
            for function in group.get("functionDeclarations", [])
        ]
        tools = [
            Tool(function["name"], function.get("description", ""), self._schema(function))
            for function in declared
        ]
        parts = [part for content in request["contents"] for part in content.get("parts", [])]
        answers = [part["functionResponse"] for part in parts if "functionResponse" in part]
        results = [Result(self._text(answer.get("response", {}))) for answer in answers]
        return turn("gemini", tools, results, request)

    def whole(self, reply: Reply, model: str) -> Json:
        call = {"functionCall": {"name": reply.tool, "args": reply.arguments}}
        content = {"role": "model", "parts": [call if reply.tool else {"text": reply.text}]}
        used = {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}
        candidate = {"content": content, "finishReason": "STOP", "index": 0}
        return {"candidates": [candidate], "usageMetadata": used, "modelVersion": model}

    def stream(self, reply: Reply, model: str) -> Iterator[Event]:
        yield None, self.whole(reply, model)

    def _schema(self, function: Json) -> Json:
        return function.get("parametersJsonSchema") or function.get("parameters") or {}

    def _text(self, response: Json) -> str:
        said = response.get("output", response.get("error"))
        return said if isinstance(said, str) else dumps(response)


WIRES: Mapping[str, Wire] = {
    "/messages": Messages(),
    "/chat/completions": Chat(),
    "/responses": Responses(),
    ":generateContent": Gemini(),
    ":streamGenerateContent": Gemini(),
}


def turn(wire: str, tools: list[Tool], results: list[Result], request: Json) -> Turn:
    return Turn(wire, {tool.name: tool for tool in tools}, results, dumps(request))


def joined(content: str | list[Json]) -> str:
    """Return the text of a result that is a string, or a list of parts."""
    if isinstance(content, str):
        return content
    return "\n".join(part.get("text", dumps(part)) for part in content)


def typed(kind: str, **fields: Any) -> Event:
    """Return an event that carries its name in its data as well."""
    return kind, {"type": kind, **fields}


def fresh(kind: str) -> str:
    """Return an id that was not used before."""
    return f"{kind}_{next(_numbers)}"


def dumps(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
