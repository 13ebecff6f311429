"""Comments: threads on a document and on its words, and what becomes of both."""

import time
from typing import Any, cast

import pytest

import strata
from strata import Workspace
from strata.base import limits
from strata.base.errors import (
    Conflict,
    InvalidArgument,
    LimitExceeded,
    NotAllowed,
    NotFound,
    ReadOnly,
    SecretRefused,
)
from strata.review import Thread
from tests.unit.review.conftest import TEXT, Team


def only(db: Workspace, document: str) -> Thread:
    (thread,) = db.review.comments(document)
    return thread


def test_a_comment_stands_beside_the_text_and_knows_its_place(team: Team) -> None:
    done = team.commenter.review.comment(team.document, "왜 다섯째?", quote="다섯째 달")
    assert team.text == TEXT
    thread = only(team.viewer, team.document)
    assert thread.comment == done.comment
    assert (thread.orphaned, thread.changed, thread.comment.status) == (False, False, "active")
    assert thread.spot is not None
    assert thread.spot.text == "다섯째 달"
    assert thread.spot.path == ("목표 🎯", "일정")
    assert thread.spot.line == 7
    assert TEXT[thread.spot.start : thread.spot.end] == "다섯째 달"
    units = TEXT.encode("utf-16-le")
    start, end = thread.spot.units
    assert units[2 * start : 2 * end].decode("utf-16-le") == "다섯째 달"
    assert start == thread.spot.start + 1  # the target is two units of UTF-16


def test_a_comment_without_a_quote_is_about_the_whole_document(team: Team) -> None:
    team.commenter.review.comment(team.document, "좋다 👍")
    thread = only(team.owner, team.document)
    assert (thread.spot, thread.comment.quote, thread.orphaned) == (None, None, False)


def test_a_comment_follows_its_words(team: Team) -> None:
    team.commenter.review.comment(team.document, "?", quote="五月に出荷する。👩‍👩‍👧")
    team.editor.documents.edit(team.document, "# 목표 🎯", "# 더 긴 목표 😀😀\n\n새 문단 🎉")
    team.editor.documents.edit(team.document, "## 日程", "## 予定")
    spot = only(team.owner, team.document).spot
    assert spot is not None
    assert spot.text == "五月に出荷する。👩‍👩‍👧"
    assert spot.path == ("더 긴 목표 😀😀", "予定")


def test_words_that_change_are_still_found_and_said_to_have_changed(team: Team) -> None:
    team.commenter.review.comment(team.document, "?", quote="다섯째 달")
    team.editor.documents.edit(team.document, "다섯째 달", "여섯째 달")
    thread = only(team.owner, team.document)
    assert (thread.changed, thread.orphaned) == (True, False)
    assert thread.spot is not None
    assert thread.spot.text == "여섯째 달"
    assert thread.comment.quote == "다섯째 달"


@pytest.mark.parametrize(
    ("quote", "old", "new", "expected"),
    [
        ("Alpha beta", "beta gamma", "delta gamma", "Alpha delta"),  # its end is replaced
        ("beta gamma", "Alpha beta", "Alpha delta", "delta gamma"),  # its beginning is
        ("beta", "beta", "베타", "베타"),  # all of it is
        ("beta", "Alpha beta gamma", "Alpha beta and gamma", "beta"),  # an edit around it
    ],
)
def test_what_replaces_words_stays_with_the_comment(
    db: Workspace, quote: str, old: str, new: str, expected: str
) -> None:
    made = db.documents.create("Greek", "Alpha beta gamma").document
    db.review.comment(made, "?", quote=quote)
    db.documents.edit(made, old, new)
    spot = only(db, made).spot
    assert spot is not None
    assert spot.text == expected


def test_when_all_words_are_gone_the_quote_stays(team: Team) -> None:
    team.commenter.review.comment(team.document, "?", quote="다섯째 달")
    team.editor.documents.edit(team.document, "\n\nShip in May. 다섯째 달.\n", "\n")
    thread = only(team.owner, team.document)
    assert (thread.orphaned, thread.spot, thread.changed) == (True, None, False)
    assert thread.comment.quote == "다섯째 달"
    assert thread.comment.heading == ("목표 🎯", "일정")


def test_words_that_come_back_are_found_again(team: Team) -> None:
    before = team.owner.documents.get(team.document).version
    team.commenter.review.comment(team.document, "?", quote="다섯째 달")
    team.editor.documents.edit(team.document, " 다섯째 달.", "")
    assert only(team.owner, team.document).orphaned
    team.editor.documents.restore(team.document, before)
    thread = only(team.owner, team.document)
    assert not thread.orphaned
    assert thread.spot is not None
    assert thread.spot.text == "다섯째 달"


def test_words_that_occur_twice_need_a_heading_or_an_offset(team: Team) -> None:
    review = team.commenter.review
    with pytest.raises(Conflict) as raised:
        review.comment(team.document, "?", quote="Ship in May")
    assert raised.value.details["parameter"] == "quote"
    places = cast("list[dict[str, Any]]", raised.value.details["places"])
    assert [one["line"] for one in places] == [3, 7]
    assert "headings" in (raised.value.hint or "")
    for under in (["일정"], ["목표 🎯", "일정"], ["## 일정"], ["목표 🎯 > 일정"]):
        done = review.comment(team.document, "?", quote="Ship in May", under=under)
        assert done.comment.heading == ("목표 🎯", "일정"), under
    first = TEXT.index("Ship")
    for near, at in ((0, first), (first + 1, first), (10_000, TEXT.rindex("Ship"))):
        made = review.comment(team.document, "?", quote="Ship in May", near=near).comment
        (spot,) = [one.spot for one in review.comments(team.document) if one.comment.id == made.id]
        assert spot is not None
        assert spot.start == at


def test_a_heading_above_both_places_does_not_decide(team: Team) -> None:
    with pytest.raises(Conflict, match=r"occurs 2 times under '목표 🎯'"):
        team.commenter.review.comment(team.document, "?", quote="Ship in May", under=["목표 🎯"])


def test_a_heading_that_is_not_there_is_named_with_the_nearest(team: Team) -> None:
    with pytest.raises(NotFound) as raised:
        team.commenter.review.comment(team.document, "?", quote="Ship in May", under=["일전"])
    assert raised.value.details["parameter"] == "under"
    assert "일정" in (raised.value.hint or "")
    with pytest.raises(Conflict, match="but not under '日程'"):
        team.commenter.review.comment(team.document, "?", quote="Ship in May", under=["日程"])


def test_a_wrong_heading_does_not_matter_where_the_words_occur_once(team: Team) -> None:
    done = team.commenter.review.comment(
        team.document, "?", quote="다섯째", under=["어디에도 없는 제목"]
    )
    assert done.comment.heading == ("목표 🎯", "일정")


def test_headings_are_compared_once_however_often_the_words_occur(db: Workspace) -> None:
    text = "".join(f"# {number}\n\n{'a ' * 2_000}\n\n" for number in range(100))
    made = db.documents.create("Many", text).document
    begun = time.process_time()
    with pytest.raises(Conflict, match=r"occurs 2,?000 times under '7'"):
        db.review.comment(made, "?", quote="a", under=["7"])
    with pytest.raises(NotFound):
        db.review.comment(made, "?", quote="a", under=["일곱"] * 1_000)
    assert time.process_time() - begun < 5


def test_words_that_do_not_occur_are_answered_with_the_nearest(team: Team) -> None:
    with pytest.raises(NotFound) as raised:
        team.commenter.review.comment(team.document, "?", quote="다섯째  달")
    assert raised.value.details["nearest"] == "다섯째 달."
    assert "quoted text" in raised.value.message
    assert "oldString" not in f"{raised.value}"


def test_a_reply_joins_the_thread_and_so_does_a_reply_to_it(team: Team) -> None:
    asked = team.commenter.review.comment(team.document, "왜?").comment
    first = team.editor.review.reply(team.document, asked.id, "Because.").comment
    second = team.suggester.review.reply(team.document, first.id, "네.").comment
    thread = only(team.viewer, team.document)
    assert thread.comment == asked
    assert thread.replies == (first, second)
    assert (second.parent, second.via) == (asked.id, "codex")


def test_a_thread_is_resolved_and_reopened_by_whoever_may_comment(team: Team) -> None:
    asked = team.editor.review.comment(team.document, "왜?").comment
    said = team.editor.review.reply(team.document, asked.id, "…").comment
    done = team.commenter.review.resolve(team.document, said.id)
    assert (done.comment.id, done.status, done.unchanged) == (asked.id, "resolved", False)
    assert done.comment.decided_by == team.commenter.rights.user.id
    assert team.editor.review.resolve(team.document, asked.id).unchanged
    assert team.viewer.review.comments(team.document, status="active") == []
    (thread,) = team.viewer.review.comments(team.document, status="resolved")
    assert [one.body for one in thread.replies] == ["…"]
    late = team.suggester.review.reply(team.document, asked.id, "late")
    assert late.status == "resolved"
    assert team.suggester.review.reopen(team.document, asked.id).status == "active"
    assert only(team.viewer, team.document).comment.status == "active"


def test_viewers_read_and_do_nothing_else(team: Team) -> None:
    asked = team.editor.review.comment(team.document, "왜?").comment
    assert only(team.viewer, team.document).comment == asked
    for attempt in (
        lambda: team.viewer.review.comment(team.document, "x"),
        lambda: team.viewer.review.reply(team.document, asked.id, "x"),
        lambda: team.viewer.review.resolve(team.document, asked.id),
        lambda: team.viewer.review.reopen(team.document, asked.id),
        lambda: team.viewer.review.delete(team.document, asked.id),
    ):
        with pytest.raises(NotAllowed, match="takes a commenter; you are a viewer"):
            attempt()


def test_for_strangers_there_is_neither_document_nor_comment(team: Team) -> None:
    asked = team.editor.review.comment(team.document, "왜?").comment
    review = team.stranger.review
    for attempt in (
        review.comments,
        lambda id_: review.comment(id_, "x"),
        lambda id_: review.reply(id_, asked.id, "x"),
        lambda id_: review.resolve(id_, asked.id),
        lambda id_: review.delete(id_, asked.id),
    ):
        told: list[str] = []
        for id_ in (team.document, "doc_01JABCDEFGHJKMNPQRSTVWXYZ0"):
            with pytest.raises(NotFound) as raised:
                attempt(id_)
            told.append(str(raised.value).replace(id_, "X"))
        assert told[0] == told[1]
    assert team.stranger.review.waiting() == []


def test_a_comment_of_another_document_is_not_here(team: Team) -> None:
    other = team.owner.documents.create("Other", "x").document
    asked = team.owner.review.comment(other, "왜?").comment
    with pytest.raises(NotFound, match="no comment"):
        team.owner.review.resolve(team.document, asked.id)
    with pytest.raises(NotFound, match="no comment"):
        team.owner.review.reply(team.document, "cmt_../../x", "y")


def test_the_author_edits_a_comment_and_a_reply(team: Team) -> None:
    asked = team.commenter.review.comment(team.document, "Wyh?", quote="다섯째").comment
    answer = team.editor.review.reply(team.document, asked.id, "Becuase.").comment
    before = team.owner.at(team.owner.log(limit=1)[0].version)
    done = team.commenter.review.edit(team.document, asked.id, "Why?")
    team.editor.review.edit(team.document, answer.id, "Because.")
    thread = only(team.viewer, team.document)
    assert (thread.comment.body, thread.replies[0].body) == ("Why?", "Because.")
    assert thread.comment.edited is not None
    assert thread.comment.created == asked.created
    assert thread.spot is not None
    assert (done.status, done.unchanged) == ("active", False)
    assert team.commenter.review.edit(team.document, asked.id, "Why?").unchanged
    assert only(before, team.document).comment.body == "Wyh?"


def test_an_edit_by_an_agent_is_signed_by_the_agent(team: Team) -> None:
    asked = team.editor.review.comment(team.document, "Why?").comment
    team.suggester.review.edit(team.document, asked.id, "Why May?")
    assert only(team.viewer, team.document).comment.via == "codex"
    team.editor.review.edit(team.document, asked.id, "Why?")
    assert only(team.viewer, team.document).comment.via is None


def test_nobody_else_edits_a_comment(team: Team) -> None:
    asked = team.commenter.review.comment(team.document, "왜?").comment
    for user in (team.owner, team.editor):
        with pytest.raises(NotAllowed, match="only its author"):
            user.review.edit(team.document, asked.id, "x")
    with pytest.raises(NotFound):
        team.stranger.review.edit(team.document, asked.id, "x")
    assert only(team.viewer, team.document).comment.body == "왜?"


def test_one_takes_back_what_one_said_but_not_what_others_said(team: Team) -> None:
    mine = team.commenter.review.comment(team.document, "Oops").comment
    team.commenter.review.reply(team.document, mine.id, "Indeed.")
    team.commenter.review.delete(team.document, mine.id)
    assert team.viewer.review.comments(team.document) == []
    assert team.viewer.review.waiting() == []
    asked = team.commenter.review.comment(team.document, "왜?").comment
    answer = team.editor.review.reply(team.document, asked.id, "Because.").comment
    for user, comment in ((team.commenter, answer), (team.editor, asked)):
        with pytest.raises(NotAllowed, match="Another user"):
            user.review.delete(team.document, comment.id)
    team.editor.review.delete(team.document, answer.id)
    assert only(team.viewer, team.document).replies == ()
    team.owner.review.delete(team.document, asked.id)
    assert team.viewer.review.comments(team.document) == []


def test_a_deleted_comment_leaves_an_empty_place_above_replies_of_others(team: Team) -> None:
    asked = team.commenter.review.comment(team.document, "왜?", quote="다섯째").comment
    answer = team.editor.review.reply(team.document, asked.id, "Because.").comment
    team.commenter.review.delete(team.document, asked.id)
    thread = only(team.viewer, team.document)
    assert (thread.comment.body, thread.comment.deleted_by) == ("", asked.author)
    assert [one.body for one in thread.replies] == ["Because."]
    assert thread.spot is not None
    assert [one.comments for one in team.viewer.review.waiting()] == [1]
    for attempt in (
        lambda: team.commenter.review.edit(team.document, asked.id, "x"),
        lambda: team.commenter.review.delete(team.document, asked.id),
    ):
        with pytest.raises(NotFound, match="no comment"):
            attempt()
    team.commenter.review.reply(team.document, asked.id, "Sorry.")
    team.commenter.review.resolve(team.document, asked.id)
    team.owner.review.delete(team.document, answer.id)
    assert [one.body for one in only(team.viewer, team.document).replies] == ["Sorry."]


def test_an_empty_place_goes_with_the_last_reply(team: Team) -> None:
    asked = team.commenter.review.comment(team.document, "왜?").comment
    answer = team.editor.review.reply(team.document, asked.id, "Because.").comment
    team.commenter.review.delete(team.document, asked.id)
    team.editor.review.delete(team.document, answer.id)
    assert team.viewer.review.comments(team.document) == []
    assert team.viewer.review.waiting() == []
    with pytest.raises(NotFound, match="no comment"):
        team.editor.review.reply(team.document, asked.id, "x")


@pytest.mark.parametrize("body", ["", "  \n", "\ud800"])
def test_a_comment_has_to_say_something(team: Team, body: str) -> None:
    with pytest.raises(InvalidArgument) as raised:
        team.editor.review.comment(team.document, body)
    assert raised.value.details["parameter"] == "body"


def test_what_is_too_long_is_refused_with_the_limit(team: Team) -> None:
    long = "가" * (limits.COMMENT_CHARACTERS_MAX + 1)
    with pytest.raises(LimitExceeded, match="body"):
        team.editor.review.comment(team.document, long)
    with pytest.raises(LimitExceeded, match="quote"):
        team.editor.review.comment(team.document, "x", quote=long)
    with pytest.raises(InvalidArgument, match="quoted text is empty"):
        team.editor.review.comment(team.document, "x", quote="")
    with pytest.raises(InvalidArgument, match="status"):
        team.editor.review.comments(team.document, status="open")


def test_secrets_are_refused_or_masked(team: Team) -> None:
    secret = f"the key is AKIA{'Q3ZJ7K2LM5XWTRTB'}"
    with pytest.raises(SecretRefused):
        team.editor.review.comment(team.document, secret)
    team.owner.settings.set("secrets", "mask")
    done = team.editor.review.comment(team.document, secret)
    assert "Q3ZJ7K2LM5XWTRTB" not in done.comment.body
    assert "Q3ZJ7K2LM5XWTRTB" not in only(team.owner, team.document).comment.body


def test_the_same_request_counts_once(team: Team) -> None:
    once = team.commenter.review.with_request("하나")
    first, again = (once.comment(team.document, "왜?", quote="다섯째") for _ in range(2))
    assert first.comment == again.comment
    assert (first.repeated, again.repeated) == (False, True)
    assert len(team.viewer.review.comments(team.document)) == 1
    with pytest.raises(Conflict, match="another request"):
        once.resolve(team.document, first.comment.id)


def test_the_past_shows_the_comments_of_then(team: Team) -> None:
    asked = team.editor.review.comment(team.document, "왜?", quote="다섯째").comment
    then = team.owner.resolve("now").version
    team.editor.documents.edit(team.document, "# 목표", "# 새 목표")
    team.editor.review.resolve(team.document, asked.id)
    before = only(team.viewer.at(then), team.document)
    now = only(team.viewer, team.document)
    assert (before.comment.status, now.comment.status) == ("active", "resolved")
    assert before.spot is not None
    assert now.spot is not None
    assert now.spot.start == before.spot.start + 2
    with pytest.raises(ReadOnly):
        team.editor.at(then).review.comment(team.document, "x")


def test_what_waits_is_counted_by_document(team: Team) -> None:
    asked = team.editor.review.comment(team.document, "왜?").comment
    team.editor.review.reply(team.document, asked.id, "…")
    team.commenter.review.propose(team.document, "다섯째", "여섯째")
    (found,) = team.viewer.review.waiting()
    assert (found.title, found.comments, found.suggestions) == ("계획", 1, 1)
    team.editor.review.resolve(team.document, asked.id)
    (found,) = team.viewer.review.waiting()
    assert (found.comments, found.suggestions) == (0, 1)


def test_a_store_without_documents_says_what_to_install_no_sooner_than_needed() -> None:
    with strata.open(durability="cache", auto_embed=False) as db:
        assert db.review.waiting() == []
