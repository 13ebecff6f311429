"""Importing a bundle: every commit is checked as if it came from an enemy."""

from collections.abc import Callable, Iterable, Iterator
from itertools import count
from pathlib import Path

import msgspec

from strata.base.errors import AlreadyExists
from strata.store import (
    NOW,
    BranchRow,
    CommitRow,
    Point,
    Store,
    check_name,
    commit_rows,
    find_shared_commit,
    insert_branch,
    require_whole,
    visible_tip,
)
from strata.upkeep.bundle import (
    BundledCommit,
    BundleImport,
    BundleInfo,
    BundleReader,
    as_info,
    damaged_bundle,
)
from strata.upkeep.commit_checks import EventLinks, Seal, check_commit
from strata.upkeep.commit_writing import CommitWriter
from strata.upkeep.retention import Progress


def validate_bundle(path: Path) -> BundleInfo:
    """Read a bundle to its end, checking everything and storing nothing."""
    with BundleReader(path) as bundle:
        seal = Seal(EventLinks())
        for commit in bundle.commits():
            check_commit(path, commit, seal)
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
        seal = Seal(EventLinks())
        for index, commit in enumerate(bundle.commits(), 1):
            check_commit(path, commit, seal)
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
        self._writer = CommitWriter(store)

    def write(self, commit: BundledCommit) -> None:
        """Write a checked commit, unless the store has it."""
        if self._branch is None:
            found = self._find(commit)
            if found is not None:
                self._shared = found
                return
            self._choose(has_more=True)
        assert self._branch is not None, "a branch was chosen"
        place = Point(self._branch, self._version)
        self._version = self._writer.write(commit, place)
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
