"""What a server has loaded when it answers for the first time: this, and nothing heavier.

A client that waits long for the first answer goes on without the server, and says nothing.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.surface.mcp.wire import hello, modern, request

# Run as `python -m strata` runs it, and list what is loaded where the store would be opened.
PROGRAM = """
import sys
import strata.mcp.stdio
def tell(session):
    sys.stderr.write("\\n".join(sorted(sys.modules)) + "\\n")
strata.mcp.stdio._warm = tell
from strata.__main__ import main
main()
"""

# Of ours, exactly these. A new name here is a question: must it be there before the first answer?
OURS = set(
    """
    strata
    """.split()
)

# Of others, nothing that begins so.
HEAVY = (
    "apsw", "numpy", "zstandard", "strata_embed", "asyncio", "concurrent", "multiprocessing",
    "pydantic", "mcp", "mcp_types", "anyio", "starlette", "uvicorn", "httpx", "httpx2", "jwt",
    "ssl", "socket", "http", "urllib.request", "email", "importlib.metadata", "difflib",
    "subprocess", "tempfile", "sqlite3", "unittest", "dataclasses", "inspect",
)  # fmt: skip


def loaded_at_the_first_answer(path: Path, first: dict[str, Any]) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, "mcp", "--db", str(path)],
        input=json.dumps(first) + "\n", capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip
    (answer,) = done.stdout.splitlines()
    assert "result" in json.loads(answer)
    return set(done.stderr.split())


FIRST = [hello(1), request(1, "tools/list", modern()), request(1, "server/discover", modern())]


@pytest.mark.parametrize("first", FIRST, ids=["initialize", "tools-list", "discover"])
def test_the_first_answer_loads_nothing_heavy(tmp_path: Path, first: dict[str, Any]) -> None:
    loaded = loaded_at_the_first_answer(tmp_path / "store.db", first)
    heavy = {name for name in loaded if name.startswith(tuple(f"{one}." for one in HEAVY))}
    assert heavy | (loaded & set(HEAVY)) == set()


def test_the_first_list_of_tools_loads_exactly_these_modules_of_ours(tmp_path: Path) -> None:
    loaded = loaded_at_the_first_answer(tmp_path / "store.db", FIRST[1])
    assert {name for name in loaded if name.partition(".")[0] == "strata"} == OURS


def test_the_number_of_modules_stays_small(tmp_path: Path) -> None:
    loaded = loaded_at_the_first_answer(tmp_path / "store.db", FIRST[1])
    assert len(loaded) <= 260
