"""Storing, recalling and forgetting through the tools of an agent."""

from typing import Any

import pytest

import strata
from strata.base import limits
from strata.tools import tokens
from tests.surface.tools.conftest import Call


@pytest.mark.parametrize(
    "value", ["blue", "배포는 금요일에", 3, 1.5, True, None, [1, "둘"], {"a": {"b": []}}]
)
def test_what_is_stored_is_recalled(call: Call, value: Any) -> None:
    stored = call("store", key="배포/대상", value=value)
    found = call("recall", key="배포/대상")
    assert found["found"] is True
    assert found["value"] == value
    assert found["version"] == stored["version"]
    assert found["timestamp"] == stored["timestamp"]
    assert stored["branch"] == "default"


def test_the_same_value_again_writes_nothing(call: Call, db: strata.Workspace) -> None:
    first = call("store", key="k", value={"a": 1}, tags=["ops"])
    again = call("store", key="k", value={"a": 1})
    assert again == {**first, "unchanged": True}
    assert len(db.log()) == 1


def test_tags_stay_unless_others_are_given(call: Call) -> None:
    call("store", key="k", value=1, tags=["ops", "중요"])
    call("store", key="k", value=2)
    assert call("recall", key="k")["tags"] == ["ops", "중요"]
    call("store", key="k", value=2, tags=[])
    assert "tags" not in call("recall", key="k")


def test_a_part_of_a_value_is_set_by_its_path(call: Call, fail: Call) -> None:
    call("store", key="db", value={"host": "a", "port": 1})
    call("store", key="db", value=5433, path="$.port")
    assert call("recall", key="db")["value"] == {"host": "a", "port": 5433}
    call("store", key="text", value="words")
    assert fail("store", key="text", value=1, path="$.x")["parameter"] == "path"


def test_compare_and_set_refuses_when_somebody_was_faster(call: Call, fail: Call) -> None:
    first = call("store", key="k", value=1, if_version=0)
    call("store", key="k", value=2, if_version=first["version"])
    assert (
        fail("store", key="k", value=3, if_version=first["version"])["code"] == "version_conflict"
    )
    refused = fail("store", key="k", value=3, if_version=0)
    assert refused["code"] == "version_conflict"
    assert (refused["value"], refused["version"]) == (2, first["version"] + 1)
    assert "Nothing was changed." in refused["message"]
    assert call("recall", key="k")["value"] == 2


def test_several_are_stored_together_or_not_at_all(
    call: Call, fail: Call, db: strata.Workspace
) -> None:
    items = [{"key": "a", "value": 1}, {"key": "b", "value": "둘", "tags": ["x"], "namespace": "n"}]
    stored = call("store", items=items)
    assert [entry["namespace"] for entry in stored["results"]] == ["default", "n"]
    assert len(db.log()) == 1
    assert call("recall", key="b", namespace="n")["tags"] == ["x"]
    assert "lacks value" in fail("store", items=[{"key": "c", "value": 1}, {"key": "d"}])["message"]
    assert fail("store", items=[{"key": "c", "value": 1}, {"key": "", "value": 2}])
    assert call("recall", key="c")["found"] is False


def test_each_item_may_have_a_version_and_one_that_moved_stops_them_all(
    call: Call, fail: Call
) -> None:
    first = call("store", key="a", value="처음")["version"]
    items = [{"key": "new", "value": 1, "if_version": 0}, {"key": "a", "value": 2, "if_version": 9}]
    refused = fail("store", items=items)
    assert (refused["key"], refused["version"], refused["value"]) == ("a", first, "처음")
    assert call("recall", key="new")["found"] is False
    items[1]["if_version"] = first
    assert len(call("store", items=items)["results"]) == 2


@pytest.mark.parametrize("beside", [{"if_version": 1}, {"path": "$.x"}, {"value": 1}])
def test_what_would_be_ignored_beside_items_is_refused(
    call: Call, fail: Call, beside: dict[str, Any]
) -> None:
    call("store", key="a", value="그대로")
    refused = fail("store", items=[{"key": "a", "value": "new"}], **beside)
    assert refused["parameter"] == next(iter(beside))
    assert call("recall", key="a")["value"] == "그대로"


def test_tags_and_namespace_beside_items_are_for_those_without(call: Call) -> None:
    items = [{"key": "a", "value": 1}, {"key": "b", "value": 2, "tags": ["own"], "namespace": "n"}]
    call("store", items=items, tags=["shared"], namespace="팀")
    assert call("recall", key="a", namespace="팀")["tags"] == ["shared"]
    assert call("recall", key="b", namespace="n")["tags"] == ["own"]


def test_what_means_nothing_beside_a_key_is_refused(call: Call, fail: Call) -> None:
    call("store", key="k", value=1)
    assert fail("recall", key="k", after="a")["parameter"] == "after"
    assert fail("recall", prefix="", offset=3)["parameter"] == "offset"


def test_the_same_text_under_another_key_is_named(call: Call) -> None:
    text = "우리는 금요일에 프랑크푸르트로 배포하지 않는다"
    assert "same_as" not in call("store", key="deploy/day", value=text)
    assert call("store", key="배포", value=f" {text} ")["same_as"] == ["deploy/day"]
    assert call("store", key="third", value=text)["same_as"] == ["deploy/day", "배포"]
    call("store", key="deploy/day", value="something else entirely")
    call("forget", key="배포")
    assert call("store", key="fourth", value=text)["same_as"] == ["third"]
    assert "same_as" not in call("store", key="fourth", value=text), "it was known just so"
    many = call("store", items=[{"key": "fifth", "value": text}, {"key": "blue", "value": "blue"}])
    assert many["results"][0]["same_as"] == ["fourth", "third"]
    assert "same_as" not in call("store", key="short", value="blue")


def test_a_missing_key_names_similar_ones(call: Call) -> None:
    call("store", key="deploy/target", value=1)
    found = call("recall", key="deploy_target")
    assert found == {"found": False, "key": "deploy_target", "similar": ["deploy/target"]}


def test_several_keys_come_in_their_order(call: Call) -> None:
    call("store", items=[{"key": "a", "value": 1}, {"key": "b", "value": 2}])
    results = call("recall", keys=["b", "nobody", "a"])["results"]
    assert [(entry["found"], entry.get("value")) for entry in results] == [
        (True, 2),
        (False, None),
        (True, 1),
    ]


def test_names_are_listed_by_prefix_page_by_page(call: Call, db: strata.Workspace) -> None:
    db.kv.put_many({f"n/{number:03}": number for number in range(250)})
    db.json.set("n/zz-document", "$", {})
    names: list[str] = []
    answer = call("recall", prefix="n/")
    while True:
        names += answer["keys"]
        if not answer.get("truncated"):
            break
        assert answer["next"]["tool"] == "strata_recall"
        answer = call("recall", **answer["next"]["arguments"])
    assert len(names) == 251
    assert names == sorted(names)


def test_a_key_is_recalled_whatever_kind_holds_it(call: Call, db: strata.Workspace) -> None:
    db.json.set("plan", "$.steps", ["build"])
    db.state.set("leader", "박")
    assert call("recall", key="plan")["kind"] == "json"
    assert call("recall", key="leader")["value"] == "박"
    assert call("forget", keys=["plan", "leader"])["results"] == {"plan": True, "leader": True}
    assert db.json.get("plan") is None


def test_the_past_is_recalled_and_says_when_it_was(call: Call) -> None:
    first = call("store", key="k", value="전")
    call("store", key="k", value="후")
    then = call("recall", key="k", as_of=first["version"])
    assert then["value"] == "전"
    assert then["as_of"] == first["timestamp"]
    assert call("recall", key="k", as_of=str(first["version"]))["value"] == "전"
    assert call("recall", key="k", as_of="now")["value"] == "후"


@pytest.mark.parametrize("letter", ["x", "가", "🎈"])
def test_a_long_value_comes_in_parts_that_fit(call: Call, letter: str) -> None:
    whole = letter * 60_000
    call("store", key="long", value=whole)
    answer = call("recall", key="long")
    parts = [answer["value"]]
    while answer.get("truncated"):
        assert tokens(answer["value"]) <= limits.ANSWER_TOKENS_MAX
        answer = call("recall", **answer["next"]["arguments"])
        parts.append(answer["value"])
    assert "".join(parts) == whole
    assert len(parts) > 1


def test_forgetting_keeps_history(call: Call) -> None:
    call("store", key="k", value="옛 값")
    assert call("forget", key="k") == {"deleted": True, "branch": "default"}
    assert call("forget", key="k") == {"deleted": False, "branch": "default"}
    assert call("recall", key="k")["found"] is False
    assert [held.get("state") for held in call("history", key="k")["versions"]] == ["deleted", None]


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ({}, "exactly one"),
        ({"key": "k"}, "no value"),
        ({"key": "k", "value": 1, "items": []}, "key and items"),
        ({"kee": "k", "value": 1}, "Did you mean 'key'"),
        ({"key": ["a"], "value": 1}, "must be text"),
        ({"key": "k" * 2000, "value": 1}, "limit"),
        ({"key": "k", "value": 1, "if_version": "soon"}, "whole number"),
        ({"key": "k", "value": 1, "if_version": -1}, "at least 0"),
        ({"key": "k", "value": 1, "branch": "nowhere"}, "nowhere"),
        ({"key": "k", "value": 1, "path": "$..x"}, "path"),
    ],
)
def test_bad_input_is_explained_and_changes_nothing(
    fail: Call, db: strata.Workspace, arguments: dict[str, Any], word: str
) -> None:
    error = fail("store", **arguments)
    assert word in f"{error['message']} {error.get('hint', '')}"
    assert db.log() == []


def test_an_input_error_shows_a_right_call(call: Call, fail: Call) -> None:
    example = fail("store", key="k")["example"]
    assert example["tool"] == "strata_store"
    assert call("store", **example["arguments"])["version"] == 1


def test_input_may_be_written_loosely(call: Call) -> None:
    call("store", key=42, value=1, tags='["a", "b"]')
    call("store", key="one", value=1, tags="single", ifVersion="0")
    assert call("recall", key="42")["tags"] == ["a", "b"]
    assert call("recall", key="one")["tags"] == ["single"]
    assert call("recall", prefix="", limit="1")["keys"] == ["42"]
    assert call("store", items='[{"key": "j", "value": {"x": 1}}]')["results"][0]["key"] == "j"
    # Text is kept as given, even if it looks like something else.
    call("store", key="text", value='{"not": "parsed"}')
    assert call("recall", key="text")["value"] == '{"not": "parsed"}'
