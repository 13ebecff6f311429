"""Documents that a bundle brought: versions travel, places and rights do not."""

from strata.access import People, Rights
from strata.documents.records import DOCUMENT, SPACE
from strata.store import Store


def settle(store: Store, branch: int) -> int:
    """Put the documents of a branch that have no place into the workspace owner's own folder.

    One that has a place keeps it: it is the same document, and as private as before. Returns
    how many were placed.
    """
    values = (branch, SPACE, DOCUMENT)
    rows = store.connection().rows(store.queries.unplaced_documents, values)
    rights = Rights(store, People(store).owner()) if rows else None
    for (document,) in rows:
        assert rights is not None, "there is something to place"
        rights.place(document)
    return len(rows)
