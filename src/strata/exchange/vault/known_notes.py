"""What is here already of a vault that was imported before."""

from collections.abc import Iterable

import msgspec

from strata.base.errors import StrataError
from strata.documents import DOCUMENT, SPACE, Card, card_of, find_head, text_hash
from strata.exchange.place import view_of
from strata.exchange.vault.manifest import VaultManifest
from strata.exchange.vault.notes import NoteOrigin, origin_of
from strata.exchange.vault.places import Places
from strata.store import GONE
from strata.workspace import Workspace

# How far back the text is looked for that a vault last had.
_VERSIONS_MAX = 1_000


class KnownNote(msgspec.Struct, frozen=True):
    """A document that an import made, and where it was found then."""

    id: str
    card: Card
    origin: NoteOrigin


def known_documents(db: Workspace, only: str | None = None) -> list[KnownNote]:
    """Return the documents that one sees, oldest first, or one of them."""
    visible, snapshot = db.rights.visible(), view_of(db).snapshot
    if only is None:
        records = snapshot.items(SPACE, DOCUMENT)
    else:
        record = snapshot.get(SPACE, DOCUMENT, only)
        records = [] if record is None or record[2] & GONE else [(only, record)]
    cards = [(id_, card_of(record)) for id_, record in records if id_ in visible]
    return [KnownNote(id_, card, origin_of(card.origin)) for id_, card in cards]


def known_notes(documents: Iterable[KnownNote], folder: str, vault: str) -> dict[str, KnownNote]:
    """Return the notes of a vault that were imported into a folder, by their paths."""
    found: dict[str, KnownNote] = {}
    for known in documents:
        origin = known.origin.inside(folder, vault)
        if origin is not None:
            before = found.get(origin.path)
            if before is None or before.card.trashed:
                found[origin.path] = msgspec.structs.replace(known, origin=origin)
    return found


def exported_notes(
    db: Workspace,
    documents: Iterable[KnownNote],
    manifest: VaultManifest,
    *,
    places: Places,
    vault: str,
) -> dict[str, KnownNote]:
    """Return the documents below a folder that were written out to a vault, by their paths."""
    present, found = {known.id: known for known in documents}, dict[str, KnownNote]()
    for path, told in manifest.notes.items():
        known = present.get(told.document)
        if known is None or db.rights.placement(known.id).folder not in places.paths:
            continue
        was = _hash_then(db, known.id, told.version)
        if was is not None:
            found[path] = msgspec.structs.replace(
                known,
                origin=NoteOrigin(
                    folder=places.root.id,
                    vault=vault,
                    path=path,
                    hash=was,
                    bom=known.origin.bom,
                    title=told.title,
                ),
            )
    return found


def _hash_then(db: Workspace, document: str, version: int) -> str | None:
    """Return the hash of a text as it was written out; None for what this branch never had."""
    head = find_head(view_of(db).snapshot, document)
    if head is not None and head.version == version:
        return head.hash
    try:
        return text_hash(db.documents.text(document, version=version).encode())
    except StrataError:
        return None


def version_of(db: Workspace, document: str, wanted: str) -> int | None:
    """Return the newest version whose text has a hash, if any has."""
    for version in db.documents.history(document, limit=_VERSIONS_MAX):
        text = db.documents.text(document, version=version.version)
        if text_hash(text.encode()) == wanted:
            return version.version
    return None
