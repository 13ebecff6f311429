"""The tools as pages and as TypeScript types, written from their declarations."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from strata.reference.pages import WRITTEN
from strata.tools import GROUPS, INSTRUCTIONS, PAGE_GROUP, PROMPTS, Parameter, Tool, registry

_TITLES = {
    "memory": "The tools of an agent",
    "core": "The tools of documents",
    "collaboration": "The tool of who is there",
    "comments": "The tools of comments and suggestions",
    "publishing": "The tools of publishing",
    "agents": "The tools of agents at work",
    "decisions": "The tools of decisions",
    "developer": "The tools of a developer",
    "developer_compact": "The tools that reach all others",
    "legacy": "The old names of MAMA 1.0",
}
_ABOUT = {
    "memory": "Eight tools, listed by `strata mcp` unless told otherwise.",
    "core": "Six tools, listed by `strata serve` unless told otherwise, and by `strata mcp --groups memory,core`; [how to use them](../how-to/documents.md). `get_image` answers with a picture, which has no members.",  # noqa: E501
    "collaboration": "One tool, listed by `strata mcp --groups core,collaboration` and by `strata serve` to clients that choose the group; [who is there](../how-to/web.md).",  # noqa: E501
    "comments": "Two tools, listed by `strata mcp --groups core,comments` and by `strata serve` to clients that choose the group; [how to use them](../how-to/review.md).",  # noqa: E501
    "publishing": "Three tools, listed by `strata mcp --groups core,publishing` and by `strata serve` to clients that choose the group; [how to use them](../how-to/publish.md).",  # noqa: E501
    "agents": "Two tools, listed by `strata mcp --groups core,agents` and by `strata serve` to clients that choose the group; [how to use them](../how-to/agents.md).",  # noqa: E501
    "decisions": "Ten tools, listed by `strata mcp --groups memory,decisions`; [how to use them](../how-to/decisions.md). `save/decision` and `save.decision` are the same as `save_decision`, and so on; `--tool-names` lists either.",  # noqa: E501
    "developer": "Listed by `strata mcp --developer`, in place of the eight. Every one is also a call of the [SDK](sdk.md).",  # noqa: E501
    "developer_compact": "Listed by `strata mcp --developer=compact`: three tools that search, describe and call the others.",  # noqa: E501
    "legacy": "Listed by `strata mcp --groups decisions,legacy`, for those who used MAMA 1.0; its other three tools are [tools of today](tools-decisions.md). Each answer names its successor in `deprecated`. They stay for all of 1.x.",  # noqa: E501
}
_TOOLS = """\
# {title}

{written}

{about} `strata call NAME` calls each of them from the shell. **Bold** parameters are required;
those in (parentheses) are taken but not listed to clients, to keep the list short. An answer is an
object; one that was cut has `truncated` and `next`, the call for the rest. An error has `code`,
`message` and often `hint` and `example`; the codes are in [errors](errors.md).
"""
_GUIDE = """
## Instructions

Every client puts this into the model's prompt:

> {instructions}

## Prompts

| prompt | argument | what it does |
|---|---|---|
{prompts}
"""
_TYPES = """\
// Written by `./dev python -m strata.reference`; do not edit.
// Arguments and answers of Strata's tools, for clients written in TypeScript.

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** What an answer that was cut says about its rest. */
export interface NextCall {
  tool: string;
  arguments: { [key: string]: Json };
}
"""
_PAGE_TYPES = """\
// Written by `./dev python -m strata.reference`; do not edit.
// Arguments and answers of the operations that only the page calls, beside all tools.

import type { Json, Tools } from "./tools";
export type { Json };
"""


def tool_pages() -> dict[str, str]:
    """Return a page for each group of tools, by the name of its file."""
    return {f"tools-{group.replace('_', '-')}.md": _page(group) for group in GROUPS}


def _page(group: str) -> str:
    head = _TOOLS.format(title=_TITLES[group], about=_ABOUT[group], written=WRITTEN)
    parts = [head, *(part for tool in registry().tools(group) for part in _tool(tool))]
    if group == "memory":
        rows = "\n".join(f"| {p.name} | {p.argument or ''} | {p.description} |" for p in PROMPTS)
        parts.append(_GUIDE.format(instructions=INSTRUCTIONS, prompts=rows))
    return "".join(parts)


def _tool(tool: Tool) -> Iterator[str]:
    yield f"\n## {tool.name}\n\n{tool.description}\n\n*{', '.join(_manners(tool))}*\n"
    if tool.parameters:
        yield "\n| parameter | type | |\n|---|---|---|\n"
        for parameter in tool.parameters:
            yield f"| {_name(parameter)} | {_type(parameter.schema)} | {_about(parameter)} |\n"
    yield f"\nAnswer: {_members(tool.output_schema)}\n"
    if tool.example:
        example = msgspec.json.encode(tool.example).decode()
        yield f"\n```json\n{example}\n```\n"


def _manners(tool: Tool) -> Iterator[str]:
    yield "reads only" if tool.reads_only else "writes"
    if tool.destructive:
        yield "destructive"
    if tool.idempotent and not tool.reads_only:
        yield "idempotent"
    if tool.open_world:
        yield "talks to the outside"


def _name(parameter: Parameter) -> str:
    if parameter.hidden:
        return f"(`{parameter.name}`)"
    return f"**`{parameter.name}`**" if parameter.required else f"`{parameter.name}`"


def _about(parameter: Parameter) -> str:
    default = parameter.schema.get("default")
    text = parameter.description.replace("|", "\\|")
    return f"{text} (default {default})" if default is not None else text


def _type(schema: Mapping[str, Any]) -> str:
    if "enum" in schema:
        return ", ".join(f"`{choice}`" for choice in schema["enum"])
    kinds = _kinds(schema)
    if len(kinds) > 1:
        return "any JSON" if len(kinds) > 3 else " or ".join(kinds)
    kind = kinds[0] if kinds else "any"
    if kind == "array":
        return f"list of {_type(schema.get('items', {}))}"
    if kind == "object" and "properties" in schema:
        return _members(schema)
    return kind


def _kinds(schema: Mapping[str, Any]) -> list[str]:
    """Return the types that a schema names."""
    kind: Any = schema.get("type", [])
    return [kind] if isinstance(kind, str) else list(kind)


def _members(schema: Mapping[str, Any]) -> str:
    required = schema.get("required", ())
    names = [f"`{n}`" if n in required else f"`{n}`?" for n in schema.get("properties", {})]
    return "{" + ", ".join(names) + "}"


def tool_types() -> str:
    """Return the TypeScript types of every tool."""
    # The same name in another group takes more, and has its own page.
    tools = [tool for tool in registry().all() if tool is registry().find(tool.name)]
    return _typed(_TYPES, tools, "/** Every tool by its name. */\nexport interface Tools {")


def page_types() -> str:
    """Return the TypeScript types of everything that the page can call."""
    about = (
        "/** Whatever the page can call, by its name. */\nexport interface Calls extends Tools {"
    )
    return _typed(_PAGE_TYPES, registry().tools(PAGE_GROUP), about)


def _typed(head: str, tools: Sequence[Tool], about: str) -> str:
    names = "\n".join(
        f"  {tool.name}: {{ arguments: {_camel(tool)}Arguments; answer: {_camel(tool)}Answer }};"
        for tool in tools
    )
    parts = (part for tool in tools for part in _typescript(tool))
    return f"{head}{''.join(parts)}\n{about}\n{names}\n}}\n"


def _typescript(tool: Tool) -> Iterator[str]:
    about = tool.description.partition(". ")[0].rstrip(".")
    yield f"\n/** {about}. */\nexport interface {_camel(tool)}Arguments {{\n"
    for parameter in tool.parameters:
        mark = "" if parameter.required else "?"
        yield f"  /** {parameter.description} */\n" if parameter.description else ""
        yield f"  {parameter.name}{mark}: {_ts(parameter.schema)};\n"
    yield f"}}\n\nexport type {_camel(tool)}Answer = {_ts(tool.output_schema)};\n"


def _camel(tool: Tool) -> str:
    return "".join(word.capitalize() for word in tool.name.split("_"))


_SIMPLE = {
    "string": "string",
    "integer": "number",
    "number": "number",
    "boolean": "boolean",
    "null": "null",
}


def _ts(schema: Mapping[str, Any]) -> str:
    if "enum" in schema:
        return " | ".join(f'"{choice}"' for choice in schema["enum"])
    kinds = _kinds(schema)
    if len(kinds) > 1:
        if "object" in kinds and "properties" not in schema:
            return "Json"
        return " | ".join(dict.fromkeys(_ts({**schema, "type": part}) for part in kinds))
    kind = kinds[0] if kinds else None
    if kind == "array":
        return f"({_ts(schema.get('items', {}))})[]"
    if kind == "object":
        return _ts_object(schema)
    return _SIMPLE.get(str(kind), "Json")


def _ts_object(schema: Mapping[str, Any]) -> str:
    if "properties" not in schema:
        return "{ [key: string]: Json }"
    required = schema.get("required", ())
    members = [
        f"{name}{'' if name in required else '?'}: {_ts_member(name, part)}"
        for name, part in schema["properties"].items()
    ]
    return "{ " + "; ".join(members) + " }"


def _ts_member(name: str, schema: Mapping[str, Any]) -> str:
    is_call = name == "next" and _kinds(schema) == ["object"]
    return "NextCall" if is_call else _ts(schema)
