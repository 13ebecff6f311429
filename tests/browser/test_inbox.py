"""The inbox, worked off by keys: choosing, several at once, conflicts, and taking back."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

import strata
from tests.browser.people import ANN, Server

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

TEXT = "Ship in May.\n\nThe price is ten.\n\nNobody works on Sunday.\n\nWe launch in late spring.\n"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Server]:
    """Serve a store in which three suggestions and a conflict wait for the owner."""
    path = tmp_path / "store.db"
    with strata.open(path, auto_embed=False) as db:
        ann = db.users.add(ANN, "Ann Lee")
        plan = db.documents.create("Plan", TEXT).document
        db.shares.share(plan, ANN, "commenter")
        db.branches.fork("초안")
        db.on("초안").documents.edit(plan, "in late spring", "on 30 May")
        db.documents.edit(plan, "in late spring", "in early June")
        db.branches.merge("초안", into="default")
        agent = db.as_user(ann.id).as_actor("claude-code")
        for before, after in (("Sunday", "Saturday"), ("ten", "twelve"), ("May", "June")):
            agent.review.propose(plan, before, after)
    server = Server(path)
    server.start()
    yield server
    assert server.stop() == 0


def text(store: Server) -> str:
    with strata.open(store.path, auto_embed=False) as db:
        return db.documents.text(db.documents.called("Plan"))


def waiting(page: Page, count: int) -> None:
    expect(page.locator(".inbox-item")).to_have_count(count)


def decided(page: Page, count: int) -> None:
    """Wait until something was decided and nothing more is on its way."""
    expect(page.locator(".notice").last).to_contain_text("ccepted")
    waiting(page, count)


def open_inbox(page: Page, store: Server) -> None:
    page.goto(store.url)
    waiting(page, 4)


def current(page: Page) -> str:
    return page.locator(".inbox-item[aria-current] .inbox-change").inner_text()


def test_keys_choose_accept_reject_and_take_back(page: Page, store: Server) -> None:
    open_inbox(page, store)
    expect(page.locator(".inbox-item").nth(0)).to_contain_text("Conflict")
    expect(page.locator(".inbox-item").nth(1)).to_contain_text("claude-code for Ann Lee")
    page.keyboard.press("j")
    assert current(page) == "MayJune"
    page.keyboard.press("k")
    page.keyboard.press("j")
    page.keyboard.press("a")
    waiting(page, 3)
    expect(page.locator(".notice")).to_contain_text("Accepted")
    assert "Ship in June." in text(store)
    page.keyboard.press("z")
    waiting(page, 4)
    assert "Ship in May." in text(store)
    page.keyboard.press("r")
    waiting(page, 3)
    assert "Ship in May." in text(store)
    page.keyboard.press("z")
    waiting(page, 4)
    with strata.open(store.path, auto_embed=False) as db:
        assert [one.operation.partition(" ")[0] for one in db.log(limit=1)] == ["revert"]


@pytest.mark.parametrize("width", [1440, 390])
def test_what_waits_opens_at_its_card(page: Page, store: Server, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    open_inbox(page, store)
    page.keyboard.press("j")
    assert current(page) == "MayJune"
    page.keyboard.press("Enter")
    expect(page.locator(".card.is-chosen")).to_contain_text("June")
    expect(page.locator(".cm-content")).to_contain_text("Ship in")
    assert "card=" not in page.url


def test_several_are_decided_at_once_and_taken_back_at_once(page: Page, store: Server) -> None:
    open_inbox(page, store)
    for _step in range(3):
        page.keyboard.press("j")
        page.keyboard.press("x")
    expect(page.get_by_role("group", name="3 selected")).to_be_visible()
    page.keyboard.press("a")
    waiting(page, 1)
    expect(page.locator(".notice")).to_contain_text("3 accepted")
    assert text(store).startswith("Ship in June.\n\nThe price is twelve.\n\nNobody works on Sat")
    page.locator(".notice").get_by_role("button", name="Undo").click()
    waiting(page, 4)
    assert text(store).startswith("Ship in May.\n\nThe price is ten.\n\nNobody works on Sunday")
    boxes = page.get_by_role("checkbox")
    boxes.nth(1).check()
    boxes.nth(2).check()
    page.keyboard.press("r")
    waiting(page, 2)


def test_a_conflict_offers_both_sides_and_words_of_ones_own(page: Page, store: Server) -> None:
    open_inbox(page, store)
    card = page.locator(".inbox-item", has_text="Conflict")
    for name in ("Take theirs", "Keep ours", "Edit"):
        expect(card.get_by_role("button", name=name)).to_be_visible()
    expect(card.get_by_role("link", name="Open")).to_be_visible()
    card.get_by_role("button", name="Take theirs").click()
    decided(page, 3)
    assert "We launch on 30 May." in text(store)
    page.keyboard.press("z")
    waiting(page, 4)
    assert "We launch in early June." in text(store)
    card.get_by_role("button", name="Edit").click()
    card.get_by_label("Write this instead").fill("in the first week of June.")
    card.get_by_role("button", name="Save").click()
    expect(page.locator(".notice", has_text="Accepted")).to_have_count(2)
    waiting(page, 3)
    assert "We launch in the first week of June." in text(store)


def test_words_that_changed_are_shown_and_applied_only_on_request(
    page: Page, store: Server
) -> None:
    with strata.open(store.path, auto_embed=False) as db:
        db.documents.edit(db.documents.called("Plan"), "in May", "in M1ay")
    open_inbox(page, store)
    card = page.locator(".inbox-item", has_text="M1ay")
    expect(card).to_contain_text("The words have changed since.")
    expect(card.get_by_role("button", name="Accept")).to_have_count(0)
    expect(card.get_by_role("button", name="Reject")).to_be_visible()
    card.get_by_role("button", name="Apply anyway").click()
    decided(page, 3)
    assert "Ship in June." in text(store)
    page.keyboard.press("z")
    waiting(page, 4)
    assert "Ship in M1ay." in text(store)


def test_what_waits_is_counted_on_every_screen_and_arrives_by_itself(
    page: Page, store: Server
) -> None:
    page.goto(f"{store.url}/memory")
    link = page.get_by_role("navigation", name="Main").get_by_role("link", name="Inbox")
    expect(link).to_have_accessible_name("Inbox , 4 waiting")
    open_inbox(page, store)
    with strata.open(store.path, auto_embed=False) as db:
        db.as_actor("codex").proposing().facts.remember("제안/하나", "새 값")
    # A proposal is written on a branch of its own.
    waiting(page, 5)
    expect(page.locator(".inbox-item", has_text="제안/하나")).to_be_visible()
    expect(link.locator(".waiting")).to_have_text("5")
    for _item in range(5):
        page.keyboard.press("r")
    waiting(page, 0)
    expect(link.locator(".waiting")).to_have_count(0)


def test_the_past_offers_nothing_that_decides(page: Page, store: Server) -> None:
    with strata.open(store.path, auto_embed=False) as db:
        at = db.info().versions
    page.goto(f"{store.url}/?at={at}")
    waiting(page, 4)
    expect(page.locator(".inbox-item").get_by_role("button")).to_have_count(0)
    expect(page.get_by_role("checkbox")).to_have_count(0)
    page.keyboard.press("a")
    waiting(page, 4)
