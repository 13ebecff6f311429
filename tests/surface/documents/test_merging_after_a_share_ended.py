"""A user who lost a right to a document cannot land by a merge what takes that right."""

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
        ann = db.as_user(db.users.add("ann@example.com", "Ann").id)
        bob = db.as_user(db.users.add("bob@example.com", "Bob").id)
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


# What stands beside the text.


def bodies(db: strata.Workspace, document: str) -> list[str]:
    return [one.comment.body for one in db.review.comments(document)]


def end_and_merge(office: Office, role: str | None = None) -> strata.Merge:
    """Take Bob's right to edit away, and let him merge."""
    if role is None:
        office.ann.documents.unshare(office.document, "bob@example.com")
    else:
        office.ann.documents.share(office.document, "bob@example.com", role)
    return office.bob.branches.merge("mb1", into="default")


def test_comments_of_a_user_who_lost_the_right_are_left_out(office: Office) -> None:
    office.bob.on("mb1").review.comment(office.document, "밥의 말", quote="첫 문장.")
    office.ann.on("mb1").review.comment(office.document, "Ann says")
    end_and_merge(office)
    assert bodies(office.ann, office.document) == ["Ann says"]
    # Nor does a later merge bring them.
    office.ann.on("mb1").review.comment(office.document, "또 앤")
    office.bob.branches.merge("mb1", into="default")
    assert bodies(office.ann, office.document) == ["Ann says", "또 앤"]


def test_a_user_who_may_still_comment_keeps_comments_and_suggestions(office: Office) -> None:
    there = office.bob.on("mb1").review
    there.comment(office.document, "밥의 말")
    there.propose(office.document, "Last", "끝")
    done = end_and_merge(office, "commenter")
    assert done.left_out == (office.document,)
    assert bodies(office.ann, office.document) == ["밥의 말"]
    assert len(office.ann.review.suggestions(office.document)) == 1
    assert office.ann.documents.text(office.document) == BEFORE


def test_a_viewer_is_told_that_comments_were_left_out(office: Office) -> None:
    office.ann.branches.merge("mb1", into="default")
    office.bob.on("mb1").review.comment(office.document, "밥의 말")
    assert end_and_merge(office, "viewer").left_out == (office.document,)
    assert bodies(office.ann, office.document) == []


def test_who_may_comment_merges_what_others_said(office: Office) -> None:
    office.bob.on("mb1").review.comment(office.document, "밥의 말")
    office.ann.documents.unshare(office.document, "bob@example.com")
    office.ann.branches.merge("mb1", into="default")
    assert bodies(office.ann, office.document) == ["밥의 말"]


def test_a_reply_to_what_was_left_out_is_merged_all_the_same(office: Office) -> None:
    asked = office.bob.on("mb1").review.comment(office.document, "밥의 말").comment
    office.ann.on("mb1").review.reply(office.document, asked.id, "앤의 답")
    end_and_merge(office)
    assert bodies(office.ann, office.document) == ["앤의 답"]


def test_what_was_decided_about_a_comment_is_left_out_and_the_comment_is_merged(
    office: Office,
) -> None:
    known = office.ann.review.comment(office.document, "전부터").comment
    office.ann.branches.merge("default", into="mb1")
    fresh = office.ann.on("mb1").review.comment(office.document, "새 말").comment
    for one in (known, fresh):
        office.bob.on("mb1").review.resolve(office.document, one.id)
    end_and_merge(office)
    found = {
        one.comment.body: one.comment.status for one in office.ann.review.comments(office.document)
    }
    assert found == {"전부터": "active", "새 말": "active"}


def test_a_comment_that_such_a_user_deleted_stays(office: Office) -> None:
    mine = office.bob.review.comment(office.document, "밥의 옛말").comment
    office.ann.branches.merge("default", into="mb1")
    office.bob.on("mb1").review.delete(office.document, mine.id)
    end_and_merge(office)
    assert bodies(office.ann, office.document) == ["밥의 옛말"]


def test_suggestions_of_a_user_who_lost_the_right_are_left_out(office: Office) -> None:
    office.bob.on("mb1").review.propose(office.document, "Last", "밥의 끝")
    office.ann.on("mb1").review.propose(office.document, "sentence", "문장")
    end_and_merge(office)
    (found,) = office.ann.review.suggestions(office.document)
    assert found.suggestion.replacement == "문장"


def test_a_suggestion_that_such_a_user_rejected_is_still_pending(office: Office) -> None:
    made = office.ann.review.propose(office.document, "Last", "끝").suggestion
    office.ann.branches.merge("default", into="mb1")
    office.bob.on("mb1").review.reject(office.document, made.id)
    # To reject takes the right to edit, which a commenter has not.
    end_and_merge(office, "commenter")
    assert office.ann.review.suggestion(office.document, made.id).suggestion.status == "pending"


def test_a_title_of_a_user_who_lost_the_right_is_left_out(office: Office) -> None:
    office.ann.on("mb1").documents.rename(office.document, "앤의 제목")
    office.bob.on("mb1").documents.rename(office.document, "밥의 제목")
    office.bob.on("mb1").documents.trash(office.document)
    done = end_and_merge(office, "viewer")
    assert done.left_out == (office.document,)
    found = office.ann.documents.get(office.document)
    assert (found.title, found.trashed) == ("앤의 제목", False)
    # Nor does a later merge bring it.
    office.ann.on("mb1").documents.untrash(office.document)
    office.bob.branches.merge("mb1", into="default")
    assert office.ann.documents.get(office.document).title == "앤의 제목"


def test_a_title_over_one_that_is_left_out_is_merged(office: Office) -> None:
    office.bob.on("mb1").documents.rename(office.document, "밥의 제목")
    office.ann.on("mb1").documents.rename(office.document, "앤의 제목")
    end_and_merge(office)
    assert office.ann.documents.get(office.document).title == "앤의 제목"


def test_a_title_that_was_merged_elsewhere_first_is_left_out_too(office: Office) -> None:
    office.bob.on("mb1").documents.rename(office.document, "밥의 제목")
    office.bob.branches.fork("mb2", source="default")
    office.bob.branches.merge("mb1", into="mb2")
    office.ann.documents.unshare(office.document, "bob@example.com")
    office.bob.branches.merge("mb2", into="default")
    assert office.ann.documents.get(office.document).title == "Plan"


def test_a_document_that_the_target_lacks_comes_with_the_title_of_who_may_give_it(
    office: Office,
) -> None:
    there = office.ann.on("mb1").documents
    made = there.create("새 글", "Mine.\n").document
    there.share(made, "bob@example.com", "editor")
    office.bob.on("mb1").documents.rename(made, "밥의 제목")
    there.unshare(made, "bob@example.com")
    office.bob.branches.merge("mb1", into="default")
    assert office.ann.documents.get(made).title == "새 글"
