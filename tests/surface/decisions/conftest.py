"""The tools of decisions, on a store in memory."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

import strata
from strata.tools import Session, StoreHost, expose
from tests.surface.calling import Call, call, db, fail

__all__ = ["Call", "call", "db", "decide", "fail", "session"]

EXPOSED = expose("memory,decisions,legacy")


@pytest.fixture
def session(db: strata.Workspace) -> Iterator[Session]:
    made = Session(StoreHost(lambda: db, auto_embed=False), caller="owner", exposure=EXPOSED)
    yield made
    made.close()


@pytest.fixture
def decide(call: Call) -> Callable[..., str]:
    """Save a decision and return its id."""

    def save(topic: str, decision: str, reasoning: str = "It fits", **more: Any) -> str:
        saved = call("save_decision", topic=topic, decision=decision, reasoning=reasoning, **more)
        return saved["id"]

    return save
