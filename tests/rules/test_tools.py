"""What every declaration of a tool promises: names, words, and schemas that all clients accept."""

import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from strata.mcp.encode import tool_entries, tool_entry
from strata.tools import PAGE_GROUP, PROMPTS, Tool, expose, instructions_for, registry

NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
COUNTS = {
    "memory": 8,
    "core": 6,
    "comments": 2,
    "publishing": 3,
    "collaboration": 1,
    "agents": 2,
    "decisions": 10,
    "developer": 74,
    "developer_compact": 3,
    "legacy": 4,
}
LIST_CHARACTERS_MAX = 9_000
INSTRUCTION_CHARACTERS_MAX = 600
# What some client or model API refuses, somewhere in a schema.
FORBIDDEN = {"$ref", "$defs", "anyOf", "oneOf", "allOf", "not", "if", "patternProperties"}

every_tool = pytest.mark.parametrize(
    "tool", [*registry().all(), *registry().tools(PAGE_GROUP)], ids=lambda tool: tool.name
)


def test_each_group_has_the_promised_number_of_tools() -> None:
    assert {group: len(registry().tools(group)) for group in registry().groups} == COUNTS


@every_tool
def test_a_name_fits_the_protocol_and_every_client(tool: Tool) -> None:
    assert NAME.fullmatch(tool.name)
    # Claude Code and Gemini CLI put the server's name before it, and cut at 64.
    assert len(f"mcp__strata__{tool.name}") <= 64


def test_no_two_names_are_equal_after_clients_have_mangled_them() -> None:
    for mangle in (str.lower, lambda name: re.sub(r"[^a-z0-9]", "", name), lambda name: name[:50]):
        for group in registry().groups:
            names = [mangle(tool.name) for tool in registry().tools(group)]
            assert len(set(names)) == len(names)


@every_tool
def test_the_first_line_is_one_sentence_and_every_parameter_is_described(tool: Tool) -> None:
    first = tool.description.partition(". ")[0]
    assert first[0].isupper()
    assert tool.description.endswith(".")
    assert 10 <= len(first) <= 120
    assert [p.name for p in tool.parameters if not p.description.strip()] == []


@every_tool
def test_schemas_are_flat_and_portable(tool: Tool) -> None:
    # A picture is no structure, and has none.
    answers = () if tool.name == "get_image" else (tool.output_schema, tool.listed_output)
    for schema in (tool.input_schema, *answers):
        assert schema["type"] == "object"
        for part in parts(schema):
            assert not FORBIDDEN & part.keys(), part
            if part.get("type") == "array":
                assert "items" in part, part
    for part in parts(tool.input_schema):
        if part is not tool.input_schema and "properties" not in part and "items" not in part:
            assert part == {} or "type" in part, part


@every_tool
def test_a_tool_has_an_example_that_it_takes(tool: Tool) -> None:
    required = set(tool.input_schema.get("required", ()))
    assert required <= set(tool.example), "the example lacks what is required"
    known = {parameter.name for parameter in tool.parameters}
    assert set(tool.example) <= known


def test_the_list_of_the_eight_tools_is_short() -> None:
    listed = msgspec.json.encode({"tools": tool_entries(expose())}).decode()
    assert len(listed) <= LIST_CHARACTERS_MAX


def test_the_list_of_the_six_tools_of_documents_is_short() -> None:
    listed = msgspec.json.encode({"tools": tool_entries(expose("core"))}).decode()
    assert len(listed) <= LIST_CHARACTERS_MAX


def test_annotations_are_as_promised() -> None:
    def hints(name: str) -> dict[str, bool]:
        tool = registry().find(f"strata_{name}")
        assert tool is not None
        return tool_entry(tool)["annotations"]

    for name in ("recall", "search", "history", "status"):
        assert hints(name)["readOnlyHint"] is True
    writing = {"readOnlyHint": False, "destructiveHint": False, "openWorldHint": False}
    assert hints("store") == {**writing, "idempotentHint": True}
    assert hints("forget") == {**writing, "destructiveHint": True, "idempotentHint": True}
    assert hints("log") == {**writing, "idempotentHint": False}
    assert hints("branch")["readOnlyHint"] is False
    assert hints("branch")["destructiveHint"] is False


def test_instructions_are_short_and_name_real_tools() -> None:
    chosen = [
        ("memory",),
        ("memory", "decisions"),
        ("decisions",),
        ("developer",),
        ("core",),
        ("memory", "core"),
        ("core", "decisions"),
        ("memory", "core", "decisions"),
    ]
    told = {groups: instructions_for(groups) for groups in chosen}
    assert max(len(text) for text in told.values()) <= INSTRUCTION_CHARACTERS_MAX
    for group in ("decisions", "core"):
        for name in re.findall(r"[a-z]+_[a-z_]+", told[group,]):
            tool = registry().find(name)
            assert tool is not None
            assert tool.group == group
    texts = [*told.values(), *(prompt.text for prompt in PROMPTS)]
    named = {name for text in texts for name in re.findall(r"strata_[a-z]+", text)}
    assert {name for name in named if registry().find(name) is None} == set()
    assert [prompt.name for prompt in PROMPTS] == ["resume", "decide", "review"]


def parts(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield a schema and every schema inside it."""
    yield schema
    for part in schema.get("properties", {}).values():
        yield from parts(part)
    if isinstance(schema.get("items"), dict):
        yield from parts(schema["items"])
