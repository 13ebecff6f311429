"""A user who may no longer edit a document cannot land edits of it by a merge."""

from pathlib import Path
from typing import Any, NamedTuple

import pytest

import strata

BEFORE = "# 계획\n\n첫 문장.\n\nLast sentence.\n"


class Office(NamedTuple):
    """Ann's document, which Bob edited on a branch before Ann ended the share."""

    ann: strata.Workspace
    bob: strata.Workspace
    document: str


@pytest.fixture
def office(tmp_path: Path) -> Any:
    with strata.open(tmp_path / "store.db") as db:
        ann = db.as_user(db.people.add("ann@example.com", "Ann").id)
        bob = db.as_user(db.people.add("bob@example.com", "Bob").id)
        document = ann.documents.create("Plan", BEFORE).document
        ann.documents.share(document, "bob@example.com", "editor")
        db.branches.fork("mb1")
        bob.on("mb1").documents.edit(document, "첫 문장.", "첫 문장. BOBS words.")
        yield Office(ann, bob, document)


def test_edits_of_a_user_who_lost_the_right_are_left_out_of_their_merge(office: Office) -> None:
    office.ann.documents.unshare(office.document, "bob@example.com")
    office.bob.branches.merge("mb1", into="default")
    assert office.ann.documents.text(office.document) == BEFORE


def test_edits_of_others_on_the_same_branch_are_merged_all_the_same(office: Office) -> None:
    office.ann.on("mb1").documents.edit(office.document, "Last sentence.", "Ann's sentence.")
    office.ann.documents.unshare(office.document, "bob@example.com")
    office.bob.branches.merge("mb1", into="default")
    assert office.ann.documents.text(office.document) == BEFORE.replace("Last", "Ann's")


def test_a_later_merge_does_not_bring_back_what_was_left_out(office: Office) -> None:
    office.ann.documents.unshare(office.document, "bob@example.com")
    office.bob.branches.merge("mb1", into="default")
    office.ann.on("mb1").documents.edit(office.document, "Last sentence.", "Ann's sentence.")
    office.bob.branches.merge("mb1", into="default")
    assert office.ann.documents.text(office.document) == BEFORE.replace("Last", "Ann's")


def test_who_may_edit_the_document_may_merge_what_others_wrote(office: Office) -> None:
    office.ann.documents.unshare(office.document, "bob@example.com")
    office.ann.branches.merge("mb1", into="default")
    assert "BOBS words." in office.ann.documents.text(office.document)


def test_a_reader_sees_which_documents_were_left_out(office: Office) -> None:
    office.ann.documents.share(office.document, "bob@example.com", "viewer")
    done = office.bob.branches.merge("mb1", into="default")
    assert done.left_out == (office.document,)
    assert office.ann.documents.text(office.document) == BEFORE


def test_a_document_that_the_target_lacks_comes_without_such_edits(office: Office) -> None:
    made = office.ann.on("mb1").documents.create("새 글", "Mine.\n").document
    there = office.ann.on("mb1").documents
    there.share(made, "bob@example.com", "editor")
    office.bob.on("mb1").documents.edit(made, "Mine.", "Mine. BOBS words.")
    there.unshare(made, "bob@example.com")
    office.bob.branches.merge("mb1", into="default")
    assert office.ann.documents.text(made) == "Mine.\n"
