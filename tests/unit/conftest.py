"""A store of its own for every test, and one whose clock the test moves."""

from collections.abc import Iterator
from typing import NamedTuple

import pytest

import strata
from strata import Workspace
from strata.base import limits
from strata.store import Store
from tests.databases import database_at
from tests.opened import workspace_over


class Clock:
    def __init__(self) -> None:
        self.us = 1_700_000_000_000_000

    def __call__(self) -> int:
        return self.us


class Bench(NamedTuple):
    """One store, seen from the SDK and from inside."""

    db: Workspace
    store: Store
    clock: Clock


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a glance take the time that it needs on a busy machine."""
    monkeypatch.setattr(limits, "LOOK_S", 3600.0)


@pytest.fixture
def db() -> Iterator[Workspace]:
    with strata.open(durability="cache", auto_embed=False) as db:
        yield db


@pytest.fixture
def bench() -> Iterator[Bench]:
    clock = Clock()
    store = Store(database_at(None), now=clock)
    with workspace_over(store) as db:
        yield Bench(db, store, clock)
