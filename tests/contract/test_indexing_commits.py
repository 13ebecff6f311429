"""Commits that only index what was typed before are no work of users."""

import pytest

from strata import NotAllowed, Workspace
from strata.documents import Arrival, Author
from strata.documents.text import Replica, Splice

TYPED = "---\ntags: [계획]\n---\n"


def type_in(db: Workspace, document: str, words: str) -> None:
    """Let the owner's page send words."""
    live = db.documents.live()
    there = Replica([live.difference(document).update])
    update = there.splice([Splice(0, 0, words)])
    live.append([Arrival(document, update, Author(db.users.owner().id))])


@pytest.fixture
def merged(db: Workspace) -> Workspace:
    """A branch whose typed words were merged, and indexed afterwards."""
    document = db.documents.create("계획", "본문\n").document
    db.branches.fork("초안")
    draft = db.on("초안")
    type_in(draft, document, TYPED)
    db.branches.merge("초안", into="default")
    assert draft.documents.live().settle() == 1
    assert draft.log(limit=1)[0].operation == "document settle"
    return db


def test_a_merged_branch_that_was_indexed_since_can_be_deleted(merged: Workspace) -> None:
    assert merged.branches.delete("초안").status == "deleted"


def test_a_branch_with_words_typed_since_cannot_be_deleted(merged: Workspace) -> None:
    found = merged.documents.called("계획")
    type_in(merged.on("초안"), found, "더 ")
    merged.on("초안").documents.live().settle()
    with pytest.raises(NotAllowed, match="work that no other branch has"):
        merged.branches.delete("초안")


def test_indexing_is_not_counted_compared_or_merged(merged: Workspace) -> None:
    assert merged.branches.distance("초안", "default").ahead == 0
    assert merged.branches.diff("default", "초안").changes == ()
    preview = merged.branches.merge("초안", into="default", preview=True)
    assert (preview.applied, preview.commit) == (0, None)
    assert merged.branches.merge("초안", into="default").commit is None


def test_the_last_change_of_a_branch_is_what_a_user_did(merged: Workspace) -> None:
    newest = merged.branches.last_change("초안")
    assert newest is not None
    assert (newest.operation, newest.person_name) == ("document live", "owner")
    empty = merged.branches.create_empty("빈")
    assert merged.branches.last_change(empty.name) is None
