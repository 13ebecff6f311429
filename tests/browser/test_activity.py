"""Undo a run of which something was changed since: the rest goes back, and that stays."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

import strata
from tests.browser.conftest import MakePerson
from tests.browser.people import Server

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


@pytest.fixture
def worked(tmp_path: Path) -> Iterator[Server]:
    """Serve a store in which an agent changed three facts, and the owner one of them since."""
    path = tmp_path / "store.db"
    with strata.open(path, auto_embed=False) as db:
        for key in ("한도", "색", "지역"):
            db.facts.remember(key, "처음")
        for key in ("한도", "색", "지역"):
            db.as_actor("claude-code").facts.remember(key, "틀린 값")
        db.facts.remember("색", "초록")
    server = Server(path)
    server.start()
    yield server
    assert server.stop() == 0


def test_a_run_is_taken_back_but_for_what_was_changed_since(
    person: MakePerson, worked: Server
) -> None:
    page = person("", at=worked).context.new_page()
    page.goto(f"{worked.url}/activity")
    run = page.get_by_role("list", name="Runs").locator(".run", has_text="claude-code")
    expect(run).to_contain_text("3 things changed")
    run.get_by_role("button", name="Undo").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("2 things go back")
    expect(dialog).to_contain_text("1 thing stays, changed since")
    dialog.get_by_role("button", name="Take back the rest").click()
    expect(page.get_by_text("2 things were taken back.")).to_be_visible()
    with strata.open(worked.path, auto_embed=False) as db:
        kept = {key: found.value for key, found in db.kv.items()}
    assert kept == {"한도": "처음", "색": "초록", "지역": "처음"}
