"""The tools and prompts that the conformance suite asks for by name; mounted in its runs only."""

import logging
import time
from typing import Any

import msgspec

from strata.base.errors import StrataError
from strata.mcp import encode
from strata.tools import Call, CallOutcome, Prompt, ToolGroup

_log = logging.getLogger(__name__)
# One red pixel, and a tenth of a millisecond of silence.
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=="  # noqa: E501
SILENCE = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA="

suite = ToolGroup("memory", pattern="test_{}")
TOOL_GROUPS = (suite,)

TEXT = {"type": "text", "text": "This is a simple text response for testing."}
IMAGE = {"type": "image", "data": PIXEL, "mimeType": "image/png"}
AUDIO = {"type": "audio", "data": SILENCE, "mimeType": "audio/wav"}


def resource(uri: str, text: str, kind: str = "text/plain") -> dict[str, Any]:
    return {"type": "resource", "resource": {"uri": uri, "mimeType": kind, "text": text}}


class Contents(msgspec.Struct, frozen=True):
    """Contents that are shown as they are, which no tool of ours returns yet."""

    contents: list[Any]


class Failed(StrataError):
    """What the suite wants to see fail."""

    code = "failed"


@suite.reads()
def simple_text(call: Call) -> Contents:
    """Return a text."""
    return Contents([TEXT])


@suite.reads()
def image_content(call: Call) -> Contents:
    """Return a picture."""
    return Contents([IMAGE])


@suite.reads()
def audio_content(call: Call) -> Contents:
    """Return a sound."""
    return Contents([AUDIO])


@suite.reads()
def embedded_resource(call: Call) -> Contents:
    """Return a resource."""
    return Contents([resource("test://embedded-resource", "This is an embedded resource content.")])


@suite.reads()
def multiple_content_types(call: Call) -> Contents:
    """Return several kinds at once."""
    data = resource("test://mixed-content-resource", '{"test":"data"}', "application/json")
    return Contents([{"type": "text", "text": "Multiple content types test:"}, IMAGE, data])


@suite.reads()
def error_handling(call: Call) -> Contents:
    """Fail as a tool may."""
    raise Failed("This tool intentionally returns an error for testing")


@suite.reads()
def tool_with_progress(call: Call) -> Contents:
    """Report progress, as the suite prescribes."""
    for done in (0, 50, 100):
        call.progress("working", done, 100)
        time.sleep(0.05)
    return Contents([TEXT])


@suite.reads()
def logging_tool(call: Call) -> Contents:
    """Log something, which must not reach the client."""
    _log.warning("for the operator, not for the client")
    return Contents([TEXT])


@suite.reads()
def streaming_elicitation(call: Call) -> Contents:
    """Take a while; a server of ours never asks its client anything meanwhile."""
    call.progress("working", 1, 2)
    time.sleep(0.05)
    return Contents([TEXT])


class Said(Prompt, frozen=True):
    """A prompt with any number of arguments and messages of any kind."""

    arguments: tuple[str, ...] = ()
    contents: tuple[Any, ...] = ()

    def filled_contents(self, values: dict[str, str]) -> list[Any]:
        text = msgspec.json.encode(self.contents).decode()
        for name in self.arguments:
            text = text.replace("{" + name + "}", values.get(name, ""))
        return msgspec.json.decode(text)


def _said(name: str, *contents: Any, arguments: tuple[str, ...] = ()) -> Said:
    return Said(name, name, "Of the conformance suite.", "", arguments=arguments, contents=contents)


PROMPTS = (
    _said("test_simple_prompt", {"type": "text", "text": "This is a simple prompt for testing."}),
    _said(
        "test_prompt_with_arguments",
        {"type": "text", "text": "Prompt with arguments: arg1='{arg1}', arg2='{arg2}'"},
        arguments=("arg1", "arg2"),
    ),
    _said(
        "test_prompt_with_embedded_resource",
        resource("{resourceUri}", "Embedded resource content for testing."),
        {"type": "text", "text": "Please process the embedded resource above."},
        arguments=("resourceUri",),
    ),
    _said("test_prompt_with_image", IMAGE, {"type": "text", "text": "Please analyze the image."}),
)


# How these look on the wire, where our own way has no room for them.


def tool_entry(entry: dict[str, Any]) -> dict[str, Any]:
    """Show a tool without a schema of its results: contents have none."""
    return {key: value for key, value in entry.items() if key != "outputSchema"}


def call_result(outcome: CallOutcome) -> dict[str, Any]:
    if "contents" not in outcome.value:
        return _encoded(outcome)
    return {"content": outcome.value["contents"], "isError": outcome.is_error}


def prompt_entry(prompt: Said) -> dict[str, Any]:
    about = [{"name": name, "required": True} for name in prompt.arguments]
    return {"name": prompt.name, "description": prompt.description, "arguments": about}


def prompt_result(prompt: Said, arguments: dict[str, str], _digest: object = ()) -> dict[str, Any]:
    contents = prompt.filled_contents(arguments)
    return {"messages": [{"role": "user", "content": content} for content in contents]}


_encoded = encode.call_result
