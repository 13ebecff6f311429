"""Every screen in every look: axe finds nothing, nothing overflows, the page complains of nothing.

The whole of it is slow; without STRATA_ALL_LOOKS=1 each screen is looked at in one look, another
one for each screen in turn, so that every theme, width and language is seen.
"""

import os
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.people import Person, Server, new_context
from tests.browser.sample import Sample, populate
from tests.browser.screens import Look, looks, screens
from tests.node.packages import install

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

NAMES = tuple(screens(Sample()))
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
RULES = {
    "runOnly": {
        "type": "tag",
        "values": ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"],
    }
}


def chosen() -> list[tuple[str, Look]]:
    """Return which screens are looked at in which looks."""
    if os.environ.get("STRATA_ALL_LOOKS"):
        return [(name, look) for name in NAMES for look in looks()]
    return list(zip(NAMES, cycle(looks()), strict=False))


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, Sample]]:
    path = tmp_path_factory.mktemp("screens") / "store.db"
    sample = populate(path)
    server = Server(path)
    server.start()
    yield server, sample
    assert server.stop() == 0


@pytest.fixture(scope="module")
def axe() -> str:
    folder = install("frontend") / "node_modules" / "axe-core"
    return (folder / "axe.min.js").read_text(encoding="utf-8")


@pytest.mark.parametrize(("name", "look"), chosen(), ids=str)
def test_a_screen_is_sound(
    name: str,
    look: Look,
    browser: Browser,
    filled: tuple[Server, Sample],
    axe: str,
    tmp_path: Path,
) -> None:
    server, sample = filled
    screen = screens(sample)[name]
    context = new_context(browser, bypass_csp=True, **look.options())
    complaints: list[str] = []
    if not screen.is_outside:
        Person(server, context, "")
    page = context.new_page()
    page.on("pageerror", lambda error: complaints.append(str(error)))
    screen.show(page, server.url, timeout_ms=20_000)
    page.screenshot(path=tmp_path / f"{name}-{look}.png")
    if not screen.path.startswith("/@"):  # a published page has the language of its text
        assert page.evaluate("document.documentElement.lang") == look.language
    assert page.evaluate(OVERFLOW) == 0
    assert violations(page, axe) == []
    assert complaints == []
    context.close()


def violations(page: Page, axe: str) -> list[str]:
    """Return what axe finds, a line each, with the places."""
    page.add_script_tag(content=axe)
    found: list[dict[str, Any]] = page.evaluate(
        "rules => axe.run(document, rules).then(({ violations }) => violations)", RULES
    )
    return [f"{one['id']}: {[node['html'][:160] for node in one['nodes'][:3]]}" for one in found]
