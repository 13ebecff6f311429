"""What a server has loaded when it answers for the first time: this, and nothing heavier.

A client that waits long for the first answer goes on without the server, and says nothing.
"""

import json
import subprocess
import sys

import pytest

from tests.surface.mcp.wire import hello, modern, notification, request

# Run as `python -m strata` runs it, and list what is loaded where the store would be opened.
PROGRAM = """
import sys
import strata.__main__ as program
def tell(*_arguments):
    sys.stderr.write(" ".join(sorted(sys.modules)) + "\\n")
    sys.stderr.flush()
def serve(arguments, serve=program._serve):
    import strata.mcp.stdio
    strata.mcp.stdio._warm = tell
    return serve(arguments)
program._serve = serve
program.main()
"""

# Of ours, exactly these. A new name here is a question: must it be there before the first answer?
OURS = set(
    """
    strata
    strata.__main__
    strata.base
    strata.base.clock
    strata.base.counts
    strata.base.errors
    strata.base.groups
    strata.base.lazy
    strata.base.limits
    strata.base.results
    strata.base.time_forms
    strata.base.time_words
    strata.base.utc
    strata.base.values
    strata.base.version
    strata.mcp
    strata.mcp.answers
    strata.mcp.core
    strata.mcp.encode
    strata.mcp.protocol
    strata.mcp.start
    strata.mcp.stdio
    strata.tools
    strata.tools.arguments
    strata.tools.budget
    strata.tools.call
    strata.tools.chores
    strata.tools.declare
    strata.tools.guide
    strata.tools.memory
    strata.tools.memory.branches
    strata.tools.memory.facts
    strata.tools.memory.group
    strata.tools.memory.past
    strata.tools.exposing
    strata.tools.schema
    strata.tools.session
    """.split()
)

# Of others, none of these.
HEAVY = (
    "apsw",
    "numpy",
    "zstandard",
    "strata_embed",
    "asyncio",
    "concurrent",
    "multiprocessing",
    "pydantic",
    "mcp",
    "mcp_types",
    "anyio",
    "starlette",
    "uvicorn",
    "httpx",
    "httpx2",
    "jwt",
    "ssl",
    "socket",
    "http",
    "urllib.request",
    "email",
    "importlib.metadata",
    "difflib",
    "subprocess",
    "tempfile",
    "sqlite3",
    "unittest",
    "dataclasses",
    "pathlib",
)


FIRST = {
    "older": [hello(1), notification("notifications/initialized"), request(2, "tools/list")],
    "newer": [request(1, "server/discover", modern()), request(2, "tools/list", modern())],
}


@pytest.fixture(scope="module", params=FIRST.values(), ids=list(FIRST))
def loaded(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """What is loaded when the tools have been listed, and before the store is opened."""
    path = tmp_path_factory.mktemp("loaded") / "store.db"
    command = [sys.executable, "-c", PROGRAM, "mcp", "--db", str(path)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        for message in request.param:
            process.stdin.write(json.dumps(message) + "\n")
        process.stdin.flush()
        names = process.stderr.readline().split()
        process.stdin.close()
        answers = [json.loads(line) for line in process.stdout]
    assert [answer["id"] for answer in answers] == [1, 2]
    assert len(answers[1]["result"]["tools"]) == 8
    assert "strata.mcp.core" in names
    return set(names)


def test_the_first_answers_load_nothing_heavy(loaded: set[str]) -> None:
    heavy = {name for name in loaded if name.startswith(tuple(f"{one}." for one in HEAVY))}
    assert heavy | (loaded & set(HEAVY)) == set()


def test_the_first_answers_load_exactly_these_modules_of_ours(loaded: set[str]) -> None:
    assert {name for name in loaded if name.partition(".")[0] == "strata"} == OURS


def test_the_first_answers_need_few_modules(loaded: set[str]) -> None:
    assert len(loaded) <= 170


def test_listing_the_tools_of_documents_loads_nothing_of_theirs() -> None:
    program = (
        "import sys\nfrom strata.mcp.encode import tool_entries\nfrom strata.tools import expose\n"
        "assert len(tool_entries(expose('core'))) == 6\nprint(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    names = done.stdout.decode().split()
    rooms = {name.split(".")[1] for name in names if name.startswith("strata.")}
    assert rooms == {"base", "mcp", "tools"}
    assert not {"apsw", "pycrdt", "PIL", "yaml"} & set(names)
