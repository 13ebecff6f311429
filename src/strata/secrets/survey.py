"""Looking for secrets that are in a store already: every version, note and setting."""

from collections.abc import Callable, Iterator
from typing import TypeAlias

import msgspec

from strata.base.results import Result
from strata.secrets.screen import spots_of
from strata.secrets.values import find_in, mask
from strata.sql import Row
from strata.store import (
    BINARY,
    DELETED,
    ERASED,
    TRIMMED,
    StagedChange,
    Store,
    onward,
    own_commits,
    plain,
    setting_rows,
    tag_rows,
)

Progress: TypeAlias = Callable[[str, int, int], object]

_PAGE = 500
_GONE = DELETED | TRIMMED | ERASED


class StoredSecret(Result, frozen=True):
    """A secret in a store: what it is, and where it is; never the secret itself.

    `kind` is that of the value that holds it, or "commit", "branch", "tag" or "setting" for a
    note. Notes are part of history and are not purged.
    """

    secret: str
    place: str
    kind: str
    key: str
    space: str = ""
    branch: str = ""
    version: int = 0

    @property
    def is_value(self) -> bool:
        """Whether it is in a value, which `purge` takes out of the store."""
        is_note = self.kind in ("commit", "branch", "tag", "setting")
        return not is_note and self.place not in ("the key", "the space", "the type")


def find_stored(store: Store, progress: Progress | None = None) -> list[StoredSecret]:
    """Return the secrets on all branches in all history, oldest first, then those in notes."""
    return [*_in_versions(store, progress), *_in_commits(store), *_in_notes(store)]


def _in_versions(store: Store, progress: Progress | None) -> Iterator[StoredSecret]:
    after, last = 0, store.last_version()
    while rows := store.connection().rows(store.queries.all_versions, (after, _PAGE)):
        after = onward(rows[-1][0], after)
        for row in rows:
            yield from _in_version(store, row)
        if progress is not None:
            progress("versions", min(after, last), last)


def _in_version(store: Store, row: Row) -> Iterator[StoredSecret]:
    number, timestamp, flags, value, meta, branch, keyspace, key, *_ = row
    space, kind = store.keyspace_name(keyspace)
    is_kept = not flags & (_GONE | BINARY)
    data = plain((number, timestamp, flags, value, meta)) if is_kept else b"null"
    change = StagedChange(space, kind, key, data, flags & BINARY, meta)
    for spot in spots_of(change):
        name, shown = store.catalog.by_id(branch).name, str(mask(key)[0])
        yield StoredSecret(spot.kind, spot.path, kind, shown, space, name, number)


def _in_commits(store: Store) -> Iterator[StoredSecret]:
    for branch in store.catalog.all():
        for commit in own_commits(store, branch.id):
            for found in find_in({"actor": commit.actor, "message": commit.message}):
                place = (f"version {commit.version}", "", branch.name, commit.version)
                yield StoredSecret(found.kind, found.path, "commit", *place)


def _in_notes(store: Store) -> Iterator[StoredSecret]:
    for branch in store.catalog.all():
        yield from _in_note("branch", branch.name, branch.metadata)
    for row in tag_rows(store):
        yield from _in_note("tag", row[0], {"actor": row[4], "message": row[5]})
    for row in setting_rows(store):
        yield from _in_note("setting", row[0], row[1])


def _in_note(kind: str, name: str, value: object) -> Iterator[StoredSecret]:
    whole = msgspec.to_builtins({"name": name, "value": value})
    for found in find_in(whole):
        place = found.path.removeprefix("$.value").removeprefix("$")
        yield StoredSecret(found.kind, f"${place}", kind, str(mask(name)[0]))
