"""What is here already of a vault that was imported before."""

import msgspec

from strata.documents import DOCUMENT, SPACE, Card, card_of, text_hash
from strata.exchange.place import view_of
from strata.exchange.vault.notes import Origin, origin_of
from strata.workspace import Workspace

# How far back the text is looked for that a vault last had.
_VERSIONS_MAX = 1_000


class Known(msgspec.Struct, frozen=True):
    """A document that an import made, and where it was found then."""

    id: str
    card: Card
    origin: Origin


def known_documents(db: Workspace) -> list[Known]:
    """Return the documents that one sees, oldest first."""
    visible = db.rights.visible()
    records = view_of(db).snapshot.items(SPACE, DOCUMENT)
    cards = [(id_, card_of(record)) for id_, record in records if id_ in visible]
    return [Known(id_, card, origin_of(card.origin)) for id_, card in cards]


def known_notes(db: Workspace, folder: str, vault: str) -> dict[str, Known]:
    """Return the notes of a vault that were imported into a folder, by their paths."""
    found: dict[str, Known] = {}
    for known in known_documents(db):
        origin = known.origin.inside(folder, vault)
        if origin is not None:
            before = found.get(origin.path)
            if before is None or before.card.trashed:
                found[origin.path] = msgspec.structs.replace(known, origin=origin)
    return found


def version_of(db: Workspace, document: str, wanted: str) -> int | None:
    """Return the newest version whose text has a hash, if any has."""
    for version in db.documents.history(document, limit=_VERSIONS_MAX):
        text = db.documents.text(document, version=version.version)
        if text_hash(text.encode()) == wanted:
            return version.version
    return None
