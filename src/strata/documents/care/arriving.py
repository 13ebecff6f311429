"""Documents that a bundle brought: versions travel, places and rights do not."""

from strata.access import People, Rights
from strata.documents.log import prove_snapshot
from strata.documents.records import DOCUMENT, SNAPSHOT, SPACE
from strata.store import GONE, TRIMMED, Snapshot, Store


def settle(store: Store, branch: int) -> int:
    """Put the documents of a branch that have no place into the workspace owner's own folder.

    One that has a place keeps it: it is the same document, and as private as before. Returns
    how many were placed.
    """
    _prove(Snapshot(store, "", branch_id=branch))
    values = (branch, SPACE, DOCUMENT)
    rows = store.connection().rows(store.queries.unplaced_documents, values)
    rights = Rights(store, People(store).owner()) if rows else None
    for (document,) in rows:
        assert rights is not None, "there is something to place"
        rights.place(document)
    return len(rows)


def _prove(snapshot: Snapshot) -> None:
    """Read every snapshot through that came along: one that was forged could crash a reader."""
    for document, _version in snapshot.keys(SPACE, SNAPSHOT):
        for record in snapshot.history(SPACE, SNAPSHOT, document):
            if not record[2] & (GONE | TRIMMED):
                prove_snapshot(record)
