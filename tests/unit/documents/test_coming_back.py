"""Documents that were removed, came back, or were picked: one log, and no word twice."""

import pytest

from strata import MergeConflict, Workspace
from strata.base.errors import Conflict, NotFound
from strata.store import Strategy

TEXT = "하나 둘 셋 넷\n"


@pytest.fixture
def document(db: Workspace) -> str:
    return db.documents.create("Plan", TEXT).document


def test_a_document_that_came_back_is_edited_as_it_stands(db: Workspace, document: str) -> None:
    _take_back(db)
    with pytest.raises(NotFound):
        db.documents.text(document)
    _take_back(db)
    db.documents.edit(document, "둘", "two")
    assert db.documents.text(document) == "하나 two 셋 넷\n"
    _check(db)


def test_a_branch_goes_on_with_a_document_that_was_away_elsewhere(
    db: Workspace, document: str
) -> None:
    db.branches.fork("try")
    db.on("try").documents.edit(document, "둘", "two")
    _take_back(db)
    _take_back(db)
    db.documents.edit(document, "넷", "四")
    assert db.branches.merge("try").conflicts == ()
    assert db.documents.text(document) == "하나 two 셋 四\n"
    _check(db)


def test_a_removed_document_comes_back_when_its_editor_wins(db: Workspace, document: str) -> None:
    _edited_and_removed(db, document)
    with pytest.raises(MergeConflict):
        db.branches.merge("try")
    db.branches.merge("try", strategy="source_wins")
    assert db.documents.text(document) == "하나 two 셋 넷\n"
    _check(db)


@pytest.mark.parametrize("strategy", ["target_wins", "newest"])
def test_a_removed_document_stays_away_when_that_wins(
    db: Workspace, document: str, strategy: Strategy
) -> None:
    _edited_and_removed(db, document)
    db.branches.merge("try", strategy=strategy)
    with pytest.raises(NotFound):
        db.documents.text(document)
    _check(db)


def test_a_picked_document_is_the_same_one_at_the_next_merge(db: Workspace) -> None:
    db.branches.fork("try")
    ann = db.as_user(db.users.add("ann@example.com").id).on("try")
    document = ann.documents.create("Plan", TEXT).document
    made = db.on("try").log(limit=1)[0].version
    ann.documents.edit(document, "넷", "四")
    db.cherry_pick(made)
    mine = ann.on("default")
    assert mine.documents.text(document) == TEXT
    assert mine.documents.blame(document)[0].author == ann.rights.user.id
    db.branches.merge("try")
    assert mine.documents.text(document) == "하나 둘 셋 四\n"
    assert mine.documents.suggestions(document) == []
    _check(db)


def test_picking_what_made_a_document_that_is_here_does_not_double_it(
    db: Workspace, document: str
) -> None:
    made = db.log(limit=1)[0].version
    db.branches.fork("try")
    there = db.on("try")
    there.cherry_pick(made)
    assert there.documents.text(document) == TEXT
    there.documents.edit(document, "둘", "two")
    with pytest.raises(MergeConflict):
        there.cherry_pick(made)
    there.cherry_pick(made, strategy="source_wins")
    assert there.documents.text(document) == TEXT
    _check(db)


def test_where_an_import_found_a_document_is_merged(db: Workspace, document: str) -> None:
    db.branches.fork("try")
    db.on("try").documents.set_origin(document, {"path": "계획/Plan.md"})
    db.branches.merge("try")
    assert db.documents.get(document).origin == {"path": "계획/Plan.md"}


def test_where_both_sides_found_a_document_is_no_conflict(db: Workspace, document: str) -> None:
    db.branches.fork("try")
    db.on("try").documents.set_origin(document, {"path": "a.md"})
    db.documents.set_origin(document, {"path": "b.md"})
    assert db.branches.merge("try").conflicts == ()
    assert db.documents.get(document).origin == {"path": "b.md"}


def test_a_key_of_one_request_is_not_taken_for_that_of_another(
    db: Workspace, document: str
) -> None:
    other = db.documents.create("Other", TEXT).document
    db.branches.fork("try")
    assert not db.documents.with_request("키").edit(document, "둘", "2").repeated
    assert db.documents.with_request("키").edit(document, "둘", "2").repeated
    with pytest.raises(Conflict, match="another request"):
        db.documents.with_request("키").edit(other, "둘", "2")
    with pytest.raises(Conflict, match="another request"):
        db.on("try").documents.with_request("키").edit(document, "둘", "2")


def _edited_and_removed(db: Workspace, document: str) -> None:
    db.branches.fork("try")
    db.on("try").documents.edit(document, "둘", "two")
    _take_back(db)


def _take_back(db: Workspace) -> None:
    db.revert(db.log(limit=1)[0].version)


def _check(db: Workspace) -> None:
    assert db.verify(full=True).problems == ()
