"""Importing a bundle: every commit is checked as if it came from an enemy."""

from collections.abc import Callable, Iterable, Iterator
from itertools import count
from pathlib import Path
from typing import Any, cast

import msgspec

from strata.base import limits
from strata.base.digests import digest
from strata.base.errors import AlreadyExists, StrataError
from strata.base.values import decode
from strata.store import (
    BINARY,
    DELETED,
    ERASED,
    EVENT,
    NO_HASH,
    NOW,
    TRIMMED,
    BranchRow,
    CommitRow,
    Header,
    Point,
    Slot,
    StagedChange,
    Store,
    check_header,
    check_key,
    check_name,
    commit_body,
    commit_hash,
    commit_rows,
    event_hash,
    event_key,
    find_shared_commit,
    hash_entry,
    insert_branch,
    require_whole,
    visible_tip,
    write_commit,
)
from strata.upkeep.bundle import (
    BundledCommit,
    BundledVersion,
    BundleImport,
    BundleInfo,
    BundleReader,
    as_info,
    damaged_bundle,
)
from strata.upkeep.retention import Progress, strip

_FLAGS = DELETED | TRIMMED | ERASED | BINARY
# Kinds whose values are bytes, and one that holds bytes or tells where they are.
_BINARY = frozenset({"vector", "text", "snapshot"})
_EITHER = frozenset({"blob"})
_TIME_MAX = 253_402_300_799_999_999  # the end of the year 9999, the last that ISO 8601 spells


def validate_bundle(path: Path) -> BundleInfo:
    """Read a bundle to its end, checking everything and storing nothing."""
    with BundleReader(path) as bundle:
        seal = _Seal()
        for commit in bundle.commits():
            _check_commit(path, commit, seal)
        _check_head(bundle, seal.hash)
        return as_info(bundle.manifest, path)


def import_bundle(
    store: Store,
    path: Path,
    *,
    branch: str | None = None,
    settle: Callable[[int], object] = lambda _branch: None,
    progress: Progress | None = None,
) -> BundleImport:
    """Import a bundle, all of it or nothing.

    Commits that the store has are found by their hash and not written again, so the branch
    shares its past with what is here. `settle` gets the branch's number before the transaction
    ends, for what bundles do not carry.
    """
    with BundleReader(path) as bundle, store.writing():
        own = bundle.manifest.branch
        target = _TargetBranch(store, _names(own) if branch is None else [branch])
        seal = _Seal()
        for index, commit in enumerate(bundle.commits(), 1):
            _check_commit(path, commit, seal)
            target.write(commit)
            if progress is not None and index % 200 == 0:
                progress("commits", index, bundle.manifest.commits)
        _check_head(bundle, seal.hash)
        settle(target.finish())
        if progress is not None:
            progress("commits", bundle.manifest.commits, bundle.manifest.commits)
        info = as_info(bundle.manifest, path)
    note = None
    if branch is None and target.name != own:
        note = f"{own!r} has commits of its own here; merge {target.name!r} into it to join both."
    return BundleImport(
        branch=target.name,
        path=path,
        commits=info.commits,
        versions=info.versions,
        size_bytes=info.size_bytes,
        format=info.format,
        head=info.head,
        outcome=target.outcome,
        new_commits=target.new_commits,
        new_versions=target.new_versions,
        note=note,
    )


def _names(own: str) -> Iterator[str]:
    """Yield the names a branch may get: its own, or that with a number."""
    yield own
    yield from (f"{own}-{number}" for number in count(2))


class _TargetBranch:
    """The branch that the commits of a bundle go to, behind those that the store has."""

    def __init__(self, store: Store, names: Iterable[str]) -> None:
        self._store = store
        self._names = names
        self.name = self.outcome = ""
        self.new_commits = self.new_versions = 0
        # The last commit of the bundle that the store has; the bundle goes on behind it.
        self._shared: Point | None = None
        self._branch: int | None = None
        self._version = store.last_version()
        self._merges: list[tuple[int, bytes]] = []

    def write(self, commit: BundledCommit) -> None:
        """Write a checked commit, unless the store has it."""
        if self._branch is None:
            found = self._find(commit)
            if found is not None:
                self._shared = found
                return
            self._choose(has_more=True)
        assert self._branch is not None, "a branch was chosen"
        self._version = _write(self._store, commit, (self._branch, self._version))
        self.new_commits += 1
        self.new_versions += len(commit.versions)
        if commit.second_hash is not None:
            self._merges.append((self._version, commit.second_hash))

    def finish(self) -> int:
        """Choose the branch if no commit was new; return its number."""
        if self._branch is None:
            self._choose(has_more=False)
        self._name_second_parents()
        assert self._branch is not None, "a branch was chosen"
        return self._branch

    def _find(self, commit: BundledCommit) -> Point | None:
        """Return where the store has a commit: mostly right behind the one before."""
        if self._shared is not None:
            shared = self._shared
            for row in commit_rows(self._store, shared.branch, after=shared.version, most=1):
                following = CommitRow(*row)
                if following.hash == commit.hash:
                    return Point(following.branch, following.version)
        return find_shared_commit(self._store, commit.hash, commit.timestamp)

    def _choose(self, *, has_more: bool) -> None:
        for name in self._names:
            self.name = check_name(name, what="branch")
            row = self._store.catalog.known(name)
            if row is None:
                self.outcome, self._branch = "created", self._make_branch(name)
                return
            if self._ends_here(row) if has_more else self._is_within(row):
                self.outcome = "forwarded" if has_more else "unchanged"
                self._branch = row.id
                return
        raise AlreadyExists(
            f"There is a branch {self.name!r} already, and the bundle does not continue it.",
            hint="Import it under another name and merge that branch.",
            branch=self.name,
        )

    def _make_branch(self, name: str) -> int:
        if self._shared is not None:
            require_whole(self._store, self._shared)
        return insert_branch(self._store, name, start=self._shared)

    def _ends_here(self, row: BranchRow) -> bool:
        """Whether a branch ends with the last commit that the store has of the bundle."""
        version = visible_tip(self._store, row.id, NOW)[0]
        return version == (0 if self._shared is None else self._shared.version)

    def _is_within(self, row: BranchRow) -> bool:
        """Whether a branch has all commits of the bundle."""
        shared = self._shared
        return shared is None or any(
            ancestor == shared.branch and shared.version <= upto
            for ancestor, upto in self._store.lineage(row.id)
        )

    def _name_second_parents(self) -> None:
        """Tell what imported merges took in, where the store has it: merge bases need it."""
        if not self._merges:
            return
        connection, queries = self._store.connection(), self._store.queries
        wanted = msgspec.json.encode(sorted({hash_.hex() for _version, hash_ in self._merges}))
        rows = connection.rows(queries.commits_of_hashes, (wanted.decode(),))
        places = {bytes.fromhex(row[0]): (row[1], row[2]) for row in rows}
        for version, hash_ in self._merges:
            place = places.get(hash_)
            if place is not None and place[1] < version:
                connection.run(queries.set_second_parent, (*place, version))


def _check_head(bundle: BundleReader, last_hash: bytes) -> None:
    if last_hash.hex() != bundle.manifest.head:
        raise damaged_bundle(bundle.path, "its history does not end where its manifest says")


class _Seal:
    """What the commits read so far say about the next one."""

    def __init__(self) -> None:
        self.hash = NO_HASH
        self.time = 0
        # The links of each space's log, in order, and which of its events are hidden.
        self.links: dict[str, list[bytes]] = {}
        self.hidden: set[tuple[str, str]] = set()


def _check_commit(path: Path, commit: BundledCommit, seal: _Seal) -> None:
    """Check a commit by itself and against the ones before."""
    header = _header(commit)
    try:
        check_header(header)
        entries = [_check_version(version, seal) for version in commit.versions]
    except (StrataError, ValueError, KeyError, TypeError) as error:
        reason = error.message.rstrip(".") if isinstance(error, StrataError) else str(error)
        raise damaged_bundle(path, reason or "a version in it is malformed") from error
    if not entries or not seal.time < commit.timestamp <= _TIME_MAX:
        raise damaged_bundle(path, "its commits are empty or out of order")
    body = commit_body(header, commit.second_hash or NO_HASH, entries)
    if commit_hash(seal.hash, commit.timestamp, body) != commit.hash:
        raise damaged_bundle(path, "a commit in it does not have the hash it states")
    seal.hash, seal.time = commit.hash, commit.timestamp


def _header(commit: BundledCommit) -> Header:
    return Header(commit.operation, commit.actor, commit.message, second_hash=commit.second_hash)


def _check_version(version: BundledVersion, seal: _Seal) -> bytes:
    """Check one version; return what its commit's hash covers. Raises ValueError."""
    check_key(version.key)
    check_name(version.kind, what="kind")
    if version.space:
        check_name(version.space, what="space")
    _check_flags(version)
    meta = _notes(version)
    if not version.flags & (TRIMMED | ERASED):
        _check_value(version)
    if version.kind == EVENT and version.flags & DELETED:
        seal.hidden.add((version.space, version.key))
    elif version.kind == EVENT:
        _check_event(version, meta, seal)
    return hash_entry((version.space, version.kind, version.key), version.flags, version.digest)


def _check_flags(version: BundledVersion) -> None:
    removed = version.flags & (TRIMMED | ERASED)
    if version.flags & ~_FLAGS or removed == TRIMMED | ERASED:
        raise ValueError(f"{version.key!r} has marks that do not go together")
    is_empty, is_binary = bool(version.flags & DELETED), bool(version.flags & BINARY)
    fits = version.kind in _EITHER or is_binary == (version.kind in _BINARY and not is_empty)
    if not removed and not fits:
        raise ValueError(f"{version.key!r} is not of the kind it says")


def _notes(version: BundledVersion) -> dict[str, Any]:
    """Return what is noted about a version: an object, its tags a list of texts."""
    meta: Any = decode(version.meta) if version.meta is not None else {}
    if not isinstance(meta, dict):
        raise ValueError(f"what is noted about {version.key!r} is malformed")
    notes = cast("dict[str, Any]", meta)
    if not {*msgspec.convert(notes.get("tags", []), list[str])} <= {*version.tags}:
        raise ValueError(f"{version.key!r} does not carry the tags it says")
    return notes


def _check_value(version: BundledVersion) -> None:
    data = version.data if version.data is not None else b""
    if len(data) > limits.VALUE_BYTES_MAX or digest(data, version.meta) != version.digest:
        raise ValueError(f"the value of {version.key!r} is not what was exported")
    if version.flags & BINARY:
        if not data or (version.kind == "vector" and len(data) % 4):
            raise ValueError(f"the {version.kind} {version.key!r} is malformed")
    elif not version.flags & DELETED:
        decode(data)


def _check_event(version: BundledVersion, meta: dict[str, Any], seal: _Seal) -> None:
    """An event is the next of its log, or one that was hidden and comes back as it was."""
    links = seal.links.setdefault(version.space, [])
    sequence = int(version.key)
    place = (version.space, version.key)
    is_next = sequence == len(links) + 1
    returns = place in seal.hidden and 0 < sequence <= len(links)
    if version.key != event_key(sequence) or not (is_next or returns):
        raise ValueError(f"event {version.key!r} is out of order")
    link, type_, id_ = (str(meta[name]) for name in ("hash", "type", "id"))
    previous = links[sequence - 2].hex() if sequence > 1 else ""
    is_whole = not version.flags & (TRIMMED | ERASED)
    if is_whole and link != event_hash(previous, version.data or b"", type_=type_, id_=id_):
        raise ValueError(f"event {version.key!r} does not continue its chain")
    if is_whole and ("type", type_) not in version.attributes:
        raise ValueError(f"event {version.key!r} is not of the type it says")
    if is_next:
        links.append(bytes.fromhex(link))
    elif links[sequence - 1].hex() != link:
        raise ValueError(f"event {version.key!r} comes back as another one")
    seal.hidden.discard(place)


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


def _change(version: BundledVersion) -> StagedChange:
    return StagedChange(
        version.space,
        version.kind,
        version.key,
        # Of what was erased nothing comes in, whatever a bundle claims to have kept.
        b"" if version.flags & (TRIMMED | ERASED) else version.data or b"",
        version.flags & (DELETED | BINARY),
        version.meta,
        tags=version.tags,
        attributes=version.attributes,
        links=version.links,
    )
