"""Edits of a text that others have changed since: no word is made up, and nothing is swallowed."""

from typing import Any

import pytest

import strata
from tests.surface.calling import Call
from tests.surface.documents.conftest import Make


def text_of(call: Call, document: str) -> str:
    return call("read_document", documentId=document)["content"]


def edit(call: Call, document: str, old: str, new: str, **more: object) -> dict[str, Any]:
    given = {"action": "edit", "documentId": document, "oldString": old, "newString": new}
    return call("edit_document", **given, **more)


@pytest.mark.parametrize(
    ("text", "theirs", "stale"),
    [
        ("The price is 10 euros.", ("is 10 euros", "is 100 euros"), ("10", "25")),
        ("Budget 10 k", ("10 k", "210 k"), ("10 k", "15 k")),
        ("It costs 10", ("costs 10", "costs -10"), ("10", "25")),
        ("Line A", ("Line A", "Line AA"), ("Line A", "Line CC")),
        ("예산은 10 만원", ("10 만원", "100 만원"), ("10", "25")),
        ("회의는 서울 에서", ("서울 에서", "서울시 에서"), ("서울", "부산")),
        ("会議は東京です", ("東京です", "東京都です"), ("東京", "大阪")),
    ],
)
def test_a_stale_edit_of_a_word_that_has_grown_is_kept_as_a_suggestion(
    call: Call, make: Make, text: str, theirs: tuple[str, str], stale: tuple[str, str]
) -> None:
    made = make(text)
    version = call("read_document", documentId=made)["version"]
    edit(call, made, *theirs)
    late = edit(call, made, *stale, baseVersion=version)
    assert late["status"] == "suggested"
    assert text_of(call, made) == text.replace(*theirs)


def test_a_stale_edit_changes_the_words_that_nobody_else_changed(call: Call, make: Make) -> None:
    made = make("We ship in May after review.")
    version = call("read_document", documentId=made)["version"]
    edit(call, made, "in May", "in early June")
    late = edit(call, made, "We ship in May", "We release in May", baseVersion=version)
    assert late["status"] == "applied"
    assert "suggestionId" not in late
    assert text_of(call, made) == "We release in early June after review."


def test_a_stale_edit_is_filed_for_the_words_as_they_are_and_can_be_accepted(
    call: Call, make: Make
) -> None:
    made = make("우리는 5월에 출시한다. 그 다음 쉰다.")
    version = call("read_document", documentId=made)["version"]
    edit(call, made, "5월에", "6월에")
    late = edit(
        call,
        made,
        "5월에 출시한다. 그 다음 쉰다.",
        "7월에 출시한다. 그 다음 논다.",
        baseVersion=version,
    )
    assert late["status"] == "partly"
    assert text_of(call, made) == "우리는 6월에 출시한다. 그 다음 논다."
    (filed,) = late["suggestions"]
    assert (filed["current"], filed["suggested"], filed["line"]) == ("6월에", "7월에", 1)
    call("manage_suggestions", action="accept", documentId=made, suggestionId=filed["suggestion"])
    assert text_of(call, made) == "우리는 7월에 출시한다. 그 다음 논다."


def test_a_stale_edit_of_words_that_were_deleted_can_be_accepted(call: Call, make: Make) -> None:
    made = make("하나\n\n둘\n\n셋\n")
    version = call("read_document", documentId=made)["version"]
    edit(call, made, "하나\n\n둘\n\n셋\n", "")
    late = edit(call, made, "둘", "two", baseVersion=version)
    assert late["status"] == "suggested"
    given = {"documentId": made, "suggestionId": late["suggestionId"]}
    call("manage_suggestions", action="accept", **given)
    assert "two" in text_of(call, made)


def test_a_stale_edit_that_others_have_made_already_changes_nothing(call: Call, make: Make) -> None:
    made = make("Ship in May.")
    version = call("read_document", documentId=made)["version"]
    edit(call, made, "May", "유월")
    late = edit(call, made, "May", "유월", baseVersion=version)
    assert late["status"] == "unchanged"
    assert call("manage_suggestions", action="list", documentId=made)["suggestions"] == []


def test_a_stale_write_that_meets_other_words_says_what_was_applied(call: Call, make: Make) -> None:
    made = make("# 제목\n\nfirst line\n\nsecond line\n\nLine A\n")
    version = call("read_document", documentId=made)["version"]
    edit(call, made, "Line A", "Line AA")
    late = call(
        "edit_document",
        action="write",
        documentId=made,
        baseVersion=version,
        newContent="# 제목\n\n첫째 줄\n\nsecond line\n\nLine B\n",
    )
    assert late["status"] == "partly"
    assert text_of(call, made) == "# 제목\n\n첫째 줄\n\nsecond line\n\nLine AA\n"
    assert [(one["current"], one["suggested"]) for one in late["suggestions"]] == [("AA", "B")]
    assert late["suggestions"][0]["section"] == "제목"


@pytest.mark.parametrize(
    ("now", "before"),
    [
        ("costs 100 won", "costs 10 won"),
        ("costs 210 won", "costs 10 won"),
        ("costs 10.5 won", "costs 10 won"),
        ("costs -10 won", "costs 10 won"),
    ],
)
def test_a_suggestion_notices_what_was_added_at_the_edge_of_its_words(
    call: Call, fail: Call, make: Make, now: str, before: str
) -> None:
    made = make(before)
    kept = call(
        "manage_suggestions",
        action="propose",
        documentId=made,
        originalText="10",
        replacementText="25",
    )
    call("edit_document", action="write", documentId=made, newContent=now)
    (found,) = call("manage_suggestions", action="list", documentId=made)["suggestions"]
    assert (found["state"], found["applies"]) == ("changed", False)
    assert found["currentText"] == now.split()[1]
    error = fail(
        "manage_suggestions", action="accept", documentId=made, suggestionId=kept["suggestionId"]
    )
    assert error["code"] == "conflict"
    assert text_of(call, made) == now


@pytest.mark.parametrize(
    ("before", "now", "words"),
    [
        ("회의는 서울 에서", "회의는 서울시 에서", ("서울", "부산")),
        ("会議は東京", "会議は東京都", ("東京", "大阪")),
        ("Ship in May", "Ship in Mayor", ("", " now")),
    ],
)
def test_a_suggestion_notices_letters_of_every_script(
    call: Call, make: Make, db: strata.Workspace, before: str, now: str, words: tuple[str, str]
) -> None:
    made = make(before)
    other = db.as_actor("민지").documents
    if words[0]:
        call(
            "manage_suggestions",
            action="propose",
            documentId=made,
            originalText=words[0],
            replacementText=words[1],
        )
    else:
        # A stale write becomes a suggestion that only inserts.
        version = call("read_document", documentId=made)["version"]
        other.write(made, before + "!")
        call(
            "edit_document",
            action="write",
            documentId=made,
            newContent=before + words[1],
            baseVersion=version,
        )
        other.write(made, before)
    other.write(made, now)
    (found,) = call("manage_suggestions", action="list", documentId=made)["suggestions"]
    assert found["state"] == "changed"


def test_a_full_stop_or_brackets_around_its_words_do_not_hold_a_suggestion_up(
    call: Call, make: Make
) -> None:
    made = make("Ship in May")
    kept = call(
        "manage_suggestions",
        action="propose",
        documentId=made,
        originalText="May",
        replacementText="유월",
    )
    call("edit_document", action="write", documentId=made, newContent="Ship in **May**.")
    call("manage_suggestions", action="accept", documentId=made, suggestionId=kept["suggestionId"])
    assert text_of(call, made) == "Ship in **유월**."


def test_an_idempotency_key_that_was_used_for_another_edit_is_a_conflict(
    call: Call, fail: Call, make: Make
) -> None:
    made = make("alpha beta gamma 델타")
    first = edit(call, made, "alpha", "ALPHA", idempotencyKey="step")
    assert edit(call, made, "alpha", "ALPHA", idempotencyKey="step")["repeated"]
    error = fail(
        "edit_document",
        action="edit",
        documentId=made,
        oldString="gamma",
        newString="GAMMA",
        idempotencyKey="step",
    )
    assert (error["code"], error["parameter"]) == ("conflict", "idempotencyKey")
    assert "new key" in error["hint"]
    assert text_of(call, made) == "ALPHA beta gamma 델타"
    assert call("read_document", documentId=made)["version"] == first["version"]


@pytest.mark.parametrize(
    ("tool", "first", "second"),
    [
        (
            "edit_document",
            {"action": "create", "title": "하나"},
            {"action": "create", "title": "둘"},
        ),
        (
            "edit_document",
            {"action": "write", "newContent": "1"},
            {"action": "write", "newContent": "2"},
        ),
        (
            "manage_comments",
            {"action": "create", "body": "왜?"},
            {"action": "create", "body": "언제?"},
        ),
        (
            "manage_suggestions",
            {"action": "propose", "originalText": "alpha", "replacementText": "1"},
            {"action": "propose", "originalText": "alpha", "replacementText": "2"},
        ),
    ],
)
def test_every_call_with_a_key_tells_two_requests_apart(
    call: Call,
    fail: Call,
    make: Make,
    tool: str,
    first: dict[str, object],
    second: dict[str, object],
) -> None:
    about = (
        {} if first["action"] == "create" and "title" in first else {"documentId": make("alpha")}
    )
    call(tool, **first, **about, idempotencyKey="1")
    assert call(tool, **first, **about, idempotencyKey="1")["repeated"]
    assert fail(tool, **second, **about, idempotencyKey="1")["code"] == "conflict"
