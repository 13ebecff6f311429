"""Lists that are cut: the call for the rest is right, and following it reaches everything once."""

from typing import Any

import pytest

from strata.tools import Session, StoreHost, call_tool, registry

KEYS = [f"키/{number:02}" for number in range(11)]


@pytest.fixture
def session(host: StoreHost) -> Session:
    db = host.writing()
    for number, key in enumerate(KEYS):
        db.kv.put(key, number)
    for number in range(7):
        db.kv.put("바뀐다", number)
        db.events.append("일", {"번호": number})
    db.branches.fork("곁")
    db.on("곁").kv.put_many({f"곁/{number:03}": number for number in range(150)})
    return Session(host, caller="owner")


def called(session: Session, name: str, **arguments: Any) -> dict[str, Any]:
    tool = registry().find(name)
    assert tool is not None
    outcome = call_tool(session, tool, arguments)
    assert outcome.is_error is False, outcome.value
    return outcome.value


def walked(session: Session, member: str, name: str, **arguments: Any) -> list[Any]:
    """Follow `next` to the end, and return everything that was listed on the way."""
    found: list[Any] = []
    for _turn in range(100):
        answer = called(session, name, **arguments)
        found += answer[member]
        if "next" not in answer:
            assert not answer.get("truncated")
            return found
        assert answer["truncated"] is True
        assert answer["next"]["tool"] == name
        arguments = answer["next"]["arguments"]
    raise AssertionError("the end was never reached")


@pytest.mark.parametrize("limit", [1, 2, 5, 11, 12])
def test_keys_are_all_listed_once(session: Session, limit: int) -> None:
    assert walked(session, "keys", "strata_recall", prefix="키/", limit=limit) == KEYS


@pytest.mark.parametrize("keys", [KEYS, '["키/00", "키/01", "키/02", "키/03", "키/04"]'])
def test_values_are_all_recalled_once(session: Session, keys: Any) -> None:
    found = walked(session, "results", "strata_recall", keys=keys, limit=2)
    wanted = keys if isinstance(keys, list) else KEYS[:5]
    assert [entry["key"] for entry in found] == wanted
    assert [entry["value"] for entry in found] == list(range(len(wanted)))


def test_names_in_another_case_are_gone_on_with_as_well(session: Session) -> None:
    assert walked(session, "keys", "strata_recall", Prefix="키/", LIMIT="3") == KEYS
    commits = walked(session, "commits", "strata_branch", Action="LOG", limit=4)
    assert len({commit["version"] for commit in commits}) == len(commits) == 25


def test_history_and_events_are_all_listed_once(session: Session) -> None:
    versions = walked(session, "versions", "strata_history", key="바뀐다", limit=2)
    assert [version["value"] for version in versions] == [6, 5, 4, 3, 2, 1, 0]
    events = walked(session, "events", "strata_history", event="일", limit=3)
    assert sorted(event["data"]["번호"] for event in events) == list(range(7))


def test_differences_are_all_listed_once(session: Session) -> None:
    changes = walked(session, "changes", "strata_branch", action="diff", compare="곁", limit=40)
    assert len({change["key"] for change in changes}) == len(changes) == 150


def test_a_merge_of_many_changes_is_not_offered_again(session: Session) -> None:
    merged = called(session, "strata_branch", action="merge", source="곁")
    assert merged["applied"] == 150
    assert merged["truncated"] is True
    assert "next" not in merged


def test_a_list_that_somebody_stored_is_never_cut_as_a_list_of_ours(session: Session) -> None:
    long = list(range(500))
    called(session, "strata_store", key="목록", value=long, tags=["하나", "둘", "셋"])
    found = called(session, "strata_recall", key="목록", limit=1)
    assert found["value"] == long
    assert list(found["tags"]) == ["하나", "둘", "셋"]
    assert "next" not in found


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("strata_recall", {"prefix": ""}),
        ("strata_recall", {"keys": KEYS}),
        ("strata_history", {"key": "바뀐다"}),
        ("strata_history", {"event": "*"}),
        ("strata_branch", {"action": "log"}),
        ("strata_branch", {"action": "diff", "compare": "곁"}),
    ],
)
def test_whoever_asks_for_nothing_gets_nothing(
    session: Session, name: str, arguments: dict[str, Any]
) -> None:
    answer = called(session, name, **arguments, limit=0)
    assert answer["truncated"] is True
    assert "next" not in answer
