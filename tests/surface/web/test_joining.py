"""Joining by a link: what a browser is told, who gets in, and how often it may try."""

import logging

import pytest

from tests.surface.web.conftest import Browser, Serve, Served


def made(served: Served, **given: object) -> tuple[str, str]:
    """Return a document of the owner, and the code of a link to it."""
    document = served.db.documents.create("비밀 계획", "Ship in May").document
    owner = served.signed_in()
    path = owner.ok("page_make_link", documentId=document, **given)["path"]
    assert path.startswith("/join#")
    return document, path.partition("#")[2]


def ann(served: Served) -> Browser:
    served.db.users.add("ann@example.com", "Ann")
    return served.signed_in("ann@example.com")


def test_a_user_sees_what_is_offered_and_joins(
    serve: Serve, caplog: pytest.LogCaptureFixture
) -> None:
    served = serve()
    document, code = made(served, role="commenter")
    browser = ann(served)
    assert browser.get("/join").status_code == 200
    with caplog.at_level(logging.DEBUG):
        offer = browser.post("/api/join", json={"code": code}).json()
        assert browser.get(f"/d/{document}").status_code == 404
        done = browser.post("/api/join", json={"code": code, "joins": True})
    assert offer == {
        "signIn": False,
        "user": "Ann",
        "by": "owner",
        "role": "commenter",
        "team": None,
        "title": "비밀 계획",
    }
    assert done.json() == {"path": f"/d/{document}"}
    assert browser.get(f"/d/{document}").status_code == 200
    assert browser.ok("read_document", documentId=document)["role"] == "commenter"
    assert code not in caplog.text


def test_who_is_not_signed_in_learns_nothing_of_a_link_for_users(serve: Serve) -> None:
    served = serve()
    document, code = made(served, role="viewer", kind="open")
    answer = served.browser().post("/api/join", json={"code": code})
    assert (answer.status_code, answer.json()) == (200, {"signIn": True})
    refused = served.browser().post("/api/join", json={"code": code, "joins": True, "name": "Eve"})
    assert (refused.status_code, refused.json()["code"]) == (403, "not_allowed")
    assert len(served.db.users.list()) == 1
    assert document not in refused.text


def test_a_new_person_types_a_name_and_is_signed_in(serve: Serve) -> None:
    served = serve()
    document, code = made(served, role="editor", newcomers=True)
    browser = served.browser()
    assert browser.post("/api/join", json={"code": code}).json()["title"] == "비밀 계획"
    nameless = browser.post("/api/join", json={"code": code, "joins": True, "name": " "})
    assert nameless.status_code == 400
    done = browser.post("/api/join", json={"code": code, "joins": True, "name": "김소연"})
    assert done.json() == {"path": f"/d/{document}"}
    me = browser.get("/api/me").json()
    assert (me["person"]["name"], me["isOwner"]) == ("김소연", False)
    assert browser.ok("read_document", documentId=document)["role"] == "editor"
    again = served.browser().post("/api/join", json={"code": code, "joins": True, "name": "Eve"})
    assert again.status_code == 404


def test_a_guessed_a_revoked_and_a_used_link_are_answered_alike(serve: Serve) -> None:
    served = serve()
    _document, used = made(served, role="viewer")
    _other, revoked = made(served, role="viewer", kind="open")
    served.db.share_links.revoke(served.db.share_links.of(_other)[0].id)
    browser = ann(served)
    browser.post("/api/join", json={"code": used, "joins": True})
    served.db.users.add("bob@example.com")
    bob = served.signed_in("bob@example.com")
    for joins in (False, True):
        answers = [
            bob.post("/api/join", json={"code": code, "joins": joins})
            for code in (used, revoked, "x" * 43, "")
        ]
        assert {(one.status_code, one.text) for one in answers} == {(404, answers[0].text)}


def test_guesses_are_bounded(serve: Serve) -> None:
    served = serve()
    browser = served.browser()
    answers = [browser.post("/api/join", json={"code": "x" * 43}) for _ in range(20)]
    assert {one.status_code for one in answers} == {404}
    assert browser.post("/api/join", json={"code": "x" * 43}).status_code == 429
    _document, code = made(served, role="viewer", newcomers=True)
    assert browser.post("/api/join", json={"code": code}).status_code == 200


@pytest.mark.parametrize("body", [b"", b"{}", b'{"code": 1}', b"[", b'{"code":"x","more":1}'])
def test_what_is_no_code_is_refused(serve: Serve, body: bytes) -> None:
    answer = serve().browser().post("/api/join", content=body)
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_input")


def test_other_pages_cannot_join_for_a_user(serve: Serve) -> None:
    served = serve()
    document, code = made(served, role="viewer")
    browser = ann(served)
    answer = browser.post(
        "/api/join", origin="https://evil.example", json={"code": code, "joins": True}
    )
    assert answer.status_code == 403
    assert browser.get(f"/d/{document}").status_code == 404


def test_the_page_shows_who_sees_a_document_and_through_what(serve: Serve) -> None:
    served = serve()
    document, code = made(served, role="viewer", kind="open")
    browser = ann(served)
    browser.post("/api/join", json={"code": code, "joins": True})
    served.db.documents.share(document, "bob@example.com", "editor")
    owner = served.signed_in()
    found = owner.ok("page_sharing", documentId=document)
    assert [(one["name"], one["role"], one["through"]) for one in found["people"]] == [
        ("owner", "owner", "folder"),
        ("Ann", "viewer", "link"),
    ]
    assert found["invited"] == [{"email": "bob@example.com", "role": "editor"}]
    assert (found["manages"], found["admits"]) == (True, True)
    (link,) = found["links"]
    assert (link["kind"], link["uses"], link["ended"]) == ("open", 1, False)
    hers = browser.ok("page_sharing", documentId=document)
    assert (hers["manages"], hers["admits"], hers["links"]) == (False, False, [])
    assert [one["email"] for one in hers["people"]] == ["", "ann@example.com"]
    assert hers["invited"] == []
    owner.ok("page_revoke_link", linkId=link["id"])
    assert browser.call("page_sharing", documentId=document).status_code == 404
