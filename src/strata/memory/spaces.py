"""Spaces: separate sets of keys on one branch."""

from strata.base.counts import plural
from strata.base.errors import NotAllowed, SpaceNotFound
from strata.store import (
    DEFAULT_SPACE,
    DELETED,
    EVENT,
    GUARDED,
    Record,
    StagedChange,
    View,
    check_name,
    event_deletion,
    meta_of_deletion,
)

# Spaces that were made before anything was put in them are remembered here.
_SYSTEM = ""
_KIND = "space"


class Spaces:
    """The spaces of a branch; one appears with its first value. Reached as `db.spaces`."""

    def __init__(self, view: View) -> None:
        self._view = view

    def list(self) -> "list[str]":
        """Return the names of all spaces.

        >>> _ = db.space("notes").kv.put("k", 1)
        >>> db.spaces.list()
        ['default', 'notes']
        """
        snapshot = self._view.snapshot
        made = {key for key, _version in snapshot.keys(_SYSTEM, _KIND)}
        used = {space for space, _kind in snapshot.kinds(but=GUARDED) if space != _SYSTEM}
        return sorted({DEFAULT_SPACE} | made | used)

    def exists(self, name: str) -> bool:
        """Tell whether there is a space of that name.

        >>> db.spaces.exists("notes")
        False
        """
        return name in self.list()

    def create(self, name: str) -> None:
        """Make an empty space; one that exists is left as it is.

        >>> db.spaces.create("메모")
        >>> db.spaces.exists("메모")
        True
        """
        check_name(name, what="space")
        if not self.exists(name):
            with self._view.writing("create space") as transaction:
                transaction.stage(StagedChange(_SYSTEM, _KIND, name, b"null"))

    def delete(self, name: str, *, force: bool = False) -> int:
        """Delete a space; one that holds keys needs `force`. Returns the keys deleted.

        History keeps them, and `undo` brings them back with their events; a log goes on
        counting where it was. `default` cannot be deleted.

        >>> _ = db.space("old").kv.put("k", 1)
        >>> db.spaces.delete("old", force=True)
        1
        """
        if name == DEFAULT_SPACE:
            raise NotAllowed(f"The space {name!r} cannot be deleted.", hint="Every branch has it.")
        if not self.exists(name):
            raise SpaceNotFound(
                f"There is no space {name!r}.", hint="`db.spaces.list()` lists them.", space=name
            )
        with self._view.writing("delete space") as transaction:
            # A document is not a key of a space: it has its own package, and rights.
            kinds = [kind for space, kind in transaction.kinds(but=GUARDED) if space == name]
            places = [
                (kind, key, record)
                for kind in kinds
                for key, record in transaction.items(name, kind)
            ]
            if places and not force:
                raise NotAllowed(
                    f"The space {name!r} holds {plural(len(places), 'key')}.",
                    hint="Delete it with force; its history stays readable.",
                    space=name,
                )
            for kind, key, record in places:
                transaction.stage(_deletion(name, kind, key=key, record=record))
            if transaction.get(_SYSTEM, _KIND, name) is not None:
                transaction.stage(StagedChange(_SYSTEM, _KIND, name, flags=DELETED))
        return len(places)


def _deletion(space: str, kind: str, *, key: str, record: Record) -> StagedChange:
    if kind == EVENT:
        return event_deletion(space, key, record)
    return StagedChange(space, kind, key, flags=DELETED, meta=meta_of_deletion(kind, record))
