"""What kinds promise about values: exact JSON back, and counters that do not repeat."""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import strata
from strata import InvalidArgument, LimitExceeded, StrataError, VersionConflict, Workspace

LETTERS = st.characters(exclude_categories=["Cs"])
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(LETTERS),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(LETTERS, max_size=5), inner, max_size=4)
    ),
    max_leaves=12,
)


@pytest.fixture(scope="module")
def db() -> Iterator[Workspace]:
    with strata.open(durability="cache") as db:
        yield db


@given(VALUES)
def test_a_value_comes_back_as_it_was_given(db: Workspace, value: Any) -> None:
    db.kv.put("k", value)
    db.json.set("k", "$", value)
    db.state.set("k", value)
    sequence = db.events.append("t", value).sequence
    event = db.events.get(sequence)
    read = (db.kv.get("k"), db.json.get("k"), db.state.get("k"))
    assert event is not None
    assert [repr(found.value) for found in read if found is not None] == [repr(value)] * 3
    assert repr(event.payload) == repr(value)


@pytest.mark.parametrize("number", [2**64, 2**70 + 1, -(2**63) - 1, 10**400])
def test_a_number_that_cannot_be_kept_exactly_is_refused_or_kept(
    db: Workspace, number: int
) -> None:
    try:
        db.kv.put("big", number)
    except StrataError:
        return
    found = db.kv.get("big")
    assert found is not None
    assert repr(found.value) == repr(number)


def test_nesting_ends_where_the_limit_says(db: Workspace) -> None:
    from strata.base import limits

    def nested(depth: int) -> Any:
        value: Any = 1
        for _level in range(depth):
            value = [value]
        return value

    db.kv.put("deep", nested(limits.VALUE_DEPTH_MAX))
    found = db.kv.get("deep")
    assert found is not None
    assert found.value == nested(limits.VALUE_DEPTH_MAX)
    with pytest.raises(LimitExceeded):
        db.kv.put("deep", nested(limits.VALUE_DEPTH_MAX + 1))


def test_a_document_can_be_as_deep_as_a_value(db: Workspace) -> None:
    db.json.set("doc", "$.a[0].이름", {"b": [1]})
    found = db.json.get("doc", "$.a[0].이름.b[0]")
    assert found is not None
    assert found.value == 1
    assert db.json.delete("doc", "$.a[0].이름.b[0]") == 1
    left = db.json.get("doc")
    assert left is not None
    assert left.value == {"a": [{"이름": {"b": []}}]}


def test_a_deleted_cell_does_not_meet_an_old_expectation(db: Workspace) -> None:
    first = db.state.set("lock", "mine")
    db.state.delete("lock")
    assert db.state.cas("lock", "late", expected=first.counter) is None
    again = db.state.cas("lock", "again")
    assert again is not None
    assert again.counter == first.counter + 2
    assert db.state.cas("lock", "late", expected=first.counter) is None
    assert [cell.state for cell in db.state.history("lock")] == ["live", "deleted", "live"]


def test_an_erased_cell_does_not_meet_an_old_expectation(db: Workspace) -> None:
    first = db.state.set("secret", "mine")
    db.purge("secret", kind="state")
    db.state.set("secret", "new")
    assert db.state.cas("secret", "late", expected=first.counter) is None


def test_init_writes_once_and_then_answers(db: Workspace) -> None:
    first = db.state.init("once", {"a": 1})
    second = db.state.init("once", {"a": 2})
    assert (second.value, second.version) == ({"a": 1}, first.version)


def test_one_call_with_a_key_twice_keeps_the_last(db: Workspace) -> None:
    found = db.kv.put_many([("twice", 1), ("other", 2), ("twice", 3)])
    assert next(version.version for version in found) == found[2].version
    kept = db.kv.get("twice")
    assert kept is not None
    assert kept.value == 3
    assert db.log(limit=1)[0].changes == 2


def test_put_with_a_version_is_compare_and_set(db: Workspace) -> None:
    first = db.kv.put("cas", 1, if_version=0)
    second = db.kv.put("cas", 2, if_version=first.version)
    for stale in (0, first.version, second.version + 1):
        with pytest.raises(strata.VersionConflict) as caught:
            db.kv.put("cas", 9, if_version=stale)
        there = {"key": "cas", "version": second.version, "value": 2}
        assert caught.value.details == {"expected": stale, **there}
    db.kv.delete("cas")
    assert db.kv.put("cas", 3, if_version=0).value == 3


def test_an_empty_log_is_still_there(db: Workspace) -> None:
    assert db.space("빈 곳").events
    assert len(db.space("빈 곳").events) == 0


def test_a_document_is_set_only_at_the_expected_version(db: Workspace) -> None:
    first = db.json.set("문서", "$.a", 1, if_version=0)
    with pytest.raises(VersionConflict):
        db.json.set("문서", "$.b", 2, if_version=0)
    second = db.json.set("문서", "$.b", 2, if_version=first.version)
    with pytest.raises(VersionConflict) as caught:
        db.json.set("문서", "$.b", 3, if_version=first.version)
    assert caught.value.details["version"] == second.version
    found = db.json.get("문서")
    assert found is not None
    assert found.value == {"a": 1, "b": 2}
    db.json.delete("문서")
    assert db.json.set("문서", "$", [], if_version=0).value == []
    with pytest.raises(InvalidArgument):
        db.json.set("문서", "$", [], if_version=-1)
