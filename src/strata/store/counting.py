"""How many live keys branches show, made anew from their versions and compared with them.

Commits keep the numbers (see the trigger in the migration). Only what changes versions that are
there already has to count again.
"""

from collections.abc import Collection, Iterator
from itertools import zip_longest

from strata.sql import Connection, Queries
from strata.store.store import Store


def recount(store: Store, shelves: Collection[int]) -> int:
    """Write the numbers of some shelves anew, in the open transaction; return how many differed."""
    connection, queries = store.connection(), store.queries
    changed = 0
    # Ancestors come first: a branch goes on from the numbers of its parent.
    for (branch,) in connection.rows(queries.branch_ids):
        for shelf in shelves:
            found = connection.rows(queries.counted_keys, (branch, shelf))
            stored = connection.rows(queries.counts_on, (branch, shelf))
            if found != stored:
                changed += len(set(found) ^ set(stored))
                connection.run(queries.delete_counts, (branch, shelf))
                rows = [(branch, shelf, *row) for row in found]
                connection.run_many(queries.insert_count, rows)
    return changed


def miscounted(connection: Connection, queries: Queries, branch: int) -> Iterator[int]:
    """Yield each shelf whose numbers on a branch are not what its versions give."""
    for shelf, _space, _kind in connection.rows(queries.shelves):
        found = connection.each(queries.counted_keys, (branch, shelf))
        stored = connection.each(queries.counts_on, (branch, shelf))
        if any(one != other for one, other in zip_longest(found, stored)):
            yield shelf
