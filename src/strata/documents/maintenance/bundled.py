"""Documents that a bundle brought: versions travel, places and rights do not."""

from strata.access import FULL, Permissions, owner_of
from strata.documents.log import prove_snapshot
from strata.documents.records import DOCUMENT, SNAPSHOT, SPACE
from strata.store import GONE, TRIMMED, Store, version_row


def settle(store: Store, branch: int) -> int:
    """Put the documents of a branch that have no place into the workspace owner's own folder.

    One that has a place keeps it: it is the same document, and as private as before. Returns
    how many were placed.
    """
    _prove(store, branch)
    values = (branch, SPACE, DOCUMENT)
    rows = store.connection().rows(store.queries.unplaced_documents, values)
    rights = Permissions(store, owner_of(store), FULL) if rows else None
    for (document,) in rows:
        assert rights is not None, "there is something to place"
        rights.place(document)
    return len(rows)


def _prove(store: Store, branch: int) -> None:
    """Read every snapshot through that came along: one that was forged could crash a reader."""
    connection, queries = store.connection(), store.queries
    # By its number: until the transaction ends the branch is not known.
    keyspace = store.catalog.keyspace(SPACE, SNAPSHOT, connection) or 0
    for version, _key, flags, _meta in connection.rows(queries.chain_rows, (branch, keyspace)):
        row = version_row(store, version)
        if row is not None and not flags & (GONE | TRIMMED):
            prove_snapshot((row[0], row[1], row[2], row[3], row[4]))
