"""Branches of documents: forks, merges, overlaps that become suggestions, taking back."""

import pytest

from strata import MergeConflict, Workspace
from strata.base.errors import NotFound
from strata.documents.text import Replica, resolve

BASE = "# 계획\n\nThe deadline is March 15.\n\n소유자: Ann\n\n끝.\n"


@pytest.fixture
def document(db: Workspace) -> str:
    made = db.documents.create("Plan", BASE)
    db.branches.fork("try")
    return made.document


def test_a_fork_has_the_text_and_its_own_edits(db: Workspace, document: str) -> None:
    db.on("try").documents.edit(document, "Ann", "민지")
    assert "민지" in db.on("try").documents.text(document)
    assert db.documents.text(document) == BASE


def test_a_merge_takes_both_sides_edits(db: Workspace, document: str) -> None:
    db.on("try").documents.edit(document, "Ann", "민지 🚀")
    db.documents.edit(document, "March 15", "April 1")
    merged = db.branches.merge("try")
    assert merged.conflicts == ()
    assert db.documents.text(document) == BASE.replace("Ann", "민지 🚀").replace(
        "March 15", "April 1"
    )
    assert db.documents.suggestions(document) == []


def test_two_words_of_one_line_do_not_overlap(db: Workspace, document: str) -> None:
    db.on("try").documents.edit(document, "The", "A")
    db.documents.edit(document, "March 15", "April 1")
    db.branches.merge("try")
    assert "A deadline is April 1." in db.documents.text(document)
    assert db.documents.suggestions(document) == []


def test_the_same_words_stay_and_the_others_become_a_suggestion(
    db: Workspace, document: str
) -> None:
    db.on("try").documents.edit(document, "March 15", "May 30")
    db.documents.edit(document, "March 15", "April 1")
    preview = db.branches.merge("try", preview=True)
    (filed,) = preview.filed
    assert (filed.suggestion, filed.line, filed.section) == (None, 3, "계획")
    assert (filed.original, filed.replacement) == ("April 1.", "May 30.")
    assert preview.changes == (), "the text stays as it is"
    assert db.documents.suggestions(document) == []
    merged = db.branches.merge("try")
    assert [one.suggestion for one in merged.filed] == [
        one.id for one in db.documents.suggestions(document)
    ]
    text = db.documents.text(document)
    assert text == BASE.replace("March 15", "April 1")
    (kept,) = db.documents.suggestions(document)
    assert "May 30" in kept.replacement
    assert kept.reason == "merge"
    assert kept.branch == "try"
    start, end = resolve(_replica(db, document), [kept.start, kept.end])
    assert text[start:end] == kept.original
    assert "April 1" in kept.original


def test_a_suggestions_place_follows_later_edits(db: Workspace, document: str) -> None:
    db.on("try").documents.edit(document, "March 15", "May 30")
    db.documents.edit(document, "March 15", "April 1")
    db.branches.merge("try")
    db.documents.edit(document, "# 계획", "# 더 긴 계획 😀\n\n새 문단")
    (kept,) = db.documents.suggestions(document)
    start, end = resolve(_replica(db, document), [kept.start, kept.end])
    assert db.documents.text(document)[start:end] == kept.original


def test_merging_again_changes_nothing(db: Workspace, document: str) -> None:
    db.on("try").documents.edit(document, "Ann", "민지")
    db.branches.merge("try")
    before = db.documents.get(document).version
    assert db.branches.merge("try").commit is None
    assert db.documents.get(document).version == before


def test_merges_back_and_forth_double_nothing(db: Workspace, document: str) -> None:
    for n in range(6):
        db.on("try").documents.edit(document, "끝.", f"t{n} 끝.")
        db.documents.edit(document, "# 계획", f"# 계획 m{n}")
        db.branches.merge("try", into="default")
        db.branches.merge("default", into="try")
    expected = "".join(f" m{n}" for n in reversed(range(6)))
    text = db.documents.text(document)
    assert f"# 계획{expected}\n" in text
    assert text.rstrip().endswith(" ".join(f"t{n}" for n in range(6)) + " 끝.")
    assert db.on("try").documents.text(document) == text


def test_a_document_born_on_a_branch_comes_with_the_merge(db: Workspace) -> None:
    db.branches.fork("try")
    there = db.on("try").documents
    made = there.create("새 문서", "# 시작\n")
    there.edit(made.document, "시작", "시작 😀")
    with pytest.raises(NotFound):
        db.documents.text(made.document)
    db.branches.merge("try")
    assert db.documents.text(made.document) == "# 시작 😀\n"
    assert db.documents.get(made.document).title == "새 문서"
    assert [piece.path for piece in db.documents.pieces(made.document)] == [("시작 😀",)]
    db.documents.edit(made.document, "시작", "출발")
    assert db.documents.text(made.document) == "# 출발 😀\n"


def test_undo_takes_an_edit_back_and_leaves_others(db: Workspace, document: str) -> None:
    wrong = db.documents.edit(document, "March 15", "never").version
    db.documents.edit(document, "Ann", "민지")
    db.revert(wrong)
    assert db.documents.text(document) == BASE.replace("Ann", "민지")
    db.undo()
    assert db.documents.text(document) == BASE.replace("March 15", "never").replace("Ann", "민지")


def test_reverting_what_was_changed_again_conflicts(db: Workspace, document: str) -> None:
    wrong = db.documents.edit(document, "March 15", "never").version
    db.documents.edit(document, "never", "soon")
    with pytest.raises(MergeConflict):
        db.revert(wrong)
    assert "soon" in db.documents.text(document)


def test_undoing_the_making_of_a_document_removes_it(db: Workspace) -> None:
    made = db.documents.create("Plan", "# 제목")
    db.undo()
    with pytest.raises(NotFound):
        db.documents.get(made.document)


def test_a_commit_can_be_picked(db: Workspace, document: str) -> None:
    good = db.on("try").documents.edit(document, "Ann", "민지").version
    db.on("try").documents.edit(document, "끝.", "끝!")
    db.cherry_pick(good)
    assert db.documents.text(document) == BASE.replace("Ann", "민지")


def test_one_actor_on_two_branches_loses_nothing(db: Workspace, document: str) -> None:
    ann = db.as_actor("ann")
    ann.documents.edit(document, "끝.", "끝. main 1")
    ann.on("try").documents.edit(document, "# 계획", "# 계획 try 1")
    ann.documents.edit(document, "main 1", "main 1 2")
    ann.on("try").documents.edit(document, "try 1", "try 1 2")
    db.branches.merge("try")
    text = db.documents.text(document)
    assert "# 계획 try 1 2\n" in text
    assert "끝. main 1 2\n" in text


def test_titles_that_both_changed_conflict(db: Workspace, document: str) -> None:
    db.on("try").documents.rename(document, "Theirs")
    db.documents.rename(document, "Ours")
    with pytest.raises(MergeConflict):
        db.branches.merge("try")
    db.branches.merge("try", strategy="source_wins")
    assert db.documents.get(document).title == "Theirs"


def test_a_branch_diff_shows_texts_and_no_bookkeeping(db: Workspace, document: str) -> None:
    db.on("try").documents.edit(document, "Ann", "민지")
    (change,) = db.branches.diff("default", "try").changes
    assert (change.kind, change.key, change.before) == ("text", document, BASE)
    assert change.after == BASE.replace("Ann", "민지")


def _replica(db: Workspace, document: str) -> Replica:
    from strata.documents.log import load

    return load(db._view.snapshot, document)


def test_the_store_is_told_which_kinds_are_merged_as_texts(db: Workspace) -> None:
    from strata.documents import TextJoiner

    joiner = db._store.joiner
    assert joiner is not None
    assert joiner.kinds == TextJoiner.kinds
