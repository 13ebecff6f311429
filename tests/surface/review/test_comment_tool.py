"""manage_comments, as an agent calls it."""

from typing import Any

import pytest

import strata
from strata.base import limits
from tests.surface.review.conftest import TEXT, Call, Make

TOOL = "manage_comments"


def test_a_thread_from_its_beginning_to_its_end(call: Call, make: Make) -> None:
    made = make()
    asked = call(TOOL, action="create", documentId=made, body="왜 5월? 🤔", quotedText="다섯째 달")
    assert asked["commentId"].startswith("cmt_")
    assert (asked["status"], asked["headingPath"]) == ("active", ["목표 🎯", "일정"])
    said = call(
        TOOL, action="reply", documentId=made, parentCommentId=asked["commentId"], body="Because."
    )
    assert said["threadId"] == asked["commentId"]
    (thread,) = call(TOOL, action="list", documentId=made)["comments"]
    assert thread["commentId"] == asked["commentId"]
    assert (thread["body"], thread["author"], thread["line"]) == ("왜 5월? 🤔", "owner", 7)
    assert (thread["changed"], thread["orphaned"]) == (False, False)
    units = TEXT.encode("utf-16-le")
    assert units[2 * thread["start"] : 2 * thread["end"]].decode("utf-16-le") == "다섯째 달"
    assert [one["body"] for one in thread["replies"]] == ["Because."]
    done = call(TOOL, action="resolve", documentId=made, commentId=said["commentId"])
    assert (done["commentId"], done["status"]) == (asked["commentId"], "resolved")
    again = call(TOOL, action="resolve", documentId=made, commentId=asked["commentId"])
    assert (again["unchanged"], again["status"]) == (True, "resolved")
    assert call(TOOL, action="list", documentId=made, status="active")["comments"] == []
    (thread,) = call(TOOL, action="list", documentId=made, status="resolved")["comments"]
    assert (thread["resolvedBy"], thread["resolvedAt"][:2]) == ("owner", "20")
    late = call(
        TOOL, action="reply", documentId=made, parentCommentId=asked["commentId"], body="늦음"
    )
    assert "reopen" in late["hint"]
    call(TOOL, action="reopen", documentId=made, commentId=asked["commentId"])
    (thread,) = call(TOOL, action="list", documentId=made, status="active")["comments"]
    assert "resolvedBy" not in thread


def test_a_comment_is_edited_and_deleted(call: Call, make: Make) -> None:
    made = make()
    asked = call(TOOL, action="create", documentId=made, body="Wyh?", quotedText="다섯째 달")
    given = {"documentId": made, "commentId": asked["commentId"]}
    done = call(TOOL, action="edit", **given, body="Why?", idempotencyKey="once")
    assert (done["commentId"], done["status"]) == (asked["commentId"], "active")
    assert call(TOOL, action="edit", **given, body="Why?", idempotencyKey="once")["repeated"]
    (thread,) = call(TOOL, action="list", documentId=made)["comments"]
    assert (thread["body"], thread["edited"][:2]) == ("Why?", "20")
    assert call(TOOL, action="edit", **given, body="Why?")["unchanged"]
    assert call(TOOL, action="delete", **given)["deleted"]
    assert call(TOOL, action="list", documentId=made)["comments"] == []


def test_a_deleted_comment_is_shown_as_deleted_above_replies_of_others(
    call: Call, make: Make, db: strata.Workspace
) -> None:
    made = make()
    asked = call(TOOL, action="create", documentId=made, body="Wyh?", quotedText="다섯째 달")
    ann = db.users.add("ann@example.com", "Ann")
    db.documents.share(made, ann.email, "commenter")
    db.as_user(ann.id).review.reply(made, asked["commentId"], "Because.")
    call(TOOL, action="delete", documentId=made, commentId=asked["commentId"])
    (thread,) = call(TOOL, action="list", documentId=made)["comments"]
    assert (thread["deleted"], thread["body"]) == (True, "")
    shown = call("read_document", documentId=made, includeComments=True)
    assert "(deleted)" in str(shown)


def test_a_comment_on_the_whole_document_has_no_place(call: Call, make: Make) -> None:
    made = make()
    call(TOOL, action="create", documentId=made, body="좋다")
    (thread,) = call(TOOL, action="list", documentId=made)["comments"]
    assert not {"quotedText", "orphaned", "changed", "start", "line"} & thread.keys()


def test_words_that_changed_and_words_that_are_gone_say_so(call: Call, make: Make) -> None:
    made = make()
    call(TOOL, action="create", documentId=made, body="?", quotedText="다섯째 달")
    edit = {"action": "edit", "documentId": made}
    call("edit_document", **edit, oldString="다섯째", newString="여섯째")
    (thread,) = call(TOOL, action="list", documentId=made)["comments"]
    assert (thread["changed"], thread["currentText"]) == (True, "여섯째 달")
    assert thread["quotedText"] == "다섯째 달"
    call("edit_document", action="write", documentId=made, newContent="# 다른 글\n")
    (thread,) = call(TOOL, action="list", documentId=made)["comments"]
    assert (thread["orphaned"], thread["quotedText"]) == (True, "다섯째 달")
    assert thread["headingPath"] == ["목표 🎯", "일정"]
    assert "start" not in thread


def test_several_places_are_shown_and_a_heading_decides(call: Call, fail: Call, make: Make) -> None:
    made = make()
    asked = {"action": "create", "documentId": made, "body": "?", "quotedText": "Ship in May"}
    error = fail(TOOL, **asked)
    assert (error["code"], error["count"], error["parameter"]) == ("conflict", 2, "quotedText")
    assert [(one["line"], one["section"]) for one in error["places"]] == [
        (3, "목표 🎯"),
        (7, "목표 🎯 > 일정"),
    ]
    assert "headingContext" in error["hint"]
    done = call(TOOL, **asked, headingContext=["목표 🎯", "일정"])
    assert done["headingPath"] == ["목표 🎯", "일정"]
    # A model may send a list as text.
    assert call(TOOL, **asked, headingContext='["일정"]')["headingPath"][-1] == "일정"
    missing = fail(TOOL, **asked, headingContext=["일증"])
    assert missing["parameter"] == "headingContext"
    assert "일정" in missing["hint"]


def test_a_page_says_where_the_words_are(call: Call, make: Make) -> None:
    made = make("같은 말 😀 같은 말 같은 말\n")
    for start, expected in ((0, 0), (8, 8), (12, 13), (999, 13)):
        done = call(
            TOOL, action="create", documentId=made, body="?", quotedText="같은 말", start=start
        )
        found = call(TOOL, action="list", documentId=made)["comments"]
        (place,) = [one["start"] for one in found if one["commentId"] == done["commentId"]]
        assert place == expected


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        ({"action": "create"}, "invalid_input", "The action create needs body."),
        ({"action": "create", "body": " "}, "invalid_input", "body is empty."),
        ({"action": "create", "body": "x", "quotedText": ""}, "invalid_input", "is empty."),
        (
            {"action": "create", "body": "x", "quotedText": "Schip in Mai. שלום"},
            "not_found",
            "near",
        ),
        ({"action": "create", "body": "x", "commentId": "y"}, "invalid_input", "no commentId"),
        ({"action": "reply", "body": "x"}, "invalid_input", "needs parentCommentId"),
        ({"action": "reply", "body": "x", "parentCommentId": "cmt_1"}, "not_found", "no comment"),
        ({"action": "resolve"}, "invalid_input", "needs commentId"),
        ({"action": "resolve", "commentId": "cmt_1"}, "not_found", "no comment 'cmt_1'"),
        ({"action": "list", "status": "open"}, "invalid_input", "status"),
        ({"action": "remove"}, "invalid_input", "no action 'remove'"),
    ],
)
def test_errors_say_what_to_send(
    fail: Call, make: Make, arguments: dict[str, Any], code: str, told: str
) -> None:
    error = fail(TOOL, documentId=make(), **arguments)
    assert error["code"] == code
    assert told in f"{error['message']} {error.get('hint', '')}"
    if code == "invalid_input":
        assert error["example"]["tool"] == TOOL
    if code == "not_found" and "no comment" in told:
        assert "manage_comments" in error["hint"]


def test_names_are_taken_in_either_case(call: Call, make: Make) -> None:
    made = make()
    done = call(TOOL, action="create", document_id=made, body="?", quoted_text="다섯째")
    call(TOOL, action="RESOLVE", document_id=made, comment_id=done["commentId"])


def test_a_long_list_comes_in_parts(call: Call, make: Make, db: strata.Workspace) -> None:
    made = make()
    for number in range(30):
        db.review.comment(made, f"{number} " + "말이 길다 " * 300)
    found: list[str] = []
    answer = call(TOOL, action="list", documentId=made)
    assert (answer["total"], answer["truncated"]) == (30, True)
    while True:
        found += [one["body"].split()[0] for one in answer["comments"]]
        if "next" not in answer:
            break
        answer = call(answer["next"]["tool"], **answer["next"]["arguments"])
    assert found == [str(number) for number in range(30)]


def test_many_short_threads_come_in_parts_too(call: Call, make: Make, db: strata.Workspace) -> None:
    made = make("x")
    for number in range(limits.REVIEW_ITEMS_SHOWN + 1):
        db.review.comment(made, str(number))
    answer = call(TOOL, action="list", documentId=made)
    rest = call(TOOL, **answer["next"]["arguments"])
    assert len(answer["comments"]) < limits.REVIEW_ITEMS_SHOWN + 1
    assert len(answer["comments"]) + len(rest["comments"]) == limits.REVIEW_ITEMS_SHOWN + 1


def test_a_request_that_comes_twice_counts_once(call: Call, make: Make) -> None:
    made = make()
    asked = {"action": "create", "documentId": made, "body": "?", "idempotencyKey": "k"}
    first, again = call(TOOL, **asked), call(TOOL, **asked)
    assert first["commentId"] == again["commentId"]
    assert again["repeated"]
    assert call(TOOL, action="list", documentId=made)["total"] == 1


def test_another_branch_and_the_past_are_named_in_the_call(
    call: Call, make: Make, db: strata.Workspace
) -> None:
    made = make()
    db.branches.fork("try")
    call(TOOL, action="create", documentId=made, body="거기", branch="try")
    assert call(TOOL, action="list", documentId=made)["total"] == 0
    there = call(TOOL, action="list", documentId=made, branch="try")
    assert (there["total"], there["branch"]) == (1, "try")
    then = db.on("try").resolve("now").version
    call(TOOL, action="create", documentId=made, body="나중", branch="try")
    before = call(TOOL, action="list", documentId=made, branch="try", asOf=then)
    assert (before["total"], len(before["asOf"])) == (1, 27)
