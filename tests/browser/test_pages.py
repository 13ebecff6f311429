"""What the pages look like and how they are used without a mouse. Screenshots are for people."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import WebSocketRoute, expect

from tests.browser.conftest import MakePerson
from tests.browser.people import ANN, Agent, Person, Server, new_context

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

LOOKS: dict[str, dict[str, Any]] = {
    "light": {"viewport": {"width": 1360, "height": 860}},
    "dark": {"viewport": {"width": 1360, "height": 860}, "color_scheme": "dark"},
    "narrow": {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 2},
}
FAINT = Path(__file__).with_name("faint.js").read_text(encoding="utf-8")
NAMELESS = Path(__file__).with_name("nameless.js").read_text(encoding="utf-8")
FOCUSED = "(({ textContent, ariaLabel }) => ariaLabel ?? textContent)(document.activeElement)"
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"

# What is loaded behind the text of a document, by the names of the build.
BEHIND_THE_TEXT = {"late", "review", "attached", "backlinks"}
# The build puts a hash of eight characters behind a name; a hash may have a dash in it.
SCRIPTS = """performance.getEntriesByType("resource")
  .map((one) => /([^/]+)-[\\w-]{8}\\.js$/.exec(new URL(one.name).pathname)?.[1])
  .filter(Boolean)"""


def test_the_list_finds_documents_and_makes_new_ones(
    ann: Person, server: Server, document: str
) -> None:
    page = ann.context.new_page()
    page.goto(f"{server.url}/docs")
    expect(page.locator(f'a[href="/d/{document}"]')).to_contain_text("배포 계획")
    page.get_by_label("Search documents").fill("no such words anywhere 없음")
    expect(page.locator(".empty")).to_contain_text("No document fits these words")
    page.get_by_label("Search documents").fill("배포")
    page.locator(f'a[href="/d/{document}"]').click()
    expect(page.get_by_role("heading", level=1)).to_have_text("배포 계획")
    page.go_back()
    page.get_by_role("button", name="New document").click()
    page.keyboard.type("새 글 🌱")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("새 글 🌱")
    editor = page.get_by_role("textbox", name="Text of the document")
    expect(editor).to_contain_text("새 글 🌱")
    expect(editor).to_be_focused()


@pytest.mark.parametrize("look", LOOKS)
def test_pages_fit_every_screen(
    look: str, person: MakePerson, agent: Agent, server: Server, document: str, tmp_path: Path
) -> None:
    agent.call(
        "manage_comments",
        action="create",
        documentId=document,
        quotedText="with care",
        body="얼마나 조심해서? " + "아주긴낱말" * 20,
    )
    agent.call(
        "manage_suggestions",
        action="propose",
        documentId=document,
        originalText="Nothing",
        replacementText="Little",
        rationale="Something is.",
        severity="error",
        confidence=0.5,
    )
    who = person(ANN, **LOOKS[look])
    sheet = who.opens(document)
    if look == "narrow":
        sheet.page.get_by_role("button", name="Comments and suggestions").click()
    sheet.card("Something is.")
    sheet.page.screenshot(path=tmp_path / f"document-{look}.png")
    assert sheet.page.evaluate(OVERFLOW) == 0
    sheet.page.goto(f"{server.url}/docs")
    sheet.page.wait_for_selector(".documents a")
    sheet.page.screenshot(path=tmp_path / f"list-{look}.png")
    assert sheet.page.evaluate(OVERFLOW) == 0
    stranger = new_context(who.context.browser, **LOOKS[look]) if who.context.browser else None
    assert stranger is not None
    page = stranger.new_page()
    page.goto(f"{server.url}/")
    page.screenshot(path=tmp_path / f"sign-in-{look}.png")
    assert page.evaluate(OVERFLOW) == 0
    stranger.close()
    assert sheet.complaints == []
    assert len(list(tmp_path.glob("*.png"))) == 3


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_words_can_be_read(
    scheme: str, person: MakePerson, agent: Agent, server: Server, document: str
) -> None:
    agent.call(
        "manage_suggestions",
        action="propose",
        documentId=document,
        originalText="Nothing",
        replacementText="Little",
        rationale="Something is.",
        severity="warning",
        confidence=0.5,
    )
    sheet = person(ANN, color_scheme=scheme).opens(document)
    sheet.card("Something is.")
    assert sheet.page.evaluate(FAINT) == []


def test_everything_has_a_name_and_can_be_reached_by_keyboard(
    ann: Person, agent: Agent, document: str
) -> None:
    agent.call("manage_comments", action="create", documentId=document, body="A comment")
    sheet = ann.opens(document)
    sheet.card("A comment")
    assert sheet.page.evaluate(NAMELESS) == []
    sheet.page.evaluate("document.activeElement.blur()")
    reached: set[str] = set()
    for _step in range(30):
        sheet.page.keyboard.press("Tab")
        reached.add(sheet.page.evaluate(FOCUSED).strip())
    wanted = {"More", "Text of the document", "Next", "Reply", "Resolve"}
    assert wanted <= reached


def test_a_text_is_shown_before_anything_that_is_not_needed_is_loaded(
    ann: Person, server: Server, document: str
) -> None:
    page = ann.context.new_page()
    held: list[tuple[WebSocketRoute, str | bytes]] = []
    is_held = True

    def hold(socket: WebSocketRoute) -> None:
        def pass_on(message: str | bytes) -> None:
            if is_held:
                held.append((socket, message))
            else:
                socket.send(message)

        socket.connect_to_server().on_message(pass_on)

    page.route_web_socket(re.compile(f"/live/{document}"), hold)
    page.goto(f"{server.url}/d/{document}")
    page.wait_for_selector(".cm-content")
    page.wait_for_load_state("networkidle")
    # One socket was opened, before the screen was there to ask for it.
    assert len({id(socket) for socket, _message in held}) == 1
    assert not BEHIND_THE_TEXT & set(page.evaluate(SCRIPTS))
    is_held = False
    for socket, message in held:
        socket.send(message)
    expect(page.locator(".cm-content")).to_contain_text("Ship in May")
    page.wait_for_function(
        f"names => names.every((one) => {SCRIPTS}.includes(one))", arg=sorted(BEHIND_THE_TEXT)
    )
