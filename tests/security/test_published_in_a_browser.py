"""A real browser opens pages made of hostile texts, with and without the pages' policy."""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

import strata
from tests.browser.chromium import OPTIONS, NoBrowser, find_or_install
from tests.security.conftest import Publish
from tests.security.xss import LINES, PAYLOADS

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

# What a page would have if something had got through.
_LOOK = """() => {
  const bad = [];
  for (const one of document.querySelectorAll('*')) {
    for (const {name, value} of one.attributes) {
      if (name.startsWith('on') || name === 'style') bad.push(one.outerHTML);
      const runs = /^\\s*(javascript|data|vbscript):/i.test(value) && name !== 'content';
      if (runs) bad.push(one.outerHTML);
    }
  }
  const kinds = 'script,iframe,frame,object,embed,base,form,button,svg,math,template,'
    + 'link[rel=stylesheet],meta[http-equiv],input:not([disabled])';
  for (const one of document.querySelectorAll(kinds)) bad.push(one.outerHTML);
  return {bad, pwned: window.hits, title: document.title, styles: document.styleSheets.length};
}"""
_SET_UP = "window.hits = 0; window.pwned = () => { window.hits += 1; };"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    try:
        path = find_or_install()
    except NoBrowser as error:
        pytest.skip(str(error))
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=path, args=OPTIONS)
        yield opened
        opened.close()


class Watched:
    """A page that writes down whatever a text makes it do."""

    def __init__(self, browser: Browser, url: str, *, has_policy: bool) -> None:
        # Without the policy only the cleaning stands between a text and the reader.
        self.context = browser.new_context(bypass_csp=not has_policy)
        self.context.add_init_script(_SET_UP)
        self.url = url
        self.dialogs: list[str] = []
        self.foreign: list[str] = []
        self.page: Page = self.context.new_page()
        self.page.on("dialog", self._dialog)
        self.page.on("request", self._request)

    def _dialog(self, dialog: Any) -> None:
        self.dialogs.append(dialog.message)
        dialog.dismiss()

    def _request(self, request: Any) -> None:
        if not request.url.startswith(self.url):
            self.foreign.append(request.url)

    def visit(self, path: str) -> dict[str, Any]:
        """Open a page, touch everything on it, and return what it is like then."""
        self.page.goto(self.url + path)
        self.page.evaluate(
            """() => { for (const one of document.querySelectorAll('main *')) {
                 one.dispatchEvent(new MouseEvent('mouseover', {bubbles: true}));
                 one.dispatchEvent(new Event('error')); one.dispatchEvent(new Event('toggle'));
                 if (one.focus) one.focus(); } }"""
        )
        return self.page.evaluate(_LOOK)


@pytest.fixture(params=[True, False], ids=["with the policy", "by cleaning alone"])
def watched(
    request: pytest.FixtureRequest, browser: Browser, site: SimpleNamespace
) -> Iterator[Watched]:
    made = Watched(browser, site.url, has_policy=request.param)
    yield made
    made.context.close()


def check(watched: Watched, path: str) -> None:
    seen = watched.visit(path)
    assert seen["bad"] == [], path
    assert seen["pwned"] == 0, path
    assert seen["styles"] == 1
    assert urlsplit(watched.page.url).path == urlsplit(path).path
    assert watched.dialogs == []
    assert watched.foreign == []


def test_the_watch_notices_what_runs(watched: Watched, publish: Publish) -> None:
    path = publish("Plan", "text")
    watched.visit(path)
    watched.page.evaluate("document.body.innerHTML = '<img src=x onerror=pwned(1)>'")
    watched.page.evaluate("new Image().src = 'http://evil.test/a.png'; alert('안녕')")
    assert watched.page.evaluate(_LOOK)["bad"]
    assert watched.dialogs == ["안녕"]


def test_no_text_runs_anything_in_a_real_browser(watched: Watched, publish: Publish) -> None:
    for number, payload in enumerate(PAYLOADS):
        check(watched, publish(f"글 {number}", payload))


def test_no_title_profile_or_heading_runs_anything(
    watched: Watched, publish: Publish, db: strata.Workspace
) -> None:
    for payload in LINES:
        text = f"# {payload}\n\n## {payload}\n\n### {payload}\n\n![{payload}](image:x)\n"
        path = publish(payload, text)
        db.publishing.set_profile(title=payload, about=payload)
        check(watched, path)
    check(watched, "/@owner")
    check(watched, "/@nobody")
