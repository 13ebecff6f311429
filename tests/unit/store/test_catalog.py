"""What a process remembers of keyspaces and lineages while a transaction is open."""

from collections.abc import Generator
from contextlib import contextmanager

from strata.sql import Connection
from strata.store.catalog import Catalog
from tests.counting import counted
from tests.unit.conftest import Bench


@contextmanager
def undone(bench: Bench) -> Generator[Connection]:
    """Give a write transaction that is rolled back."""
    connection = bench.store.database.begin_writing()
    try:
        yield connection
    finally:
        bench.store.database.finish_writing(connection, keep=False)


def test_a_keyspace_that_a_transaction_undoes_is_not_remembered(bench: Bench) -> None:
    catalog, queries = bench.store.catalog, bench.store.queries
    with undone(bench) as connection:
        row = connection.row(queries.insert_keyspace, ("팀", "kv"))
        assert row is not None
        number = row[0]
        assert catalog.keyspace("팀", "kv", connection) == number
        assert catalog.keyspace_name(number, connection) == ("팀", "kv")
    assert catalog.keyspace("팀", "kv", bench.store.connection()) is None
    assert number not in catalog.keyspace_names


def test_a_lineage_that_a_transaction_undoes_is_not_remembered(bench: Bench) -> None:
    catalog, queries = bench.store.catalog, bench.store.queries
    with undone(bench) as connection:
        connection.run(queries.insert_branch_itself, (7,))
        assert catalog.lineage(7, connection)
    assert catalog.lineage(7, bench.store.connection()) == ()


def test_a_transaction_that_wrote_nothing_reads_a_lineage_once(bench: Bench) -> None:
    bench.db.branches.fork("시도")
    branch, catalog = bench.store.catalog.known("시도"), Catalog(bench.store.queries)
    assert branch is not None
    with bench.store.writing() as connection:
        assert counted(lambda: catalog.lineage(branch.id, connection))[1] == 1
        assert counted(lambda: catalog.lineage(branch.id, connection))[1] == 0
