"""A server for each module, which its tests may hurt."""

from collections.abc import Iterator

import pytest

from strata.base import ids
from tests.crash.postgres.proxy import CuttingProxy
from tests.crash.postgres.servers import Server, running_server, short_folder


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """A server that syncs nothing, and is gone after the module."""
    with short_folder() as folder, running_server(folder / "data") as server:
        yield server


@pytest.fixture
def proxy(server: Server) -> Iterator[CuttingProxy]:
    """A proxy in front of the server."""
    with CuttingProxy(server.port) as proxy:
        yield proxy


@pytest.fixture
def name() -> str:
    """The name of a workspace that does not exist yet."""
    return f"작업-{ids.token()}"
