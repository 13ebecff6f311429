"""Fork, compare, decide each conflict, merge: all on the page."""

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
