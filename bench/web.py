"""How quick is the page in a real browser: first paint, routes, keys, search, long documents?

Each figure is one line: `figure NAME VALUE BOUND ok|short`. Exits with 1 if any figure is short.
A figure is the 95th percentile of a round, and of several rounds the middle one. Chromium and
`strata serve` share the machine. Times that a user waits for by choice do not count: the pause
after typing before a search is sent, and the wait for the next frame of the screen after a key.

A figure is printed beside what the same Chromium needs for the least that could be there, taken in
turns with it: a page of one word for the first paint, an editor without any part of ours for keys.
Keys and routes are also told as processor time of the page's main thread, which other programs on
the machine do not lengthen.
"""

import gzip
import importlib
import statistics
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, Any

from browsing.serving import PageServer, one_word
from browsing.store import FACTS, Filled, fill, key
from browsing.working import work_of
from measure.figures import Report
from measure.running import run_parts

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

ROOT = Path(__file__).parent.parent
STATIC = ROOT / "src" / "strata" / "web" / "static"
WATCHING = (ROOT / "bench" / "browsing" / "watching.js").read_text(encoding="utf-8")
WAIT_MS = 60_000


class Run:
    """Where figures go, the store, the server, and how often everything is done."""

    def __init__(self, report: Report, folder: Path, *, quick: bool) -> None:
        self.report = report
        self.rounds = 1 if quick else 5
        self.times = 10 if quick else 40
        self.facts = FACTS
        self._path = folder / "store.db"
        self.filled: Filled = fill(self._path, facts=self.facts)

    @contextmanager
    def browser(self) -> Iterator["Browsing"]:
        """Give a browser that is signed in to a server of the store."""
        sys.path.append(str(ROOT))
        chromium = importlib.import_module("tests.browser.chromium")
        from playwright.sync_api import sync_playwright

        server = PageServer(self._path)
        try:
            with sync_playwright() as playwright:
                path = chromium.find_or_install()
                found = playwright.chromium.launch(executable_path=path, args=chromium.OPTIONS)
                self.report.note(f"Chromium {found.version}")
                yield Browsing(found, server.url.removesuffix("/mcp"), self.filled.secret)
                found.close()
        finally:
            server.end()

    def measure(
        self,
        name: str,
        bound_ms: float,
        once: Callable[[int], list[float]],
        *,
        floor: Callable[[], float] | None = None,
        least: int = 0,
    ) -> None:
        """Print the middle of the rounds' 95th percentiles; the first time does not count.

        `floor` is taken in turns with it; `least` is how often a round does it at least.
        """
        once(-1)
        times = max(self.times, least)
        rounds: list[list[float]] = []
        floors: list[float] = []
        for turn in range(self.rounds):
            rounds.append([])
            for number in range(times):
                rounds[-1] += once(turn * times + number)
                floors += [] if floor is None else [floor()]
        late = statistics.median(_late(taken) for taken in rounds)
        middle = statistics.median(one for taken in rounds for one in taken)
        lates = sorted(_late(taken) for taken in rounds)
        self.report.note(
            f"{name:<28} {middle:8.1f} ms in the middle, 95 % of a round below"
            f" {lates[0]:.1f} to {lates[-1]:.1f}"
        )
        if floors:
            least_ms, least_late = statistics.median(floors), _late(floors)
            self.report.note(
                f"{'  the least possible':<28} {least_ms:8.1f} ms in the middle, 95 % below"
                f" {least_late:.1f}; ratio {middle / least_ms:.2f} and {late / least_late:.2f}"
            )
        self.report.at_most(f"{name}_p95_ms", late, bound_ms)

    def work(self, name: str, page: "Page", act: Callable[[], object]) -> float:
        """Print the processor time of a page's main thread for an act; return what is late."""
        taken = work_of(page, act, 3 * self.times)
        middle, late = statistics.median(taken), _late(taken)
        self.report.note(f"{name:<28} {middle:8.1f} ms of the main thread, 95 % below {late:.1f}")
        return late


def _late(taken: list[float]) -> float:
    """Return the 95th percentile."""
    return sorted(taken)[int(len(taken) * 0.95)]


class Browsing:
    """A browser of the owner."""

    def __init__(self, browser: Any, url: str, secret: str) -> None:
        self._browser, self.url, self._secret = browser, url, secret

    def visitor(self) -> "BrowserContext":
        """Return a signed-in profile that has nothing of the page yet."""
        context = self._browser.new_context(viewport={"width": 1440, "height": 900})
        cookie = {"name": "strata_session", "value": self._secret, "url": self.url}
        context.add_cookies([cookie])
        context.add_init_script(WATCHING)
        context.set_default_timeout(WAIT_MS)
        return context

    def page(self, path: str, ready: str) -> "Page":
        """Open an address and wait until something is there."""
        page = self.visitor().new_page()
        page.goto(self.url + path)
        page.wait_for_selector(ready)
        return page


def part_paint(run: Run) -> None:
    """The first visit of a browser that has nothing in its cache."""
    with run.browser() as browser, one_word() as empty:

        def paint(url: str, ready: str) -> float:
            context = browser.visitor()
            page = context.new_page()
            page.goto(url)
            page.wait_for_selector(ready)
            found = page.evaluate(PAINTED)
            context.close()
            return found

        def visit(_number: int) -> list[float]:
            return [paint(browser.url, "main h1")]

        run.measure("first_paint", 300, visit, floor=lambda: paint(empty, "p"))
        _sizes(run, browser)


# The entry may come after the elements that were painted are there.
PAINTED = """new Promise((resolve) => new PerformanceObserver((seen) => {
  const [painted] = seen.getEntriesByName("first-contentful-paint");
  if (painted) resolve(painted.startTime);
}).observe({ type: "paint", buffered: true }))"""
LOADED = """(ready) => bench.shown(() => document.querySelector(ready)).then((at) =>
  performance.getEntriesByType("resource")
    .filter((one) => one.responseEnd <= at && one.name.endsWith(".js"))
    .map((one) => new URL(one.name).pathname))"""


def _sizes(run: Run, browser: Browsing) -> None:
    """Print what a browser has loaded of scripts when a route is there, packed by gzip."""
    routes = {
        "inbox": ("/", "main h1", 50),
        # The heading of the text: an editor that waits for its text has lines too.
        "document": (f"/d/{run.filled.short}", ".cm-h1", 175),
    }
    for name, (path, ready, bound) in routes.items():
        context = browser.visitor()
        page = context.new_page()
        page.goto(browser.url + path, wait_until="commit")
        scripts = [STATIC / file.lstrip("/") for file in page.evaluate(LOADED, ready)]
        size = sum(len(gzip.compress(one.read_bytes(), 9)) for one in scripts) / 1000
        run.report.note(f"{name}: {len(scripts)} scripts")
        run.report.at_most(f"scripts_of_{name}_kb", size, bound)
        context.close()


SCREENS = ("Memory", "Decisions", "Events", "Documents", "Activity", "Inbox")
ROUTE = """(name) => {
  const heading = () => document.querySelector("main h1")?.textContent ?? "";
  const links = [...document.querySelectorAll("nav a")];
  const began = performance.now();
  links.find((link) => link.textContent.trim().startsWith(name)).click();
  const isThere = () => heading() === name && !document.querySelector("main .skeleton")
    && document.querySelector("main .screen, main .memory, main .docs-list")
      ?.querySelector("li, .rows-row, .documents a, .empty");
  return bench.shown(isThere).then((at) => at - began);
}"""


def part_route(run: Run) -> None:
    """From a click to the next screen with what it shows; its scripts were loaded before."""
    with run.browser() as browser:
        page = browser.page("/", "main h1")
        page.wait_for_selector("nav a[href^='/memory']")

        def round_trip(_number: int) -> list[float]:
            return [page.evaluate(ROUTE, name) for name in SCREENS]

        run.measure("route_change", 100, round_trip)
        names = cycle(SCREENS)
        late = run.work("  work of a route", page, lambda: page.evaluate(ROUTE, next(names)))
        run.report.at_most("route_change_work_p95_ms", late, 100)


# The editor that the page is made of, alone on the screen with the same text.
BARE = """() => {
  const { view } = window.strata;
  const EditorView = view.constructor;
  const { nonce } = document.querySelector("meta[property=csp-nonce]");
  const extensions = [EditorView.lineWrapping, EditorView.cspNonce.of(nonce)];
  const state = view.state.constructor.create({ doc: view.state.doc, extensions });
  document.body.replaceChildren();
  window.typing = new EditorView({ state, parent: document.body });
}"""
TYPING = """() => {
  const view = (window.typing ??= window.strata.view);
  view.focus();
  const anchor = view.state.doc.lineAt(view.state.doc.length / 2).to;
  view.dispatch({ selection: { anchor }, scrollIntoView: true });
  bench.listen((window.costs = []));
}"""


def part_keys(run: Run) -> None:
    """A key in a short document, and in the middle of a megabyte."""
    with run.browser() as browser:
        for name, document, bound in (
            ("key_to_frame", run.filled.short, 16),
            ("key_to_frame_1mb", run.filled.long, 40),
        ):
            page, bare = (_opened(browser, document) for _ in range(2))
            bare.evaluate(BARE)
            before = page.evaluate("window.strata.text.length")
            for one in (page, bare):
                one.evaluate(TYPING)
                one.wait_for_timeout(500)
            typed = 0

            def press(_number: int, page: "Page" = page) -> list[float]:
                nonlocal typed
                typed += 1
                return [_pressed(page)]

            run.measure(name, bound, press, floor=lambda bare=bare: _pressed(bare), least=40)
            after = page.evaluate("window.strata.text.length")
            assert after == before + typed, "every key is in the text"
            late = run.work("  work of a key", page, lambda page=page: _pressed(page))
            run.work("  of the bare editor", bare, lambda bare=bare: _pressed(bare))
            run.report.at_most(f"{name}_work_p95_ms", late, bound)
            for one in (page, bare):
                one.context.close()


def _opened(browser: Browsing, document: str) -> "Page":
    page = browser.page(f"/d/{document}", ".cm-line")
    page.wait_for_function("() => window.strata?.state === 'saved'")
    return page


def _pressed(page: "Page") -> float:
    """Press a key, and return what the page worked until its frame was ready."""
    page.bring_to_front()
    page.evaluate("window.costs.length = 0")
    page.keyboard.press("a")
    page.wait_for_function("() => window.costs.length === 1")
    return page.evaluate("window.costs[0]")


SEARCH = """(query) => new Promise((resolve) => {
  const field = document.querySelector("main input[type=search]");
  const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set;
  const before = document.querySelector(".hit");
  performance.clearResourceTimings();
  set.call(field, query);
  field.dispatchEvent(new Event("input", { bubbles: true }));
  const asked = () => performance.getEntriesByType("resource")
    .findLast((one) => one.name.includes("page_find"));
  const isThere = () => asked() && document.querySelector(".hit") !== before
    && document.querySelector(".hit mark");
  bench.shown(isThere).then((at) => resolve(at - asked().startTime));
})"""
QUERIES = ("payment limits", "release notes", "검토 결과", "retries", "결제 계획", "service limits")


def part_search(run: Run) -> None:
    """From the question that the page sends to hits on the screen; the typing pause is left out."""
    with run.browser() as browser:
        page = browser.page("/find?q=payment", ".hit")
        turns = iter(range(1_000_000))

        def search(_number: int) -> list[float]:
            return [page.evaluate(SEARCH, QUERIES[next(turns) % len(QUERIES)])]

        run.measure("search", 150, search)
        assert page.locator(".hit").count() > 0


# The heading of the text: an editor that waits for its text has lines too.
READABLE = """() => bench.shown(() =>
  document.querySelector(".cm-content .cm-h2")?.textContent === "Part 0")"""


def part_long(run: Run) -> None:
    """From the address to a megabyte that can be read; scripts come from the browser's cache."""
    with run.browser() as browser:
        context = browser.visitor()

        def read(_number: int) -> list[float]:
            page = context.new_page()
            page.goto(f"{browser.url}/d/{run.filled.long}", wait_until="commit")
            taken = page.evaluate(READABLE)
            page.close()
            return [taken]

        run.measure("document_1mb_readable", 500, read)


JUMP = """([offset, key]) => {
  const list = document.querySelector(".rows");
  const began = performance.now();
  list.scrollTop = (list.scrollHeight - list.clientHeight) * offset;
  const isThere = () => [...list.querySelectorAll(".fact-key")].some((one) => one.title >= key);
  return bench.drawn().then((framed) =>
    bench.shown(isThere).then((at) => [framed - began, at - began]));
}"""


def part_jump(run: Run) -> None:
    """A jump in a list of 100,000 facts: to the frame with rows, and to the facts in them."""
    with run.browser() as browser:
        page = browser.page("/memory/default/many/", ".fact-row")
        places = [number * 0.618034 % 0.9 for number in range(100_000)]
        filled: list[float] = []
        turns = iter(places)

        def jump(_number: int) -> list[float]:
            # Downwards and back to the beginning: each place is new to the page.
            page.evaluate("document.querySelector('.rows').scrollTop = 0")
            page.wait_for_function(
                "() => document.querySelector('.fact-key')?.title.startsWith('many/00000')"
            )
            offset = 0.05 + next(turns)
            wanted = key(int((run.facts - 40) * offset))
            framed, there = page.evaluate(JUMP, [offset, wanted])
            filled.append(there)
            return [framed]

        run.measure("jump_in_100k_facts", 40, jump)
        late = sorted(filled)[int(len(filled) * 0.95)]
        run.report.note(f"facts of those rows are there after {statistics.median(filled):.0f} ms,")
        run.report.note(f"95 % within {late:.0f} ms")


PARTS: dict[str, Callable[[Run], None]] = {
    "paint": part_paint,
    "route": part_route,
    "keys": part_keys,
    "search": part_search,
    "long": part_long,
    "jump": part_jump,
}


def main() -> int:
    """Run all parts, or those that were named, and return the exit code."""
    return run_parts(
        "web",
        __doc__,
        PARTS,
        packages=("apsw", "uvicorn", "playwright"),
        quick="end within two minutes",
        start=lambda report, folder, quick: Run(report, folder, quick=quick),
    )


if __name__ == "__main__":
    sys.exit(main())
