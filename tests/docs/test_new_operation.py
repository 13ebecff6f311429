"""The operation that CONTRIBUTING adds: its tool, the page's call and its command work as shown."""

import json
import re
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import strata

CONTRIBUTING = Path(__file__).parents[2] / "CONTRIBUTING.md"
BLOCK = re.compile(r"^```python (operation|tool|command)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
RUN = "\nfrom strata.__main__ import main\n\nmain()\n"
MOST_LINES = 40


def blocks() -> dict[str, str]:
    return dict(BLOCK.findall(CONTRIBUTING.read_text()))


@pytest.fixture
def program(tmp_path: Path) -> list[str]:
    """The command `strata`, with the operation added, in a project with a document."""
    path = tmp_path / "extended.py"
    path.write_text("\n\n".join(blocks().values()) + RUN, encoding="utf-8")
    return [sys.executable, str(path), "--db", str(tmp_path / "글.db")]


@pytest.fixture
def document(tmp_path: Path) -> str:
    with strata.open(tmp_path / "글.db", auto_embed=False) as db:
        return db.documents.create("계획", "# 목표\n\n유월에 보낸다\n").document


def run(program: list[str], *arguments: str) -> str:
    return subprocess.run(
        [*program, *arguments], check=True, stdout=subprocess.PIPE, text=True, timeout=60
    ).stdout


@contextmanager
def serving(program: list[str]) -> Iterator[str]:
    command = [*program, "serve", "--port", "0", "--no-auth"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().split()[-1].removesuffix("/mcp")
        finally:
            process.send_signal(signal.SIGTERM)
            assert process.wait(60) == 0


def test_tool_page_and_command_take_few_lines() -> None:
    found = blocks()
    assert list(found) == ["operation", "tool", "command"]
    declared = [*found["tool"].splitlines(), *found["command"].splitlines()]
    assert len(declared) < MOST_LINES


def test_the_command_answers_in_text_and_json(program: list[str], document: str) -> None:
    assert run(program, "doc", "words", "계획") == "4 words\n"
    found = json.loads(run(program, "doc", "words", "계획", "--json"))
    assert found == {"document": document, "words": 4}
    assert "strata doc words Plan" in run(program, "doc", "words", "--help")


def test_the_tool_is_called_by_its_name_on_the_wire(program: list[str], document: str) -> None:
    answer = run(
        program, "call", "count_document_words", "--json", json.dumps({"documentId": document})
    )
    assert json.loads(answer) == {"document": document, "words": 4}


def test_the_page_calls_the_same_tool(program: list[str], document: str) -> None:
    with serving(program) as url:
        asked = urllib.request.Request(
            f"{url}/api/tools/count_document_words",
            json.dumps({"documentId": document}).encode(),
            {"Content-Type": "application/json", "Origin": url},
        )
        with urllib.request.urlopen(asked, timeout=60) as answer:
            assert json.load(answer) == {"document": document, "words": 4}
