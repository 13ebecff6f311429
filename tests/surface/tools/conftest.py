"""The tools of agents and developers, on a store in memory."""

from collections.abc import Iterator

import pytest

import strata
from strata.tools import Session, StoreHost, expose
from tests.surface.calling import Call, call, db, fail

__all__ = ["Call", "call", "db", "fail", "session"]


@pytest.fixture
def session(db: strata.Workspace) -> Iterator[Session]:
    made = Session(
        StoreHost(lambda: db, auto_embed=False), caller="owner", exposure=expose("memory,developer")
    )
    yield made
    made.close()
