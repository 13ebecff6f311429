"""Tools as the page calls them, by people of every role."""

import base64
from io import BytesIO
from typing import Any

import httpx2
import pytest
from PIL import Image

import strata
from strata.access import OF_DOCUMENTS
from strata.tools import PAGE_GROUP, registry
from tests.surface.web.conftest import Browser, Office, Serve

ROLES = ("owner", "editor", "commenter", "viewer", "outsider", "reader", "suggester")
MISSING = "doc_01JABCDEFGHJKMNPQRSTVWXYZ0"


def tools() -> list[str]:
    groups = [group for group in OF_DOCUMENTS if group in registry().groups]
    return [tool.name for group in groups for tool in registry().tools(group)]


@pytest.fixture(scope="module")
def people(office: Office) -> Any:
    """Everybody of the office in a browser of their own."""
    clients = {name: httpx2.Client() for name in ROLES}
    base = office.url.removesuffix("/mcp")
    browsers = {name: Browser(base, client) for name, client in clients.items()}
    for name, browser in browsers.items():
        assert browser.sign_in(getattr(office, name).token).status_code == 303
    yield browsers
    for client in clients.values():
        client.close()


def test_everybody_is_told_who_they_are_and_what_they_may(
    office: Office, people: dict[str, Browser]
) -> None:
    for name in ("editor", "commenter", "viewer", "outsider"):
        me = people[name].get("/api/me").json()
        assert me["person"] == {
            "id": office.people[name],
            "name": name,
            "email": f"{name}@example.com",
        }
        of_page = {tool.name for tool in registry().tools(PAGE_GROUP)}
        assert set(me["tools"]) - of_page == set(tools())
        assert "page_memory" not in me["tools"]
        assert me["groups"] == list(OF_DOCUMENTS)
        assert not me["isOwner"]
    owner = people["owner"].get("/api/me", headers={"Accept-Language": "fr, ko-KR;q=0.8"}).json()
    assert owner["isOwner"]
    assert owner["version"] == strata.__version__
    assert owner["language"] == "ko"
    reader = people["reader"].get("/api/me").json()
    assert reader["readOnly"]
    assert "edit_document" not in reader["tools"]
    assert "read_document" in reader["tools"]
    assert people["suggester"].get("/api/me").json()["suggestOnly"]


def test_a_document_is_written_and_read_as_by_an_agent(
    office: Office, people: dict[str, Browser]
) -> None:
    editor = people["editor"]
    made = editor.ok(
        "edit_document",
        action="create",
        title="계획",
        content="# 목표\n\n봄\n",
        folderId=office.folder,
    )
    document = made["documentId"]
    assert people["viewer"].ok("read_document", documentId=document)["content"] == "# 목표\n\n봄\n"
    edited = editor.ok(
        "edit_document", action="edit", documentId=document, oldString="봄", newString="가을"
    )
    assert edited["status"] == "applied"
    assert office.viewer.ok("read_document", documentId=document)["content"] == "# 목표\n\n가을\n"
    found = people["commenter"].ok("find", intent="search", query="가을")
    assert document in [item["id"] for item in found["items"]]


def test_the_branch_is_an_argument_like_others(office: Office, people: dict[str, Browser]) -> None:
    document = office.make("# One\n\nfirst\n")
    editor = people["editor"]
    wrong = editor.call("read_document", documentId=document, branch="nowhere")
    assert (wrong.status_code, wrong.json()["code"]) == (404, "not_found")
    here = editor.ok("read_document", documentId=document, branch="default")
    assert here["branch"] == "default"


def test_branch_and_time_come_with_the_request(serve: Serve) -> None:
    served = serve()
    made = served.db.documents.create("계획", "봄\n")
    served.db.kv.put("철", "봄")
    then = served.db.info().versions
    served.db.branches.fork("초안")
    served.db.documents.edit(made.document, "봄", "여름")
    served.db.kv.put("철", "여름")
    owner = served.signed_in()

    def read(query: str) -> tuple[str, str]:
        document, fact = (
            owner.post(f"/api/tools/{tool}{query}", json=arguments)
            for tool, arguments in (
                ("read_document", {"documentId": made.document}),
                ("strata_recall", {"key": "철"}),
            )
        )
        return document.json()["content"], fact.json()["value"]

    assert read("") == ("여름\n", "여름")
    assert read("?branch=초안") == ("봄\n", "봄")
    assert read(f"?at={then}") == ("봄\n", "봄")
    assert read(f"?at={then}&branch=") == ("봄\n", "봄")


@pytest.mark.parametrize(
    ("query", "status", "code"),
    [
        ("branch=nowhere", 404, "not_found"),
        ("at=once upon a time", 400, "invalid_time"),
        ("at=99999999", 400, "invalid_time"),
        ("at=tag:없다", 404, "not_found"),
        (f"at={'9' * 600}", 400, "invalid_input"),
        (f"branch={'가' * 600}", 400, "invalid_input"),
    ],
)
def test_a_branch_or_time_that_is_not_there_is_told(
    people: dict[str, Browser], query: str, status: int, code: str
) -> None:
    answer = people["owner"].post(f"/api/tools/find?{query}", json={"intent": "list"})
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert answer.json()["message"]


def test_the_past_is_only_read(people: dict[str, Browser], office: Office) -> None:
    document = office.make("# One\n\nfirst\n")
    for at in ("now", "1h ago"):
        answer = people["owner"].post(
            f"/api/tools/edit_document?at={at}",
            json={"action": "edit", "documentId": document, "oldString": "first", "newString": "x"},
        )
        assert (answer.status_code, answer.json()["code"]) == (403, "access_denied")
        assert "past" in answer.json()["message"]
    assert people["owner"].ok("read_document", documentId=document)["content"].endswith("first\n")


def test_what_a_person_does_at_the_page_has_no_agent_beside_it(serve: Serve) -> None:
    served = serve()
    ann = served.db.users.add("ann@example.com")
    token = served.db.tokens.create("codex", user=ann.id).secret
    browser = served.browser()
    browser.sign_in(token)
    made = browser.ok("edit_document", action="create", title="손으로", content="x")
    bearer = {"Authorization": f"Bearer {token}"}
    answer = served.browser().post(
        "/api/tools/edit_document",
        origin=None,
        headers=bearer,
        json={"action": "create", "title": "by a program", "content": "x"},
    )
    ids = [made["documentId"], answer.json()["documentId"]]
    versions = [served.db.as_user(ann.id).documents.history(one)[0] for one in ids]
    assert [one.via for one in versions] == [(), ("codex",)]


def arguments_for(tool: str, document: str) -> list[dict[str, Any]]:
    """Return calls of a tool about one document, from the example of each of its actions."""
    found = registry().find(tool)
    assert found is not None
    examples = list(found.examples.values()) or [found.example]
    about: list[dict[str, Any]] = []
    for example in examples:
        names = [name for name in example if name in ("documentId", "templateDocumentId")]
        about += [{**example, **dict.fromkeys(names, document)}] if names else []
    return about


@pytest.mark.parametrize("tool", tools())
def test_other_people_s_documents_are_as_if_they_were_not_there(
    office: Office, people: dict[str, Browser], tool: str
) -> None:
    hidden = office.make("# 비밀\n\nsecret words Ship in May.\n")
    outsider = people["outsider"]
    for arguments in arguments_for(tool, hidden):
        there = outsider.post(f"/api/tools/{tool}", json=arguments)
        gone = arguments | {name: MISSING for name, value in arguments.items() if value == hidden}
        missing = outsider.post(f"/api/tools/{tool}", json=gone)
        assert there.status_code == missing.status_code >= 400, (arguments, there.text)
        assert there.text.replace(hidden, MISSING) == missing.text
        assert "비밀" not in there.text


@pytest.mark.parametrize("tool", tools())
def test_who_may_write_decides_what_is_answered(
    office: Office, people: dict[str, Browser], tool: str
) -> None:
    found = registry().find(tool)
    assert found is not None
    document = office.make("# Goals\n\nShip in May.\n")
    for arguments in arguments_for(tool, document):
        action = found.actions.get(str(arguments.get("action")))
        reads = found.reads_only or (action is not None and action.reads_only)
        answer = people["reader"].post(f"/api/tools/{tool}", json=arguments)
        if not reads:
            assert answer.status_code == 403, (arguments, answer.text)
            assert answer.json()["code"] in ("not_allowed", "access_denied")
        else:
            assert answer.status_code != 403, (arguments, answer.text)


@pytest.mark.parametrize("name", ["viewer", "commenter", "reader"])
def test_readers_cannot_edit(office: Office, people: dict[str, Browser], name: str) -> None:
    document = office.make("Ship in May.\n")
    answer = people[name].call(
        "edit_document", action="edit", documentId=document, oldString="May", newString="June"
    )
    assert answer.status_code in (200, 403)
    assert answer.status_code == 403 or answer.json()["status"] == "suggested"
    assert office.editor.ok("read_document", documentId=document)["content"] == "Ship in May.\n"


def test_facts_and_decisions_are_for_the_owner_alone(
    serve: Serve, people: dict[str, Browser]
) -> None:
    served = serve()
    served.db.users.add("ann@example.com")
    owner, ann = served.signed_in(), served.signed_in("ann@example.com")
    owner.ok("strata_store", key="비밀/키", value="값")
    assert owner.ok("strata_recall", key="비밀/키")["value"] == "값"
    for name in ("strata_recall", "strata_kv_get", "load_checkpoint"):
        assert name in owner.get("/api/me").json()["tools"]
        for visitor in (ann, people["editor"], people["outsider"]):
            answer = visitor.post(f"/api/tools/{name}", json={"key": "비밀/키"})
            assert (answer.status_code, answer.json()["code"]) == (403, "not_allowed"), name


def test_what_does_not_exist_is_not_there(people: dict[str, Browser]) -> None:
    owner = people["owner"]
    for name in ("strata_remember", "strata_tools_call", "mama_save", "nothing", "find%00"):
        answer = owner.post(f"/api/tools/{name}", json={})
        assert answer.status_code == 404, name
    assert owner.post("/api/tools/", json={}).status_code in (404, 405)
    assert owner.get("/api/tools/find").status_code in (404, 405)


def test_a_token_for_one_group_gets_that_group(serve: Serve) -> None:
    served = serve()
    token = served.db.tokens.create("t", groups=["core"]).secret
    browser = served.browser()
    browser.sign_in(token)
    assert browser.get("/api/me").json()["groups"] == ["core"]
    answer = browser.call("get_presence", documentId=MISSING)
    assert (answer.status_code, answer.json()["code"]) == (403, "not_allowed")
    assert "collaboration" in answer.json()["message"]


def test_nobody_and_strangers_are_refused(office: Office) -> None:
    with httpx2.Client() as http:
        stranger = Browser(office.url.removesuffix("/mcp"), http)
        for answer in (stranger.get("/api/me"), stranger.call("find", intent="list")):
            assert answer.status_code == 401
            assert answer.json()["code"] == "not_signed_in"
        bearer = {"Authorization": f"Bearer {office.viewer.token}"}
        # A program has a token and no page.
        answer = stranger.post(
            "/api/tools/find", origin=None, json={"intent": "list"}, headers=bearer
        )
        assert answer.status_code == 200


def test_cookies_alone_do_not_make_a_call(office: Office, people: dict[str, Browser]) -> None:
    editor = people["editor"]
    for origin in (None, "https://evil.example", "http://localhost:5173", "null"):
        answer = editor.post(
            "/api/tools/edit_document",
            origin=origin,
            json={"action": "create", "title": "from elsewhere"},
        )
        assert answer.status_code == 403, origin
    found = editor.ok("find", intent="search", query="elsewhere")
    assert "from elsewhere" not in str(found["items"])


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "", "json"]
)
def test_arguments_are_json_and_say_so(people: dict[str, Browser], kind: str) -> None:
    answer = people["owner"].post(
        "/api/tools/find", content=b'{"intent":"list"}', headers={"Content-Type": kind}
    )
    assert (answer.status_code, answer.json()["code"]) == (415, "invalid_input")


@pytest.mark.parametrize("body", [b"[]", b"1", b'"x"', b"{", b"\xff", b"[" * 100_000, b"null"])
def test_what_is_no_object_is_refused(people: dict[str, Browser], body: bytes) -> None:
    headers = {"Content-Type": "application/json; charset=utf-8"}
    answer = people["owner"].post("/api/tools/find", content=body, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_input")


def test_errors_have_the_status_of_their_kind(office: Office, people: dict[str, Browser]) -> None:
    editor = people["editor"]
    document = office.make("Ship in May.\n")
    wrong = editor.call("read_document")
    assert (wrong.status_code, wrong.json()["code"]) == (400, "invalid_input")
    assert wrong.json()["parameter"] == "documentId"
    stale = editor.call(
        "edit_document", action="edit", documentId=document, oldString="March", newString="x"
    )
    assert stale.status_code in (400, 404, 409)
    assert stale.json()["hint"]
    share = people["viewer"].call(
        "edit_document", action="share", documentId=document, email="x@example.com", role="viewer"
    )
    assert (share.status_code, share.json()["code"]) == (403, "not_allowed")


def test_a_request_that_is_too_large_is_refused(serve: Serve) -> None:
    served = serve(body_bytes_max=10_000)
    browser = served.signed_in()
    answer = browser.call("edit_document", action="create", title="x", content="가" * 5_000)
    assert (answer.status_code, answer.json()["code"]) == (413, "limit_exceeded")

    def pieces() -> Any:
        for _ in range(20):
            yield b" " * 1_000

    headers = {"Content-Type": "application/json"}
    answer = browser.post("/api/tools/find", content=pieces(), headers=headers)
    assert answer.status_code == 413


def test_images_come_as_images_or_as_json(serve: Serve) -> None:
    served = serve()
    document = served.db.documents.create("그림", "x").document
    out = BytesIO()
    Image.new("RGB", (3, 2), (10, 20, 30)).save(out, "PNG")
    image = served.db.documents.attach_image(document, out.getvalue(), name="점.png").id
    browser = served.signed_in()
    told = browser.ok("get_image", documentId=document, imageId=image)
    assert base64.b64decode(told["data"])[:4] == b"\x89PNG"
    answer = browser.post(
        "/api/tools/get_image",
        headers={"Accept": "image/png"},
        json={"documentId": document, "imageId": image},
    )
    assert answer.headers["content-type"] == "image/png"
    assert answer.content == base64.b64decode(told["data"])
