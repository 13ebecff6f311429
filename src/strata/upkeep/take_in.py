"""Taking a bundle in: every commit is checked as if it came from an enemy."""

from pathlib import Path

import msgspec

from strata.base import limits
from strata.base.errors import AlreadyExists, StrataError
from strata.base.values import decode, digest
from strata.store import (
    BINARY,
    DELETED,
    ERASED,
    NO_HASH,
    TRIMMED,
    Change,
    Header,
    Slot,
    Store,
    check_header,
    check_key,
    check_name,
    commit_hash,
    hash_entry,
    insert_branch,
    write_commit,
)
from strata.upkeep.bundle import (
    BundledCommit,
    BundledVersion,
    BundleInfo,
    BundleReader,
    as_info,
    damaged_bundle,
)
from strata.upkeep.retention import Progress, strip

_FLAGS = DELETED | TRIMMED | ERASED | BINARY


def validate_bundle(path: Path) -> BundleInfo:
    """Read a bundle to its end, checking everything and storing nothing."""
    with BundleReader(path) as bundle:
        seal = (NO_HASH, 0)
        for commit in bundle.commits():
            seal = _check_commit(path, commit, seal)
        _check_head(bundle, seal[0])
        return as_info(bundle.manifest, path)


def import_bundle(
    store: Store, path: Path, *, branch: str | None = None, progress: Progress | None = None
) -> BundleInfo:
    """Take a bundle in as a new branch, all of it or nothing."""
    with BundleReader(path) as bundle, store.database.writing() as connection:
        name = check_name(branch or bundle.manifest.branch, what="branch")
        store.catalog.refresh(connection)
        if store.catalog.known(name) is not None:
            raise AlreadyExists(
                f"There is a branch {name!r} already.",
                hint="Import under another name.",
                branch=name,
            )
        branch_id = insert_branch(store, name)
        seal, version = (NO_HASH, 0), store.last_version()
        for index, commit in enumerate(bundle.commits(), 1):
            seal = _check_commit(path, commit, seal)
            version = _write(store, commit, (branch_id, version))
            if progress is not None and index % 200 == 0:
                progress("commits", index, bundle.manifest.commits)
        _check_head(bundle, seal[0])
        if progress is not None:
            progress("commits", bundle.manifest.commits, bundle.manifest.commits)
        info = as_info(bundle.manifest, path)
    return msgspec.structs.replace(info, branch=name)


def _check_head(bundle: BundleReader, last_hash: bytes) -> None:
    if last_hash.hex() != bundle.manifest.head:
        raise damaged_bundle(bundle.path, "its history does not end where its manifest says")


def _check_commit(path: Path, commit: BundledCommit, seal: tuple[bytes, int]) -> tuple[bytes, int]:
    """Check a commit against the one before; return its hash and time."""
    previous, time = seal
    header = _header(commit)
    try:
        check_header(header)
        entries = [_check_version(path, version) for version in commit.versions]
    except StrataError as error:
        raise damaged_bundle(path, error.message.rstrip(".")) from error
    if not entries or commit.timestamp <= time:
        raise damaged_bundle(path, "its commits are empty or out of order")
    sealed = (previous, commit.timestamp, header, commit.second_hash or NO_HASH)
    if commit_hash(sealed, entries) != commit.hash:
        raise damaged_bundle(path, "a commit in it does not have the hash it states")
    return commit.hash, commit.timestamp


def _header(commit: BundledCommit) -> Header:
    return Header(commit.operation, commit.actor, commit.message, second_hash=commit.second_hash)


def _check_version(path: Path, version: BundledVersion) -> bytes:
    check_key(version.key)
    if version.space:
        check_name(version.space, what="space")
    check_name(version.kind, what="kind")
    if version.flags & ~_FLAGS:
        raise damaged_bundle(path, "a version in it has unknown marks")
    if not version.flags & (TRIMMED | ERASED):
        data = version.data or b""
        if len(data) > limits.VALUE_BYTES_MAX or digest(data, version.meta) != version.digest:
            raise damaged_bundle(path, f"the value of {version.key!r} is not what was exported")
        if not version.flags & (BINARY | DELETED):
            decode(data)
    if version.meta is not None and not isinstance(decode(version.meta), dict):
        raise damaged_bundle(path, f"what is noted about {version.key!r} is malformed")
    return hash_entry((version.space, version.kind, version.key), version.flags, version.digest)


def _write(store: Store, commit: BundledCommit, place: tuple[int, int]) -> int:
    """Write one checked commit behind a version; return its own last version."""
    branch, last = place
    removed = [
        (last + 1 + index, version)
        for index, version in enumerate(commit.versions)
        if version.flags & (TRIMMED | ERASED)
    ]
    slot = Slot(branch, last + 1, commit.timestamp, NO_HASH)
    changes = [_change(version) for version in commit.versions]
    receipt = write_commit(store, slot, changes=changes, header=_header(commit), seal=commit.hash)
    for number, version in removed:
        # Its digest is all that is left of it, so the row takes it over as it is.
        flag = version.flags & (TRIMMED | ERASED)
        strip(store, number, flag=flag, keeps_meta=version.meta is not None)
        store.connection().run(store.queries.set_digest, (version.digest, number))
    return receipt.version


def _change(version: BundledVersion) -> Change:
    tags: tuple[str, ...] = ()
    if version.meta is not None:
        tags = tuple(str(tag) for tag in decode(version.meta).get("tags", ()))
    return Change(
        version.space,
        version.kind,
        version.key,
        version.data or b"",
        version.flags & (DELETED | BINARY),
        version.meta,
        tags=tags,
        attributes=version.attributes,
        links=version.links,
    )
