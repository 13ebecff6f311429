"""The journey "supersede": a decision is made, judged, replaced, and seen in timeline and graph."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

import strata
from tests.browser.conftest import MakePerson
from tests.browser.people import Server

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

DAY_US = 86_400_000_000


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Server]:
    """Give a server of a store in which nothing was decided."""
    server = Server(tmp_path / "empty.db")
    strata.open(server.path, auto_embed=False).close()
    server.start()
    yield server
    assert server.stop() == 0


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Give a server of a store with a decision that waits for its outcome, and events of days."""
    path = tmp_path_factory.mktemp("decisions") / "store.db"
    with strata.open(path, auto_embed=False) as db:
        clock = db.serving.store.clock
        for days in (40, 3, 0):
            moment = clock() - days * DAY_US
            db.serving.store.clock = lambda moment=moment: moment
            db.events.append_many([("배포", {"days": days, "n": n}) for n in range(2)])
            if days == 40:
                db.decisions.save("대기열", "Keep jobs in SQLite", "One file.")
        for number in range(150):
            db.events.append("tick", {"n": number})
    server = Server(path)
    server.start()
    yield server
    assert server.stop() == 0


def test_no_topics_are_missed_where_none_is_sought(
    person: MakePerson, empty: Server, store: Server
) -> None:
    page = person("", empty).context.new_page()
    page.goto(f"{empty.url}/decisions")
    expect(page.locator(".empty")).to_contain_text("Nothing was decided yet")
    expect(page.get_by_text("No topic fits")).to_have_count(0)
    page = person("", store).context.new_page()
    page.goto(f"{store.url}/decisions")
    page.get_by_label("Filter topics").fill("없는 주제")
    expect(page.get_by_text("No topic fits")).to_be_visible()


def test_a_decision_is_made_judged_and_superseded(page: Page, store: Server) -> None:
    page.goto(f"{store.url}/decisions")
    page.get_by_role("button", name="New decision").click()
    page.get_by_role("textbox", name="Topic").fill("재시도 / 정책")
    page.get_by_label("What is decided").fill("두 번 다시 시도한다")
    page.get_by_label("Why, and what was rejected").fill("Partners asked for it.")
    page.get_by_role("button", name="Save").click()
    first = page.locator(".decision", has_text="Partners asked for it.")
    expect(first).to_contain_text("No outcome yet")
    expect(page.get_by_role("heading", level=1)).to_have_text("재시도 / 정책")

    first.get_by_role("button", name="Record the outcome").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Outcome").select_option("FAILED")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.locator(".field-error")).to_contain_text("A failure needs its reason")
    dialog.get_by_label("Reason").fill("두 번 청구됐다")
    dialog.get_by_role("button", name="Save").click()
    expect(first).to_contain_text("Failed")
    expect(first).to_contain_text("두 번 청구됐다")

    first.get_by_role("button", name="Supersede").click()
    page.get_by_label("What is decided").fill("Retry three times with a key")
    page.get_by_label("Why it changed").fill("A key makes it safe.")
    page.get_by_role("button", name="Save").click()
    second = page.locator(".decision", has_text="A key makes it safe.")
    expect(second).to_contain_text("Replaces")
    expect(first).to_contain_text("Replaced by")
    expect(first.get_by_role("button")).to_have_count(0)
    with strata.open(store.path, auto_embed=False) as db:
        chain = db.decisions.on_topic("재시도 / 정책").chain
        assert [(one.content, one.outcome) for one in chain] == [
            ("두 번 다시 시도한다", "FAILED"),
            ("Retry three times with a key", None),
        ]

    page.keyboard.press("v")
    expect(page.locator(".node")).to_have_count(2)
    expect(page.locator(".node.superseded")).to_contain_text("Replaced")
    expect(page.locator(".node.superseded")).to_contain_text("Failed")
    expect(page.locator("path.edge title")).to_have_count(1)
    page.locator(".node.superseded").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".decision[aria-current]")).to_contain_text("두 번 다시 시도한다")


def test_what_waits_too_long_is_marked_and_listed(page: Page, store: Server) -> None:
    page.goto(f"{store.url}/decisions")
    page.get_by_label("Show").select_option("overdue")
    expect(page.locator(".topics .topic-name")).to_have_text(["대기열"])
    page.locator(".topic", has_text="대기열").click()
    expect(page.locator(".decision")).to_contain_text("No outcome for 30 days")
    page.keyboard.press("j")
    page.keyboard.press("o")
    page.get_by_role("dialog").get_by_role("button", name="Save").click()
    expect(page.locator(".decision")).to_contain_text("Worked")


def test_the_past_is_only_read_and_missing_topics_are_named(page: Page, store: Server) -> None:
    page.goto(f"{store.url}/decisions/대기열?at=20+days+ago")
    expect(page.locator(".decision")).to_contain_text("Keep jobs in SQLite")
    for name in ("New decision", "Record the outcome", "Supersede"):
        expect(page.get_by_role("button", name=name)).to_have_count(0)
    page.goto(f"{store.url}/decisions/없는%20주제")
    expect(page.locator(".timeline .empty")).to_contain_text("There is no decision on")
    page.goto(f"{store.url}/decisions?id=decision_없음")
    expect(page.locator(".empty[role=alert]")).to_be_visible()


def test_events_are_read_backwards_from_any_day(page: Page, store: Server) -> None:
    page.goto(f"{store.url}/events")
    expect(page.locator(".note")).to_have_text("156 events")
    expect(page.locator(".event-row")).to_have_count(100)
    page.get_by_role("button", name="Show more").click()
    expect(page.locator(".event-row")).to_have_count(156)
    page.get_by_role("navigation", name="Types of events").get_by_text("배포").click()
    expect(page.locator(".event-row")).to_have_count(6)
    with strata.open(store.path, auto_embed=False) as db:
        older = db.events.list("배포", limit=3)[2].iso_time[:10]
    page.get_by_label("Go to a date").fill(older)
    expect(page.locator(".event-row")).to_have_count(4)
    page.locator(".event-row").first.click()
    expect(page.locator(".event .value")).to_contain_text('"days": 3')
    page.get_by_role("button", name="Newest").click()
    expect(page.locator(".event-row")).to_have_count(6)
    page.goto(f"{store.url}/events/%EC%97%86%EC%9D%8C?id=99999")
    expect(page.locator(".event .empty")).to_be_visible()
