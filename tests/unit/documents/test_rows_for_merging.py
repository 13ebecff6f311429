"""Retention keeps the edits that a branch may still have to be merged with."""

import pytest

from strata import Workspace
from strata.base import limits


@pytest.fixture
def document(db: Workspace, monkeypatch: pytest.MonkeyPatch) -> str:
    """A document that two branches have, and of which retention has dropped what it could."""
    monkeypatch.setattr(limits, "DOCUMENT_SNAPSHOT_ROWS", 3)
    made = db.documents.create("Plan", "하나\n둘\n셋\n").document
    _edit_often(db, made)
    db.branches.fork("try")
    _edit_often(db, made)
    db.retention.set(max_versions=1)
    assert db.retention.apply().versions
    return made


def test_a_branch_that_is_behind_takes_the_changes_over(db: Workspace, document: str) -> None:
    db.on("try").branches.merge("default")
    assert db.on("try").documents.text(document) == db.documents.text(document)


def test_a_branch_may_begin_to_edit_later_and_be_merged(db: Workspace, document: str) -> None:
    db.on("try").documents.edit(document, "하나", "one")
    db.branches.merge("try")
    assert db.documents.text(document) == "one\n둘\nlast\n"
    db.retention.apply()
    db.on("try").branches.merge("default")
    assert db.on("try").documents.text(document) == "one\n둘\nlast\n"


def _edit_often(db: Workspace, document: str) -> None:
    for number in range(8):
        db.documents.write(document, f"하나\n둘\n셋 {number}\n")
    db.documents.write(document, "하나\n둘\nlast\n")


def test_what_a_merge_carried_as_one_update_is_not_taken_twice(
    db: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "DOCUMENT_ROW_BYTES_MAX", 100)
    document = db.documents.create("Plan", "처음\n").document
    db.branches.fork("try")
    there = db.on("try")
    for number in range(9):
        there.documents.write(document, f"처음\n하나 {number}\n둘\n")
    db.branches.merge("try")
    there.documents.edit(document, "하나 8", "one")
    db.documents.edit(document, "둘", "two")
    db.branches.merge("try")
    assert db.documents.text(document) == "처음\none\ntwo\n"
    assert db.documents.suggestions(document) == []
