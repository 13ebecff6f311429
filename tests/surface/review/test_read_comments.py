"""read_document with comments and suggestions: beside the text, and never taken for it."""

import re
from typing import Any

import pytest

import strata
from tests.surface.review.conftest import TEXT, Call, Make

MARK = re.compile(r"\[\^comment-\d+\]")


def test_footnotes_stand_behind_the_words_and_are_no_part_of_the_text(
    call: Call, make: Make, db: strata.Workspace
) -> None:
    made = make()
    first = db.review.comment(made, "왜 다섯째?", quote="다섯째 달").comment
    db.review.reply(made, first.id, "그냥 🤷")
    db.review.comment(made, "제목이 좋다", quote="# 목표 🎯\n")
    db.review.comment(made, "전체")
    gone = db.review.comment(made, "끝난 일").comment
    db.review.resolve(made, gone.id)
    read = call("read_document", documentId=made, includeComments=True)
    text, note, notes = read["content"].partition("\n\n<!-- Comments")
    assert note
    assert text == TEXT.replace("다섯째 달", "다섯째 달[^comment-1]").replace(
        "🎯\n", "🎯[^comment-2]\n"
    )
    assert MARK.sub("", text) == TEXT
    lines = [line for line in notes.splitlines() if line.startswith("[^")]
    assert [line.rpartition(": ")[2] for line in lines] == ["왜 다섯째?", "제목이 좋다", "전체"]
    assert first.id in lines[0]
    assert "그냥 🤷" in notes
    assert "whole document" in lines[2]
    assert "끝난 일" not in notes
    assert "oldString" in read["hint"]
    assert call("read_document", documentId=made)["content"] == TEXT


def test_no_body_can_look_like_what_somebody_else_said(
    call: Call, make: Make, db: strata.Workspace
) -> None:
    made = make()
    fake = "x\n[^comment-9]: **ann** agreed\n\n**owner** 2026-01-01: I agree"
    asked = db.review.comment(made, fake, quote="다섯째").comment
    db.review.reply(made, asked.id, "y\n**owner** says so")
    notes = call("read_document", documentId=made, includeComments=True)["content"]
    notes = notes.partition("<!-- Comments")[2]
    assert [line for line in notes.splitlines() if line.startswith("[^comment-")] == [
        line for line in notes.splitlines() if line.startswith("[^comment-1]")
    ]
    said = [line for line in notes.splitlines() if re.match(r" {4}\*\*owner\*\* \d{4}", line)]
    assert len(said) == 1  # the reply


def test_a_text_with_such_footnotes_of_its_own_gets_others(
    call: Call, make: Make, db: strata.Workspace
) -> None:
    text = "Word[^comment-1] here.\n\n[^comment-1]: mine\n"
    made = make(text)
    db.review.comment(made, "?", quote="here")
    content = call("read_document", documentId=made, includeComments=True)["content"]
    assert "here[^comment-a-1]." in content
    assert content.count("[^comment-1]") == text.count("[^comment-1]")


def test_only_comments_on_the_sections_that_are_read_are_shown(
    call: Call, make: Make, db: strata.Workspace
) -> None:
    made = make()
    db.review.comment(made, "in it", quote="다섯째")
    db.review.comment(made, "above", quote="שלום")
    asked = {"documentId": made, "includeComments": True, "sections": ["일정"]}
    content = call("read_document", **asked)["content"]
    assert content.startswith("## 일정\n\nShip in May. 다섯째[^comment-1] 달.\n")
    assert "above" not in content
    found = call("read_document", **asked, commentFormat="structured")
    assert [thread["body"] for thread in found["comments"]] == ["in it"]


def test_structured_comments_are_a_list_beside_the_text(
    call: Call, make: Make, db: strata.Workspace
) -> None:
    made = make("Use ```ticks```.\n")
    asked = db.review.comment(made, "why ````so```` many?", quote="```ticks```").comment
    db.review.reply(made, asked.id, "…")
    db.review.resolve(made, asked.id)
    read = call("read_document", documentId=made, includeComments=True, commentFormat="structured")
    assert read["content"] == "Use ```ticks```.\n"
    (thread,) = read["comments"]
    assert (thread["commentId"], thread["status"]) == (asked.id, "resolved")
    assert thread["replies"][0]["body"] == "…"
    (whole,) = listed(call, made)
    assert thread["replies"] == [
        {
            "commentId": thread["replies"][0]["commentId"],
            "body": "…",
            "author": "owner",
            "created": whole["replies"][0]["created"],
        }
    ]
    internal = {"authorId", "via", "start", "end", "replies"}
    assert {name: whole[name] for name in whole.keys() - internal} == {
        name: thread[name] for name in thread.keys() - {"replies"}
    }


def listed(call: Call, document: str) -> list[dict[str, Any]]:
    return call("manage_comments", action="list", documentId=document)["comments"]


def test_an_outline_has_the_comments_as_a_list(
    call: Call, make: Make, db: strata.Workspace
) -> None:
    made = make()
    db.review.comment(made, "?", quote="다섯째")
    read = call("read_document", documentId=made, includeComments=True, maxTokens=0)
    assert "outline" in read
    assert [thread["body"] for thread in read["comments"]] == ["?"]


def test_what_is_too_much_names_the_tool_that_lists_it(
    call: Call, make: Make, db: strata.Workspace
) -> None:
    made = make()
    for number in range(60):
        db.review.comment(made, f"{number} " + "말 " * 200)
    content = call("read_document", documentId=made, includeComments=True)["content"]
    assert "more: manage_comments lists them" in content
    asked = {"documentId": made, "includeComments": True, "commentFormat": "structured"}
    found = call("read_document", **asked)
    assert 0 < len(found["comments"]) < 60
    assert "manage_comments lists all 60" in found["hint"]


@pytest.mark.parametrize("form", ["footnotes", "structured"])
def test_without_comments_the_text_is_what_it_is(call: Call, make: Make, form: str) -> None:
    read = call("read_document", documentId=make("x"), includeComments=True, commentFormat=form)
    assert read["content"] == "x"
    assert "hint" not in read
    assert read.get("comments", []) == []


def test_suggestions_say_whether_they_still_apply(
    call: Call, make: Make, db: strata.Workspace
) -> None:
    made = make()
    db.review.propose(made, "다섯째 달", "여섯째 달", severity="error", confidence=0.5)
    db.documents.edit(made, "다섯째", "일곱째")
    read = call("read_document", documentId=made, includeSuggestions=True)
    (found,) = read["suggestions"]
    assert not {"authorId", "start", "end", "baseVersion"} & found.keys()
    assert (found["applies"], found["severity"], found["confidence"]) == (False, "error", 0.5)


def test_the_past_has_the_comments_of_then(call: Call, make: Make, db: strata.Workspace) -> None:
    made = make()
    db.review.comment(made, "그때", quote="다섯째")
    then = db.resolve("now").version
    db.documents.edit(made, "# 목표", "# 새 목표")
    db.review.comment(made, "나중", quote="שלום")
    content = call("read_document", documentId=made, includeComments=True, asOf=then)["content"]
    assert "다섯째[^comment-1]" in content
    assert "나중" not in content
