"""All that a store shows, in one value: two stores with equal pictures answer alike."""

from typing import Any

from strata import Workspace

Picture = dict[str, Any]

EVERYTHING = 10_000


def picture(db: Workspace) -> Picture:
    """Read every branch through the SDK: its log, its values, their history, its events."""
    return {
        "branches": db.branches.list(),
        "deleted": db.branches.list(deleted=True),
        "tags": db.tags.list(),
        "settings": db.settings.list(),
        "retention": db.retention.list(),
        "people": db.users.list(),
        "tokens": db.tokens.list(),
        "documents": {
            document: (role, db.documents.text(document))
            for document, role in sorted(db.rights.visible().items())
        },
        "on": {branch.name: of_branch(db.on(branch.name)) for branch in db.branches.list()},
    }


def of_branch(db: Workspace) -> Picture:
    spaces = db.spaces.list()
    return {
        "log": db.log(limit=EVERYTHING),
        "changes": db.changes(0, limit=EVERYTHING),
        "spaces": {space: of_space(db.space(space)) for space in spaces},
        "memories": db.decisions.recent(limit=EVERYTHING),
        "links": db.decisions.links(),
    }


def of_space(db: Workspace) -> Picture:
    """Values by key with their history; also what is found by tag and by type."""
    return {
        "kv": {key: (found, db.kv.history(key)) for key, found in db.kv.scan()},
        "tagged": db.kv.list(tags=["표"], limit=EVERYTHING),
        "json": {key: (found, db.json.history(key)) for key, found in db.json.scan()},
        "state": {cell: db.state.history(cell) for cell in db.state.list(limit=EVERYTHING)},
        "events": db.events.list(limit=EVERYTHING),
        "notes": db.events.list("note", limit=EVERYTHING),
        "vectors": {
            collection.name: (collection, db.vectors.search(collection.name, [1, 0, 0], limit=50))
            for collection in db.vectors.list()
        },
    }
