"""What the data tools mean: time, order, atomicity, branches, long answers."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import strata
from strata.base import limits
from strata.tools import Session, StoreHost, call_tool, expose, registry
from tests.surface.developer.table import TABLE

Use = Callable[..., dict[str, Any]]


def test_the_past_is_named_in_every_form_and_the_answer_shows_the_instant(
    use: Use, db: strata.Workspace
) -> None:
    first = db.kv.put("k", "처음")
    db.kv.put("k", "나중")
    for form in (first.version, first.timestamp, first.iso_time, str(first.version)):
        found = use("kv_get", key="k", as_of=form)
        assert found["value"] == "처음", form
        assert found["as_of"] == first.timestamp
    assert use("kv_get", key="k", as_of="now")["value"] == "나중"
    assert use("kv_get", key="k", as_of="1시간 전")["result"] is None
    assert "as_of" not in use("kv_get", key="k")
    assert use("kv_list", as_of=first.version) == {"keys": ["k"], "as_of": first.timestamp}


def test_versions_are_numbers_of_the_whole_store(use: Use) -> None:
    assert use("kv_put", key="a", value=1)["version"] == 1
    assert use("state_set", cell="c", value=1) == {"version": 2, "counter": 1}
    assert use("event_append", event_type="e", payload={}) == {"version": 1, "store_version": 3}
    assert use("json_set", key="d", path="$", value=1)["version"] == 4
    assert use("vector_create_collection", collection="v", dimension=1)["version"] == 5
    assert use(
        "vector_batch_upsert",
        collection="v",
        entries=[
            {"key": "a", "vector": [1]},
            {"key": "b", "vector": [2]},
        ],
    ) == {"versions": [6, 7]}
    assert use("event_get", sequence=1)["store_version"] == 3


def test_many_are_one_commit_or_nothing(use: Use, refused: Use, db: strata.Workspace) -> None:
    items: list[dict[str, Any]] = [{"key": f"키{n}", "value": n} for n in range(5)]
    assert len(use("kv_put_many", items=items)["results"]) == 5
    assert len(db.log()) == 1
    assert refused("kv_put_many", items=[*items, {"key": "", "value": 1}])["code"] == "invalid_key"
    assert len(db.log()) == 1
    found = use("kv_delete_many", keys=["키0", "nobody", "키1"])
    assert found == {"results": [True, False, True]}
    assert len(db.log()) == 2
    values = use("kv_get_many", keys=["키4", "키0"])["results"]
    assert [values[0]["value"], values[1]] == [4, None]


def test_pages_follow_each_other_by_their_cursor(use: Use, db: strata.Workspace) -> None:
    db.kv.put_many({f"p/{n:03}": n for n in range(25)})
    found, cursor = list[str](), None
    while True:
        page = use("kv_list", prefix="p/", limit=10, cursor=cursor)
        found += page["keys"]
        cursor = page.get("cursor")
        if cursor is None:
            break
    assert found == [f"p/{n:03}" for n in range(25)]
    assert use("kv_list", prefix="p/", limit=25) == {"keys": found}


def test_a_list_too_long_to_read_names_the_call_for_the_rest(
    ask: Callable[..., Any], use: Use, db: strata.Workspace
) -> None:
    keys = [f"긴 이름/{'가' * 100}/{n:04}" for n in range(300)]
    db.kv.put_many({key: n for n, key in enumerate(keys)})
    found, rounds = list[str](), 0
    page = use("kv_list", branch="default")
    while page.get("truncated"):
        rounds += 1
        found += page["keys"]
        following = page["next"]
        page = use(following["tool"].removeprefix("strata_"), **following["arguments"])
    assert found + page["keys"] == keys
    assert rounds >= 2


def test_a_long_history_goes_on_where_it_was_cut(use: Use, db: strata.Workspace) -> None:
    for n in range(60):
        db.kv.put("k", f"{n} " + "낱말 " * 300)
    answer = use("kv_history", key="k")
    assert answer["truncated"]
    seen = [one["version"] for one in answer["versions"]]
    while "next" in answer:
        following = answer["next"]
        answer = use(following["tool"].removeprefix("strata_"), **following["arguments"])
        seen += [one["version"] for one in answer["versions"]]
    assert seen == list(range(60, 0, -1))


def test_a_history_shows_deletions_and_what_retention_took(use: Use, db: strata.Workspace) -> None:
    for n in range(3):
        db.kv.put("k", n)
    db.kv.delete("k")
    shown = use("kv_history", key="k")["versions"]
    assert [one.get("state") for one in shown] == ["deleted", None, None, None]
    db.retention.set(max_versions=1)
    use("retention_apply")
    shown = use("kv_history", key="k")["versions"]
    assert [one.get("state") for one in shown] == ["deleted", "trimmed", "trimmed", "trimmed"]


def test_a_trimmed_past_says_so(use: Use, refused: Use, db: strata.Workspace) -> None:
    first = db.kv.put("k", 1).version
    db.kv.put("k", 2)
    db.retention.set(max_versions=1)
    use("retention_apply")
    assert refused("kv_get", key="k", as_of=first)["code"] == "history_trimmed"


def test_only_the_counter_that_was_read_may_write(use: Use) -> None:
    made = use("state_cas", cell="lock", value="mine")
    assert made["counter"] == 1
    assert use("state_cas", cell="lock", value="yours") == {"result": None}
    assert use("state_cas", cell="lock", value="yours", expected_counter=7) == {"result": None}
    assert use("state_cas", cell="lock", value="free", expected_counter=1)["counter"] == 2
    assert use("state_init", cell="lock", value="x")["counter"] == 2
    assert use("state_get", cell="lock")["value"] == "free"


def test_a_strict_merge_lists_conflicts_and_the_default_takes_the_source(
    use: Use, refused: Use, full: dict[str, str], db: strata.Workspace
) -> None:
    error = refused("branch_merge", source="try", strategy="strict")
    assert error["conflicts"] == [
        {
            "key": "공통",
            "primitive": "kv",
            "space": "default",
            "source_value": "저쪽",
            "target_value": "이쪽",
        }
    ]
    assert "last_writer_wins" in error["hint"]
    done = use("branch_merge", source="try")
    assert (done["keys_applied"], done["spaces_merged"], len(done["conflicts"])) == (3, 2, 1)
    assert use("kv_get", key="공통")["value"] == "저쪽"
    assert use("kv_get", key="인사") == {"result": None}


def test_a_difference_is_told_by_space(use: Use, full: dict[str, str]) -> None:
    found = use("branch_diff", branch_a="default", branch_b="try")
    assert found["summary"] == {"total_added": 1, "total_removed": 1, "total_modified": 1}
    default, notes = found["spaces"]
    assert (default["space"], notes["space"]) == ("default", "notes")
    assert default["removed"][0]["value_a"] == "안녕하세요"
    assert notes["added"][0] == {
        "key": "new",
        "primitive": "kv",
        "space": "notes",
        "value_a": None,
        "value_b": 2,
    }


def test_create_is_empty_and_fork_sees_everything(
    use: Use, full: dict[str, str], db: strata.Workspace
) -> None:
    use("branch_create", branch_id="빈 가지")
    assert use("kv_list", branch="빈 가지") == {"keys": []}
    made = use("branch_fork", destination="copy", branch="try")
    assert made == {"source": "try", "destination": "copy", "keys_copied": db.on("try").info().keys}
    assert use("kv_get", key="공통", branch="copy")["value"] == "저쪽"
    info = use("branch_get", branch="copy")
    assert (info["id"], info["parent_id"], info["status"]) == ("copy", "try", "active")
    assert use("branch_get", branch="빈 가지")["parent_id"] is None
    assert use("branch_create")["id"]


def test_switching_is_for_the_session_and_a_parameter_for_one_call(
    use: Use, refused: Use, full: dict[str, str]
) -> None:
    use("branch_switch", branch="try")
    use("space_switch", space="notes")
    assert use("kv_list") == {"keys": ["k", "new"]}
    assert use("kv_list", branch="default") == {"keys": ["k"]}
    assert use("kv_get", key="공통", space="default")["value"] == "저쪽"
    assert refused("branch_delete", branch="try")["code"] == "access_denied"
    use("space_switch", space="아직 없다")
    use("kv_put", key="첫", value=1)
    assert "아직 없다" in use("space_list")["results"]


def test_a_merged_or_unmerged_branch_is_deleted_and_can_come_back(
    use: Use, full: dict[str, str], db: strata.Workspace
) -> None:
    use("branch_delete", branch="try")
    assert use("branch_exists", branch="try") == {"result": False}
    assert db.branches.restore("try").name == "try"


def test_vectors_are_filtered_and_measured_as_asked(use: Use, full: dict[str, str]) -> None:
    found = use("vector_search", collection="c", query=[2, 1], k=2, metric="dot_product")
    assert [(one["key"], one["score"]) for one in found["results"]] == [("east", 2), ("north", 1)]
    narrowed = use(
        "vector_search",
        collection="c",
        query=[1, 0],
        k=5,
        filter=[{"field": "n", "op": "in", "value": [2, 3]}],
    )
    assert [one["key"] for one in narrowed["results"]] == ["north"]
    assert use("vector_get", collection="c", key="east")["embedding"] == [1, 0]
    assert use("vector_stats", collection="c")["count"] == 2


def test_a_bundle_carries_a_branch_with_its_history(
    use: Use, full: dict[str, str], db: strata.Workspace
) -> None:
    info = use("bundle_validate", path=f"{full['folder']}/old.bundle")
    assert info["checksums_valid"]
    assert info["branch_id"] == "old"
    done = use("bundle_import", path=f"{full['folder']}/old.bundle")
    # Its commits are those of the branch it was forked from, and are here.
    assert (done["branch_id"], done["keys_written"]) == ("old", 0)
    assert use("kv_history", key="인사", branch="old")["versions"][1]["value"] == "안녕"


def test_a_bundle_of_default_can_be_imported_and_a_file_replaced(
    use: Use, refused: Use, full: dict[str, str]
) -> None:
    path = f"{full['folder']}/default.bundle"
    assert use("bundle_import", path=path)["outcome"] == "unchanged"
    assert use("bundle_import", path=path, name="손님")["outcome"] == "created"
    use("branch_create", branch_id="빈")
    use("kv_put", key="k", value=1, branch="빈")
    taken = refused("bundle_import", path=path, name="빈")
    assert taken["code"] == "already_exists"
    assert "another name" in taken["hint"]
    assert refused("bundle_export", branch="default", path=path)["code"] == "already_exists"
    assert use("bundle_export", branch="default", path=path, force=True)["entry_count"] > 0


def test_bundle_tools_reach_no_file_outside_of_their_folder(
    use: Use, refused: Use, full: dict[str, str], tmp_path: Path
) -> None:
    bundles = Path(full["folder"])
    (bundles / "link.bundle").symlink_to(tmp_path / "store.db")
    known, unknown = str(tmp_path / "store.db"), str(tmp_path / "없는파일.db")
    outside = (known, unknown, "/etc/passwd", "../store.db", "link.bundle", ".", "")
    for tool in ("bundle_validate", "bundle_import", "bundle_export"):
        extra = {"branch": "default", "force": True} if tool == "bundle_export" else {}
        answers = {str(refused(tool, path=path, **extra)) for path in outside}
        assert len(answers) == 1, "an answer tells whether a file is there"
        assert "bundles" in answers.pop()
    assert use("bundle_export", branch="default", path="밖으로.bundle")["entry_count"] > 0
    assert (bundles / "밖으로.bundle").stat().st_mode & 0o777 == 0o600


def test_bundle_tools_are_the_owners(db: strata.Workspace, full: dict[str, str]) -> None:
    ann = db.as_user(db.users.add("ann@example.com").id)
    for name in ("old.bundle", "none.bundle"):
        with pytest.raises(strata.NotAllowed):
            ann.bundles.validate(ann.bundles.place(name))


def test_a_search_names_entity_primitive_and_rank(use: Use, full: dict[str, str]) -> None:
    found = use("search", query="안녕하세요", mode="keyword")["results"][0]
    assert (found["key"], found["entity"], found["rank"]) == ("인사", "kv:default/인사", 1)
    assert found["kind"] == found["primitive"] == "kv"
    assert use("search", query="blue", primitives=["event"])["results"][0]["key"] == "1"
    assert use("search", query="blue", primitives=["kv"])["results"] == []
    assert use("search", query="안녕", time_range={"end": "2020-01-01"})["results"] == []


def test_a_long_value_is_cut_in_a_search_and_whole_in_a_get(use: Use, db: strata.Workspace) -> None:
    text = "배포 " * 20_000
    db.kv.put("긴 글", text)
    hit = use("search", query="배포", mode="keyword")["results"][0]
    assert hit["value_truncated"]
    assert len(hit["value"]) < len(text)
    assert use("kv_get", key="긴 글")["value"] == text


def test_a_server_for_reading_refuses_every_write(
    db: strata.Workspace, full: dict[str, str]
) -> None:
    session = Session(
        StoreHost(lambda: db), caller="owner", exposure=expose("developer", read_only=True)
    )
    before = db.log(limit=1)[0].version
    rows = {row.name: row for row in TABLE}
    refused = 0
    for tool in registry().tools("developer"):
        if tool.reads_only or tool.sets_session:
            continue
        outcome = call_tool(session, tool, rows[tool.name].arguments)
        assert outcome.value["code"] == "access_denied", tool.name
        refused += 1
    assert refused >= 25
    assert db.log(limit=1)[0].version == before


def test_counters_grow_with_what_is_written(use: Use) -> None:
    before = use("durability_counters")
    use("kv_put", key="k", value="x" * 100_000)
    after = use("durability_counters")
    assert after["wal_appends"] > before["wal_appends"]
    assert after["bytes_written"] > before["bytes_written"]


def test_what_is_larger_than_a_limit_names_it(use: Use, refused: Use) -> None:
    error = refused("kv_put", key="k", value="x" * (limits.VALUE_BYTES_MAX + 1))
    assert (error["code"], error["limit"]) == ("limit_exceeded", limits.VALUE_BYTES_MAX)


@pytest.mark.parametrize("form", ["[1, 2]", [1, 2]])
def test_lists_may_come_as_text(use: Use, form: object) -> None:
    use("vector_create_collection", collection="v", dimension="2")
    use("vector_upsert", collection="v", key="k", vector=form)
    assert use("vector_get", collection="v", key="k")["embedding"] == [1, 2]
