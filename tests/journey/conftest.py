"""Which clients go on the journeys, and what must hold after each run of one."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from tests.journey.clients import CLIENTS, Client, Server, Talk, converse
from tests.journey.model import Step

# The ordinary tests take those that start fastest; `./dev clients` takes all, or those it names.
EVERY_DAY = ("claude", "codex", "gemini")
GONE_SECONDS = 10

Travel = Callable[[Sequence[Step]], Talk]


def chosen() -> list[str]:
    """Return the names of the clients to run."""
    names = os.environ.get("JOURNEY_CLIENTS", "").split() or EVERY_DAY
    unknown = set(names) - CLIENTS.keys()
    if unknown:
        known = ", ".join(CLIENTS)
        raise pytest.UsageError(f"no client {', '.join(sorted(unknown))}; there are {known}")
    return list(names)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "client" in metafunc.fixturenames:
        names = chosen()
        clients = [CLIENTS[name] for name in names]
        metafunc.parametrize("client", clients, ids=names, scope="module")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the store of a test is."""
    return tmp_path / "store.db"


@pytest.fixture
def server(path: Path) -> Server:
    """Our server on that store, started by the client."""
    return serving(path)


@pytest.fixture
def travel(client: Client, server: Server, tmp_path: Path) -> Travel:
    """Run the client through a script."""
    return lambda script: journey(client, server, script, tmp_path / "home")


def serving(path: Path) -> Server:
    return Server([sys.executable, "-m", "strata", "mcp", "--db", str(path)])


def journey(client: Client, server: Server, script: Sequence[Step], home: Path) -> Talk:
    """Run a client to the end of its script, after which its server has ended too."""
    talk = followed(client, server, script, home)
    assert list(left_running(server.command[-1])) == []
    return talk


def followed(
    client: Client,
    server: Server,
    script: Sequence[Step],
    home: Path,
    *,
    before: Sequence[str] = (),
) -> Talk:
    """Run a client to the end of its script; it asked nobody but the model."""
    talk = converse(client, server, script, home, before=before)
    if talk.model.faults:
        raise talk.model.faults[0]
    assert talk.exit_code == 0, talk.output[-4000:]
    assert len(talk.results) == len(script), talk.output[-4000:]
    assert talk.model.escapes == []
    assert talk.model.unknown == []
    return talk


def left_running(mark: str) -> Iterator[str]:
    """Yield the processes that name a path and do not end within a while."""
    deadline = time.monotonic() + GONE_SECONDS
    while (found := running(mark)) and time.monotonic() < deadline:
        time.sleep(0.05)
    yield from found


def running(mark: str) -> list[str]:
    """Return the command lines that name a path. A small Linux has no ps, others have no /proc."""
    own = Path("/proc").glob("[0-9]*/cmdline")
    lines = [line for line in map(command_line, own) if line]
    if not lines:
        ps = ["ps", "-eo", "args"]
        done = subprocess.run(ps, capture_output=True, text=True, check=True, timeout=20)
        lines = done.stdout.splitlines()
    return [line for line in lines if mark in line]


def command_line(path: Path) -> str:
    try:
        return path.read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return ""  # It ended meanwhile.
