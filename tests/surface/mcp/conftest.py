"""Stores, sessions and servers for the tests of the protocol."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import strata
from strata.tools import Exposure, Session, StoreHost, Tool
from tests.surface.mcp import odd_tools
from tests.surface.mcp.wire import Server, Talk, mounted_mcp, strata_mcp

Start = Callable[..., Server]


class Chosen(Exposure, frozen=True, dict=True):
    """An exposure of tools that are in no registry."""

    own: tuple[Tool, ...] = ()

    @property
    def tools(self) -> tuple[Tool, ...]:  # pyright: ignore[reportIncompatibleVariableOverride]
        return self.own


ODD = Chosen(("memory",), own=tuple(odd_tools.odd.tools))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the store of a test is."""
    return tmp_path / "기억.db"


@pytest.fixture
def host(path: Path) -> Iterator[StoreHost]:
    """The store of this process, opened at the first use."""

    def opened() -> strata.Workspace:
        return strata.open(path, durability="standard", auto_embed=False)

    host = StoreHost(opened, location=lambda: strata.Location(path, "given"), auto_embed=False)
    yield host
    host.close()


@pytest.fixture
def talk(host: StoreHost) -> Talk:
    """A connection of this process that serves the eight tools."""
    return Talk(Session(host, caller="owner"))


@pytest.fixture
def start(path: Path) -> Iterator[Start]:
    """Start a server on the test's store."""
    servers: list[Server] = []

    def start(*options: str, tools: str | None = None, at: Path = path) -> Server:
        command = strata_mcp(at, *options) if tools is None else mounted_mcp(tools, at, *options)
        servers.append(Server(*command))
        return servers[-1]

    yield start
    for server in servers:
        server.end()
