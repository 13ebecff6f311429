"""Filters on metadata: eight operators, all of which must hold."""

from typing import Any

import pytest

from strata.base.errors import InvalidArgument
from strata.memory.filters import compile_filter

DATA: dict[str, Any] = {
    "n": 3,
    "x": 3.0,
    "yes": True,
    "none": None,
    "text": "한국어 문서",
    "tags": ["a", 1, None, {"k": 1}],
    "nested": {"이름": "값", "n": 1},
    "a.b": "plain",
    "a": {"b": "dotted", "c": 1},
}


def passes(field: str, op: str, value: Any) -> bool:
    test = compile_filter([{"field": field, "op": op, "value": value}])
    assert test is not None
    return test(DATA)


@pytest.mark.parametrize(
    ("field", "op", "value", "expected"),
    [
        ("n", "eq", 3, True),
        ("n", "eq", 3.0, True),
        ("n", "eq", "3", False),
        ("yes", "eq", 1, False),
        ("yes", "eq", True, True),
        ("none", "eq", None, True),
        ("missing", "eq", None, False),
        ("nested", "eq", {"n": 1, "이름": "값"}, True),
        ("n", "ne", 4, True),
        ("n", "ne", 3, False),
        ("missing", "ne", 3, True),
        ("n", "gt", 2, True),
        ("n", "gt", 3, False),
        ("n", "gte", 3, True),
        ("n", "lt", 3.5, True),
        ("n", "lt", 3, False),
        ("n", "lte", 3, True),
        ("n", "lte", 2, False),
        ("text", "gt", "한", True),
        ("text", "lt", "한", False),
        ("text", "gt", 1, False),
        ("n", "lt", "4", False),
        ("yes", "gt", 0, False),
        ("n", "gt", True, False),
        ("none", "lt", 1, False),
        ("missing", "lt", 1, False),
        ("tags", "gt", 0, False),
        ("n", "in", [1, 2, 3], True),
        ("n", "in", [], False),
        ("yes", "in", [1], False),
        ("missing", "in", [None], False),
        ("text", "contains", "국어", True),
        ("text", "contains", "x", False),
        ("text", "contains", 1, False),
        ("tags", "contains", "a", True),
        ("tags", "contains", 1, True),
        ("tags", "contains", True, False),
        ("tags", "contains", {"k": 1}, True),
        ("tags", "contains", None, True),
        ("nested", "contains", "이름", True),
        ("nested", "contains", "값", False),
        ("nested", "contains", [1], False),
        ("nested", "contains", {"k": 1}, False),
        ("n", "contains", 3, False),
        ("nested.이름", "eq", "값", True),
        ("nested.missing", "eq", "값", False),
        ("n.deeper", "eq", 3, False),
        ("a.b", "eq", "plain", True),
        ("a.c", "eq", 1, True),
    ],
)
def test_an_operator_compares_only_what_can_be_compared(
    field: str, op: str, value: Any, *, expected: bool
) -> None:
    assert passes(field, op, value) is expected


def test_all_of_several_conditions_must_hold() -> None:
    three = {"field": "n", "op": "eq", "value": 3}
    four = {"field": "n", "op": "eq", "value": 4}
    both, only = compile_filter([three, four]), compile_filter([three, three])
    assert both is not None
    assert only is not None
    assert (both(DATA), only(DATA)) == (False, True)


def test_equality_is_meant_where_no_operator_is_named() -> None:
    test = compile_filter([{"field": "n", "value": 3}])
    assert test is not None
    assert test(DATA)
    assert not test({"n": 4})


def test_no_condition_tests_nothing() -> None:
    assert compile_filter(None) is None
    assert compile_filter([]) is None


@pytest.mark.parametrize("metadata", [None, 3, "text", [1], {}])
def test_metadata_without_fields_passes_no_comparison(metadata: Any) -> None:
    test = compile_filter([{"field": "n", "op": "eq", "value": 3}])
    assert test is not None
    assert not test(metadata)


@pytest.mark.parametrize(
    "condition",
    [
        {"field": "n", "op": "like", "value": 1},
        {"op": "eq", "value": 1},
        {"field": 3, "op": "eq", "value": 1},
        {"field": "n", "op": "in", "value": "abc"},
        {"field": "n", "op": "eq", "value": 1, "extra": 1},
        "n = 3",
        3,
    ],
)
def test_what_is_no_filter_is_refused(condition: Any) -> None:
    with pytest.raises(InvalidArgument) as caught:
        compile_filter([condition])
    assert caught.value.details["parameter"] == "filter"
