"""The same tools from the shell: `strata call`."""

import base64

from tests.surface.conftest import Run
from tests.surface.documents.test_over_stdio import picture


def test_a_document_is_made_and_changed_from_the_shell(ok: Run, run: Run) -> None:
    made = ok("call", "edit_document", "--action", "create", "--title", "계획", "--content", "五月")
    document = made.json["documentId"]
    changed = ok(
        "call",
        "edit_document",
        "--action",
        "edit",
        "--document-id",
        document,
        "--old-string",
        "五月",
        "--newString",
        "六月 🌸",
    )
    assert changed.json["status"] == "applied"
    read = ok("call", "read_document", "--json", f'{{"documentId": "{document}"}}')
    assert read.json["content"] == "六月 🌸"
    wrong = run("call", "edit_document", "--action", "write", "--document-id", document)
    assert wrong.code == 1
    assert wrong.error["parameter"] == "newContent"


def test_somebody_else_is_named_by_their_email(ok: Run, run: Run) -> None:
    made = ok("call", "edit_document", "--action", "create", "--title", "내 것").json
    ok("user", "add", "ann@example.com")
    hidden = ("call", "read_document", "--document-id", made["documentId"])
    assert run(*hidden, "--user", "ann@example.com").error["code"] == "not_found"
    assert run(*hidden, "--user", "nobody@example.com").error["code"] == "not_found"
    assert ok(*hidden).json["role"] == "owner"


def test_an_image_is_printed_with_its_bytes(ok: Run) -> None:
    import strata

    document = ok("call", "edit_document", "--action", "create", "--title", "그림").json
    with strata.open() as db:
        image = db.documents.attach_image(document["documentId"], picture(), name="점.png")
    shown = ok(
        "call", "get_image", "--document-id", document["documentId"], "--image-id", image.id
    ).json
    assert base64.b64decode(shown["data"]).startswith(b"\x89PNG")
    assert (shown["width"], shown["height"]) == (32, 16)
