"""Publish a document, change it, publish again, roll back, and take it back."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

import strata
from tests.browser.conftest import MakePerson
from tests.browser.people import ANN, VIC, Server

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


@pytest.fixture
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    path = tmp_path_factory.mktemp("published") / "store.db"
    with strata.open(path, auto_embed=False) as db:
        db.users.add(ANN, "Ann Lee")
        db.users.add(VIC, "Vic Viewer")
    server = Server(path)
    server.start()
    yield server
    assert server.stop() == 0


def act(page: Page, name: str) -> None:
    page.get_by_role("button", name="Actions for 계획").click()
    page.get_by_role("menuitem", name=name).click()


def test_a_page_is_published_changed_rolled_back_and_taken_back(
    page: Page, store: Server, person: MakePerson
) -> None:
    page.goto(f"{store.url}/published")
    expect(page.get_by_text("No page is published yet")).to_be_visible()
    with strata.open(store.path, auto_embed=False) as db:
        plan = db.documents.create("계획", "# 계획\n\nWe ship in May.\n\n- [x] done\n").document
        db.shares.share(plan, VIC, "viewer")
    page.goto(f"{store.url}/d/{plan}")
    page.get_by_role("button", name="More").click()
    page.get_by_role("menuitem", name="Publish…").click()
    page.get_by_role("dialog").get_by_role("button", name="Publish now").click()
    expect(page.get_by_text("“계획” is public.")).to_be_visible()
    visitor = person(ANN, store).context.new_page()
    visitor.goto(f"{store.url}/@owner/계획")
    expect(visitor.get_by_text("We ship in May.")).to_be_visible()
    expect(visitor.get_by_role("checkbox", name="done")).to_be_checked()

    page.goto(f"{store.url}/published")
    row = page.locator(".published-row")
    expect(row).to_contain_text("version 1 of 1")
    expect(row).not_to_contain_text("unpublished changes")
    with strata.open(store.path, auto_embed=False) as db:
        db.documents.edit(plan, "May", "June")
    expect(row).to_contain_text("unpublished changes")
    visitor.reload()
    expect(visitor.get_by_text("We ship in May.")).to_be_visible()
    row.get_by_role("button", name="Publish", exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name="Publish now").click()
    expect(row).to_contain_text("version 2 of 2")
    visitor.reload()
    expect(visitor.get_by_text("We ship in June.")).to_be_visible()

    act(page, "Versions…")
    dialog = page.get_by_role("dialog")
    first = dialog.locator(".frozen", has_text="Version 1")
    first.get_by_role("button", name="Preview").click()
    expect(first.locator("ins")).to_have_text("May")
    first.get_by_role("button", name="Show this version").click()
    expect(row).to_contain_text("version 1 of 2")
    visitor.reload()
    expect(visitor.get_by_text("We ship in May.")).to_be_visible()

    act(page, "Pin to the profile")
    expect(row).to_contain_text("pinned")
    visitor.goto(f"{store.url}/@owner")
    expect(visitor.get_by_role("region", name="고정됨")).to_contain_text("계획")
    act(page, "Unpin")
    expect(row).not_to_contain_text("pinned")
    act(page, "Unpublish")
    page.get_by_role("dialog").get_by_role("button", name="Unpublish").click()
    expect(row).to_contain_text("not public")
    answer = visitor.goto(f"{store.url}/@owner/계획")
    assert answer is not None
    assert answer.status == 404


def test_a_profile_is_changed_and_its_old_address_leads_on(page: Page, store: Server) -> None:
    with strata.open(store.path, auto_embed=False) as db:
        db.publishing.publish(db.documents.create("Bread", "# Bread\n\nFlour.\n").document)
    page.goto(f"{store.url}/published")
    page.get_by_role("button", name="Edit the profile").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").fill("김소연")
    dialog.get_by_label("Address").fill("소연")
    dialog.get_by_label("About you").fill("빵과 글")
    dialog.get_by_role("button", name="Save").click()
    expect(page.get_by_role("region", name="Profile")).to_contain_text("/@소연")
    page.goto(f"{store.url}/@owner")
    expect(page.get_by_role("heading", name="김소연")).to_be_visible()
    expect(page.get_by_text("빵과 글")).to_be_visible()
    assert page.request.get(f"{store.url}/favicon.ico").status == 200


def test_a_viewer_manages_no_page_that_is_shared_with_them(
    person: MakePerson, store: Server
) -> None:
    with strata.open(store.path, auto_embed=False) as db:
        plan = db.documents.create("계획", "# 계획\n\nWe ship in May.\n").document
        db.publishing.publish(plan)
        db.shares.share(plan, VIC, "viewer")
    page = person(VIC, store).context.new_page()
    page.goto(f"{store.url}/published")
    expect(page.get_by_text("No page is published yet")).to_be_visible()
    page.goto(f"{store.url}/d/{plan}")
    page.get_by_role("button", name="More").click()
    expect(page.get_by_role("menuitem", name="History")).to_be_visible()
    expect(page.get_by_role("menuitem", name="Publish…")).to_have_count(0)
