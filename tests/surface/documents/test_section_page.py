"""The page that shows a section, run by Node in the place of a client's window."""

import json
import subprocess
from typing import Any

from strata.tools import PAGES, SECTION_VIEW
from tests.node.packages import node

# A window around the page's script: a parent that keeps what it is sent, and two elements.
WINDOW = """
const sent = [], shown = { path: {}, text: {} };
let listener;
const parent = { postMessage: (message) => sent.push(message) };
const window = { parent, addEventListener: (_name, take) => { listener = take; } };
const document = {
  getElementById: (id) => shown[id],
  documentElement: { scrollWidth: 300, scrollHeight: 200 },
};
%s
for (const [own, data] of %s) listener({ source: own ? parent : {}, data });
console.log(JSON.stringify({ sent, shown }));
"""
RESULT = "ui/notifications/tool-result"


def run(*messages: tuple[bool, dict[str, Any]]) -> dict[str, Any]:
    """Open the page, let messages reach it, and return what it sent and what it shows."""
    script = PAGES[SECTION_VIEW].html.partition("<script>")[2].partition("</script>")[0]
    told = json.dumps([[own, {"jsonrpc": "2.0", **message}] for own, message in messages])
    done = subprocess.run(
        [str(node()), "-e", WINDOW % (script, told)], capture_output=True, check=True, timeout=30
    )
    return json.loads(done.stdout)


def test_the_page_greets_its_client_and_shows_the_section_as_plain_text() -> None:
    answer = {"title": "계획", "headingPath": ["목표", "日程"], "content": "<b>五月</b> 🎯"}
    found = run(
        (True, {"id": 1, "result": {}}),
        (True, {"method": RESULT, "params": {"structuredContent": answer}}),
    )
    assert [message["method"] for message in found["sent"]] == [
        "ui/initialize",
        "ui/notifications/initialized",
        "ui/notifications/size-changed",
    ]
    assert found["shown"]["path"]["textContent"] == "계획 › 목표 › 日程"
    assert found["shown"]["text"] == {"textContent": "<b>五月</b> 🎯"}


def test_the_page_reads_an_answer_that_came_as_text_and_an_error() -> None:
    text = {"type": "text", "text": json.dumps({"message": "There is no document."})}
    found = run((True, {"method": RESULT, "params": {"content": [text]}}))
    assert found["shown"]["text"]["textContent"] == "There is no document."
    odd = run((True, {"method": RESULT, "params": {"content": []}}))
    assert odd["shown"]["text"]["textContent"] == ""


def test_the_page_hears_nobody_but_the_client_that_opened_it() -> None:
    forged = {"method": RESULT, "params": {"structuredContent": {"content": "위조"}}}
    assert run((False, forged))["shown"]["text"] == {}
