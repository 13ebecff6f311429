"""A page on a branch is a replica of its own."""

import pytest
from playwright.sync_api import expect

import strata
from tests.browser.people import Person, Server, settle, stored

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


def test_a_branch_is_written_apart_and_merged_without_loss(
    ann: Person, soyeon: Person, server: Server, document: str
) -> None:
    with strata.open(server.path) as db:
        db.branches.fork("초안")
    here, there = ann.opens(document), soyeon.opens(document, branch="초안")
    expect(there.page.get_by_role("button", name="Branch: 초안")).to_be_visible()
    here.goes_to("with care")
    here.types(" 여기")
    there.goes_to("known yet")
    there.types(" 저기")
    settle(here)
    settle(there)
    assert "저기" not in here.text()
    assert "여기" not in there.text()
    assert there.text() == stored(server.path, document, "초안")
    clients = [sheet.page.evaluate("window.strata.doc.clientID") for sheet in (here, there)]
    assert len(set(clients)) == 2
    with strata.open(server.path) as db:
        db.branches.merge("초안", into=db.branch)
    here.shows("저기")
    text = settle(here)
    assert "care 여기." in text
    assert "known yet 저기." in text
    assert text == stored(server.path, document)
    with strata.open(server.path) as db:
        db.branches.delete("초안")
