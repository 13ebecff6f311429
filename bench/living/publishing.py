"""How quick is publishing: freezing a text, rendering its page, and sending that again?"""

import asyncio
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from markdown_it import MarkdownIt
from measure.figures import Report
from measure.rounds import time_each, time_once
from starlette.applications import Starlette

import strata
from strata.mcp.server_config import ServerConfig
from strata.tools import StoreHost
from strata.web.public.routes import PublicRoutes, public_routes
from strata.web.public.server import PageServer

MEGABYTE = 1_000_000
# A chapter with most of what markdown has; repeated until a text is long enough.
CHAPTER = """## 장 {n}: measuring

Rivers carry *stones* for **miles**; the [report](https://example.com/{n}) says how far[^a{n}]. 강은
바다로 흐르고, 돌은 강을 따라 천천히 움직인다. See [[Other]] and https://example.com/rivers.

```python
def moved(stones: list[Stone]) -> int:
    return sum(1 for s in stones if s.distance_km > {n})
```

| River | Length (km) | Stones |
|:------|------------:|:------:|
| 한강 | 494 | 12,400 |
| Donau | 2,850 | 98,001 |

- [x] Walk along the bank
- [ ] Count the stones

> A river cuts through rock not because of its power.

[^a{n}]: Up to {n} km, says the *report*.

"""


def text_of(size: int) -> str:
    """Return a text of about so many bytes."""
    one = len(CHAPTER.encode())
    return "".join(CHAPTER.replace("{n}", str(n)) for n in range(max(1, size // one)))


def measure_publishing(report: Report, folder: Path, *, quick: bool) -> None:
    """Publish a megabyte and an ordinary page; render them, and send them again and again."""
    with strata.open(folder / "published.db", durability="standard", auto_embed=False) as db:
        _measure(report, db, size=MEGABYTE // 10 if quick else MEGABYTE, calls=500)


def _measure(report: Report, db: strata.Workspace, *, size: int, calls: int) -> None:
    document = db.documents.create("Long", text_of(size)).document
    page = db.documents.create("Page", text_of(10_000)).document
    first = time_once(lambda: db.publishing.publish(document)) / 1000
    report.at_most("publish_ms", first, 250)
    db.publishing.publish(page)
    again = time_each(lambda: db.publishing.publish(document), [()] * 20)
    report.at_most("publish_unchanged_ms", statistics.median(again) / 1000, 50)
    _rendering(report, db, size)
    _sending(report, db, calls)


def _keyspace(db: strata.Workspace) -> PageServer:
    return PageServer(lambda: db.publishing.public, lambda: "http://127.0.0.1")


def _rendering(report: Report, db: strata.Workspace, size: int) -> None:
    """Compare with the parser alone: the rest is colours, links, anchors and cleaning."""
    text = text_of(size)
    alone = time_once(lambda: MarkdownIt("commonmark").enable("table").render(text)) / 1e6
    taken = time_once(lambda: _keyspace(db).page("owner", "long")) / 1e6
    report.note(
        f"rendering {size:,} bytes takes {taken:.2f} s, {taken / alone:.1f} times markdown-it's"
        f" own {alone:.2f} s, which colours and cleans nothing"
    )
    report.at_most("render_megabyte_s", taken * MEGABYTE / size, 15)
    short = [time_once(lambda: _keyspace(db).page("owner", "page")) for _ in range(7)]
    report.at_most("render_10_kb_ms", statistics.median(short) / 1000, 150)


def _sending(report: Report, db: strata.Workspace, calls: int) -> None:
    keyspace = _keyspace(db)
    keyspace.page("owner", "long")
    found = time_each(lambda: keyspace.page("owner", "long"), [()] * calls)
    report.at_most("cached_page_us", statistics.median(found), 300)
    whole = asyncio.run(_answered(db, calls))
    report.at_most("cached_request_us", statistics.median(whole), 1_000)


async def _answered(db: strata.Workspace, calls: int) -> list[float]:
    """Return the microseconds of whole requests for a page, through routes and threads."""
    shell: Any = SimpleNamespace(host=StoreHost(lambda: db), serving=ServerConfig(), run=_run)
    app, taken = Starlette(routes=list(public_routes(shell))), list[float]()
    assert PublicRoutes(shell).pages.page("owner", "page") is not None
    scope = {
        "type": "http",
        "method": "GET",
        "path": "/@owner/page",
        "raw_path": b"/@owner/page",
        "query_string": b"",
        "headers": [],
        "http_version": "1.1",
        "scheme": "http",
        "server": ("127.0.0.1", 80),
        "client": ("127.0.0.1", 1),
        "root_path": "",
    }
    statuses: set[int] = set()

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        if message["type"] == "http.response.start":
            statuses.add(message["status"])

    for _ in range(calls):
        started = time.perf_counter_ns()
        await app(dict(scope), receive, send)
        taken.append((time.perf_counter_ns() - started) / 1000)
    assert statuses == {200}
    return taken[1:]


async def _run(work: Callable[..., Any], *given: object) -> Any:
    return await asyncio.get_running_loop().run_in_executor(None, work, *given)
