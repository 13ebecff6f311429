"""Pages asked for in this process, and tools of publishing on a store in memory."""

from collections.abc import Iterator

import pytest

import strata
from strata.tools import Session, StoreHost, expose
from tests.security.conftest import Publish, db, get, publish
from tests.surface.calling import Call, call, fail

__all__ = ["Call", "Publish", "call", "db", "fail", "get", "publish", "session"]


@pytest.fixture
def session(db: strata.Workspace) -> Iterator[Session]:
    made = Session(
        StoreHost(lambda: db, auto_embed=False), caller="owner", exposure=expose("core,publishing")
    )
    yield made
    made.close()
    made.host.close()
