"""Merging with a choice for each conflict: what was chosen is what is there, or nothing is."""

from typing import Any

import pytest

import strata
from strata import EditedValue, Merge, Workspace


def value(workspace: Workspace, key: str) -> Any:
    found = workspace.kv.get(key)
    return None if found is None else found.value


@pytest.fixture
def sides(db: Workspace) -> tuple[Workspace, Workspace]:
    """The default branch and a fork, which have both changed the same places."""
    db.kv.put("수", 1, tags=["처음"])
    db.kv.put("문서", {"제목": "처음", "목록": ["가"], "쪽": 1})
    db.state.set("셀", "처음")
    db.branches.fork("가지")
    fork = db.on("가지")
    for side, number in ((db, 2), (fork, 3)):
        side.kv.put("수", number, tags=[f"표{number}"])
        side.kv.put("문서", {"제목": f"제목 {number}", "목록": ["가", number], "쪽": 1})
        side.state.set("셀", number)
    return db, fork


def by_place(merge: Merge) -> dict[tuple[str, str], strata.ConflictEntry]:
    return {(entry.key, entry.path): entry for entry in merge.conflicts}


def test_each_conflict_is_decided_by_its_own_choice(sides: tuple[Workspace, Workspace]) -> None:
    db = sides[0]
    found = by_place(db.branches.merge("가지", preview=True))
    choices: dict[str, Any] = {
        found["수", "$"].id: "theirs",
        found["문서", "$.제목"].id: EditedValue("둘 다 아닌 제목"),
        found["문서", "$.목록"].id: "both",
        found["셀", "$"].id: "ours",
    }
    preview = db.branches.merge("가지", choices=choices, preview=True)
    assert preview.undecided == ()
    done = db.branches.merge("가지", choices=choices)
    assert (done.changes, done.conflicts) == (preview.changes, preview.conflicts)
    assert {entry.choice for entry in done.conflicts} == {"ours", "theirs", "both", "edited"}
    assert value(db, "수") == 3
    assert value(db, "문서") == {"제목": "둘 다 아닌 제목", "목록": ["가", 2, 3], "쪽": 1}
    assert db.state["셀"] == 2
    assert db.branches.merge("가지").commit is None


def test_a_key_chooses_for_all_its_conflicts(sides: tuple[Workspace, Workspace]) -> None:
    db = sides[0]
    db.branches.merge("가지", choices={"수": "ours", "default/문서": "theirs", "셀": "theirs"})
    assert (value(db, "수"), value(db, "문서")["제목"]) == (2, "제목 3")


def test_a_conflict_without_a_choice_stops_the_merge_and_is_named(
    sides: tuple[Workspace, Workspace],
) -> None:
    db = sides[0]
    with pytest.raises(strata.MergeConflict) as refused:
        db.branches.merge("가지", choices={"문서": "theirs", "셀": "theirs"})
    assert [entry.key for entry in refused.value.conflicts] == ["수"]
    assert "`choices`" in (refused.value.hint or "")
    assert value(db, "문서")["제목"] == "제목 2"
    done = db.branches.merge("가지", choices={"문서": "theirs"}, strategy="target_wins")
    assert (value(db, "수"), value(db, "문서")["제목"]) == (2, "제목 3")
    assert done.undecided == ()


def test_a_choice_for_a_conflict_that_changed_since_is_refused(
    sides: tuple[Workspace, Workspace],
) -> None:
    db, fork = sides
    previewed = db.branches.merge("가지", preview=True).conflicts
    choices: dict[str, Any] = {entry.id: "theirs" for entry in previewed}
    fork.kv.put("다른 것", "상관없다")
    assert db.branches.merge("가지", choices=choices, preview=True).undecided == ()
    fork.kv.put("수", 30)
    with pytest.raises(strata.InvalidArgument, match="has no conflict") as refused:
        db.branches.merge("가지", choices=choices)
    assert "preview the merge again" in (refused.value.hint or "")
    assert (value(db, "수"), value(db, "다른 것")) == (2, None)


@pytest.mark.parametrize("choice", ["both", EditedValue(5), "mine"])
def test_a_choice_that_a_conflict_does_not_have_is_refused(db: Workspace, choice: Any) -> None:
    db.vectors.create("벡터", 2)
    db.vectors.upsert("벡터", "하나", [1.0, 2.0])
    db.branches.fork("가지")
    db.vectors.upsert("벡터", "하나", [1.0, 3.0])
    db.on("가지").vectors.upsert("벡터", "하나", [1.0, 4.0])
    with pytest.raises(strata.InvalidArgument) as refused:
        db.branches.merge("가지", choices={"벡터/하나": choice})
    assert refused.value.details["parameter"] == "choices"
    db.branches.merge("가지", choices={"벡터/하나": "theirs"})
    found = db.vectors.get("벡터", "하나")
    assert found is not None
    assert found.vector == [1.0, 4.0]


def test_what_one_side_deleted_can_be_kept_deleted_or_written_anew(db: Workspace) -> None:
    for key in ("가", "나", "다"):
        db.kv.put(key, "처음", tags=["표"])
    db.branches.fork("가지")
    for key in ("가", "나", "다"):
        db.kv.delete(key)
        db.on("가지").kv.put(key, "나중", tags=["표"])
    choices: dict[str, Any] = {"가": "ours", "나": "theirs", "다": EditedValue({"새": True})}
    db.branches.merge("가지", choices=choices)
    assert [value(db, key) for key in ("가", "나", "다")] == [None, "나중", {"새": True}]
    assert [db.kv[key] for key in db.kv] == ["나중", {"새": True}]


def test_a_secret_cannot_be_chosen(sides: tuple[Workspace, Workspace]) -> None:
    secret = "postgres://app:" + "tr0ub4dor" + "@db/app"
    with pytest.raises(strata.SecretRefused):
        sides[0].branches.merge("가지", choices={"수": EditedValue(secret)})


# Documents.


@pytest.fixture
def passages(db: Workspace) -> str:
    """A document of which both sides changed three passages."""
    text = "# 계획\n\n봄에 낸다.\n\n가을에 쉰다.\n\n겨울에 쓴다.\n"
    made = db.documents.create("계획", text)
    db.branches.fork("가지")
    for side, word in ((db, "우리"), (db.on("가지"), "저쪽")):
        for season in ("봄", "가을", "겨울"):
            side.documents.edit(made.document, season, f"{season}({word})")
    return made.document


def test_passages_are_listed_with_both_texts_and_filed_without_a_choice(
    db: Workspace, passages: str
) -> None:
    preview = db.branches.merge("가지", preview=True)
    assert (preview.applied, len(preview.conflicts), len(preview.filed)) == (0, 0, 3)
    first = preview.filed[0]
    assert (first.document, first.title, first.line, first.section) == (passages, "계획", 3, "계획")
    assert (first.base, first.original, first.replacement) == ("봄에", "봄(우리)에", "봄(저쪽)에")
    done = db.branches.merge("가지")
    assert [one.id for one in done.filed] == [one.id for one in preview.filed]
    assert len(db.review.suggestions(passages)) == 3


def test_each_passage_is_decided_by_its_own_choice(db: Workspace, passages: str) -> None:
    spring, autumn, winter = (one.id or "" for one in db.branches.merge("가지", preview=True).filed)
    choices: dict[str, Any] = {spring: "theirs", autumn: "both", winter: EditedValue("여름에")}
    preview = db.branches.merge("가지", choices=choices, preview=True)
    done = db.branches.merge("가지", choices=choices)
    assert [change.after for change in preview.changes] == [change.after for change in done.changes]
    assert (len(done.filed), [one.choice for one in done.settled]) == (
        0,
        ["theirs", "both", "edited"],
    )
    assert db.documents.text(passages) == (
        "# 계획\n\n봄(저쪽)에 낸다.\n\n가을(우리)에 가을(저쪽)에 쉰다.\n\n여름에 쓴다.\n"
    )
    assert db.review.suggestions(passages) == []
    assert db.verify(full=True).ok
    assert db.branches.merge("가지").commit is None
    db.on("가지").branches.merge("default", into="가지")
    assert db.on("가지").documents.text(passages) == db.documents.text(passages)


def test_some_passages_can_be_chosen_and_others_filed(db: Workspace, passages: str) -> None:
    spring, autumn, _winter = (
        one.id or "" for one in db.branches.merge("가지", preview=True).filed
    )
    done = db.branches.merge(
        "가지", choices={spring: EditedValue("아주 이른 봄에"), autumn: "ours"}
    )
    assert [one.original for one in done.filed] == ["겨울(우리)에"]
    [waiting] = db.review.suggestions(passages)
    db.review.accept(passages, waiting.suggestion.id)
    assert db.documents.text(passages) == (
        "# 계획\n\n아주 이른 봄에 낸다.\n\n가을(우리)에 쉰다.\n\n겨울(저쪽)에 쓴다.\n"
    )


def test_titles_and_removed_documents_take_a_choice(db: Workspace, passages: str) -> None:
    other = db.documents.create("둘째", "처음").document
    db.branches.merge("default", into="가지", strategy="target_wins")
    for side, title in ((db, "우리 계획"), (db.on("가지"), "저쪽 계획")):
        side.documents.rename(passages, title)
    preview = db.branches.merge("가지", preview=True)
    [title] = [entry for entry in preview.conflicts if entry.path == "$.title"]
    with pytest.raises(strata.InvalidArgument):
        db.branches.merge("가지", choices={title.id: "both"})
    db.branches.merge("가지", choices={title.id: EditedValue("한 계획")})
    assert db.documents.get(passages).title == "한 계획"
    assert db.documents.text(other) == "처음"


def test_a_stranger_learns_nothing_by_choosing(db: Workspace, passages: str) -> None:
    bora = db.as_user(db.users.add("bora@example.com", "보라").id)
    preview = bora.branches.merge("가지", into="default", preview=True)
    assert (preview.filed, preview.conflicts, preview.changes) == ((), (), ())
    known = db.branches.merge("가지", preview=True).filed[0].id or ""
    for name in (passages, known):
        with pytest.raises(strata.InvalidArgument) as refused:
            bora.branches.merge("가지", into="default", choices={name: "theirs"})
        assert "계획" not in str(refused.value)
        assert "There is no conflict" in str(refused.value)
    assert db.documents.text(passages).startswith("# 계획\n\n봄(우리)에")


def test_a_reader_cannot_decide_about_a_document(db: Workspace, passages: str) -> None:
    ann = db.users.add("ann@example.com", "Ann")
    db.shares.share(passages, ann.email, "viewer")
    reader = db.as_user(ann.id)
    [first, *_rest] = reader.branches.merge("가지", into="default", preview=True).filed
    with pytest.raises(strata.NotAllowed):
        reader.branches.merge("가지", into="default", choices={first.id or "": "theirs"})
