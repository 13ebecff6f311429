"""Verify: walking every hash chain and recomputing what can be recomputed."""

from collections.abc import Iterator

import msgspec

from strata.base.errors import DamagedStore
from strata.base.values import decode, digest
from strata.store import (
    COMPRESSED,
    DELETED,
    ERASED,
    EVENT,
    NO_HASH,
    NOW,
    TRIMMED,
    BranchRow,
    CommitRow,
    Header,
    Store,
    commit_hash,
    decompress,
    event_hash,
    event_key,
    hash_entry,
    visible_tip,
)
from strata.upkeep.retention import Progress

_PAGE = 1000


class Problem(msgspec.Struct, frozen=True):
    """Something that is not as it was written; `version` is 0 where none can be named."""

    kind: str
    message: str
    version: int = 0


class Verification(msgspec.Struct, frozen=True):
    """The result of a full check, and what it covered."""

    ok: bool
    problems: tuple[Problem, ...]
    commits: int
    versions: int
    erased: int
    trimmed: int


class _Version(msgspec.Struct, frozen=True):
    version: int
    timestamp: int
    flags: int
    value: bytes | None
    meta: bytes | None
    branch: int
    shelf: int
    key: str
    digest: bytes


class _Walk:
    """Counts and problems so far."""

    def __init__(self, store: Store, progress: Progress | None) -> None:
        self.store = store
        self.problems: list[Problem] = []
        self.commits = self.versions = self.erased = self.trimmed = 0
        self.total = _count(store, store.queries.count_commits)
        self._progress = progress

    def report(self, kind: str, message: str, version: int = 0) -> None:
        """Note a problem."""
        self.problems.append(Problem(kind, message, version))

    def advance(self) -> None:
        """Count a commit and tell whoever watches."""
        self.commits += 1
        if self._progress is not None and (self.commits % 500 == 0 or self.commits == self.total):
            self._progress("commits", self.commits, self.total)


def verify(store: Store, *, progress: Progress | None = None) -> Verification:
    """Check the file, every commit's hash, every value's digest and every event chain."""
    with store.database.reading():
        walk = _Walk(store, progress)
        try:
            _check_file(walk, progress)
            for branch in store.catalog.all():
                _check_branch(walk, branch)
            _check_totals(walk)
        except DamagedStore as error:
            walk.report("file", error.message)
    return Verification(
        ok=not walk.problems,
        problems=tuple(walk.problems),
        commits=walk.commits,
        versions=walk.versions,
        erased=walk.erased,
        trimmed=walk.trimmed,
    )


def _check_file(walk: _Walk, progress: Progress | None) -> None:
    if progress is not None:
        progress("file", 0, 1)
    for finding in walk.store.connection().integrity_problems():
        walk.report("file", finding)
    if progress is not None:
        progress("file", 1, 1)


def _check_branch(walk: _Walk, branch: BranchRow) -> None:
    store = walk.store
    _check_lineage(walk, branch)
    previous, time = NO_HASH, 0
    if branch.parent is not None:
        _version, time, previous = visible_tip(store, branch.parent, branch.fork_version or 0)
    for commit in _commits(store, branch.id):
        if commit.timestamp <= time:
            walk.report(
                "commit", f"Commit {commit.version} is not later than the one before.",
                commit.version,
            )  # fmt: skip
        _check_commit(walk, commit, previous)
        previous, time = commit.hash, commit.timestamp
        walk.advance()


def _check_lineage(walk: _Walk, branch: BranchRow) -> None:
    """A branch sees itself whole, and of its ancestors what its parent saw at the fork."""
    store = walk.store
    expected = [(branch.id, NOW)]
    if branch.parent is not None:
        bound = branch.fork_version or 0
        expected += [
            (ancestor, min(upto, bound)) for ancestor, upto in store.lineage(branch.parent)
        ]
    if list(store.lineage(branch.id)) != expected:
        walk.report("lineage", f"The ancestors of branch {branch.name!r} are wrong.")


def _commits(store: Store, branch: int) -> Iterator[CommitRow]:
    after = 0
    while True:
        rows = store.connection().rows(
            store.queries.branch_commits_forward, (branch, NOW, after, _PAGE)
        )
        yield from (CommitRow(*row) for row in rows)
        if len(rows) < _PAGE:
            return
        after = rows[-1][0]


def _check_commit(walk: _Walk, commit: CommitRow, previous: bytes) -> None:
    store = walk.store
    rows = store.connection().rows(store.queries.versions_of_commit, (commit.first, commit.version))
    versions = [_Version(*row) for row in rows]
    if len(versions) != commit.version - commit.first + 1:
        walk.report("commit", f"Commit {commit.version} misses versions.", commit.version)
    entries = [_check_version(walk, version, commit) for version in versions]
    header = Header(commit.operation, commit.actor, commit.message)
    seal = (previous, commit.timestamp, header, commit.second_hash or NO_HASH)
    if commit_hash(seal, entries) != commit.hash:
        walk.report(
            "commit",
            f"Commit {commit.version} does not have the hash it was written with.",
            commit.version,
        )


def _check_version(walk: _Walk, version: _Version, commit: CommitRow) -> bytes:
    """Check one version; return what the commit's hash covers of it."""
    walk.versions += 1
    walk.erased += bool(version.flags & ERASED)
    walk.trimmed += bool(version.flags & TRIMMED)
    if version.branch != commit.branch or version.timestamp != commit.timestamp:
        walk.report(
            "version", f"Version {version.version} does not fit its commit.", version.version
        )
    space, kind = walk.store.shelf_name(version.shelf)
    if not version.flags & (ERASED | TRIMMED):
        data = _plain(version)
        if data is None or digest(data, version.meta) != version.digest:
            walk.report(
                "value",
                f"The value of version {version.version} ({space}/{kind}/{version.key}) "
                "is not what was written.",
                version.version,
            )
        elif kind == EVENT and not version.flags & DELETED:
            _check_event(walk, version, space, data=data)
    return hash_entry((space, kind, version.key), version.flags, version.digest)


def _plain(version: _Version) -> bytes | None:
    if version.flags & DELETED:
        return b""
    if version.value is None:
        return None
    try:
        return decompress(version.value) if version.flags & COMPRESSED else version.value
    except ValueError:
        return None


def _check_event(walk: _Walk, version: _Version, space: str, *, data: bytes) -> None:
    store = walk.store
    meta = decode(version.meta or b"{}")
    sequence, previous = int(version.key), ""
    if sequence > 1:
        values = (version.branch, version.shelf, event_key(sequence - 1), version.version)
        row = store.connection().row(store.queries.version_through_lineage, values)
        previous = decode(row[4])["hash"] if row is not None and row[4] else None
        if row is not None and row[2] & DELETED:
            return  # its space was deleted; the commit's own hash still covers this event
    if previous is None or meta.get("hash") != event_hash(previous, meta.get("type", ""), data):
        walk.report(
            "event",
            f"Event {sequence} in space {space!r} does not continue its chain.",
            version.version,
        )


def _check_totals(walk: _Walk) -> None:
    """Every version belongs to exactly one commit."""
    stored = _count(walk.store, walk.store.queries.count_versions)
    if stored != walk.versions:
        walk.report("version", f"{stored} versions are stored, {walk.versions} are in commits.")


def _count(store: Store, statement: str) -> int:
    row = store.connection().row(statement)
    return row[0] if row is not None else 0
