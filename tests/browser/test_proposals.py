"""Proposals of agents in the inbox: their twins and sources, deciding, and taking back."""

import re
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

import strata
from tests.browser.people import ANN, Server

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


def waiting(page: Page, count: int) -> None:
    expect(page.locator(".inbox-item")).to_have_count(count)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Server]:
    """Serve a store in which an agent's proposals wait for the owner, one of them overtaken."""
    path = tmp_path / "proposals.db"
    with strata.open(path, auto_embed=False) as db:
        db.facts.remember("ops/deploy", "We deploy to Frankfurt on Fridays")
        db.kv.put("limit", "ten a minute")
        ann = db.users.add(ANN, "Ann Lee")
        draft = db.as_user(ann.id).as_actor("claude-code").proposing()
        draft.facts.remember(
            "배포/요일", "On Fridays we deploy to Frankfurt", sources=["docs/deploy.md"]
        )
        draft.kv.put("limit", "twenty a minute")
        draft.decisions.save("auth", "토큰을 쓴다", "모바일 앱")
        db.kv.put("limit", "fifteen a minute")
    server = Server(path)
    server.start()
    yield server
    assert server.stop() == 0


def deciding(page: Page, name: str = "page_decide_proposal") -> AbstractContextManager[object]:
    """Wait for the server's answer: an item is gone from the page before that."""
    return page.expect_response(lambda answer: answer.url.endswith(name))


def fact(server: Server, key: str) -> object:
    with strata.open(server.path, auto_embed=False) as db:
        found = db.kv.get(key)
        return None if found is None else found.value


def test_proposals_of_agents_are_accepted_reworded_rejected_and_taken_back(
    page: Page, store: Server
) -> None:
    page.goto(store.url)
    waiting(page, 3)
    card = page.locator(".inbox-item", has_text="배포/요일")
    expect(card).to_contain_text("Proposal")
    expect(card).to_contain_text("claude-code for Ann Lee")
    expect(card).to_contain_text("From docs/deploy.md")
    expect(card.locator(".inbox-twins")).to_contain_text("We deploy to Frankfurt on Fridays")
    with deciding(page):
        card.get_by_role("button", name="Accept").click()
    waiting(page, 2)
    assert fact(store, "배포/요일") == "On Fridays we deploy to Frankfurt"
    with deciding(page, "page_reopen_proposal"):
        page.keyboard.press("z")
    waiting(page, 3)
    assert fact(store, "배포/요일") is None
    card.get_by_role("button", name="Edit").click()
    card.get_by_label("Write this instead").fill("금요일에는 배포하지 않는다")
    with deciding(page):
        card.get_by_role("button", name="Save").click()
    waiting(page, 2)
    assert fact(store, "배포/요일") == "금요일에는 배포하지 않는다"
    late = page.locator(".inbox-item", has_text="limit")
    expect(late).to_contain_text("has changed here since")
    with deciding(page):
        late.get_by_role("button", name="Apply anyway").click()
    waiting(page, 1)
    assert fact(store, "limit") == "twenty a minute"
    with deciding(page):
        page.keyboard.press("r")
    waiting(page, 0)
    with strata.open(store.path, auto_embed=False) as db:
        assert db.decisions.heads("auth") == []
        accepted = [one for one in db.log() if one.operation == "accept"]
        assert {one.person_name for one in accepted} == {db.users.owner().name}
        assert all("proposed by claude-code for Ann Lee" in (one.message or "") for one in accepted)


def test_a_proposal_opens_the_comparison_with_its_branch(page: Page, store: Server) -> None:
    page.goto(store.url)
    waiting(page, 3)
    card = page.locator(".inbox-item", has_text="auth")
    card.get_by_role("link", name="Open").click()
    expect(page).to_have_url(re.compile("/compare/default\\.\\.\\.proposals"))
    expect(page.get_by_role("main")).to_contain_text("배포/요일")
