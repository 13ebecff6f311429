"""edit_document: every action, what it answers, and errors that say what to send instead."""

from typing import Any

import pytest

import strata
from tests.surface.documents.conftest import Call, Make

TEXT = "# 목표\n\nShip in May. cafe\u0301 👩‍👩‍👧 שלום عالم\n\n## 日程\n\n五月\n"


def text_of(call: Call, document: str, **more: Any) -> str:
    return call("read_document", documentId=document, **more)["content"]


def test_a_new_document_answers_with_its_id_version_and_branch(
    call: Call, db: strata.Workspace
) -> None:
    made = call("edit_document", action="create", title="계획 🚀", content=TEXT)
    assert made["documentId"].startswith("doc_")
    assert (made["title"], made["branch"], made["created"]) == ("계획 🚀", "default", True)
    assert db.documents.get(made["documentId"]).version == made["version"]
    assert text_of(call, made["documentId"]) == TEXT


def test_a_document_may_be_made_empty_and_in_a_folder(call: Call, db: strata.Workspace) -> None:
    folder = db.folders.add("회의", team=db.teams.root().id)
    made = call("edit_document", action="create", title="빈 글", folderId=folder.id)
    read = call("read_document", documentId=made["documentId"])
    assert (read["content"], read["folderName"], read["audience"]) == ("", "회의", "team")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("cafe\u0301", "커피"),
        ("👩‍👩‍👧", "👨‍👦 e\u0301"),
        ("שלום עالم".replace("עالم", "عالم"), "مرحبا"),
        ("五月", "六月"),
        ("May. cafe\u0301", ""),
        ("\n\n## 日程\n", "\n\n## 기한\n"),
    ],
)
def test_an_edit_replaces_exactly_the_words(call: Call, make: Make, old: str, new: str) -> None:
    made = make(TEXT)
    done = call("edit_document", action="edit", documentId=made, oldString=old, newString=new)
    assert (done["status"], done["matches"]) == ("applied", 1)
    assert text_of(call, made) == TEXT.replace(old, new)


def test_words_that_occur_often_need_replace_all(call: Call, fail: Call, make: Make) -> None:
    made = make("하나 둘 하나\n하나\n")
    given = {"action": "edit", "documentId": made, "oldString": "하나", "newString": "🐟"}
    error = fail("edit_document", **given)
    assert (error["code"], error["parameter"], error["count"]) == ("conflict", "oldString", 3)
    assert [place["line"] for place in error["places"]] == [1, 1, 2]
    assert "replaceAll" in error["hint"]
    assert call("edit_document", **given, replaceAll=True)["matches"] == 3
    assert text_of(call, made) == "🐟 둘 🐟\n🐟\n"


def test_words_that_do_not_occur_are_answered_with_the_nearest(
    call: Call, fail: Call, make: Make
) -> None:
    made = make("The deadline is the 14th of May, as agreed.\n")
    given = {"action": "edit", "documentId": made, "newString": "x"}
    error = fail("edit_document", **given, oldString="deadline is the 15th of May")
    assert (error["code"], error["parameter"]) == ("not_found", "oldString")
    assert "14th of May" in error["nearest"]
    assert text_of(call, made).count(error["nearest"]) == 1, "it can be sent as it is"
    other = fail("edit_document", **given, oldString="caf\u00e9 전혀 다른 말")
    assert "read_document" in other["hint"]


def test_the_same_words_in_another_unicode_form_are_named_as_such(fail: Call, make: Make) -> None:
    made = make("un cafe\u0301 noir\n")
    given = {"action": "edit", "documentId": made, "newString": "x"}
    error = fail("edit_document", **given, oldString="un caf\u00e9 noir")
    assert "Unicode" in error["message"]
    assert "cafe\u0301" in error["nearest"]


def test_an_edit_of_an_old_version_is_made_where_its_words_stand_now(
    call: Call, make: Make
) -> None:
    made = make("첫째 줄\n둘째 줄\n")
    version = call("read_document", documentId=made)["version"]
    edit = {"action": "edit", "documentId": made}
    call("edit_document", **edit, oldString="첫째 줄", newString="새 줄\n첫째")
    late = {"oldString": "둘째", "newString": "두 번째 🐢", "baseVersion": version}
    done = call("edit_document", **edit, **late)
    assert done["status"] == "applied"
    assert text_of(call, made) == "새 줄\n첫째\n두 번째 🐢 줄\n"


def test_an_edit_of_words_that_have_changed_is_kept_as_a_suggestion(call: Call, make: Make) -> None:
    made = make("Ship in May.\n")
    version = call("read_document", documentId=made)["version"]
    given = {"action": "edit", "documentId": made, "oldString": "May", "baseVersion": version}
    assert call("edit_document", **given, newString="June")["status"] == "applied"
    late = call("edit_document", **given, newString="七月")
    assert (late["status"], late["currentText"]) == ("suggested", "Ship in June.")
    assert late["suggestionId"].startswith("sug_")
    assert "suggestion" in late["hint"]
    assert text_of(call, made) == "Ship in June.\n"


def test_a_whole_text_of_an_old_version_keeps_what_others_wrote(call: Call, make: Make) -> None:
    made = make("하나\n\n둘\n\n셋\n")
    version = call("read_document", documentId=made)["version"]
    call("edit_document", action="edit", documentId=made, oldString="하나", newString="1️⃣")
    done = call(
        "edit_document",
        action="write",
        documentId=made,
        newContent="하나\n\n둘\n\n三\n",
        baseVersion=version,
    )
    assert done["status"] == "applied"
    assert text_of(call, made) == "1️⃣\n\n둘\n\n三\n"
    same = call("edit_document", action="write", documentId=made, newContent="1️⃣\n\n둘\n\n三\n")
    assert same["status"] == "unchanged"


def test_a_version_that_there_is_not_is_named(fail: Call, make: Make) -> None:
    error = fail(
        "edit_document",
        action="edit",
        documentId=make("a"),
        oldString="a",
        newString="b",
        baseVersion=10**9,
    )
    assert error["code"] == "not_found"
    assert "read_document" in error["hint"]


@pytest.mark.parametrize(
    ("action", "more"),
    [
        ("create", {"title": "한 번"}),
        ("edit", {"oldString": "하나", "newString": "둘"}),
        ("write", {"newContent": "둘\n"}),
    ],
)
def test_the_same_key_does_the_same_once(
    call: Call, fail: Call, make: Make, db: strata.Workspace, action: str, more: dict[str, Any]
) -> None:
    made = make("하나\n")
    given = {"action": action, **({} if action == "create" else {"documentId": made}), **more}
    first = call("edit_document", **given, idempotencyKey="요청 1")
    count = len(db.documents.rights.visible())
    again = call("edit_document", **given, idempotencyKey="요청 1")
    assert again.pop("repeated") is True
    assert again == first
    assert len(db.documents.rights.visible()) == count
    other = "write" if action != "write" else "edit"
    wrong = {"newContent": "x"} if other == "write" else {"oldString": "둘", "newString": "x"}
    error = fail("edit_document", action=other, documentId=made, **wrong, idempotencyKey="요청 1")
    assert (error["code"], error["parameter"]) == ("conflict", "idempotencyKey")


def test_a_branch_has_its_own_text_and_the_past_can_be_read(
    call: Call, make: Make, db: strata.Workspace
) -> None:
    made = make("원본\n")
    version = call("read_document", documentId=made)["version"]
    db.branches.fork("시험")
    call("edit_document", action="write", documentId=made, newContent="가지\n", branch="시험")
    assert text_of(call, made) == "원본\n"
    assert text_of(call, made, branch="시험") == "가지\n"
    call("edit_document", action="write", documentId=made, newContent="나중\n")
    past = call("read_document", documentId=made, asOf=version)
    assert (past["content"], past["version"]) == ("원본\n", version)
    assert past["asOf"] < call("read_document", documentId=made)["updated"]


@pytest.mark.parametrize(
    ("given", "parameter", "says"),
    [
        ({}, "action", "action must be given"),
        ({"action": "edt"}, "action", "no action 'edt'"),
        ({"action": "edit"}, "documentId", "needs documentId and oldString and newString"),
        ({"action": "edit", "documentId": "d", "newString": "x"}, "oldString", "needs oldString"),
        ({"action": "write", "documentId": "d"}, "newContent", "needs newContent"),
        ({"action": "create"}, "title", "needs title"),
        ({"action": "create", "title": " "}, "title", "cannot be a title"),
        ({"action": "create", "title": "x", "newContent": "y"}, "newContent", "takes no newCont"),
        ({"action": "share", "documentId": "d", "email": "e@x.y", "role": "boss"}, "role", "role"),
        ({"action": "move", "documentId": "d"}, "folderId", "needs folderId"),
        ({"action": "unshare", "documentId": "d"}, "targetUserId", "needs targetUserId"),
        ({"action": "finalizeUpload"}, "uploadId", "needs uploadId"),
        ({"action": "presignUpload"}, "contentLength", "needs contentLength"),
        ({"action": "createFromTemplate", "title": "x"}, "templateDocumentId", "needs"),
        ({"action": "edit", "oldstrng": "x"}, "oldstrng", "no parameter 'oldstrng'"),
    ],
)
def test_a_wrong_call_names_the_parameter_and_shows_a_right_one(
    fail: Call, given: dict[str, Any], parameter: str, says: str
) -> None:
    error = fail("edit_document", **given)
    assert (error["code"], error["parameter"]) == ("invalid_input", parameter)
    assert says in error["message"]
    shown = error["example"]["arguments"]
    known = given.get("action") not in (None, "edt")
    assert shown["action"] == (given["action"] if known else "edit")


def test_an_unknown_action_is_answered_with_the_nearest(fail: Call) -> None:
    error = fail("edit_document", action="presign")
    assert "'presignUpload'" in error["hint"]
    assert "createFromTemplate" in error["hint"]


@pytest.mark.parametrize(
    "action", ["createfromtemplate", "create_from_template", "CREATE-FROM-TEMPLATE"]
)
def test_an_action_is_understood_in_either_case(fail: Call, action: str) -> None:
    error = fail("edit_document", action=action, template_document_id="doc_x", title="x")
    assert error["code"] == "not_found"


def test_the_texts_of_edits_are_taken_as_they_are(call: Call, make: Make) -> None:
    made = make('{"a": 1}\n["list"]\n')
    call("edit_document", action="edit", documentId=made, oldString='{"a": 1}', newString='["b"]')
    assert text_of(call, made) == '["b"]\n["list"]\n'
    call("edit_document", action="write", documentId=made, newContent='{"whole": true}')
    assert text_of(call, made) == '{"whole": true}'


def test_a_secret_is_refused_without_repeating_it(fail: Call, make: Make) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"
    content = f"# 계획\n\n첫 줄\n\n## Deploy\n\ntoken: {secret}\n"
    error = fail("edit_document", action="write", documentId=make("x"), newContent=content)
    assert error["code"] == "secret_refused"
    # What the caller knows and can do: the line, and leaving it out.
    assert "github_token in line 7" in error["message"]
    assert error["found"] == [{"kind": "github_token", "path": "line 7"}]
    assert "placeholder" in error["hint"]
    assert not any(word in str(error) for word in ("--", "db.", "chunk_", "allow_secrets"))
    assert secret not in str(error)
