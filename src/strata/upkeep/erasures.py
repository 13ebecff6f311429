"""What was erased for good: remembered by a digest, so that it never comes back.

The row of an erased version carries an attribute with the digest of what it held, or the id of
the event. It says nothing about the value to a reader, and travels with the commit.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence

import msgspec

from strata.base.digests import digest
from strata.sql import seal_commit
from strata.store import (
    COMPRESSED,
    ERASED,
    EVENT,
    NOW,
    Store,
    branches_with,
    decompress,
    forget_counts,
    version_rows,
)
from strata.upkeep.retention import strip

# The name of the attribute.
PURGED = "purged"
# Their notes hold nothing of the value: an event's type and link, a cell's counter.
KEEP_NOTES = (EVENT, "state")


class ErasedContent(msgspec.Struct, frozen=True, array_like=True, order=True):
    """One value that was erased: where it was, and its digest or the event's id."""

    space: str
    kind: str
    key: str
    content: str


def content_of(kind: str, data: bytes, meta: bytes | None) -> str:
    """Return what an erased value is known by, in whatever store and commit."""
    if kind == EVENT:
        return f"id:{msgspec.json.decode(meta or b'{}').get('id', '')}"
    return digest(data).hex()


def strip_erased(store: Store, number: int, kind: str) -> None:
    """Take a value out of its version for good, and note what it was known by."""
    row = version_rows(store, number, number)[0]
    _number, _time, flags, value, meta, _branch, keyspace, _key, _digest = row
    data = decompress(value) if value is not None and flags & COMPRESSED else value
    strip(store, number, flag=ERASED, keeps_meta=kind in KEEP_NOTES)
    if data is not None or kind == EVENT:
        content = content_of(kind, data or b"", meta)
        note_erased(store, number, keyspace=keyspace, content=content)


def note_erased(store: Store, number: int, *, keyspace: int, content: str) -> None:
    """Note what an erased version was known by."""
    connection = store.connection()
    connection.run(store.queries.insert_purged, (keyspace, PURGED, content, number))
    sealed = connection.row(store.queries.commit_of_version, (number,))
    if sealed is not None:
        seal_commit(connection, *sealed)


def all_erasures(store: Store) -> set[ErasedContent]:
    """Return everything that was erased from a store."""
    connection = store.connection()
    return {
        ErasedContent(space, kind, "" if kind == EVENT else row[0], row[1])
        for keyspace, space, kind in store.catalog.all_keyspaces(connection)
        for row in connection.rows(store.queries.purged_contents, (keyspace, PURGED))
    }


def erasure_of(place: tuple[str, str, str], data: bytes, meta: bytes | None) -> ErasedContent:
    """Return what the erasure of a value would be called; an event has no key of its own."""
    space, kind, key = place
    return ErasedContent(space, kind, "" if kind == EVENT else key, content_of(kind, data, meta))


def versions_erased_by(store: Store, wanted: Iterable[ErasedContent]) -> list[tuple[int, str]]:
    """Return the versions that hold what was erased elsewhere, and their kinds.

    Each version of a key is read once, however many of its values were erased.
    """
    places: dict[tuple[str, str, str], set[str]] = {}
    for one in wanted:
        places.setdefault((one.space, one.kind, one.key), set()).add(one.content)
    return [
        (number, place[1])
        for place, contents in places.items()
        for number in _versions_at(store, place, contents)
        if _holds(store, number, kind=place[1], contents=contents)
    ]


def _versions_at(store: Store, place: tuple[str, str, str], contents: set[str]) -> Iterator[int]:
    """Yield the versions that may hold some contents; an event has no key of its own."""
    space, kind, key = place
    connection, queries = store.connection(), store.queries
    keyspace = store.catalog.keyspace(space, kind, connection)
    if keyspace is None:
        return
    if kind == EVENT:
        for content in sorted(contents):
            values = (keyspace, "id", content.removeprefix("id:"))
            yield from (row[0] for row in connection.rows(queries.versions_by_attribute, values))
        return
    for branch in branches_with(store, keyspace):
        values = (branch, keyspace, key)
        yield from (row[0] for row in connection.rows(queries.versions_of_key, values))


def _holds(store: Store, number: int, *, kind: str, contents: set[str]) -> bool:
    rows = version_rows(store, number, number)
    if not rows or rows[0][2] & ERASED:
        return False
    _number, _time, flags, value, meta = rows[0][:5]
    if value is None:
        return kind == EVENT
    data = decompress(value) if flags & COMPRESSED else value
    return content_of(kind, data, meta) in contents


def erase_versions(
    store: Store,
    found: Sequence[tuple[int, str]],
    *,
    forget: Callable[[Sequence[int]], object],
) -> None:
    """Erase versions inside an open transaction, with what was derived from them."""
    connection = store.connection()
    numbers = [number for number, _kind in found]
    forget(numbers)
    if store.projector is not None:
        store.projector.forget(store, numbers)
    for number, kind in found:
        strip_erased(store, number, kind)
    forget_counts(store, min(numbers, default=NOW))
    connection.run(store.queries.bump_removals)
