"""The SDK behaves as Python programmers expect: results, errors, dictionaries, reprs."""

import inspect
import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import get_args

import msgspec
import pytest

import strata
from strata.base import results
from strata.reference.program import signature_of
from strata.workspace import Workspace


def parts(db: Workspace) -> Iterator[object]:
    """Yield the workspace and every part that is reached from it."""
    yield db
    for name in dir(Workspace):
        is_part = isinstance(inspect.getattr_static(Workspace, name), cached_property)
        if is_part and not name.startswith("_"):
            yield getattr(db, name)


def returned(part: object) -> Iterator[tuple[str, type]]:
    """Yield the structs that the calls of a part return."""
    for name, call in inspect.getmembers(type(part), inspect.isfunction):
        if not name.startswith("_"):
            for kind in kinds_in(signature_of(call).return_annotation):
                yield f"{type(part).__name__}.{name}", kind


def kinds_in(annotation: object) -> Iterator[type]:
    if isinstance(annotation, type) and issubclass(annotation, msgspec.Struct):
        yield annotation
    for inner in get_args(annotation):
        yield from kinds_in(inner)


def test_whatever_a_call_returns_becomes_a_dictionary(db: Workspace) -> None:
    found = [one for part in parts(db) for one in returned(part)]
    assert len(found) > 100
    assert {call for call, kind in found if not issubclass(kind, results.Result)} == set()
    public = [getattr(strata, name) for name in strata.__all__]
    structs = [one for one in public if isinstance(one, type) and issubclass(one, msgspec.Struct)]
    assert [one for one in structs if not issubclass(one, results.Result)] == []


def test_results_are_plain_json_with_readable_times(db: Workspace, tmp_path: Path) -> None:
    kept = db.kv.put("팀/장", {"이름": "소연"}, tags=["people"])
    decided = db.decisions.save("인증", "토큰을 쓴다", "앱이 생겼다")
    made = db.documents.create("회의록", "# 안건")
    commented = db.review.comment(made.document, "언제?", quote="안건")
    db.branches.fork("try")
    db.on("try").kv.put("팀/장", {"이름": "Ada"})
    shown = [
        kept,
        db.events.append("배포", {"to": "blue"}),
        db.state.set("칸", 1),
        decided,
        made,
        commented,
        db.branches.diff("default", "try"),
        db.branches.merge("try"),
        db.search("소연"),
        db.log()[0],
        db.info(),
        db.verify(),
        db.backup(tmp_path / "사본.strata"),
        db.documents.get(made.document),
        db.users.owner(),
        db.time_range(),
        strata.locate_store(tmp_path / "곳.db"),
    ]
    for result in shown:
        members = result.to_dict()
        assert json.loads(json.dumps(members)) == members
    assert kept.to_dict() == {
        "value": {"이름": "소연"},
        "version": kept.version,
        "timestamp": kept.timestamp,
        "time": kept.iso_time,
        "tags": ["people"],
        "state": "live",
    }
    assert decided.to_dict()["memory"]["time"] == decided.memory.iso_time


def test_a_time_is_an_aware_datetime(db: Workspace) -> None:
    now = datetime.now(UTC)
    kept = db.kv.put("k", 1)
    memory = db.decisions.save("주제", "결정", "까닭").memory
    document = db.documents.get(db.documents.create("글").document)
    for result in (kept, memory, document, db.log()[0], db.branches.list()[0]):
        assert abs(result.time - now) < timedelta(minutes=1)
        assert datetime.fromisoformat(result.iso_time) == result.time


def test_errors_are_also_what_python_calls_them(db: Workspace, tmp_path: Path) -> None:
    with pytest.raises(KeyError, match="There is no branch 'nope'"):
        db.on("nope").kv.get("k")
    with pytest.raises(KeyError, match="Nothing is kept under '없음'"):
        db.kv["없음"]
    with pytest.raises(FileNotFoundError):
        strata.open(tmp_path / "nope.db", create=False)
    with pytest.raises(ValueError, match="cannot be a key"):
        db.kv.put("", 1)
    with pytest.raises(TypeError, match="which JSON cannot hold"):
        db.kv.put("k", {1, 2})  # pyright: ignore[reportArgumentType]


def test_the_cause_of_a_refused_value_is_not_told_twice(db: Workspace) -> None:
    with pytest.raises(strata.WrongType) as caught:
        db.kv.put("k", float("nan"))
    assert caught.value.__context__ is None


@pytest.mark.parametrize("kind", ["kv", "json", "state"])
def test_keyed_values_have_the_manners_of_a_dictionary(db: Workspace, kind: str) -> None:
    held = getattr(db, kind)
    held["이름"] = "소연"
    held["b"] = [1]
    assert (held["이름"], held["b"], len(held), list(held)) == ("소연", [1], 2, ["b", "이름"])
    assert "이름" in held
    assert "c" not in held
    del held["b"]
    assert list(held) == ["이름"]
    with pytest.raises(strata.KeyNotFound):
        del held["b"]


def test_iterating_goes_on_behind_the_first_page(
    db: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("strata.base.limits.PAGE_ITEMS_MAX", 2)
    keys = [f"k{number}" for number in range(5)]
    db.kv.put_many(dict.fromkeys(keys, 1))
    assert list(db.kv) == keys


def test_what_is_shown_says_where_it_is(db: Workspace) -> None:
    first = db.kv.put("k", 1)
    db.kv.put("l", 1)
    assert (
        repr(db.space("메모")) == f"<strata.Workspace '{db.path}', branch 'default', space '메모'>"
    )
    assert repr(db.at(first.version)).endswith(f"as of {first.iso_time}>")
    assert repr(db.kv) == "<db.kv of the space 'default' on the branch 'default'>"
    assert repr(db.kv.list()) == "['k', 'l']"
    assert repr(db.kv.list(limit=1)) == "<ResultPage ['k'], more after 'k'>"


def test_a_page_yields_what_follows_it(db: Workspace) -> None:
    for number in range(5):
        db.events.append("배포", {"n": number})
        db.kv.put(f"k{number}", number, tags=["짝"] if number % 2 == 0 else [])
    assert [one.payload["n"] for one in db.events.list(limit=2).all()] == [0, 1, 2, 3, 4]
    assert list(db.kv.list(tags=["짝"], limit=1).all()) == ["k0", "k2", "k4"]
    assert [found.value for _key, found in db.kv.items(limit=2).all()] == [0, 1, 2, 3, 4]
    assert [one.version for one in db.log(limit=3).all()] == list(range(10, 0, -1))
    assert [one.version for one in db.changes(2, limit=3).all()] == list(range(3, 11))
    for number in range(3):
        db.users.add(f"ann{number}@example.com")
    page = db.audit.list(limit=2)
    assert page.more
    added = [f"ann{number}@example.com" for number in (2, 1, 0)]
    assert [entry.details["email"] for entry in page.all()] == added
