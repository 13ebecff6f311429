"""Three-way merge of JSON values, field by field."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strata.base.values import equal as equal_values
from strata.store.merging.json_fields import MISSING, merge_values

VALUES = st.recursive(
    st.sampled_from([None, True, False, 0, 1, 1.0, "", "값"]),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from(["a", "b", "이름"]), inner, max_size=3)
    ),
    max_leaves=6,
)


def equal(a: Any, b: Any) -> bool:
    return equal_values(a, b)


def merged(base: Any, source: Any, target: Any, prefer: Any = "target") -> Any:
    return merge_values(base, source, target, prefer=prefer)[0]


def conflicts(base: Any, source: Any, target: Any) -> list[str]:
    return [entry.path for entry in merge_values(base, source, target, prefer="target")[1]]


@pytest.mark.parametrize(
    ("base", "source", "target", "expected"),
    [
        ({"a": 1, "b": 1}, {"a": 2, "b": 1}, {"a": 1, "b": 2}, {"a": 2, "b": 2}),
        ({"a": 1}, {"a": 1, "새": 2}, {"a": 1, "옛": 3}, {"a": 1, "옛": 3, "새": 2}),
        ({"a": 1, "b": 2}, {"b": 2}, {"a": 1, "b": 3}, {"b": 3}),
        ({"a": {"x": 1, "y": 1}}, {"a": {"x": 2, "y": 1}}, {"a": {"x": 1}}, {"a": {"x": 2}}),
        ({"a": None}, {"a": None}, {}, {}),
        (1, 1, 2, 2),
        (1, 2, 1, 2),
        ([1], [1, 2], [1], [1, 2]),
    ],
)
def test_what_one_side_left_alone_follows_the_other(
    base: Any, source: Any, target: Any, expected: Any
) -> None:
    found, entries = merge_values(base, source, target, prefer="target")
    assert equal(found, expected)
    assert entries == []


def test_both_sides_may_make_an_object_where_none_was() -> None:
    assert merged(MISSING, {"a": 1}, {"b": 2}) == {"a": 1, "b": 2}
    assert conflicts(MISSING, {"a": 1}, {"a": 2}) == ["$.a"]
    assert merged("text", {"a": 1}, {"b": 2}) == {"a": 1, "b": 2}


@pytest.mark.parametrize(
    ("base", "source", "target", "paths"),
    [
        ({"a": 1}, {"a": 2}, {"a": 3}, ["$.a"]),
        ({"a": 1}, {}, {"a": 3}, ["$.a"]),
        ({"a": {"b c": 1}}, {"a": {"b c": 2}}, {"a": {"b c": 3}}, ['$.a["b c"]']),
        ([1], [2], [3], ["$"]),
        ({"a": 1}, {"a": True}, {"a": 1.0}, ["$.a"]),
        ({"이름": 1, "b": 1}, {"이름": 2, "b": 2}, {"이름": 3, "b": 3}, ["$.이름", "$.b"]),
    ],
)
def test_a_place_that_both_changed_differently_is_named(
    base: Any, source: Any, target: Any, paths: list[str]
) -> None:
    assert conflicts(base, source, target) == paths


def test_the_preferred_side_decides_only_the_places_in_conflict() -> None:
    parts = ({"a": 1, "b": 1, "c": 1}, {"a": 2, "b": 2, "c": 1}, {"a": 3, "b": 1, "c": 3})
    assert merged(*parts, prefer="source") == {"a": 2, "b": 2, "c": 3}
    assert merged(*parts, prefer="target") == {"a": 3, "b": 2, "c": 3}


def test_one_and_true_and_one_point_zero_are_three_values() -> None:
    assert equal(merged({"a": 1}, {"a": True}, {"a": 1}), {"a": True})
    assert equal(merged({"a": 1}, {"a": 1}, {"a": 1.0}), {"a": 1.0})


def test_null_is_a_value_and_absence_is_none() -> None:
    assert merged({}, {"a": None}, {}) == {"a": None}
    assert merged({"a": None}, {}, {"a": None}) == {}
    assert conflicts({"a": 1}, {"a": None}, {}) == ["$.a"]


def test_the_order_of_the_target_stays() -> None:
    found = merged({"b": 1, "a": 1}, {"new": 1, "b": 2, "a": 1}, {"b": 1, "a": 2})
    assert list(found) == ["b", "a", "new"]


@given(VALUES, VALUES)
def test_an_unchanged_side_never_conflicts(base: Any, other: Any) -> None:
    for parts in ((base, other, base), (base, base, other), (base, other, other)):
        found, entries = merge_values(*parts, prefer="target")
        assert equal(found, other)
        assert entries == []


@given(VALUES, VALUES, VALUES)
def test_both_directions_see_the_same_conflicts(base: Any, left: Any, right: Any) -> None:
    there, found = merge_values(base, left, right, prefer="source")
    back, mirrored = merge_values(base, right, left, prefer="target")
    assert equal(there, back)
    assert {entry.path for entry in found} == {entry.path for entry in mirrored}


@given(VALUES, VALUES, VALUES)
def test_merging_leaves_its_inputs_alone(base: Any, source: Any, target: Any) -> None:
    before = repr((base, source, target))
    merge_values(base, source, target, prefer="source")
    assert repr((base, source, target)) == before
