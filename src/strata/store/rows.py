"""What the tables hold, row by row: for packages that check, copy or move it as it is.

The rows are read from the file. What a process remembers of branches may be older, or hide damage.
"""

from collections.abc import Sequence

import msgspec

from strata.sql import Read, Row
from strata.store.record import NOW
from strata.store.store import Store


def version_row(store: Store, number: int) -> Row | None:
    """Return a version: number, time, flags, value, meta, branch, keyspace, key, digest."""
    return store.connection().row(store.queries.version_number, (number,))


def version_rows(store: Store, first: int, last: int) -> list[Row]:
    """Return several versions, in the order of their numbers; columns as of `version_row`."""
    return store.connection().rows(*read_of_version_rows(store, first, last))


def read_of_version_rows(store: Store, first: int, last: int) -> Read:
    """Return the read of `version_rows`, for a caller that foresees it."""
    return store.queries.versions_of_commit, (first, last)


def rows_of_versions(store: Store, numbers: Sequence[int]) -> list[Row]:
    """Return versions by their numbers: number, time, flags, value, meta, keyspace, key."""
    return store.connection().rows(*read_of_versions(store, numbers))


def read_of_versions(store: Store, numbers: Sequence[int]) -> Read:
    """Return the read of `rows_of_versions`, for a caller that foresees it."""
    return store.queries.versions_by_number, (msgspec.json.encode(numbers).decode(),)


def commit_rows(
    store: Store, branch: int, *, after: int = 0, upto: int = NOW, most: int = NOW
) -> list[Row]:
    """Return the first commits that a branch itself made in (after, upto], oldest first."""
    values = (branch, upto, after, most)
    return store.connection().rows(store.queries.branch_commits_forward, values)


def tip_row(store: Store, branch: int, upto: int) -> Row | None:
    """Return version, time and hash of the newest commit that a branch itself made."""
    return store.connection().row(store.queries.branch_tip, (branch, upto))


def branch_rows(store: Store) -> list[Row]:
    """Return every branch with the digest of its row, oldest first."""
    return store.connection().rows(store.queries.branches)


def lineage_rows(store: Store, branch: int) -> list[Row]:
    """Return what a branch sees: (ancestor, up to which version), itself first."""
    return store.connection().rows(store.queries.lineage, (branch,))


def branches_with(store: Store, keyspace: int | None) -> list[int]:
    """Return the branches that have versions of their own in a keyspace."""
    rows = store.connection().rows(store.queries.keyspace_branches, (keyspace,))
    return [row[0] for row in rows]


def tag_row(store: Store, name: str) -> Row | None:
    """Return a tag: name, branch, version, time, actor, message."""
    return store.connection().row(store.queries.tag, (name,))


def tag_rows(store: Store) -> list[Row]:
    """Return every tag with the digest of its row, by name."""
    return store.connection().rows(store.queries.tags)
