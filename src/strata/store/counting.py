"""How many live keys branches show, and how many texts there are: up to a checkpoint, and since.

A commit counts nothing, because it would have to look up what each of its keys held before.
Checkpoints are written later, by a call that asks for numbers or that closes the store. They follow
from the versions, so they can be dropped and made again.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import groupby
from operator import add, sub
from typing import TypeAlias

from strata.base import limits
from strata.base.errors import StrataError
from strata.sql import Read
from strata.store.record import NOW
from strata.store.store import Store

# Of texts: plain and wide ones, and of documents plain and wide ones.
TextCounts: TypeAlias = tuple[int, int, int, int]


def live_keys(
    store: Store, branch: int, bound: int, *, keyspace: int | None = None
) -> dict[int, int]:
    """Return how many live keys a state shows in each keyspace that has one, or in one keyspace."""
    settle(store)
    rows = store.connection().rows(store.queries.live_keys, (branch, bound, keyspace))
    return {keyspace: live for keyspace, live in rows if live}


def reads_of_counts(
    store: Store, branch: int, bound: int, *, keyspaces: Sequence[int | None]
) -> Iterator[Read]:
    """Yield what `live_keys`, of some keyspaces or of all (None), and `total_commits` read."""
    queries = store.queries
    yield queries.last_checkpoint, ()
    yield queries.last_text_count, (NOW,)
    for keyspace in keyspaces:
        yield queries.live_keys, (branch, bound, keyspace)
    yield queries.commits_upto, (NOW,)


def total_commits(store: Store) -> int:
    """Return how many commits the store holds."""
    settle(store)
    return _commits_upto(store, NOW)


def count_texts(store: Store, after: int, upto: int) -> TextCounts:
    """Return how many texts have their versions in (after, upto]."""
    if upto - after <= limits.COUNTED_VERSIONS:
        return _texts_between(store, after, upto)
    return _each(sub, _texts_upto(store, upto), _texts_upto(store, after))


def _texts_upto(store: Store, version: int) -> TextCounts:
    row = store.connection().row(store.queries.last_text_count, (version,))
    since, *known = row or (0, 0, 0, 0, 0)
    return _each(add, known, _texts_between(store, since, version))


def _texts_between(store: Store, after: int, upto: int) -> TextCounts:
    row = store.connection().row(store.queries.texts_between, (after, upto))
    assert row is not None, "a sum gives one row"
    return (row[0], row[1], row[2], row[3])


def _each(
    operation: Callable[[int, int], int], one: Sequence[int], other: Sequence[int]
) -> TextCounts:
    first, second, third, fourth = map(operation, one, other)
    return (first, second, third, fourth)


def settle(store: Store) -> None:
    """Write the checkpoints that are due, if the store can be written now.

    Without them numbers are as right, so an error here is not the caller's: another writer may
    be at work, the disk full, or the file gone.
    """
    with suppress(StrataError):
        while _is_due(store):
            _settle_some(store)


def _is_due(store: Store) -> bool:
    if store.database.read_only or store.connection().in_transaction:
        return False
    last = min(_last_checkpoint(store), _last_text_count(store))
    return store.last_version() - last >= limits.COUNTED_VERSIONS


def _settle_some(store: Store) -> None:
    """Write some checkpoints in one transaction."""
    queries = store.queries
    with store.database.writing(waits=False) as connection:
        store.look()
        since = _last_checkpoint(store)
        for upto in _next_checkpoints(store, since):
            connection.run_many(queries.insert_count, _counted(store, since, upto))
            connection.run(queries.insert_checkpoint, (upto, _commits_upto(store, upto)))
            since = upto
        for upto in _next_checkpoints(store, _last_text_count(store)):
            connection.run(queries.insert_text_count, (upto, *_texts_upto(store, upto)))


def _next_checkpoints(store: Store, since: int) -> range:
    last = min(store.last_version(), since + limits.COUNTED_AT_ONCE)
    return range(since + limits.COUNTED_VERSIONS, last + 1, limits.COUNTED_VERSIONS)


def forget_counts(store: Store, since: int) -> None:
    """Drop all checkpoints from a version on, because versions were erased or numbers are wrong."""
    connection, queries = store.connection(), store.queries
    connection.run(queries.delete_counts, (since,))
    connection.run(queries.delete_checkpoints, (since,))
    forget_text_counts(store, since)


def forget_text_counts(store: Store, since: int) -> None:
    """Drop the numbers of texts from a version on, because an earlier one has another text."""
    store.connection().run(store.queries.delete_text_counts, (since,))


def wrong_checkpoints(store: Store) -> Iterator[int]:
    """Yield each checkpoint whose numbers are not what the versions before it give."""
    connection, queries = store.connection(), store.queries
    rows = connection.rows(queries.all_counts)
    stored = {version: list(rows) for version, rows in groupby(rows, lambda row: row[2])}
    since = 0
    for version, commits in connection.rows(queries.checkpoints):
        found = (stored.pop(version, []), commits)
        if found != (_counted(store, since, version), _commits_upto(store, version)):
            yield version
        since = version
    yield from stored
    before, total = 0, (0, 0, 0, 0)
    for version, *texts in connection.rows(queries.all_text_counts):
        total = _each(add, total, _texts_between(store, before, version))
        if total != tuple(texts):
            yield version
        before = version


def _counted(store: Store, since: int, upto: int) -> list[tuple[int, int, int, int]]:
    """Return the rows (branch, keyspace, version, live) of a checkpoint after another one."""
    return [
        (branch, keyspace, upto, gain + _counted_before(store, (branch, keyspace, since)))
        for branch, keyspace, gain in store.connection().rows(
            store.queries.gained_keys, (since, upto)
        )
        if gain
    ]


def _counted_before(store: Store, place: tuple[int, int, int]) -> int:
    """Return a branch's number at a checkpoint, or its parent's at the fork if it has none."""
    connection, queries = store.connection(), store.queries
    row = connection.row(queries.last_count, place)
    if row is not None:
        return row[0]
    branch, keyspace, _since = place
    for parent, fork in connection.rows(queries.lineage, (branch,))[1:2]:
        row = connection.row(queries.live_keys, (parent, fork, keyspace))
    return row[1] if row else 0


def _commits_upto(store: Store, version: int) -> int:
    row = store.connection().row(store.queries.commits_upto, (version,))
    return row[0] if row else 0


def _last_text_count(store: Store) -> int:
    row = store.connection().row(store.queries.last_text_count, (NOW,))
    return row[0] if row else 0


def _last_checkpoint(store: Store) -> int:
    row = store.connection().row(store.queries.last_checkpoint)
    return (row[0] if row else 0) or 0
