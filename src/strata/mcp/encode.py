"""What tools, answers and prompts look like on the wire; the one place that knows."""

from binascii import b2a_base64
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from strata.tools import MEDIA_TYPE, PAGES, CallOutcome, Exposure, Prompt, Tool, registry

if TYPE_CHECKING:
    from strata.access import Grant

_text = msgspec.json.Encoder().encode


def tool_entry(tool: Tool, name: str | None = None) -> dict[str, Any]:
    """Return a tool as `tools/list` shows it, perhaps under another name."""
    entry: dict[str, Any] = {
        "name": name or tool.name,
        "title": tool.title,
        "description": tool.description,
        "inputSchema": tool.input_schema,
    }
    if tool.listed_output:
        entry["outputSchema"] = tool.listed_output
    entry["annotations"] = _annotations(tool)
    return entry if tool.view is None else {**entry, "_meta": {"ui": {"resourceUri": tool.view}}}


def _annotations(tool: Tool) -> dict[str, bool]:
    if tool.reads_only:
        return {"readOnlyHint": True, "openWorldHint": tool.open_world}
    return {
        "readOnlyHint": False,
        "destructiveHint": tool.destructive,
        "idempotentHint": tool.idempotent,
        "openWorldHint": tool.open_world,
    }


def tool_entries(exposure: Exposure) -> list[dict[str, Any]]:
    """Return the tools of `tools/list`."""
    return [tool_entry(tool, exposure.spelled(tool)) for tool in exposure.tools]


def call_result(outcome: CallOutcome) -> dict[str, Any]:
    """Return an answer both ways: some clients read the text, some the structure only.

    An error is text alone: its structure is not the one that the tool's schema promises. A
    picture comes without structure: clients that prefer it would not look at the picture.
    """
    text = {"type": "text", "text": _text(outcome.value).decode()}
    if outcome.png is not None:
        data = b2a_base64(outcome.png, newline=False).decode()
        picture = {"type": "image", "data": data, "mimeType": "image/png"}
        return {"content": [picture, text], "isError": False}
    if outcome.is_error:
        return {"content": [text], "isError": True}
    return {"content": [text], "structuredContent": outcome.value, "isError": False}


def resource_entries(exposure: Exposure) -> list[dict[str, Any]]:
    """Return the pages that can show answers of these tools, as `resources/list` shows them."""
    return [
        {
            "uri": uri,
            "name": uri.rpartition("/")[2],
            "title": PAGES[uri].title,
            "mimeType": MEDIA_TYPE,
        }
        for uri in dict.fromkeys(tool.view for tool in exposure.tools if tool.view)
    ]


def resource_result(uri: str, exposure: Exposure) -> dict[str, Any] | None:
    """Return what `resources/read` answers; None where there is no such page."""
    if all(uri != tool.view for tool in exposure.tools):
        return None
    # Whatever the client adds to the page, it stays within it.
    meta = {"ui": {"prefersBorder": True}}
    page = {"uri": uri, "mimeType": MEDIA_TYPE, "text": PAGES[uri].html, "_meta": meta}
    return {"contents": [page]}


def unknown_tool(name: str, exposure: Exposure, grant: "Grant | None" = None) -> str:
    """Say why a tool cannot be called here, and what would help."""
    tool = registry().find(name)
    if tool is not None and grant is not None and not grant.permits(tool.group):
        return f"Tool {tool.name} is in the group {tool.group}, which this token may not use."
    if exposure.hides_for_writing(name) and exposure.proposes:
        return f"Tool {name} is not for callers whose changes wait for a user's decision."
    if exposure.hides_for_writing(name):
        return f"Tool {name} writes, and here everything is for reading only."
    if tool is not None:
        return f"Unknown tool: {name}. It is in the group {tool.group!r}, which this server was not asked for: add it to --groups or X-Strata-Tool-Groups."  # noqa: E501
    from difflib import get_close_matches  # noqa: PLC0415  (needed for this error only)

    close = get_close_matches(name, [tool.name for tool in registry().all()], n=1)
    return f"Unknown tool: {name[:100]}." + (f" Did you mean {close[0]}?" if close else "")


def prompt_entry(prompt: Prompt) -> dict[str, Any]:
    """Return a prompt as `prompts/list` shows it."""
    entry: dict[str, Any] = {
        "name": prompt.name,
        "title": prompt.title,
        "description": prompt.description,
    }
    if prompt.argument is not None:
        about = {"description": prompt.about_argument, "required": False}
        entry["arguments"] = [{"name": prompt.argument, **about}]
    return entry


def prompt_result(
    prompt: Prompt, arguments: dict[str, Any], digest: Sequence[str] = ()
) -> dict[str, Any]:
    """Return what `prompts/get` answers: where work stopped, if that is known, and the prompt."""
    filled = prompt.filled(str(arguments.get(prompt.argument or "", "")))
    text = "\n".join([*digest, "", filled] if digest else [filled])
    content = {"type": "text", "text": text}
    return {
        "description": prompt.description,
        "messages": [{"role": "user", "content": content}],
    }
