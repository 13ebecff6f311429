"""Merging: who changed what since the branches last met."""

from collections.abc import Callable
from typing import Any

import pytest

import strata
from strata import Workspace

STRATEGIES = ("strict", "source_wins", "target_wins", "newest")


def value(workspace: Workspace, key: str) -> Any:
    found = workspace.kv.get(key)
    return found.value if found is not None else "없음"


def conflicts_of(error: strata.MergeConflict) -> list[tuple[object, ...]]:
    entries: Any = error.conflicts
    return [(e.key, e.path, e.base, e.source, e.target) for e in entries]


@pytest.fixture
def sides(db: Workspace) -> tuple[Workspace, Workspace]:
    """The default branch and a fork of it, with a common past."""
    db.kv.put("문서", {"제목": "처음", "쪽": 1, "깊이": {"가": 1, "나": {"다": 1}}})
    db.kv.put("수", 1)
    db.kv.put("목록", [1, 2, 3])
    db.state.set("셀", "처음")
    db.events.append("시작", {})
    db.branches.fork("가지")
    return db, db.on("가지")


# The rows of the table in docs/explain/merging.md.


def test_what_only_the_source_changed_is_taken(sides: tuple[Workspace, Workspace]) -> None:
    db, fork = sides
    fork.kv.put("수", 2)
    fork.kv.put("새", "것")
    fork.kv.delete("목록")
    db.kv.put("여기", "남음")
    merge = db.branches.merge("가지")
    assert (merge.applied, merge.conflicts) == (3, ())
    assert [value(db, key) for key in ("수", "새", "목록", "여기")] == [2, "것", "없음", "남음"]
    assert [(c.key, c.action, c.before, c.after) for c in merge.changes] == [
        ("목록", "removed", [1, 2, 3], None),
        ("새", "added", None, "것"),
        ("수", "modified", 1, 2),
    ]


def test_the_same_change_on_both_sides_is_agreed(sides: tuple[Workspace, Workspace]) -> None:
    db = sides[0]
    for side in sides:
        side.kv.put("수", 7)
        side.kv.delete("목록")
        side.kv.put("새", {"b": 1, "a": 2} if side is db else {"a": 2, "b": 1})
    merge = db.branches.merge("가지")
    assert (merge.applied, merge.conflicts) == (0, ())
    assert value(db, "수") == 7


def test_fields_changed_apart_are_both_kept(sides: tuple[Workspace, Workspace]) -> None:
    db, fork = sides
    fork.kv.put("문서", {"제목": "나중", "쪽": 1, "깊이": {"가": 1, "나": {"다": 2}}, "새": 1})
    db.kv.put("문서", {"제목": "처음", "쪽": 2, "깊이": {"가": 2, "나": {"다": 1, "라": 3}}})
    merge = db.branches.merge("가지")
    assert merge.conflicts == ()
    assert value(db, "문서") == {
        "제목": "나중",
        "쪽": 2,
        "깊이": {"가": 2, "나": {"다": 2, "라": 3}},
        "새": 1,
    }


def test_json_documents_are_merged_at_depth(sides: tuple[Workspace, Workspace]) -> None:
    db, fork = sides
    db.json.set("설정", "$", {"a": {"b": {"c": {"d": 1, "e": 1}}}})
    db.branches.merge("default", into="가지")
    fork.json.set("설정", "$.a.b.c.d", 2)
    fork.json.set("설정", '$["빈 칸"]', True)
    db.json.set("설정", "$.a.b.c.e", 2)
    db.json.delete("설정", "$.a.b.x")
    db.branches.merge("가지")
    found = db.json.get("설정")
    assert found is not None
    assert found.value == {"a": {"b": {"c": {"d": 2, "e": 2}}}, "빈 칸": True}


def test_the_same_field_conflicts_at_that_field(
    sides: tuple[Workspace, Workspace], unchanged: Any
) -> None:
    db, fork = sides
    fork.kv.put("문서", {"제목": "가", "쪽": 9, "깊이": {"가": 1, "나": {"다": "ㄱ"}}})
    db.kv.put("문서", {"제목": "나", "쪽": 1, "깊이": {"가": 1, "나": {"다": "ㄴ"}}})
    with unchanged(db), pytest.raises(strata.MergeConflict, match="문서") as caught:
        db.branches.merge("가지")
    assert conflicts_of(caught.value) == [
        ("문서", "$.제목", "처음", "가", "나"),
        ("문서", "$.깊이.나.다", 1, "ㄱ", "ㄴ"),
    ]
    assert caught.value.code == "merge_conflict"
    assert "preview" in str(caught.value.hint)


def test_a_change_and_a_deletion_conflict_both_ways(db: Workspace) -> None:
    db.kv.put_many({"a": 1, "b": 1})
    db.branches.fork("가지")
    db.kv.delete("a")
    db.kv.put("b", 2)
    db.on("가지").kv.put("a", 2)
    db.on("가지").kv.delete("b")
    with pytest.raises(strata.MergeConflict) as caught:
        db.branches.merge("가지")
    assert conflicts_of(caught.value) == [("a", "$", 1, 2, None), ("b", "$", 1, None, 2)]


def test_a_field_deleted_here_and_changed_there_conflicts(db: Workspace) -> None:
    db.kv.put("문서", {"a": 1, "b": 1})
    db.branches.fork("가지")
    db.kv.put("문서", {"b": 1})
    db.on("가지").kv.put("문서", {"a": 2, "b": 1})
    preview = db.branches.merge("가지", preview=True)
    assert [(e.path, e.base, e.source, e.target) for e in preview.conflicts] == [
        ("$.a", 1, 2, None)
    ]


def test_a_list_is_one_value(sides: tuple[Workspace, Workspace]) -> None:
    db, fork = sides
    fork.kv.put("목록", [1, 2, 3, 4])
    db.kv.put("목록", [0, 1, 2, 3])
    with pytest.raises(strata.MergeConflict) as caught:
        db.branches.merge("가지")
    assert conflicts_of(caught.value) == [("목록", "$", [1, 2, 3], [1, 2, 3, 4], [0, 1, 2, 3])]


def test_events_of_both_sides_are_kept_with_their_origin(
    sides: tuple[Workspace, Workspace],
) -> None:
    db, fork = sides
    written = [side.events.append("일", n) for n, side in enumerate([fork, db, fork, db])]
    assert db.branches.merge("가지").applied == 2
    events = db.events.list()
    assert [(e.sequence, e.payload) for e in events] == [(1, {}), (2, 1), (3, 3), (4, 0), (5, 2)]
    assert [e.payload for e in db.events.list(order="time")] == [{}, 0, 1, 2, 3]
    assert [e.sequence for e in db.events.list("일", order="time")] == [4, 2, 5, 3]
    origins = [e.origin for e in events[3:]]
    assert [(o.branch, o.sequence, o.timestamp, o.hash) for o in origins if o] == [
        ("가지", 2, written[0].timestamp, written[0].hash),
        ("가지", 3, written[2].timestamp, written[2].hash),
    ]
    assert events[1].origin is None
    assert db.verify().ok


def test_the_same_event_on_two_branches_happened_twice(db: Workspace) -> None:
    db.events.append("시작", {})
    for name in ("하나", "둘"):
        db.branches.fork(name)
        db.on(name).events.append("맥박", {})
    db.events.append("맥박", {})
    for name in ("하나", "둘"):
        assert db.branches.merge(name).applied == 1
    assert len(db.events.list("맥박")) == 3
    for name in ("하나", "둘"):
        assert db.branches.merge(name).applied == 0
    assert db.verify().ok


# Strategies and previews.


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_preview_is_the_same_computation(
    sides: tuple[Workspace, Workspace], unchanged: Any, strategy: Any
) -> None:
    db, fork = sides
    db.kv.put("수", "여기")
    fork.kv.put("수", "저기")
    fork.kv.put("문서", {"제목": "저기", "쪽": 1})
    db.kv.put("문서", {"제목": "여기", "쪽": 2})
    fork.events.append("일", {})
    with unchanged(db):
        preview = db.branches.merge("가지", strategy=strategy, preview=True)
    assert preview.preview
    assert preview.commit is None
    assert len(preview.conflicts) == 2
    if strategy == "strict":
        return
    done = db.branches.merge("가지", strategy=strategy)
    assert (done.applied, done.conflicts, done.changes, done.base) == (
        preview.applied,
        preview.conflicts,
        preview.changes,
        preview.base,
    )
    assert done.commit == db.log(limit=1)[0].version


def test_a_strategy_decides_only_what_conflicts(sides: tuple[Workspace, Workspace]) -> None:
    db, fork = sides
    fork.kv.put("문서", {"제목": "저기", "쪽": 1, "깊이": 1, "새": "저기"})
    fork.kv.put("수", "저기")
    db.kv.put("문서", {"제목": "여기", "쪽": 2, "깊이": 1})
    fork.kv.put("나중", 1)
    db.branches.fork("본")
    expected = {
        "source_wins": ({"제목": "저기", "쪽": 2, "깊이": 1, "새": "저기"}, "저기"),
        "target_wins": ({"제목": "여기", "쪽": 2, "깊이": 1, "새": "저기"}, "저기"),
        "newest": ({"제목": "여기", "쪽": 2, "깊이": 1, "새": "저기"}, "저기"),
    }
    for strategy, (document, number) in expected.items():
        db.branches.fork(strategy, source="본")
        into: Any = db.on(strategy)
        into.branches.merge("가지", strategy=strategy)
        assert (value(into, "문서"), value(into, "수"), value(into, "나중")) == (
            document,
            number,
            1,
        )


def test_newest_takes_the_later_write_of_each_key(sides: tuple[Workspace, Workspace]) -> None:
    db, fork = sides
    db.kv.put("수", "여기, 먼저")
    fork.kv.put("수", "저기, 나중")
    fork.kv.put("목록", "저기, 먼저")
    db.kv.delete("목록")
    merge = db.branches.merge("가지", strategy="newest")
    assert (value(db, "수"), value(db, "목록")) == ("저기, 나중", "없음")
    assert len(merge.conflicts) == 2
    assert merge.applied == 1


@pytest.mark.parametrize(("strategy", "left"), [("source_wins", []), ("target_wins", ["k"])])
def test_deletions_win_or_lose_like_values(db: Workspace, strategy: Any, left: Any) -> None:
    db.kv.put("k", 1)
    db.branches.fork("가지")
    db.on("가지").kv.delete("k")
    db.kv.put("k", 2)
    db.branches.merge("가지", strategy=strategy)
    assert db.kv.list() == left


# Where branches last met.


def test_merging_back_and_forth_repeats_nothing(sides: tuple[Workspace, Workspace]) -> None:
    db, fork = sides
    db.kv.put("수", "여기")
    fork.kv.put("수", "저기")
    db.branches.merge("가지", strategy="source_wins")
    for turn in range(4):
        fork.events.append("가지 일", turn)
        db.events.append("본 일", turn)
        db.branches.merge("default", into="가지")
        merge = db.branches.merge("가지")
        assert merge.conflicts == ()
        assert value(db, "수") == value(fork, "수") == "저기"
    for side in sides:
        found = [(event.type, event.payload) for event in side.events.list()]
        assert len(found) == len(set(map(str, found))) == 9
    assert db.branches.merge("가지").applied == 0
    assert db.branches.merge("default", into="가지").applied == 0
    assert db.verify().ok


def test_a_merge_that_changes_nothing_makes_no_commit(
    sides: tuple[Workspace, Workspace], unchanged: Any
) -> None:
    db, _fork = sides
    with unchanged(db):
        merge = db.branches.merge("가지")
    assert (merge.applied, merge.commit, merge.changes) == (0, None, ())


def test_a_resolved_conflict_does_not_come_back(sides: tuple[Workspace, Workspace]) -> None:
    db, fork = sides
    fork.kv.put("수", "저기")
    db.kv.put("수", "여기")
    merge = db.branches.merge("가지", strategy="target_wins")
    assert merge.applied == 0
    assert merge.commit is not None, "the meeting is on record"
    fork.kv.put("새", 1)
    assert db.branches.merge("가지").conflicts == ()
    assert value(db, "수") == "여기"
    assert db.branches.merge("default", into="가지").applied == 1
    assert value(fork, "수") == "여기"


def test_a_criss_cross_of_merges_keeps_both_sides(db: Workspace) -> None:
    db.kv.put_many({"a": 0, "b": 0})
    for name in ("왼", "오"):
        db.branches.fork(name)
    left, right = db.on("왼"), db.on("오")
    left.kv.put("a", "왼")
    right.kv.put("b", "오")
    db.branches.fork("왼 그대로", source="왼")
    db.branches.merge("오", into="왼")
    db.branches.merge("왼 그대로", into="오")
    left.kv.put("c", 1)
    right.kv.put("d", 1)
    assert db.branches.merge("오", into="왼").conflicts == ()
    db.branches.merge("왼", into="오")
    for side in (left, right):
        assert {key: value(side, key) for key in side.kv.list()} == {
            "a": "왼",
            "b": "오",
            "c": 1,
            "d": 1,
        }
    assert db.branches.diff("왼", "오").total == 0


def test_a_fork_of_a_fork_merges_into_the_root(sides: tuple[Workspace, Workspace]) -> None:
    db, fork = sides
    fork.kv.put("수", 2)
    fork.events.append("가지 일", 1)
    db.branches.fork("손자", source="가지")
    grandchild = db.on("손자")
    grandchild.kv.put("손자 것", 1)
    grandchild.events.append("손자 일", 2)
    assert db.branches.merge("손자").applied == 4
    assert (value(db, "수"), value(db, "손자 것")) == (2, 1)
    again = db.branches.merge("가지")
    assert (again.applied, again.conflicts) == (0, ())
    assert [event.type for event in db.events.list()] == ["시작", "가지 일", "손자 일"]


def test_branches_beside_each_other_merge(sides: tuple[Workspace, Workspace]) -> None:
    db, fork = sides
    db.branches.fork("곁")
    db.on("곁").kv.put("곁", 1)
    fork.kv.put("수", 5)
    merge = db.branches.merge("가지", into="곁")
    assert (merge.target, merge.applied) == ("곁", 1)
    assert value(db.on("곁"), "수") == 5
    assert value(db, "수") == 1


def test_a_branch_without_a_common_past_merges(sides: tuple[Workspace, Workspace]) -> None:
    db, _fork = sides
    db.branches.create_empty("빈")
    blank = db.on("빈")
    blank.kv.put("새", 1)
    blank.kv.put("수", 1)
    blank.events.append("빈 일", {})
    merge = db.branches.merge("빈")
    assert merge.base == 0
    assert (merge.applied, merge.conflicts) == (2, ())
    assert db.branches.merge("default", into="빈").conflicts == ()
    assert db.branches.diff("빈", "default", kinds=["kv", "state"]).total == 0
    assert len(db.events) == len(blank.events) == 2


def test_a_merge_names_its_second_parent(sides: tuple[Workspace, Workspace]) -> None:
    db, fork = sides
    tip = fork.kv.put("수", 2).version
    db.as_actor("소연").branches.merge("가지", message="검토 끝")
    commit = db.log(limit=1)[0]
    assert (commit.second_parent, commit.actor, commit.message, commit.operation) == (
        tip,
        "소연",
        "검토 끝",
        "merge",
    )


def test_what_belongs_to_a_value_comes_along(sides: tuple[Workspace, Workspace]) -> None:
    db, fork = sides
    fork.kv.put("새", 1, tags=["빨강"])
    fork.kv.put("문서", {"제목": "처음", "쪽": 7}, tags=["빨강", "검토"])
    db.kv.put("문서", {"제목": "둘", "쪽": 1})
    fork.space("방").kv.put("k", 1)
    fork.vectors.create("c", 2)
    fork.vectors.upsert("c", "점", [1, 0], metadata={"a": 1})
    fork.events.append("종류", {})
    db.branches.merge("가지")
    assert db.kv.list(tags=["빨강"]) == ["문서", "새"]
    assert db.kv.list(tags=["검토"]) == ["문서"]
    assert db.spaces.list() == ["default", "방"]
    assert [(m.key, m.metadata) for m in db.vectors.search("c", [1, 0])] == [("점", {"a": 1})]
    assert len(db.events.list("종류")) == 1


def test_a_collection_made_anew_elsewhere_stays_searchable(db: Workspace) -> None:
    db.vectors.create("c", 2)
    db.branches.fork("가지")
    fork = db.on("가지")
    fork.vectors.drop("c")
    fork.vectors.create("c", 3)
    db.vectors.upsert("c", "점", [1, 0])
    try:
        db.branches.merge("가지")
    except strata.MergeConflict:
        assert [match.key for match in db.vectors.search("c", [1, 0])] == ["점"]
        return
    assert db.vectors.stats("c").dimension == 3
    assert db.vectors.search("c", [1, 0, 0]) == []


def test_counters_of_cells_only_grow(sides: tuple[Workspace, Workspace]) -> None:
    db, fork = sides
    for text in "가나다":
        fork.state.set("셀", text)
    db.state.set("셀", "여기")
    db.branches.merge("가지", strategy="source_wins")
    cell = db.state.get("셀")
    assert cell is not None
    assert (cell.value, cell.counter) == ("다", 5)
    assert db.state.cas("셀", "x", expected=4) is None
    assert db.state.cas("셀", "x", expected=5) is not None


def test_a_merge_of_two_thousand_keys_is_one_commit(db: Workspace) -> None:
    db.kv.put_many({f"k/{n:04}": {"a": n, "b": 0} for n in range(3000)})
    db.branches.fork("가지")
    db.on("가지").kv.put_many({f"k/{n:04}": {"a": -n - 1, "b": 0} for n in range(2000)})
    db.kv.put_many({f"k/{n:04}": {"a": n, "b": 1} for n in range(1000, 3000)})
    merge = db.branches.merge("가지")
    assert merge.applied == 2000
    assert len(merge.changes) == 2000
    assert db.log(limit=1)[0].changes == 2000
    values = [value(db, f"k/{n:04}") for n in (0, 999, 1000, 1999, 2000)]
    assert values == [
        {"a": -1, "b": 0},
        {"a": -1000, "b": 0},
        {"a": -1001, "b": 1},
        {"a": -2000, "b": 1},
        {"a": 2000, "b": 1},
    ]
    assert db.verify().ok


# Taking back and taking over.


def test_revert_takes_one_commit_back(db: Workspace) -> None:
    db.kv.put("문서", {"a": 1, "b": 1})
    wrong = db.kv.put_many({"문서": {"a": 2, "b": 1}, "새": 1})[-1].version
    db.kv.put("문서", {"a": 2, "b": 2})
    merge = db.revert(wrong, message="실수")
    assert merge.applied == 2
    assert value(db, "문서") == {"a": 1, "b": 2}
    assert value(db, "새") == "없음"
    commit = db.log(limit=1)[0]
    assert commit.message == "실수"
    assert commit.operation.startswith("revert")
    db.revert(commit.version)
    assert (value(db, "문서"), value(db, "새")) == ({"a": 2, "b": 2}, 1)


def test_revert_of_what_changed_since_conflicts(db: Workspace, unchanged: Any) -> None:
    db.kv.put("k", 1)
    wrong = db.kv.put("k", 2).version
    db.kv.put("k", 3)
    with unchanged(db), pytest.raises(strata.MergeConflict) as caught:
        db.revert(wrong)
    assert conflicts_of(caught.value) == [("k", "$", 2, 1, 3)]
    db.revert(wrong, strategy="source_wins")
    assert value(db, "k") == 1


def test_a_reverted_cell_cannot_be_taken_for_an_old_one(db: Workspace) -> None:
    old = db.state.set("셀", "가")
    wrong = db.state.set("셀", "나")
    db.revert(wrong.version)
    cell = db.state.get("셀")
    assert cell is not None
    assert cell.value == "가"
    assert cell.counter > wrong.counter
    assert db.state.cas("셀", "다", expected=old.counter) is None


def test_undo_walks_back_and_redo_is_a_revert_of_it(db: Workspace) -> None:
    for number in (1, 2, 3):
        db.kv.put("k", number)
    db.undo()
    assert value(db, "k") == 2
    db.undo()
    assert value(db, "k") == 1
    db.revert(db.log(limit=1)[0].version)
    assert value(db, "k") == 2
    db.undo()
    assert value(db, "k") == 1
    db.undo()
    assert value(db, "k") == "없음"
    with pytest.raises(strata.CommitNotFound, match="nothing to undo"):
        db.undo()


def test_undo_by_an_actor_leaves_the_others_alone(db: Workspace) -> None:
    mine, yours = db.as_actor("나"), db.as_actor("너")
    mine.kv.put("a", 1)
    yours.kv.put("b", 1)
    mine.kv.put("c", 1)
    yours.kv.put("d", 1)
    mine.undo()
    db.undo(actor="너")
    assert db.kv.list() == ["a", "b"]
    mine.undo()
    assert db.kv.list() == ["b"]
    assert db.log(limit=1)[0].actor == "나"
    with pytest.raises(strata.CommitNotFound):
        mine.undo()


def test_undo_of_what_others_built_upon_conflicts(db: Workspace, unchanged: Any) -> None:
    db.as_actor("나").kv.put("k", {"a": 1})
    db.as_actor("너").kv.put("k", {"a": 2})
    with unchanged(db), pytest.raises(strata.MergeConflict, match="k"):
        db.undo(actor="나")


def test_undo_takes_back_a_merge_and_passes_over_events(db: Workspace) -> None:
    db.kv.put("k", 1)
    db.branches.fork("가지")
    db.on("가지").kv.put_many({"k": 2, "새": 1})
    db.branches.merge("가지")
    db.undo()
    assert value(db, "k") == 1
    assert value(db, "새") == "없음"
    db.kv.put("k", 5)
    db.events.append("일", {})
    db.undo()
    assert value(db, "k") == 1, "events cannot be undone, and must not stand in the way"
    assert len(db.events) == 1


def test_cherry_pick_takes_over_one_commit_alone(sides: tuple[Workspace, Workspace]) -> None:
    db, fork = sides
    fork.kv.put("수", "앞")
    with fork.transaction(message="좋은 일") as tx:
        tx.kv.put("문서", {"제목": "처음", "쪽": 1, "깊이": 3})
        tx.kv.put("새", 1, tags=["빨강"])
        tx.events.append("일", {"n": 1})
    fork.kv.put("수", "뒤")
    assert tx.commit is not None
    merge = db.cherry_pick(tx.commit.version)
    assert merge.applied == 3
    assert value(db, "수") == 1
    assert value(db, "문서") == {"제목": "처음", "쪽": 1, "깊이": 3}
    assert db.kv.list(tags=["빨강"]) == ["새"]
    assert [event.payload for event in db.events.list("일")] == [{"n": 1}]


def test_cherry_pick_onto_a_changed_place_conflicts(
    sides: tuple[Workspace, Workspace], unchanged: Any
) -> None:
    db, fork = sides
    picked = fork.kv.put("수", "저기").version
    db.kv.put("수", "여기")
    with unchanged(db), pytest.raises(strata.MergeConflict) as caught:
        db.cherry_pick(picked)
    assert conflicts_of(caught.value) == [("수", "$", 1, "저기", "여기")]
    db.cherry_pick(picked, strategy="source_wins")
    assert value(db, "수") == "저기"


def test_diff_shows_what_a_merge_would_move(sides: tuple[Workspace, Workspace]) -> None:
    db, fork = sides
    fork.kv.put("새", 1)
    fork.kv.delete("수")
    fork.space("방").kv.put("k", 1)
    fork.kv.put("문서", {"제목": "둘"})
    diff = db.branches.diff("default", "가지")
    assert [(c.space, c.key) for c in diff.added] == [("default", "새"), ("방", "k")]
    assert [c.key for c in diff.removed] == ["수"]
    assert [c.key for c in diff.modified] == ["문서"]
    assert diff.total == len(diff.changes) == 4
    assert db.branches.diff("default", "가지", space="방").total == 1
    assert db.branches.diff("default", "가지", kinds=["json"]).total == 0
    assert db.branches.diff("가지", "default").total == 0
    back = db.branches.diff("가지", "default", two_sided=True)
    assert [c.key for c in back.added] == ["수"]
    assert back.total == 4


def test_a_merge_waits_for_no_other_store(
    db: Workspace, open_store: Callable[..., Workspace]
) -> None:
    other = open_store()
    db.kv.put("k", 1)
    other.branches.fork("가지")
    other.on("가지").kv.put("k", 2)
    assert db.branches.merge("가지").applied == 1
    assert value(other, "k") == 2


def test_merging_again_after_an_undo_tells_what_is_left_out(
    sides: tuple[Workspace, Workspace],
) -> None:
    db, fork = sides
    fork.kv.put("수", 2)
    assert db.branches.merge("가지").note is None
    undone = db.undo().commit
    assert undone is not None
    again = db.branches.merge("가지")
    assert (again.applied, again.undone_by) == (0, (undone,))
    assert f"revert version {undone}" in str(again.note)
    fork.kv.put("새", 1)
    preview = db.branches.merge("가지", preview=True)
    assert ([one.key for one in preview.changes], preview.undone_by) == (["새"], (undone,))
    assert db.branches.merge("가지").undone_by == (undone,)
    assert value(db, "수") == 1
    db.revert(undone)
    assert (value(db, "수"), value(db, "새")) == (2, 1)
    fork.kv.put("새", 2)
    assert db.branches.merge("가지").note is None


def test_an_undo_of_something_else_is_no_matter_of_a_merge(
    sides: tuple[Workspace, Workspace],
) -> None:
    db, fork = sides
    db.branches.fork("다른")
    db.on("다른").kv.put("다른 것", 1)
    db.branches.merge("다른")
    db.undo()
    db.kv.put("수", 5)
    db.revert(db.log(limit=1)[0].version)
    fork.kv.put("새", 1)
    done = db.branches.merge("가지")
    assert (done.applied, done.note) == (1, None)
