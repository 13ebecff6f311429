"""A store of its own for every test, and one whose clock the test moves."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import pytest

import strata
from strata import Workspace
from strata.base import limits
from strata.store import Store
from tests.databases import database_at
from tests.opened import workspace_over

if TYPE_CHECKING:
    from tests.unit.documents.bucket import Bucket


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


@pytest.fixture(scope="module")
def running_bucket() -> "Iterator[Bucket]":
    from tests.unit.documents.bucket import bucket  # few tests need its server, slow to load

    with bucket() as found:
        yield found


@pytest.fixture
def s3(running_bucket: "Bucket", monkeypatch: pytest.MonkeyPatch) -> "Bucket":
    """An empty bucket, and the environment of a user who may use it."""
    from tests.unit.documents.bucket import BUCKET, KEY, SECRET

    monkeypatch.setenv("AWS_ACCESS_KEY_ID", KEY)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", SECRET)
    monkeypatch.delenv("AWS_SESSION_TOKEN", raising=False)
    for key in running_bucket.names():
        running_bucket.client.delete_object(Bucket=BUCKET, Key=key)
    running_bucket.refused.clear()
    return running_bucket
