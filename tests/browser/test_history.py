"""The title and the past of a document: renamed, compared, named and restored in the page."""

import re

import pytest
from playwright.sync_api import expect

import strata
from tests.browser.people import ANN, WAIT_MS, Agent, Person, Server, settle, stored

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


def test_a_title_is_changed_in_place(
    ann: Person, soyeon: Person, server: Server, document: str
) -> None:
    hers, his = ann.opens(document), soyeon.opens(document)
    hers.page.get_by_role("button", name="배포 계획").click()
    hers.page.get_by_label("Title", exact=True).fill("새 계획 🌱")
    hers.page.keyboard.press("Enter")
    for sheet in (hers, his):
        expect(sheet.page.get_by_role("heading", level=1)).to_have_text("새 계획 🌱")
    with strata.open(server.path) as db:
        assert db.as_user(ANN).documents.get(document).title == "새 계획 🌱"


def test_a_reader_cannot_change_the_title(vic: Person, document: str) -> None:
    sheet = vic.opens(document)
    expect(sheet.page.get_by_role("heading", level=1)).to_have_text("배포 계획")
    expect(sheet.page.get_by_role("button", name="배포 계획")).to_have_count(0)


def test_a_past_text_is_compared_named_and_restored(
    ann: Person, agent: Agent, server: Server, document: str
) -> None:
    before = stored(server.path, document)
    agent.call(
        "edit_document",
        action="edit",
        documentId=document,
        oldString="Ship in May",
        newString="6월에 배포",
    )
    sheet = ann.opens(document)
    sheet.chooses("History")
    expect(sheet.page).to_have_url(re.compile(f"/d/{document}/history"))
    # What tests and curious people look at is gone with the document that was left.
    sheet.page.wait_for_function("() => window.strata === undefined", timeout=WAIT_MS)
    text = sheet.page.locator(".history-words")
    expect(text.locator("del").first).to_contain_text("Ship")
    expect(text.locator("ins").first).to_contain_text("6월에")
    sheet.page.keyboard.press("n")
    expect(sheet.page.get_by_text(re.compile("Change 1 of"))).to_be_visible()
    sheet.page.get_by_role("button", name="Earlier version").click()
    expect(sheet.page.get_by_text("1 of 2", exact=True)).to_be_visible()
    sheet.page.get_by_role("button", name="Name", exact=True).click()
    sheet.page.get_by_label("Name", exact=True).fill("첫 글")
    sheet.page.keyboard.press("Enter")
    expect(sheet.page.get_by_text("“첫 글”").first).to_be_visible()
    sheet.page.get_by_role("button", name="Restore").click()
    expect(sheet.page.get_by_text("This is a new version.")).to_be_visible()
    assert stored(server.path, document) == before
    sheet.page.get_by_role("link", name="Open the document").click()
    sheet.is_saved()
    assert settle(sheet) == before
    assert sheet.complaints == []
