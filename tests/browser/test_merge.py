"""Fork, compare, decide each conflict, merge: all on the page."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

import strata
from tests.browser.conftest import MakePerson
from tests.browser.people import Server

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


@pytest.fixture
def parted(tmp_path: Path) -> Iterator[Server]:
    """Serve a store whose branch `시험` changed what the usual branch changed too."""
    path = tmp_path / "store.db"
    with strata.open(path, auto_embed=False) as db:
        db.facts.remember("한도", "120")
        db.facts.remember("색", "파랑")
        plan = db.documents.create("계획", "# 계획\n\nWe ship in late spring.\n").document
        there = db.on(db.branches.fork("시험").name)
        there.facts.remember("한도", "900")
        there.facts.remember("색", "초록")
        there.documents.edit(plan, "in late spring", "on 30 May")
        db.facts.remember("한도", "600")
        db.documents.edit(plan, "in late spring", "in early summer")
    server = Server(path)
    server.start()
    yield server
    assert server.stop() == 0


def test_a_branch_is_compared_and_merged_conflict_by_conflict(
    person: MakePerson, parted: Server
) -> None:
    page = person("", at=parted).context.new_page()
    page.goto(f"{parted.url}/branches")
    page.locator("li", has_text="시험").get_by_role("link", name="Compare").click()
    expect(page).to_have_url(f"{parted.url}/compare/default...%EC%8B%9C%ED%97%98")
    expect(page.locator(".change")).to_contain_text("색")
    merge = page.get_by_role("button", name="Merge")
    expect(merge).to_be_disabled()
    limit = page.get_by_role("article", name="한도")
    limit.get_by_role("button", name="Edit").click()
    limit.get_by_label("Edited value").fill("750")
    passage = page.get_by_role("article", name="계획")
    passage.get_by_role("button", name="Take theirs").click()
    expect(page.get_by_text("1 taken, 2 decided, 0 open")).to_be_visible()
    merge.click()
    expect(page).to_have_url(f"{parted.url}/branches")
    with strata.open(parted.path, auto_embed=False) as db:
        assert values(db) == {"한도": "750", "색": "초록"}
        plan = db.documents.called("계획")
        assert "on 30 May" in db.documents.text(plan)


def test_the_result_that_is_shown_is_the_one_that_is_merged(
    person: MakePerson, parted: Server
) -> None:
    with strata.open(parted.path, auto_embed=False) as db:
        db.facts.remember("목록", ["가"])
        there = db.on(db.branches.fork("목록 가지").name)
        there.facts.remember("목록", ["가", "나", {"다": 1}])
        db.facts.remember("목록", ["라", {"다": 1}])
        plan = db.documents.called("계획")
        there.documents.edit(plan, "in early summer", "on 30 May")
        db.documents.edit(plan, "in early summer", "in June")
    page = person("", at=parted).context.new_page()
    page.goto(f"{parted.url}/compare/default...목록 가지")
    result = page.get_by_role("region", name="Result")
    merge = page.get_by_role("button", name="Merge")
    items = page.get_by_role("article", name="목록")
    expect(items.locator(result)).to_contain_text("Not decided yet")
    items.get_by_role("button", name="Edit").click()
    # The focus goes along, and so do the keys.
    page.keyboard.press("Control+a")
    page.keyboard.insert_text('["하나"')
    expect(items).to_contain_text("not valid JSON")
    expect(merge).to_be_disabled()
    page.keyboard.insert_text("]")
    expect(merge).to_be_enabled()
    items.get_by_role("button", name="Both").click()
    shown = json.loads(items.locator(result).locator(".side-text").inner_text())
    passage = page.get_by_role("article", name="계획")
    expect(passage.locator(result)).to_contain_text("in June")
    passage.get_by_role("button", name="Both").click()
    words = passage.locator(result).locator(".side-text").inner_text()
    merge.click()
    expect(page).to_have_url(f"{parted.url}/branches")
    with strata.open(parted.path, auto_embed=False) as db:
        assert db.kv["목록"] == shown == ["라", {"다": 1}, "가", "나"]
        assert words.strip() in db.documents.text(plan)
        assert "in June" in words
        assert "on 30 May" in words


def test_a_branch_that_moved_is_compared_again(person: MakePerson, parted: Server) -> None:
    page = person("", at=parted).context.new_page()
    page.goto(f"{parted.url}/compare/default...시험")
    limit = page.get_by_role("article", name="한도")
    limit.get_by_role("button", name="Take theirs").click()
    with strata.open(parted.path, auto_embed=False) as db:
        db.facts.remember("한도", "601")
    page.get_by_role("button", name="Merge").click()
    expect(page.locator(".notice-error")).to_be_visible()
    expect(limit).to_contain_text("601")
    expect(page.get_by_role("button", name="Merge")).to_be_disabled()
    with strata.open(parted.path, auto_embed=False) as db:
        assert values(db) == {"한도": "601", "색": "파랑"}


def values(db: strata.Workspace) -> dict[str, object]:
    return {key: found.value for key, found in db.kv.items()}
