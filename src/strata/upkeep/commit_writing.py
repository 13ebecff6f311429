"""Writing a checked commit of another store, with its time and its hash."""

import msgspec

from strata.store import (
    BINARY,
    DELETED,
    ERASED,
    EVENT,
    NO_HASH,
    TRIMMED,
    Point,
    Slot,
    StagedChange,
    Store,
    keyspace_for,
    write_commit,
)
from strata.upkeep.bundle import BundledCommit, BundledVersion
from strata.upkeep.commit_checks import header_of
from strata.upkeep.erasures import KEEP_NOTES, PURGED, all_erasures, erasure_of, note_erased
from strata.upkeep.retention import strip

_REMOVED = TRIMMED | ERASED


class CommitWriter:
    """Writes commits; what was erased here before arrives without its value."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._erased = all_erasures(store)
        # Values that arrived and were left out, because they were erased here.
        self.erased = 0

    def write(
        self, commit: BundledCommit, place: Point, second: tuple[int, int] | None = None
    ) -> int:
        """Write a checked commit to a branch, behind a version; return its own last version."""
        versions = [self._permitted(version) for version in commit.versions]
        slot = Slot(place.branch, place.version + 1, commit.timestamp, NO_HASH)
        header = header_of(commit, second)
        changes = [change_of_version(version) for version in versions]
        receipt = write_commit(self._store, slot, changes=changes, header=header, seal=commit.hash)
        for number, version in enumerate(versions, slot.first):
            if version.flags & _REMOVED:
                self._strip(number, version)
        return receipt.version

    def _permitted(self, version: BundledVersion) -> BundledVersion:
        """Return a version as it may come in: without a value that was erased here."""
        if not self._erased or version.flags & (_REMOVED | DELETED):
            return version
        place = (version.space, version.kind, version.key)
        erasure = erasure_of(place, version.data or b"", version.meta)
        if erasure not in self._erased:
            return version
        self.erased += 1
        keeps = version.kind in KEEP_NOTES
        labels = version.attributes if keeps else ()
        return msgspec.structs.replace(
            version,
            flags=(version.flags & ~BINARY) | ERASED,
            data=None,
            meta=version.meta if keeps else None,
            tags=version.tags if keeps else (),
            attributes=(*labels, (PURGED, erasure.content)),
            links=version.links if keeps else (),
        )

    def _strip(self, number: int, version: BundledVersion) -> None:
        """Mark a version as trimmed or erased; its digest is all that is left of it."""
        store, flag = self._store, version.flags & _REMOVED
        strip(store, number, flag=flag, keeps_meta=version.meta is not None)
        store.connection().run(store.queries.set_digest, (version.digest, number))
        content = dict(version.attributes).get(PURGED)
        if flag == ERASED and content is not None and version.kind != EVENT:
            keyspace = keyspace_for(store, version.space, version.kind)
            note_erased(store, number, keyspace=keyspace, content=content)


def change_of_version(version: BundledVersion) -> StagedChange:
    """Return a version of another store as a change of this one."""
    return StagedChange(
        version.space,
        version.kind,
        version.key,
        # Of what was erased nothing comes in, whatever a bundle claims to have kept.
        b"" if version.flags & _REMOVED else version.data or b"",
        version.flags & (DELETED | BINARY),
        version.meta,
        tags=version.tags,
        attributes=version.attributes,
        links=version.links,
    )
