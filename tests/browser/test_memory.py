"""The journey "edit memory": a fact is made, edited, restored, forgotten and erased."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

import strata
from tests.browser.people import Server

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

MANY = 20_000


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Give a server of a store with a few facts, and one of a very long text."""
    path = tmp_path_factory.mktemp("memory") / "store.db"
    with strata.open(path, auto_embed=False, text_index=False) as db:
        db.facts.remember("api/limit", "120 a minute")
        db.facts.remember("api/retries", {"attempts": 3})
        db.kv.put_many({f"many/{number:05}": f"값 {number}" for number in range(MANY)})
        db.kv.put("long", {"text": "긴 글 " * 1_300_000})
        db.kv.put("exact", {"id": 2**60 + 1})
    server = Server(path)
    server.start()
    yield server
    assert server.stop() == 0


def held(store: Server, key: str, space: str = "default") -> Any:
    with strata.open(store.path, auto_embed=False) as db:
        found = db.space(space).facts.recall(key)
        return None if found is None else found.held.value


def remember(path: Path, key: str, value: object) -> None:
    with strata.open(path, auto_embed=False) as db:
        db.as_actor("claude-code").facts.remember(key, value)  # type: ignore[arg-type]


def opens(page: Page, store: Server, key: str) -> None:
    page.goto(f"{store.url}/memory/default/{quote(key)}")
    expect(page.locator("h2.fact-name")).to_have_text(key)


def menu(page: Page, name: str) -> None:
    page.get_by_role("button", name="More actions").click()
    page.get_by_role("menuitem", name=name).click()


def test_a_short_list_ends_with_its_last_row(page: Page, store: Server) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(f"{store.url}/memory/default/api/")
    expect(page.locator(".fact-row")).to_have_count(2)
    ends = page.evaluate(
        """[".fact-list", ".rows-row:last-child"].map(
          (part) => document.querySelector(part).getBoundingClientRect().bottom)"""
    )
    assert abs(ends[0] - ends[1]) <= 2
    page.goto(f"{store.url}/memory/default/many/")
    expect(page.locator(".rows")).to_contain_text("00000")
    box = page.locator(".fact-list").bounding_box()
    assert box is not None
    assert 800 < box["y"] + box["height"] < 900


@pytest.mark.parametrize("key", ['새/사실 "따옴표" & 50%?#', "../위로", "a//b", "끝/"])
def test_a_fact_is_made_edited_and_restored(page: Page, store: Server, key: str) -> None:
    page.goto(f"{store.url}/memory")
    page.get_by_role("button", name="New fact").click()
    page.get_by_role("textbox", name="Name", exact=True).fill(key)
    page.get_by_label("Value", exact=True).fill("첫 값")
    page.get_by_label("Tags").press_sequentially("ops,")
    page.get_by_role("button", name="Create").click()
    expect(page.locator("h2.fact-name")).to_have_text(key)
    page.reload()
    expect(page.locator("h2.fact-name")).to_have_text(key)
    expect(page.locator(".fact-about .tag")).to_have_text("ops")
    page.get_by_role("button", name="Edit").click()
    page.get_by_label("Kind of value").select_option("json")
    page.get_by_label("Value", exact=True).fill('{\n  "a": 1,\n  "b" 2\n}')
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".field-error")).to_contain_text("line 3, column 7")
    assert held(store, key) == "첫 값"
    page.get_by_label("Value", exact=True).fill('{"a": 1}')
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".value.json")).to_contain_text('"a": 1')
    assert held(store, key) == {"a": 1}
    page.get_by_role("button", name="Restore").click()
    expect(page.locator(".fact-past li")).to_have_count(3)
    assert held(store, key) == "첫 값"


def test_what_an_agent_writes_meanwhile_is_not_overwritten(page: Page, store: Server) -> None:
    opens(page, store, "api/limit")
    page.get_by_role("button", name="Edit").click()
    page.get_by_label("Value", exact=True).fill("내 값")
    remember(store.path, "api/limit", "240 a minute")
    page.locator("form.editing").evaluate("form => form.requestSubmit()")
    expect(page.get_by_role("alert")).to_contain_text("changed this fact while you were editing")
    expect(page.get_by_role("button", name="Save", exact=True)).to_be_disabled()
    assert held(store, "api/limit") == "240 a minute"
    page.get_by_role("button", name="Save mine over it").click()
    expect(page.locator("pre.value")).to_have_text("내 값")
    assert held(store, "api/limit") == "내 값"
    page.get_by_role("button", name="New fact").click()
    page.get_by_role("textbox", name="Name", exact=True).fill("api/limit")
    page.get_by_label("Value", exact=True).fill("another")
    page.get_by_role("button", name="Create").click()
    expect(page.locator(".field-error")).to_contain_text("There is a fact of this name already")
    assert held(store, "api/limit") == "내 값"


def test_a_fact_is_forgotten_brought_back_and_erased(page: Page, store: Server) -> None:
    remember(store.path, "비밀/값", {"비밀": "호두"})
    opens(page, store, "비밀/값")
    menu(page, "Forget")
    expect(page.locator(".behind")).to_contain_text("was forgotten")
    assert held(store, "비밀/값") is None
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".value.json")).to_contain_text("호두")
    assert held(store, "비밀/값") == {"비밀": "호두"}
    menu(page, "Erase for good")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("There is no way back")
    erase = dialog.get_by_role("button", name="Erase for good")
    expect(erase).to_be_disabled()
    dialog.get_by_role("textbox").fill("비밀/값")
    erase.click()
    expect(page.locator(".fact-past")).to_contain_text("Erased for good")
    assert held(store, "비밀/값") is None
    assert "호두".encode() not in store.path.read_bytes()


def test_a_long_table_is_jumped_through_and_filtered(page: Page, store: Server) -> None:
    page.goto(f"{store.url}/memory/default/many/")
    rows = page.locator(".rows")
    expect(page.locator(".note")).to_have_text("20,000 facts")
    expect(rows).to_contain_text("00000")
    assert page.locator(".fact-row").count() < 100
    rows.evaluate("list => { list.scrollTop = list.scrollHeight }")
    expect(rows).to_contain_text("19999")
    rows.evaluate("list => { list.scrollTop = list.scrollHeight / 2 }")
    expect(rows).to_contain_text("10010")
    page.get_by_label("Filter by name").fill("1999")
    expect(page.locator(".note")).to_have_text("12 facts")
    page.locator(".fact-row", has_text="19995").click()
    expect(page.locator("pre.value")).to_have_text("값 19995")
    expect(page.locator(".fact-row")).to_have_count(12)


def test_long_and_inexact_values_are_shown_but_not_edited(page: Page, store: Server) -> None:
    opens(page, store, "long")
    expect(page.locator(".value-more")).to_contain_text("The first 20,000 of")
    expect(page.get_by_role("button", name="Edit")).to_have_count(0)
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    text = Path(download.value.path()).read_text(encoding="utf-8")
    assert json.loads(text)["text"].startswith("긴 글")
    opens(page, store, "exact")
    expect(page.locator(".fact")).to_contain_text("too large to be edited here")
    expect(page.get_by_role("button", name="Edit")).to_have_count(0)


def test_the_past_and_what_is_missing_offer_nothing_to_write(page: Page, store: Server) -> None:
    with strata.open(store.path, auto_embed=False) as db:
        first = db.facts.history("api/retries")[-1].version
    page.goto(f"{store.url}/memory/default/api/retries?at={first}")
    expect(page.locator(".value.json")).to_contain_text('"attempts": 3')
    for name in ("New fact", "Edit", "Restore"):
        expect(page.get_by_role("button", name=name, exact=True)).to_have_count(0)
    expect(page.get_by_role("button", name="Restore this")).to_have_count(1)
    page.goto(f"{store.url}/memory/default/없음?at={first}")
    expect(page.locator(".fact .empty")).to_contain_text("Nothing was ever kept")
    for query in ("branch=없는가지", "at=언젠가"):
        page.goto(f"{store.url}/memory?{query}")
        expect(page.locator(".empty[role=alert]")).to_be_visible()


def test_a_fact_is_reached_and_edited_by_keys_alone(page: Page, store: Server) -> None:
    page.goto(f"{store.url}/memory/default/api/")
    expect(page.locator(".fact-row").first).to_be_visible()
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    expect(page.locator("h2.fact-name")).to_have_text("api/retries")
    page.keyboard.press("e")
    expect(page.get_by_label("Value", exact=True)).to_be_focused()
    page.keyboard.press("Control+A")
    page.keyboard.type('{"attempts": 4}')
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".value.json")).to_contain_text('"attempts": 4')
    assert held(store, "api/retries") == {"attempts": 4}
