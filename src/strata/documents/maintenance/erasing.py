"""Erasing a document for good: every text it ever had, and all that was made of it."""

from collections.abc import Callable, Iterator, Sequence

import msgspec

from strata.access import forget_places, missing_document, note
from strata.base.checks import check_text
from strata.documents.files import BlobPlace, Storage
from strata.documents.records import BLOB, FILE, IMAGE, SPACE
from strata.store import BINARY, Record, Store, plain, version_row
from strata.upkeep import Purge, erase


def erase_document(
    store: Store,
    document: str,
    *,
    user: str,
    storage: Callable[[], Storage],
    forget: Callable[[Sequence[int]], object],
    others: Sequence[Callable[[Store, str], None]],
) -> Purge:
    """Erase a document on every branch, and the images that no other document has.

    `user` is written down as who did it, `forget` takes out what search has derived, and
    `others` what packages of higher layers keep about the document. Bytes that lie elsewhere
    go first: once the record is gone they cannot be found.
    """
    check_text(document, name="document")
    blobs = list(_own_blobs(store, document))
    for record in (record for _number, record in blobs if not record[2] & BINARY):
        storage().remove(msgspec.json.decode(plain(record), type=BlobPlace))

    def find() -> list[tuple[int, str]]:
        rows = store.connection().rows(store.queries.versions_of_document, (SPACE, document))
        if not rows:
            raise missing_document(document)
        for forget_document in (forget_places, _forget_requests, *others):
            forget_document(store, document)
        note(store, user, "document.purge", subject=document)
        found = [(number, kind) for number, kind, _key in rows]
        return found + [(number, BLOB) for number, _record in blobs]

    return erase(store, find, forget=forget)


def _own_blobs(store: Store, document: str) -> Iterator[tuple[int, Record]]:
    """Yield the versions of blobs that this document has, and no other one and no folder."""
    connection, queries = store.connection(), store.queries
    users: dict[str, set[str]] = {}
    for kind in (IMAGE, FILE):
        for (key,) in connection.rows(queries.keys_of_kind, (SPACE, kind)):
            owner, image = key.split("/")[:2]
            users.setdefault(image, set()).add(owner)
    for image, owners in users.items():
        if owners == {document}:
            for row in connection.rows(queries.versions_of_document, (SPACE, image)):
                found = version_row(store, row[0])
                assert found is not None, "a version that was just listed is there"
                yield row[0], (found[0], found[1], found[2], found[3], found[4])


def _forget_requests(store: Store, document: str) -> None:
    """Drop what was uploaded for it, and what was answered about it."""
    connection, queries = store.connection(), store.queries
    connection.run(queries.delete_uploads_of_document, (document,))
    connection.run(queries.delete_requests_about, (document,))
