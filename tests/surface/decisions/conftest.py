"""Calling the tools of decisions as a client would, on a store whose clock can be set."""

from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest

import strata
from strata.tools import Host, Outcome, Session, call_tool, expose, registry

Call = Callable[..., dict[str, Any]]
EXPOSED = expose("decisions,legacy")


@pytest.fixture
def db() -> Iterator[strata.Workspace]:
    with strata.open(durability="cache", auto_embed=False) as opened:
        yield opened


@pytest.fixture
def session(db: strata.Workspace) -> Iterator[Session]:
    made = Session(Host(lambda: db, auto_embed=False), exposure=EXPOSED)
    yield made
    made.close()


def outcome_of(session: Session, name: str, arguments: dict[str, Any]) -> Outcome:
    tool = registry().find(name)
    assert tool is not None
    outcome = call_tool(session, tool, arguments)
    # As it comes out of the wire: tuples are lists there.
    return msgspec.structs.replace(
        outcome, value=msgspec.json.decode(msgspec.json.encode(outcome.value))
    )


@pytest.fixture
def call(session: Session) -> Call:
    """Call a tool that must succeed and return its answer."""

    def run(name: str, /, **arguments: Any) -> dict[str, Any]:
        outcome = outcome_of(session, name, arguments)
        assert not outcome.is_error, outcome.value
        return outcome.value

    return run


@pytest.fixture
def fail(session: Session) -> Call:
    """Call a tool that must fail and return its error."""

    def run(name: str, /, **arguments: Any) -> dict[str, Any]:
        outcome = outcome_of(session, name, arguments)
        assert outcome.is_error, outcome.value
        assert outcome.value["code"] != "internal"
        assert outcome.value["message"].endswith((".", "?", ")"))
        return outcome.value

    return run


@pytest.fixture
def decide(call: Call) -> Callable[..., str]:
    """Save a decision and return its id."""

    def save(topic: str, decision: str, reasoning: str = "It fits", **more: Any) -> str:
        saved = call("save_decision", topic=topic, decision=decision, reasoning=reasoning, **more)
        return saved["id"]

    return save
