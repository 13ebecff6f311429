"""A store of its own for every test, and an environment that says nothing."""

from collections.abc import Iterator

import pytest

import strata
from strata import Workspace


@pytest.fixture(autouse=True)
def _silent_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("STRATA_DB", "STRATA_BRANCH", "STRATA_SPACE", "STRATA_ACTOR", "STRATA_TIMEZONE"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def db() -> Iterator[Workspace]:
    with strata.open(durability="cache") as db:
        yield db
