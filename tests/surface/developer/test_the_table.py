"""Each of the seventy-four tools, once rightly and once wrongly, in this process and by MCP."""

import json
from typing import Any

import jsonschema
import pytest

from strata.mcp.encode import tool_entry
from strata.tools import CallOutcome, Session, Tool, call_tool, registry
from tests.surface.developer.loopback import Wire
from tests.surface.developer.table import CODES, TABLE, Many, Null, Row

TOOLS: dict[str, Tool] = {tool.name: tool for tool in registry().tools("developer")}
rows = pytest.mark.parametrize("row", TABLE, ids=lambda row: row.name)

TYPES: dict[str, Any] = {
    "string": "string",
    "int": "integer",
    "num": "number",
    "bool": "boolean",
    "object": "object",
    "time": ["string", "integer"],
}


def test_there_are_seventy_four_in_seventeen_categories() -> None:
    from strata.tools.developer import CATEGORIES

    assert len(TABLE) == len(TOOLS) == 74
    assert len(CATEGORIES) == 17
    assert [row.name for row in TABLE] == list(TOOLS)


# What tools take beside the table: those of these categories work on a branch and in a space,
# these others on a branch, and all the rest on neither.
IN_A_SPACE = ("kv", "state", "event", "json", "vector")
ON_A_BRANCH = frozenset(
    "strata_db_info strata_db_time_range strata_space_list strata_space_create"
    " strata_space_exists strata_space_delete strata_branch_fork strata_branch_merge"
    " strata_txn_begin strata_search".split()
)


@rows
def test_it_takes_what_the_table_says_and_a_branch_and_a_space_where_they_count(row: Row) -> None:
    schema = TOOLS[row.name].input_schema
    taken = [part.split() for part in row.takes.split(", ") if part]
    names = [name.rstrip("*") for name, _kind in taken]
    assert [name for name in schema["properties"] if name in names] == names
    is_in_space = row.name.split("_")[1] in IN_A_SPACE
    shared = {"branch"} if is_in_space or row.name in ON_A_BRANCH else set[str]()
    shared |= {"space"} if is_in_space else set()
    assert set(schema["properties"]) - set(names) == shared - set(names)
    assert schema.get("required", []) == [name.rstrip("*") for name, _kind in taken if "*" in name]
    for name, kind in taken:
        found = schema["properties"][name.rstrip("*")]
        if "|" in kind:
            assert found["enum"] == kind.split("|")
        elif kind.endswith("[]"):
            item = {"number": "number", **TYPES}[kind[:-2]]
            assert (found["type"], found["items"]["type"]) == ("array", item)
        elif kind == "any":
            assert {"string", "number", "object", "array"} <= set(found["type"])
        else:
            assert found["type"] == TYPES[kind]


@rows
def test_every_word_about_it_is_there(row: Row) -> None:
    tool = TOOLS[row.name]
    entry = tool_entry(tool)
    summary = (tool.function.__doc__ or "").partition("\n\n")[0]
    assert summary.endswith(".")
    assert "\n" not in summary
    assert len(tool.description) > len(summary) + 10
    assert all(one["description"] for one in tool.input_schema["properties"].values())
    assert entry["annotations"]["readOnlyHint"] is tool.reads_only
    jsonschema.Draft202012Validator.check_schema(entry["inputSchema"])
    jsonschema.Draft202012Validator.check_schema(entry["outputSchema"])
    jsonschema.validate(tool.example, entry["inputSchema"])


@rows
def test_a_right_call_answers_in_its_shape(
    row: Row, session: Session, full: dict[str, str]
) -> None:
    for name, arguments in row.before:
        assert not call_tool(session, TOOLS[name], arguments).is_error
    outcome = call_tool(session, TOOLS[row.name], filled(row.arguments, full))
    assert not outcome.is_error, outcome.value
    check(outcome.value, row)


@rows
def test_a_wrong_call_is_an_error_that_teaches(
    row: Row, session: Session, full: dict[str, str]
) -> None:
    outcome = call_tool(session, TOOLS[row.name], filled(row.wrong, full))
    check_error(outcome, row)


@rows
def test_it_answers_the_same_over_the_wire(row: Row, wire: Wire, full: dict[str, str]) -> None:
    for name, arguments in row.before:
        assert not wire.call(name, arguments)["isError"]
    result = wire.call(row.name, filled(row.arguments, full))
    assert not result["isError"], result
    assert json.loads(result["content"][0]["text"]) == result["structuredContent"]
    check(result["structuredContent"], row)


@rows
def test_a_wrong_call_over_the_wire_is_a_result_with_is_error(
    row: Row, wire: Wire, full: dict[str, str]
) -> None:
    result = wire.call(row.name, filled(row.wrong, full))
    assert result["isError"]
    check_error(CallOutcome(json.loads(result["content"][0]["text"]), is_error=True), row)


def test_the_wire_lists_all_of_them(wire: Wire) -> None:
    listed = wire.request("tools/list")["tools"]
    assert {one["name"] for one in listed} >= set(TOOLS)
    by_name = {one["name"]: one for one in listed}
    assert "primitives" in by_name["strata_search"]["inputSchema"]["properties"]


def test_a_wrong_shape_would_be_noticed() -> None:
    for value, shape in (
        ({"version": "1"}, {"version": int}),
        ({"version": True}, {"version": int}),
        ({"version": 1, "odd": 1}, {"version": int}),
        ({}, {"version": int}),
        ({"keys": [1]}, {"keys": [str]}),
    ):
        assert not fits(value, shape)
    assert fits({"keys": ["a"], "x": None}, {"keys": [str], "x": (int, None), "cursor?": str})


def filled(arguments: dict[str, Any], names: dict[str, str]) -> dict[str, Any]:
    """Put the names of this test's files and servers into arguments."""
    return {
        key: value.format(**names) if isinstance(value, str) and "{" in value else value
        for key, value in arguments.items()
    }


def check(value: dict[str, Any], row: Row) -> None:
    """Compare an answer with the table and with the schema that the tool promises."""
    shape = row.shape.shape if isinstance(row.shape, Null) else row.shape
    wanted = {shape.name: [shape.shape]} if isinstance(shape, Many) else shape
    assert fits(value, wanted), f"{value} is not {wanted}"
    if isinstance(shape, Many):
        assert value[shape.name], "an empty list shows no shape"
    schema = TOOLS[row.name].output_schema
    assert schema is not None
    jsonschema.validate(value, schema)
    assert set(value) <= set(schema["properties"])


def check_error(outcome: CallOutcome, row: Row) -> None:
    """Compare an error with the table: its code, a sentence, and the example where one helps."""
    assert outcome.is_error, outcome.value
    value = outcome.value
    assert value["code"] == row.code, value
    assert value["code"] in CODES
    assert value["message"].endswith(".")
    if "parameter" in value and row.arguments:
        assert value["example"]["tool"] == row.name


def fits(value: Any, shape: Any) -> bool:
    """Tell whether a value has a shape."""
    if shape is object:
        return True
    if isinstance(shape, tuple):
        return any(fits(value, one) for one in shape)
    if isinstance(shape, list):
        return isinstance(value, list) and all(fits(one, shape[0]) for one in value)
    if isinstance(shape, dict):
        return isinstance(value, dict) and fits_object(value, shape)
    if isinstance(shape, type):
        kinds = (int, float) if shape is float else (shape,)
        return isinstance(value, kinds) and (shape is bool or not isinstance(value, bool))
    return value == shape


def fits_object(value: dict[str, Any], shape: dict[str, Any]) -> bool:
    """Tell whether an object has the fields of a shape, and no others."""
    kinds = {name.rstrip("?"): kind for name, kind in shape.items()}
    needed = {name for name in shape if not name.endswith("?")}
    return needed <= set(value) <= set(kinds) and all(
        fits(value[name], kinds[name]) for name in value
    )
