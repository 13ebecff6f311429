"""A declaration becomes schemas, and loose arguments become what a function takes."""

from contextlib import suppress
from typing import Annotated, Any, Literal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET, Meta, UnsetType

from strata.base.errors import InvalidArgument
from strata.base.values import Json
from strata.tools.arguments import convert
from strata.tools.declare import HIDDEN, Tool, ToolGroup, When
from strata.tools.schema import schema_of, struct_schema
from strata.tools.session import Call


class Point(msgspec.Struct, frozen=True):
    x: int
    label: str | None = None


class Answer(msgspec.Struct, frozen=True, omit_defaults=True):
    total: int
    note: Annotated[str | UnsetType, HIDDEN] = UNSET


def declared() -> Tool:
    surface = ToolGroup("test", pattern="t_{}", shared=("branch", "space"))

    @surface.reads(example={"name": "a"})
    def look(
        call: Call,
        *,
        name: Annotated[str, "A name"],
        many: Annotated[list[Point] | None, "Points"] = None,
        size: Annotated[int, Meta(description="How many", ge=1, le=9)] = 3,
        share: Annotated[float | None, "A share"] = None,
        when: Annotated[When | None, "A time"] = None,
        kind: Annotated[Literal["big", "small"], "A size"] = "big",
        value: Annotated[Json, "Anything"] = None,
        is_fine: Annotated[bool, "Really", HIDDEN] = False,
    ) -> Answer:
        """Look at something.

        More of it.
        """
        raise NotImplementedError

    return surface.tools[0]


TOOL = declared()


def test_the_signature_becomes_the_input_schema() -> None:
    assert TOOL.name == "t_look"
    assert TOOL.description == "Look at something. More of it."
    assert TOOL.input_schema["required"] == ["name"]
    properties = TOOL.input_schema["properties"]
    assert properties["size"] == {
        "type": "integer",
        "minimum": 1,
        "maximum": 9,
        "description": "How many",
        "default": 3,
    }
    assert properties["many"]["items"] == {
        "type": "object",
        "properties": {"x": {"type": "integer"}, "label": {"type": "string"}},
        "required": ["x"],
    }
    assert properties["when"]["type"] == ["string", "integer"]
    assert properties["kind"]["enum"] == ["big", "small"]
    assert "object" in properties["value"]["type"]
    assert {"branch", "space"} <= properties.keys()


def test_what_is_hidden_is_taken_but_not_listed() -> None:
    assert "is_fine" not in TOOL.input_schema["properties"]
    assert convert(TOOL.parameters, {"name": "a", "is_fine": "true"}) == {
        "name": "a",
        "is_fine": True,
    }
    assert "note" in TOOL.output_schema["properties"]
    assert "note" not in TOOL.listed_output["properties"]


def test_outputs_tell_what_is_always_there() -> None:
    assert struct_schema(Answer)["required"] == ["total"]
    assert struct_schema(Point)["required"] == ["x", "label"]
    assert schema_of(list[str]) == {"type": "array", "items": {"type": "string"}}


@pytest.mark.parametrize(
    ("given_arguments", "expected"),
    [
        ({"name": 5}, {"name": "5"}),
        ({"name": "a", "size": "4"}, {"name": "a", "size": 4}),
        ({"name": "a", "size": 4.0}, {"name": "a", "size": 4}),
        ({"name": "a", "share": "0.5"}, {"name": "a", "share": 0.5}),
        ({"name": "a", "many": '[{"x": "1"}]'}, {"name": "a", "many": [Point(1)]}),
        ({"name": "a", "many": {"x": 1, "label": None}}, {"name": "a", "many": [Point(1)]}),
        ({"name": "a", "kind": "SMALL"}, {"name": "a", "kind": "small"}),
        ({"name": "a", "isFine": 1}, {"name": "a", "is_fine": True}),
        ({"name": "a", "value": None, "when": None}, {"name": "a", "value": None}),
        (
            {"name": "a", "value": '{"kept": "as text"}'},
            {"name": "a", "value": '{"kept": "as text"}'},
        ),
    ],
)
def test_arguments_may_be_written_loosely(
    given_arguments: dict[str, Any], expected: dict[str, Any]
) -> None:
    assert convert(TOOL.parameters, given_arguments) == expected


@pytest.mark.parametrize(
    ("given_arguments", "word"),
    [
        ({}, "name must be given"),
        ({"nam": "a"}, "'nam'"),
        ({"name": "a", "size": 10}, "from 1 to 9"),
        ({"name": "a", "size": True}, "whole number"),
        ({"name": "a", "size": "many"}, "whole number"),
        ({"name": "a", "share": "much"}, "a number"),
        ({"name": "a", "kind": "huge"}, "'huge'"),
        ({"name": "a", "many": [{"label": "x"}]}, "many[0] lacks x"),
        ({"name": "a", "many": [{"x": 1, "y": 2}]}, "'y'"),
        ({"name": "a", "many": [3]}, "many[0]"),
        ({"name": "a", "is_fine": "maybe"}, "true or false"),
        ({"name": {"a": 1}}, "an object"),
    ],
)
def test_what_does_not_fit_is_named(given_arguments: dict[str, Any], word: str) -> None:
    with pytest.raises(InvalidArgument) as caught:
        convert(TOOL.parameters, given_arguments)
    assert word in caught.value.message


def test_a_long_text_is_not_repeated_in_an_error() -> None:
    with pytest.raises(InvalidArgument) as caught:
        convert(TOOL.parameters, {"name": "a", "size": "secret" * 1000})
    assert len(str(caught.value)) < 200


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
names = st.sampled_from([p.name for p in TOOL.parameters]) | st.text()


@given(st.dictionaries(names, anything, max_size=6))
def test_whatever_is_sent_fits_or_is_refused(arguments: dict[str, Any]) -> None:
    with suppress(InvalidArgument):
        found = convert(TOOL.parameters, arguments)
        assert isinstance(found["name"], str)
        assert 1 <= found.get("size", 1) <= 9
