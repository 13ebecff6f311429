"""manage_suggestions, as an agent calls it."""

from typing import Any

import pytest

import strata
from tests.surface.review.conftest import TEXT, Call, Make

TOOL = "manage_suggestions"


def test_a_suggestion_from_proposing_to_accepting(
    call: Call, make: Make, db: strata.Workspace
) -> None:
    made = make()
    kept = call(
        TOOL,
        action="propose",
        documentId=made,
        originalText="다섯째 달",
        confidence=0.8,
        replacementText="여섯째 달 🎉",
        severity="warning",
        rationale="검토에 4주",
    )
    assert kept["status"] == "pending"
    assert db.documents.text(made) == TEXT
    (found,) = call(TOOL, action="list", documentId=made)["suggestions"]
    expected = {
        "suggestionId": kept["suggestionId"],
        "originalText": "다섯째 달",
        "line": 7,
        "replacementText": "여섯째 달 🎉",
        "severity": "warning",
        "confidence": 0.8,
        "rationale": "검토에 4주",
        "applies": True,
        "state": "applies",
        "author": "owner",
        "headingPath": ["목표 🎯", "일정"],
        "reason": "proposed",
        "status": "pending",
    }
    assert expected.items() <= found.items()
    units = TEXT.encode("utf-16-le")
    assert units[2 * found["start"] : 2 * found["end"]].decode("utf-16-le") == "다섯째 달"
    done = call(TOOL, action="accept", documentId=made, suggestionId=kept["suggestionId"])
    assert (done["status"], done["edited"]) == ("accepted", True)
    read = call("read_document", documentId=made)
    assert (read["version"], read["content"]) == (
        done["version"],
        TEXT.replace("다섯째 달", "여섯째 달 🎉"),
    )
    again = call(TOOL, action="accept", documentId=made, suggestionId=kept["suggestionId"])
    assert (again["edited"], again["unchanged"]) == (False, True)
    assert call(TOOL, action="list", documentId=made)["suggestions"] == []


def test_a_refused_accept_shows_the_words_and_what_to_do(
    call: Call, fail: Call, make: Make, db: strata.Workspace
) -> None:
    made = make()
    kept = call(
        TOOL, action="propose", documentId=made, originalText="다섯째 달", replacementText="X"
    )
    call("edit_document", action="edit", documentId=made, oldString="다섯째", newString="일곱째")
    text = db.documents.text(made)
    error = fail(TOOL, action="accept", documentId=made, suggestionId=kept["suggestionId"])
    assert (error["code"], error["currentText"]) == ("conflict", "일곱째 달")
    assert (error["originalText"], error["line"]) == ("다섯째 달", 7)
    assert "Nothing was changed" in error["hint"]
    assert db.documents.text(made) == text
    (found,) = call(TOOL, action="list", documentId=made)["suggestions"]
    assert (found["applies"], found["state"], found["currentText"]) == (
        False,
        "changed",
        "일곱째 달",
    )
    call(TOOL, action="reject", documentId=made, suggestionId=kept["suggestionId"])
    error = fail(TOOL, action="accept", documentId=made, suggestionId=kept["suggestionId"])
    assert (error["code"], error["status"]) == ("conflict", "rejected")


def test_overlapping_suggestions_are_named(call: Call, make: Make) -> None:
    made = make()
    ids = [
        call(TOOL, action="propose", documentId=made, originalText=old, replacementText="X")
        for old in ("다섯째 달", "달.", "שלום")
    ]
    wide, narrow, apart = (one["suggestionId"] for one in ids)
    found = {
        one["suggestionId"]: one.get("overlaps")
        for one in call(TOOL, action="list", documentId=made)["suggestions"]
    }
    assert found == {wide: [narrow], narrow: [wide], apart: None}
    call(TOOL, action="accept", documentId=made, suggestionId=narrow)
    left = call(TOOL, action="list", documentId=made)["suggestions"]
    assert {one["suggestionId"]: one["applies"] for one in left} == {wide: False, apart: True}


def test_edits_that_came_too_late_wait_here(call: Call, make: Make) -> None:
    made = make()
    version = call("read_document", documentId=made)["version"]
    edit = {"action": "edit", "documentId": made, "oldString": "다섯째", "baseVersion": version}
    call("edit_document", **edit, newString="여섯째")
    late = call("edit_document", **edit, newString="일곱째")
    (found,) = call(TOOL, action="list", documentId=made)["suggestions"]
    assert (found["suggestionId"], found["reason"]) == (late["suggestionId"], "stale")
    done = call(TOOL, action="withdraw", documentId=made, suggestionId=found["suggestionId"])
    assert done["status"] == "withdrawn"


def test_long_words_are_shortened_in_lists_and_whole_when_accepted(
    call: Call, make: Make, db: strata.Workspace
) -> None:
    long = "긴 글 " * 3_000
    made = make(f"머리\n{long}\n끝")
    kept = call(
        TOOL, action="propose", documentId=made, originalText=long, replacementText=f"{long}더"
    )
    answer = call(TOOL, action="list", documentId=made)
    (found,) = answer["suggestions"]
    assert found["shortened"]
    assert long.startswith(found["originalText"].removesuffix("…"))
    assert len(str(answer)) < len(long)
    call(TOOL, action="accept", documentId=made, suggestionId=kept["suggestionId"])
    assert db.documents.text(made) == f"머리\n{long}더\n끝"


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        ({"action": "propose", "originalText": "x"}, "invalid_input", "needs replacementText"),
        (
            {"action": "propose", "originalText": "", "replacementText": "x"},
            "invalid_input",
            "text to replace is empty",
        ),
        (
            {"action": "propose", "originalText": "다섯째", "replacementText": "다섯째"},
            "invalid_input",
            "the same",
        ),
        (
            {"action": "propose", "originalText": "다섯쨰 달.", "replacementText": "x"},
            "not_found",
            "다섯째 달.",
        ),
        (
            {"action": "propose", "originalText": "Ship", "replacementText": "x"},
            "conflict",
            "headingContext",
        ),
        (
            {
                "action": "propose",
                "originalText": "다섯째",
                "replacementText": "x",
                "severity": "high",
            },
            "invalid_input",
            "severity",
        ),
        (
            {
                "action": "propose",
                "originalText": "다섯째",
                "replacementText": "x",
                "confidence": 80,
            },
            "invalid_input",
            "from 0 to 1",
        ),
        ({"action": "accept"}, "invalid_input", "needs suggestionId"),
        ({"action": "accept", "suggestionId": "sug_1"}, "not_found", "manage_suggestions"),
        ({"action": "withdraw", "suggestionId": "sug_1"}, "not_found", "manage_suggestions"),
        ({"action": "approve"}, "invalid_input", "accept"),
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


def test_deleting_words_is_proposed_by_an_empty_replacement(
    call: Call, make: Make, db: strata.Workspace
) -> None:
    made = make()
    kept = call(
        TOOL, action="propose", documentId=made, originalText=" 다섯째 달.", replacementText=""
    )
    (found,) = call(TOOL, action="list", documentId=made)["suggestions"]
    assert found["replacementText"] == ""
    call(TOOL, action="accept", documentId=made, suggestionId=kept["suggestionId"])
    assert db.documents.text(made) == TEXT.replace(" 다섯째 달.", "")


def test_a_request_that_comes_twice_counts_once(call: Call, make: Make) -> None:
    made = make()
    asked = {
        "action": "propose",
        "documentId": made,
        "originalText": "다섯째",
        "replacementText": "여섯째",
        "idempotencyKey": "k",
    }
    first, again = call(TOOL, **asked), call(TOOL, **asked)
    assert (first["suggestionId"], again["repeated"]) == (again["suggestionId"], True)
    assert call(TOOL, action="list", documentId=made)["total"] == 1
