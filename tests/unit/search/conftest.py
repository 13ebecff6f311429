"""A store whose vectors are made only when a test makes them."""

from collections.abc import Iterator

import pytest

import strata
from strata import Workspace


@pytest.fixture
def db() -> Iterator[Workspace]:
    with strata.open(durability="cache", auto_embed=False) as db:
        yield db
