"""What a page itself works: processor time of its main thread, by Chromium's own tracing.

The clock also counts what a busy machine does meanwhile; this does not.
"""

import json
from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Page

_CATEGORIES = ["disabled-by-default-devtools.timeline", "devtools.timeline", "blink.user_timing"]
_MARK = "bench-act"


def work_of(page: "Page", act: Callable[[], object], times: int) -> list[float]:
    """Return the milliseconds of processor time that the page's main thread takes for each act.

    An act ends when nothing is left to do: a moment without work follows it.
    """
    browser = page.context.browser
    assert browser is not None
    browser.start_tracing(page=page, categories=_CATEGORIES)
    for _again in range(times):
        page.evaluate(f"performance.mark('{_MARK}')")
        act()
        page.wait_for_timeout(50)
    page.evaluate(f"performance.mark('{_MARK}')")
    events: list[dict[str, Any]] = json.loads(browser.stop_tracing())["traceEvents"]
    marks = [one for one in events if one["name"] == _MARK]
    thread = (marks[0]["pid"], marks[0]["tid"])
    begins = [one["ts"] for one in marks if (one["pid"], one["tid"]) == thread]
    tasks = [
        (one["ts"], one["tdur"] / 1000)
        for one in events
        if one["name"] == "RunTask" and (one["pid"], one["tid"]) == thread and "tdur" in one
    ]
    assert tasks, "Chromium traced no tasks"
    return [sum(took for at, took in tasks if begin <= at < end) for begin, end in pairwise(begins)]
