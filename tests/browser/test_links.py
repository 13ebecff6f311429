"""`/d/ID/links`: what a document links to and what links to it, as a graph and as lists."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

import strata
from tests.browser.people import ANN, VIC, Person, Server

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


@pytest.fixture
def linked(server: Server) -> Iterator[str]:
    """A document in the middle of a chain, and one that only Ann reads.

    They go afterwards: a second run on the same server links to documents of the same names.
    """
    with strata.open(server.path) as db:
        ann = db.as_user(ANN)
        middle = ann.documents.create("가운데", "See [[멀리 하나]] and [[없는 글]].\n").document
        far = ann.documents.create("멀리 하나", "See [[끝 둘]].\n").document
        end = ann.documents.create("끝 둘", "The end.\n").document
        secret = ann.documents.create("비밀 셋", "See [[가운데]].\n").document
        for one in (middle, far):
            ann.documents.share(one, VIC, "viewer")
        yield middle
        for one in (middle, far, end, secret):
            ann.documents.trash(one)


def test_links_are_drawn_and_listed(ann: Person, vic: Person, linked: str) -> None:
    sheet = ann.opens(linked)
    sheet.chooses("Links")
    page = sheet.page
    expect(page.get_by_role("heading", level=1)).to_have_text("Links of 가운데")
    expect(page.get_by_role("region", name="It links to")).to_have_text("It links to멀리 하나")
    expect(page.get_by_role("region", name="Linked from")).to_contain_text("비밀 셋")
    expect(page.get_by_role("region", name="Further away")).to_contain_text("끝 둘")
    expect(page.get_by_text("1 link leads to no document.")).to_be_visible()
    expect(page.locator(".dot")).to_have_count(4)
    page.get_by_label("Steps").select_option("1 step")
    expect(page.locator(".dot")).to_have_count(3)
    page.get_by_role("region", name="It links to").get_by_role("link").focus()
    page.keyboard.press("Enter")
    expect(page.locator("h1.title")).to_have_text("멀리 하나")
    theirs = vic.context.new_page()
    theirs.goto(f"{vic.server.url}/d/{linked}/links")
    expect(theirs.locator(".dot")).to_have_count(2)
    expect(theirs.locator("main")).not_to_contain_text("비밀 셋")
    assert sheet.complaints == []
