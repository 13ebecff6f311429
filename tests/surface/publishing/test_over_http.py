"""A real server: tools publish for people by their roles, and anybody reads the pages."""

import httpx2
import pytest
from playwright.sync_api import sync_playwright

import strata
from tests.browser.chromium import OPTIONS, NoBrowser, find_or_install
from tests.surface.documents.conftest import Agent, Office, office

__all__ = ["office"]


def base(office: Office) -> str:
    return office.url.removesuffix("/mcp")


def ask(office: Office, path: str, token: str | None = None) -> httpx2.Response:
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    return httpx2.get(base(office) + path, headers=headers, timeout=30)


def call(agent: Agent, name: str, **arguments: object) -> dict[str, object]:
    """Call a tool of publishing, which a client has to choose."""
    return agent_with_groups(agent).ok(name, **arguments)


def agent_with_groups(agent: Agent) -> Agent:
    return agent._replace(url=f"{agent.url}?groups=core,publishing")


def path_of(office: Office, told: dict[str, object]) -> str:
    url = str(told["url"])
    assert url.startswith(base(office) + "/@")
    return url.removeprefix(base(office))


def test_who_made_a_document_publishes_it_and_anybody_reads_it(office: Office) -> None:
    document = office.make("# 목표\n\n모두를 위한 글", title="공개 계획")
    path = path_of(office, call(office.editor, "publish_document", documentId=document))
    page = ask(office, path)
    assert page.status_code == 200
    assert "모두를 위한 글" in page.text
    assert "no-cache" in page.headers["cache-control"]
    assert page.headers["cross-origin-opener-policy"] == "same-origin"
    assert ask(office, "/@editor").status_code == 200
    call(office.editor, "unpublish_document", documentId=document)
    assert ask(office, path).status_code == 404
    assert ask(office, "/@editor").status_code == 404


@pytest.mark.parametrize(
    ("who", "code"),
    [
        ("commenter", "not_allowed"),
        ("viewer", "not_allowed"),
        ("outsider", "not_found"),
        ("suggester", "not_allowed"),
    ],
)
def test_others_cannot_publish_it(office: Office, who: str, code: str) -> None:
    document = office.make("words", title=f"by {who}")
    agent = agent_with_groups(getattr(office, who))
    for name in ("publish_document", "unpublish_document"):
        assert agent.fails(name, documentId=document)["code"] == code
    assert ask(office, f"/@editor/by-{who}").status_code == 404
    assert ask(office, f"/@{who}/by-{who}").status_code == 404


def test_a_token_that_only_reads_is_not_even_offered_it(office: Office) -> None:
    reader = agent_with_groups(office.reader)
    listed = {tool["name"] for tool in reader.ask("tools/list")["result"]["tools"]}
    assert "get_publish_status" in listed
    assert not listed & {"publish_document", "unpublish_document"}
    document = office.make("words", title="read only")
    call = {"name": "publish_document", "arguments": {"documentId": document}}
    assert "error" in reader.ask("tools/call", call)
    assert ask(office, "/@editor/read-only").status_code == 404


def test_older_versions_are_for_those_who_manage_the_document(office: Office) -> None:
    document = office.make("첫 글", title="Versions")
    path = path_of(office, call(office.editor, "publish_document", documentId=document))
    office.editor.edit("write", documentId=document, newContent="두 번째 글")
    call(office.editor, "publish_document", documentId=document)
    missing = ask(office, "/@nobody/at-all")
    for token in (None, office.viewer.token, office.commenter.token, office.outsider.token, "x"):
        answer = ask(office, f"{path}?version=1", token)
        assert (answer.status_code, answer.content) == (404, missing.content)
    for token in (office.editor.token, office.owner.token):
        answer = ask(office, f"{path}?version=1", token)
        assert answer.status_code == 200
        assert "첫 글" in answer.text
        assert answer.headers["cache-control"] == "private, no-store"
        assert ask(office, f"{path}?version=9", token).status_code == 404
        assert ask(office, f"{path}?version=1%27", token).status_code == 404
    assert "두 번째 글" in ask(office, path).text


def test_an_older_version_shows_its_own_images(office: Office) -> None:
    drawing = b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'
    document = office.make("empty", title="Pictures")
    with strata.open(office.path, durability="standard", auto_embed=False) as db:
        image = db.documents.attach_image(document, drawing, name="점.svg")
    office.editor.edit("write", documentId=document, newContent=image.markdown)
    path = path_of(office, call(office.editor, "publish_document", documentId=document))
    office.editor.edit("write", documentId=document, newContent="no picture")
    call(office.editor, "publish_document", documentId=document)
    source = f"{path}/images/{image.id}"
    token = office.editor.token
    assert f'src="{source}?version=1"' in ask(office, f"{path}?version=1", token).text
    shown = ask(office, f"{source}?version=1", token)
    assert (shown.status_code, shown.content) == (200, drawing)
    assert "sandbox" in shown.headers["content-security-policy"]
    refused = ((source, token), (f"{source}?version=1", None), (f"{source}?version=2", token))
    for address, by in refused:
        assert ask(office, address, by).status_code == 404


def test_the_address_of_a_page_needs_no_known_host(office: Office) -> None:
    document = office.make("words", title="Elsewhere")
    path = path_of(office, call(office.editor, "publish_document", documentId=document))
    answer = httpx2.get(base(office) + path, headers={"Host": "notes.example.com"}, timeout=30)
    assert answer.status_code == 200
    assert "notes.example.com" not in answer.text


@pytest.mark.slow
def test_a_browser_shows_the_page_without_a_complaint(office: Office) -> None:
    try:
        chromium = find_or_install()
    except NoBrowser as error:
        pytest.skip(str(error))
    document = office.make("# 하나\n\n```python\nx = 1\n```\n\n- [x] done\n", title="Browser")
    path = path_of(office, call(office.editor, "publish_document", documentId=document))
    said: list[str] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=OPTIONS)
        page = browser.new_page()
        page.on("console", lambda message: said.append(message.text))
        page.goto(base(office) + path)
        assert page.title() == "Browser · editor"
        colour = "getComputedStyle(document.querySelector('.mi')).color"
        assert page.evaluate(colour) != page.evaluate("getComputedStyle(document.body).color")
        browser.close()
    assert [line for line in said if "favicon" not in line and "404" not in line] == []


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "ko", "ar"])
def test_no_page_has_to_be_moved_sideways_on_a_telephone(office: Office, language: str) -> None:
    try:
        chromium = find_or_install()
    except NoBrowser as error:
        pytest.skip(str(error))
    row = "|" + " 아주 긴 칸의 글 |" * 12
    text = (
        f"---\nlang: {language}\n---\n# One\n\n## Two\n\n## Three\n\n{'longword' * 40}\n\n"
        f"{row}\n|{'---|' * 12}\n{row}\n\n```\n{'code ' * 60}\n```\n\n- [ ] {'가' * 200}\n"
    )
    document = office.make(text, title=f"Narrow {language} {'제목' * 40}")
    path = path_of(office, call(office.editor, "publish_document", documentId=document))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=OPTIONS)
        page = browser.new_page(viewport={"width": 360, "height": 740})
        for address in (path, "/@editor"):
            page.goto(base(office) + address)
            assert page.evaluate("document.documentElement.scrollWidth") <= 360, address
        browser.close()
