"""Comments and suggestions on branches: forks, merges, picks, and what both sides decided."""

import pytest

from strata import Workspace
from strata.base.errors import Conflict, NotFound
from tests.unit.review.conftest import TEXT, Team


@pytest.fixture
def forked(team: Team) -> tuple[Team, Team]:
    """The same people on the default branch and on one that was forked from it."""
    team.owner.branches.fork("try")
    return team, team.on("try")


def test_a_branch_has_comments_of_its_own(forked: tuple[Team, Team]) -> None:
    main, there = forked
    there.commenter.review.comment(main.document, "왜?", quote="다섯째")
    assert len(there.viewer.review.comments(main.document)) == 1
    assert main.viewer.review.comments(main.document) == []


def test_comments_made_on_a_branch_arrive_by_a_merge_at_the_right_words(
    forked: tuple[Team, Team],
) -> None:
    main, there = forked
    there.editor.documents.edit(main.document, "다섯째 달", "다섯째 달 🎉 새 말")
    asked = there.commenter.review.comment(main.document, "왜?", quote="🎉 새 말").comment
    there.editor.review.reply(main.document, asked.id, "그냥")
    main.editor.documents.edit(main.document, "# 목표 🎯", "# 😀😀 더 긴 목표")
    merged = main.owner.branches.merge("try")
    assert merged.conflicts == ()
    (thread,) = main.viewer.review.comments(main.document)
    assert thread.spot is not None
    assert thread.spot.text == "🎉 새 말"
    assert thread.spot.path == ("😀😀 더 긴 목표", "일정")
    assert [one.body for one in thread.replies] == ["그냥"]


def test_both_sides_may_resolve_the_same_thread(team: Team) -> None:
    asked = team.commenter.review.comment(team.document, "왜?", quote="다섯째").comment
    team.owner.branches.fork("try")
    team.on("try").editor.review.resolve(team.document, asked.id)
    team.commenter.review.resolve(team.document, asked.id)
    assert team.owner.branches.merge("try").conflicts == ()
    (thread,) = team.viewer.review.comments(team.document, status="resolved")
    assert thread.comment.decided_by == team.commenter.rights.user.id  # the later one


def test_the_later_of_two_decisions_about_a_thread_stays(team: Team) -> None:
    asked = team.commenter.review.comment(team.document, "왜?").comment
    team.owner.branches.fork("try")
    there = team.on("try")
    team.commenter.review.resolve(team.document, asked.id)
    there.editor.review.resolve(team.document, asked.id)
    there.editor.review.reopen(team.document, asked.id)
    team.owner.branches.merge("try")
    assert team.viewer.review.comments(team.document)[0].comment.status == "active"


def test_an_edit_on_one_side_and_a_decision_on_the_other_are_both_kept(team: Team) -> None:
    asked = team.commenter.review.comment(team.document, "Wyh?", quote="다섯째").comment
    team.owner.branches.fork("try")
    there = team.on("try")
    there.commenter.review.edit(team.document, asked.id, "Why?")
    team.editor.review.resolve(team.document, asked.id)
    assert team.owner.branches.merge("try").conflicts == ()
    (thread,) = team.viewer.review.comments(team.document, status="resolved")
    assert (thread.comment.body, thread.comment.quote) == ("Why?", "다섯째")
    assert team.viewer.review.waiting() == []


def test_the_later_of_two_edits_stays(team: Team) -> None:
    asked = team.commenter.review.comment(team.document, "a").comment
    team.owner.branches.fork("try")
    team.commenter.review.edit(team.document, asked.id, "b")
    team.on("try").commenter.review.edit(team.document, asked.id, "c")
    team.owner.branches.merge("try")
    assert team.viewer.review.comments(team.document)[0].comment.body == "c"


@pytest.mark.parametrize("deleting", ["here", "there"])
def test_a_comment_deleted_on_one_side_stays_deleted_whatever_the_other_did(
    team: Team, deleting: str
) -> None:
    asked = team.commenter.review.comment(team.document, "왜?").comment
    team.owner.branches.fork("try")
    sides = {"here": team, "there": team.on("try")}
    sides.pop(deleting).commenter.review.delete(team.document, asked.id)
    (other,) = sides.values()
    other.commenter.review.edit(team.document, asked.id, "Why?")
    assert team.owner.branches.merge("try").conflicts == ()
    assert team.viewer.review.comments(team.document) == []


def test_a_reply_from_a_branch_finds_the_place_of_a_deleted_comment(team: Team) -> None:
    asked = team.commenter.review.comment(team.document, "왜?", quote="다섯째").comment
    team.owner.branches.fork("try")
    team.on("try").editor.review.reply(team.document, asked.id, "Because.")
    team.commenter.review.delete(team.document, asked.id)
    team.owner.branches.merge("try")
    (thread,) = team.viewer.review.comments(team.document)
    assert (thread.comment.id, thread.comment.body) == (asked.id, "")
    assert [one.body for one in thread.replies] == ["Because."]


def test_an_edit_of_a_user_whose_share_ended_is_not_merged(team: Team) -> None:
    asked = team.commenter.review.comment(team.document, "왜?").comment
    team.owner.branches.fork("try")
    team.on("try").commenter.review.edit(team.document, asked.id, "x")
    team.owner.documents.share(team.document, "commenter@example.com", "viewer")
    team.commenter.branches.merge("try")
    assert team.viewer.review.comments(team.document)[0].comment.body == "왜?"


def test_replies_of_both_sides_come_together(team: Team) -> None:
    asked = team.commenter.review.comment(team.document, "왜?").comment
    team.owner.branches.fork("try")
    team.on("try").editor.review.reply(team.document, asked.id, "there")
    team.editor.review.reply(team.document, asked.id, "here")
    team.owner.branches.merge("try")
    (thread,) = team.viewer.review.comments(team.document)
    assert {one.body for one in thread.replies} == {"here", "there"}


def test_what_was_accepted_on_a_branch_is_accepted_by_the_merge(team: Team) -> None:
    kept = team.commenter.review.propose(team.document, "다섯째", "여섯째").suggestion
    team.owner.branches.fork("try")
    team.on("try").editor.review.accept(team.document, kept.id)
    assert team.text == TEXT
    team.owner.branches.merge("try")
    assert team.text == TEXT.replace("다섯째", "여섯째")
    assert team.viewer.review.suggestions(team.document) == []
    assert team.editor.review.accept(team.document, kept.id).unchanged


def test_what_both_sides_accepted_is_there_once(team: Team) -> None:
    kept = team.commenter.review.propose(team.document, "다섯째", "여섯째").suggestion
    team.owner.branches.fork("try")
    team.on("try").editor.review.accept(team.document, kept.id)
    team.owner.review.accept(team.document, kept.id)
    assert team.owner.branches.merge("try").conflicts == ()
    assert team.text == TEXT.replace("다섯째", "여섯째")
    assert team.owner.review.suggestion(team.document, kept.id).suggestion.status == "accepted"


@pytest.mark.parametrize("accepting", ["here", "there"])
def test_accepted_on_one_side_and_rejected_on_the_other_is_what_the_text_says(
    team: Team, accepting: str
) -> None:
    kept = team.commenter.review.propose(team.document, "다섯째", "여섯째").suggestion
    team.owner.branches.fork("try")
    sides = {"here": team, "there": team.on("try")}
    sides.pop(accepting).editor.review.accept(team.document, kept.id)
    (other,) = sides.values()
    other.editor.review.reject(team.document, kept.id)
    assert team.owner.branches.merge("try").conflicts == ()
    found = team.owner.review.suggestion(team.document, kept.id)
    assert "여섯째" in team.text
    assert (found.suggestion.status, found.state) == ("accepted", "done")


def test_a_suggestion_of_a_merge_is_accepted_like_any_other(team: Team) -> None:
    team.owner.branches.fork("try")
    team.on("try").editor.documents.edit(team.document, "다섯째", "일곱째")
    team.owner.documents.edit(team.document, "다섯째", "여섯째")
    team.owner.branches.merge("try")
    (found,) = team.viewer.review.suggestions(team.document)
    assert (found.suggestion.reason, found.suggestion.branch) == ("merge", "try")
    assert found.state == "applies"
    team.editor.review.accept(team.document, found.suggestion.id)
    assert "일곱째" in team.text
    assert "여섯째" not in team.text
    newest = team.owner.documents.history(team.document)[0]
    assert newest.authors == (team.editor.rights.user.id,)


def test_a_comment_that_was_picked_without_its_text_is_listed_and_not_placed(
    forked: tuple[Team, Team],
) -> None:
    main, there = forked
    there.editor.documents.edit(main.document, "다섯째", "다섯째 😀 낯선 말")
    there.commenter.review.comment(main.document, "왜?", quote="😀 낯선 말")
    there.commenter.review.propose(main.document, "낯선 말", "아는 말")
    for commit in there.owner.log(limit=2):
        main.owner.cherry_pick(commit.version)
    (thread,) = main.viewer.review.comments(main.document)
    assert (thread.orphaned, thread.comment.quote) == (True, "😀 낯선 말")
    (found,) = main.viewer.review.suggestions(main.document)
    assert (found.state, found.spot) == ("gone", None)
    with pytest.raises(Conflict, match="gone"):
        main.editor.review.accept(main.document, found.suggestion.id)


def test_a_document_that_is_not_on_a_branch_has_no_comments_there(db: Workspace) -> None:
    db.branches.fork("try")
    made = db.documents.create("Late", "글").document
    asked = db.review.comment(made, "?").comment
    there = db.on("try").review
    for attempt in (
        lambda: there.comments(made),
        lambda: there.comment(made, "x"),
        lambda: there.resolve(made, asked.id),
        lambda: there.suggestions(made),
        lambda: there.propose(made, "글", "x"),
    ):
        with pytest.raises(NotFound, match="no document"):
            attempt()
