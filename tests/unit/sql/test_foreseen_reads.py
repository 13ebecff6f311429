"""Blocks of reads that share one look at a workspace of PostgreSQL."""

import time
from collections.abc import Callable, Iterator
from typing import cast

import pytest

import strata
from strata.sql import Connection, Read
from strata.sql.postgres.connection import PostgresConnection
from strata.sql.postgres.foresight import Foresight
from strata.store import Snapshot
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


def test_what_a_block_has_read_is_forgotten_after_a_purge_by_others(
    pair: tuple[strata.Workspace, strata.Workspace],
) -> None:
    one, other = pair
    other.kv.put("비밀", "a merger")
    foresight = read_ahead(one)
    assert "merger" in known_of(foresight)
    other.purge("비밀")
    until = time.monotonic() + 30
    while "merger" in known_of(foresight):  # no call of the store: its watch notices
        assert time.monotonic() < until, "it is still known"
        time.sleep(0.05)


def test_what_is_read_while_others_purge_is_not_kept(
    pair: tuple[strata.Workspace, strata.Workspace],
) -> None:
    one, other = pair
    other.kv.put("비밀", "a merger")
    foresight = read_ahead(one, meanwhile=one.serving.store.database.release_memory)
    assert "merger" not in known_of(foresight)


def read_ahead(db: strata.Workspace, meanwhile: Callable[[], object] = lambda: None) -> Foresight:
    """Read a key in a block that foresees it, twice; return what its connection foresees."""
    assert db.kv["비밀"] == "a merger"
    store = db.serving.store
    snapshot = Snapshot(store, "default")
    with snapshot.ahead([("default", "kv", "비밀")]):
        assert snapshot.get("default", "kv", "비밀") is not None
        meanwhile()
        assert snapshot.get("default", "kv", "비밀") is not None
    return cast("PostgresConnection", store.connection())._foresight


def known_of(foresight: Foresight) -> str:
    """Return what is kept of earlier blocks, as text."""
    found = (item for rows in foresight._answers.values() for row in rows for item in row)
    return " ".join(item.decode(errors="replace") for item in found if isinstance(item, bytes))


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
