"""Purge: erasing a value for good, from every version, index and free page."""

from collections.abc import Callable, Iterable, Sequence

from strata.base.errors import NotAllowed, NotFound
from strata.base.results import Result
from strata.store import (
    ERASED,
    EVENT,
    GONE,
    GUARDED,
    Record,
    Snapshot,
    Store,
    branches_with,
    event_notes,
)
from strata.upkeep.erasures import erase_versions


class Purge(Result, frozen=True):
    """What was erased. `is_complete` is False while a reader keeps old pages of the log."""

    keys: int
    versions: int
    is_complete: bool


def purge(
    snapshot: Snapshot,
    key: str,
    *,
    space: str,
    kind: str | None = None,
    version: int | None = None,
    forget: Callable[[Sequence[int]], object] = lambda _versions: None,
) -> Purge:
    """Erase all values a key ever held, or one of them, on every branch.

    `forget` takes out what is derived from them, inside the transaction, while the values
    are still there.

    An event is erased wherever it was merged to: its number is its own on each branch, so it
    is the one that the snapshot shows under that number. The rows stay with their digests,
    so that the hash chain still proves everything else.
    """
    store = snapshot.store
    if kind in GUARDED:
        raise NotAllowed(
            "What a document has held cannot be purged key by key: its texts build on each other.",
            hint="`db.purge_document(DOCUMENT)` erases a document with all that belongs to it.",
        )

    def find() -> list[tuple[int, str]]:
        found = [
            (number, at_kind)
            for keyspace, at_kind in _keyspaces(store, space, kind)
            for number in _versions(snapshot, (keyspace, space, at_kind), key)
            if version is None or number == version
        ]
        if not found:
            raise NotFound(
                f"There is nothing to purge under {key!r} in space {space!r}.",
                hint="Check the key, the space and the kind.",
                key=key,
            )
        return found

    return erase(store, find, forget=forget)


def erase(
    store: Store,
    find: Callable[[], Iterable[tuple[int, str]]],
    *,
    forget: Callable[[Sequence[int]], object] = lambda _versions: None,
) -> Purge:
    """Erase versions for good; `find` names them and their kinds, inside the transaction."""
    with store.writing() as connection:
        connection.overwrite_deleted()
        found = list(find())
        erase_versions(store, found, forget=forget)
    is_complete = _rewrite(store)
    return Purge(len({at_kind for _number, at_kind in found}), len(found), is_complete)


def _keyspaces(store: Store, space: str, kind: str | None) -> list[tuple[int, str]]:
    return [
        (keyspace, at_kind)
        for keyspace, at_space, at_kind in store.catalog.all_keyspaces(store.connection())
        if at_space == space and kind in (None, at_kind) and at_kind not in GUARDED
    ]


def _versions(snapshot: Snapshot, place: tuple[int, str, str], key: str) -> list[int]:
    """Return the versions of a key that still have their value, on every branch."""
    keyspace, space, kind = place
    if kind == EVENT:
        return _copies(snapshot, keyspace, snapshot.get(space, EVENT, key))
    store = snapshot.store
    return [
        row[0]
        for branch in branches_with(store, keyspace)
        for row in store.connection().rows(store.queries.versions_of_key, (branch, keyspace, key))
        if not row[2] & ERASED
    ]


def _copies(snapshot: Snapshot, keyspace: int, event: Record | None) -> list[int]:
    """Return the versions of one event: where it was written, and where it was merged to."""
    if event is None or event[2] & GONE:
        return []
    store, connection = snapshot.store, snapshot.store.connection()
    values = (keyspace, "id", event_notes(event).id)
    return [row[0] for row in connection.rows(store.queries.versions_by_attribute, values)]


def _rewrite(store: Store) -> bool:
    """Remove what the values have left outside of rows; tell whether all of it is gone."""
    is_complete = store.database.rewrite()
    # Until this is synced, a power failure could bring an old log back.
    store.sync()
    return is_complete
