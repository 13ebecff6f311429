"""Calling tools as a client would, without a pipe in between: fixtures for those who do."""

from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest

import strata
from strata.tools import CallOutcome, Session, call_tool, registry

Call = Callable[..., dict[str, Any]]


@pytest.fixture
def db() -> Iterator[strata.Workspace]:
    with strata.open(durability="cache", auto_embed=False) as opened:
        yield opened


def outcome_of(session: Session, name: str, arguments: dict[str, Any]) -> CallOutcome:
    tool = registry().find(name) or registry().find(f"strata_{name}")
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
