"""Texts that say nearly the same: what counts, and what a look costs."""

import sys
from typing import Any

import pytest

import strata
from strata import Workspace
from strata.memory import NewFact
from strata.search import likeness, mark_of

SAME = [
    ("We deploy to Frankfurt on Fridays", "on fridays we deploy to Frankfurt."),
    ("The cache keeps prices for sixty seconds", "The cache keeps all prices for sixty seconds"),
    ("금요일에는 배포하지 않는다", "금요일에는  배포하지 않는다!"),
    ("서울 리전에 먼저 배포한다 그리고 기다린다", "서울 리전에 먼저 배포한다, 그리고 기다린다."),
]
OTHER = [
    ("The port of the service is 8080", "The port of the service is 9090"),
    ("Release v1.2.7 is broken on Linux", "Release v1.2.8 is broken on Linux"),
    ("We deploy to Frankfurt on Fridays", "We never deploy to Seoul on holidays"),
    ("금요일에는 배포하지 않는다", "월요일에는 회의를 하지 않는다"),
]


def alike(one: str, other: str) -> float:
    a, b = mark_of(one), mark_of(other)
    assert a is not None
    assert b is not None
    return likeness(a, b)


@pytest.mark.parametrize(("one", "other"), SAME)
def test_these_say_nearly_the_same(one: str, other: str) -> None:
    assert alike(one, other) >= 0.75


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_these_say_something_else(one: str, other: str) -> None:
    assert alike(one, other) < 0.75


@pytest.mark.parametrize("value", ["short", 12, None, {"a": "b" * 40}, ["x" * 40], "a " * 30])
def test_what_is_no_text_or_too_short_is_not_compared(value: Any) -> None:
    assert mark_of(value) is None


def test_at_most_two_are_named_the_nearest_first(db: Workspace) -> None:
    db.facts.remember("a", "We deploy to Frankfurt on Fridays")
    db.facts.remember("b", "We deploy to Frankfurt on Fridays at noon")
    db.facts.remember("c", "We deploy the backend to Frankfurt on Fridays at noon")
    db.space("팀").facts.remember("d", "We deploy to Frankfurt on Fridays at noon")
    kept = db.facts.remember("new", "On Fridays at noon we deploy to Frankfurt")
    assert [twin.hit.key for twin in db.twins_of(kept)] == ["b", "c"]
    assert [twin.hit.key for twin in db.twins("new", limit=5)] == ["b", "c", "a"]


def test_what_a_fact_replaces_is_no_twin_of_it(db: Workspace) -> None:
    db.facts.remember("a", "We deploy to Frankfurt on Fridays")
    kept = db.facts.remember("b", "On Fridays we deploy to Frankfurt", replaces=["a"])
    assert db.twins_of(kept) == []
    assert [hit.key for hit in db.search("deploy Frankfurt").hits] == ["b", "a"]


def test_replaces_adds_to_the_tags_and_refuses_what_is_not_there(db: Workspace) -> None:
    db.facts.remember_many([NewFact("a", "one"), NewFact("b", "two")])
    db.facts.remember("c", "three", tags=["t"], replaces=["a"])
    db.facts.remember("c", "three", replaces=["b"])
    assert db.kv.get("c").tags == ("t", "supersedes:a", "supersedes:b")  # pyright: ignore[reportOptionalMemberAccess]
    with pytest.raises(strata.NotFound, match="to replace"):
        db.facts.remember("c", "four", replaces=["없음"])
    with pytest.raises(strata.InvalidArgument):
        db.facts.remember("c", "four", replaces=["c"])
    assert db.kv["c"] == "three"
    with pytest.raises(strata.NotFound):
        db.facts.remember_many([NewFact("d", 1), NewFact("e", 2, replaces=("없음",))])
    assert not db.kv.exists("d")


def test_a_look_loads_no_arrays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)  # to import it would fail
    with strata.open(durability="cache", auto_embed=False) as db:
        db.facts.remember("a", "We deploy to Frankfurt on Fridays")
        kept = db.facts.remember("b", "On Fridays we deploy to Frankfurt")
        assert [twin.hit.key for twin in db.twins_of(kept)] == ["a"]
