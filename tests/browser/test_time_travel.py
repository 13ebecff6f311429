"""The time switch: screens show one past moment, for reading; a fork or a restore leads out."""

import re
from collections.abc import Iterator
from typing import NamedTuple

import pytest
from playwright.sync_api import Page, expect

import strata
from strata.base import clock as clock_of
from tests.browser.people import Server

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

DAY_US = 86_400_000_000
BEFORE, AFTER = "우리는 5월에 배포한다.", "우리는 6월에 배포한다."


class Past(NamedTuple):
    """A document, and a moment at which it had its first text."""

    document: str
    moment: str


@pytest.fixture(scope="module")
def past() -> dict[str, Past]:
    return {}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory, past: dict[str, Past]) -> Iterator[Server]:
    path = tmp_path_factory.mktemp("time") / "store.db"
    with strata.open(path, auto_embed=False) as db:
        clock = db.serving.store.clock
        db.serving.store.clock = lambda: clock() - 3 * DAY_US
        made = db.documents.create("계획", BEFORE).document
        db.facts.remember("api/limit", "120")
        db.decisions.save("deploy", "Ship in May", "It is warm then.")
        moment = db.serving.store.clock() + 1_000_000
        db.serving.store.clock = clock
        db.documents.edit(made, BEFORE, AFTER)
        db.facts.remember("api/limit", "600")
        db.facts.remember("api/new", "only now")
        db.decisions.save("deploy", "Ship in June", "May is too early.")
        db.documents.create("나중 글", "그때는 없었다.")
        past["it"] = Past(made, clock_of.iso(moment))
    server = Server(path)
    server.start()
    yield server
    assert server.stop() == 0


def is_past(page: Page) -> None:
    """Check that the screen says that it shows the past, and offers nothing that writes."""
    expect(page.locator(".banner.past")).to_contain_text("Nothing can be changed here")
    for name in ("New fact", "New decision", "New document", "Edit", "Record outcome", "Merge"):
        expect(page.get_by_role("button", name=name, exact=True)).to_have_count(0)


def test_the_switch_moves_every_screen_to_one_moment(
    page: Page, store: Server, past: dict[str, Past]
) -> None:
    page.goto(f"{store.url}/memory/default/api/limit")
    expect(page.locator("pre.value")).to_have_text("600")
    page.get_by_role("button", name=re.compile("^Time:")).click()
    page.get_by_role("button", name="Yesterday").click()
    expect(page).to_have_url(re.compile("at="))
    expect(page.locator("pre.value")).to_have_text("120")
    is_past(page)
    expect(page.locator(".fact-row")).to_have_count(1)
    for path, shown, hidden in (
        ("Decisions", "Ship in May", "Ship in June"),
        ("Documents", "계획", "나중 글"),
        ("Inbox", "계획", "나중 글"),
    ):
        page.get_by_role("navigation", name="Main").get_by_role("link", name=path).click()
        main = page.locator("main")
        expect(main).to_contain_text(shown)
        expect(main).not_to_contain_text(hidden)
        is_past(page)
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Documents").click()
    page.get_by_role("link", name=re.compile("계획")).first.click()
    expect(page.locator(".cm-content")).to_have_text(BEFORE)
    expect(page.locator(".cm-content")).to_have_attribute("aria-readonly", "true")
    is_past(page)
    page.keyboard.press("Control+k")
    page.locator("dialog input").fill("배포한다")
    expect(page.locator("dialog")).to_contain_text("계획")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Back to now").click()
    expect(page.locator(".cm-content")).to_have_text(AFTER)
    expect(page.locator(".banner.past")).to_have_count(0)


def test_a_search_finds_what_was_there_then(
    page: Page, store: Server, past: dict[str, Past]
) -> None:
    page.goto(f"{store.url}/find?q=배포한다&at={past['it'].moment}")
    expect(page.locator(".hit-snippet").first).to_contain_text("5월")
    is_past(page)
    page.goto(f"{store.url}/find?q=배포한다")
    expect(page.locator(".hit-snippet").first).to_contain_text("6월")


def test_a_fork_from_the_past_begins_there(
    page: Page, store: Server, past: dict[str, Past]
) -> None:
    page.goto(f"{store.url}/memory/default/api/limit?at={past['it'].moment}")
    page.get_by_role("button", name="Fork from here").click()
    page.get_by_label("Name of the new branch").fill("그때부터")
    page.get_by_role("button", name="Fork", exact=True).click()
    expect(page).to_have_url(re.compile("branch="))
    expect(page.locator(".banner.past")).to_have_count(0)
    expect(page.locator("pre.value")).to_have_text("120")
    expect(page.get_by_role("button", name="Edit")).to_be_visible()
    with strata.open(store.path, auto_embed=False) as db:
        assert db.on("그때부터").kv["api/limit"] == "120"
        assert db.kv["api/limit"] == "600"


def test_what_is_shown_of_the_past_is_restored(
    page: Page, store: Server, past: dict[str, Past]
) -> None:
    document, moment = past["it"]
    page.goto(f"{store.url}/memory/default/api/limit?at={moment}")
    page.get_by_role("button", name="Restore this").click()
    expect(page.locator(".banner.past")).to_have_count(0)
    expect(page.locator("pre.value")).to_have_text("120")
    page.goto(f"{store.url}/d/{document}?at={moment}")
    page.get_by_role("button", name="Restore this").click()
    expect(page.locator(".banner.past")).to_have_count(0)
    expect(page.locator(".cm-content")).to_have_text(BEFORE)
    with strata.open(store.path, auto_embed=False) as db:
        assert db.kv["api/limit"] == "120"
        assert db.documents.text(document) == BEFORE
        assert [one.value for one in db.facts.history("api/limit")] == ["120", "600", "120"]
        db.facts.remember("api/limit", "600")
        db.documents.edit(document, BEFORE, AFTER)
