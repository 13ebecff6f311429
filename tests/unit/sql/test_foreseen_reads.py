"""Blocks of reads that share one look at a workspace of PostgreSQL."""

from collections.abc import Iterator

import pytest

import strata
from strata.sql import Connection, Read
from tests.databases import address_of


@pytest.fixture(name="pair")
def fixture_pair() -> Iterator[tuple[strata.Workspace, strata.Workspace]]:
    """One workspace, opened twice."""
    address = address_of(None)
    with strata.open(address) as one, strata.open(address) as other:
        yield one, other


def look_after_a_write(connection: Connection, other: strata.Workspace) -> bool:
    """Tell whether a look notices what another client writes."""
    before = connection.look().version
    other.kv.put("배포", "blue")
    return connection.look().version > before


def test_a_block_looks_once_however_many_are_inside_it(
    pair: tuple[strata.Workspace, strata.Workspace],
) -> None:
    one, other = pair
    connection = one.serving.store.connection()
    with connection.together():
        before = connection.look()
        other.kv.put("배포", "green")
        with connection.together():
            assert connection.look() is before
    assert look_after_a_write(connection, other)


def test_reads_that_cannot_be_named_leave_no_block_open(
    pair: tuple[strata.Workspace, strata.Workspace],
) -> None:
    def failing() -> Iterator[Read]:
        yield one.serving.store.queries.index_mark, ()
        raise LookupError("damaged")

    one, other = pair
    connection = one.serving.store.connection()
    with pytest.raises(LookupError, match="damaged"), connection.together(failing()):
        pass
    assert look_after_a_write(connection, other)
