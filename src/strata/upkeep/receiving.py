"""Receiving commits of another store: each keeps its hash, and finds its place by it.

A commit that is here already is not written again. A new one goes behind the commit it names: on
the local branch itself where that ends there (a fast-forward), and else on a branch that follows
the remote, such as `origin/default`, which is merged later. Lines without a name, such as a branch
that was merged and deleted, are kept out of sight: merges need them to find what both sides share.
"""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from strata.base import limits
from strata.store import (
    EVENT,
    NO_HASH,
    NOW,
    Ancestry,
    CommitRow,
    Point,
    Record,
    Screen,
    StagedChange,
    Store,
    commit_rows,
    event_key,
    event_notes,
    find_shared_commit,
    insert_branch,
    require_whole,
    retire_branch,
    show_branch,
    visible_record,
    visible_tip,
)
from strata.upkeep.bundle import damaged_bundle
from strata.upkeep.commit_checks import EventLinks, Seal, check_commit
from strata.upkeep.commit_writing import CommitWriter, change_of_version
from strata.upkeep.packs import PackedCommit
from strata.upkeep.retention import Progress

_REPORTED = 200


class BranchTip(msgspec.Struct, frozen=True):
    """Where a branch of another store ends: its line there, the hash, and the time."""

    line: int
    hash: str
    time: int


class ReceivedBranch(msgspec.Struct, frozen=True):
    """Where a branch of a remote is in this store, and how it came there.

    `outcome` is "forwarded" where the local branch took the commits itself, "created" where there
    was none, "unchanged" where it has all of them, and "diverged" where it is to be merged from
    `follows`.
    """

    name: str
    point: Point
    outcome: str
    follows: str | None = None


class _Line(msgspec.Struct):
    """A line of the sender as far as it was read; `branch` once something is written to it."""

    hash: bytes
    time: int
    point: Point | None
    branch: int | None = None


class _StoredLinks(EventLinks):
    """Links of events as a branch shows them, and those of the commit that is being checked."""

    def __init__(self, store: Store, branch: int) -> None:
        super().__init__()
        self._store = store
        self._branch = branch

    def get(self, space: str, sequence: int) -> tuple[str, bool] | None:
        """Return the link of an event and whether it is hidden; None where there is no event."""
        known = super().get(space, sequence)
        if known is not None or sequence < 1:
            return known
        record = record_on(self._store, self._branch, (space, EVENT, event_key(sequence)))
        return None if record is None else (event_notes(record).hash, bool(record[2] & 1))


def record_on(store: Store, branch: int, address: tuple[str, str, str]) -> Record | None:
    """Return what a branch shows for a key now, inside the transaction that writes it."""
    space, kind, key = address
    keyspace = store.catalog.keyspace(space, kind, store.connection())
    return None if keyspace is None else visible_record(store, Point(branch, NOW), (keyspace, key))


class ReceivedCommits:
    """What one transaction has written so far, from whatever sender: no catalog knows it yet."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.writer = CommitWriter(store)
        self.version = store.last_version()
        self.commits: dict[bytes, Point] = {}
        self.branches: dict[str, int] = {}
        self.following: set[int] = set()
        # The last commit that was written to each branch.
        self.ends: dict[int, bytes] = {}
        self.forwarded: set[str] = set()
        self.created: set[str] = set()
        self.versions = 0

    def find(self, hash_: bytes, time: int) -> Point | None:
        """Return where the store has a commit."""
        return self.commits.get(hash_) or find_shared_commit(self.store, hash_, time)

    def branch(self, name: str) -> int | None:
        """Return the number of the branch in use of a name."""
        made, known = self.branches.get(name), self.store.catalog.known(name)
        return made if made is not None else None if known is None else known.id


def receive_all(
    senders: "Sequence[tuple[Receiver, Iterator[PackedCommit]]]",
    progress: Progress | None = None,
    total: int = 0,
) -> None:
    """Write the commits of several senders that are not here, parents before children.

    Stores at one place leave out what another one has sent there: a commit waits until the one it
    builds on has come from its own sender.
    """
    waiting = deque((receiver, commits, next(commits, None)) for receiver, commits in senders)
    idle = count = 0
    while waiting:
        receiver, commits, head = waiting.popleft()
        has_moved = False
        # Once no sender goes on: what a merge took in may be in no store any more.
        while head is not None and receiver.accept(head, alone=idle > len(waiting)):
            has_moved, idle, count = True, 0, count + 1
            if progress is not None and count % _REPORTED == 0:
                progress("commits", count, max(count, total))
            head = next(commits, None)
        if head is not None:
            idle = 0 if has_moved else idle + 1
            if idle > 2 * len(waiting) + 2:
                raise damaged_bundle(receiver.source, "it lacks commits that others build on")
            waiting.append((receiver, commits, head))


class Receiver:
    """Takes the commits of one sender in, inside a transaction: all of them or none."""

    def __init__(
        self,
        arrivals: ReceivedCommits,
        *,
        source: str,
        remote: str,
        branches: Mapping[str, BranchTip],
        forwards: bool = True,
        screen: Screen | None = None,
    ) -> None:
        self._all = arrivals
        self._store = arrivals.store
        self.source = source
        self._remote = remote
        self._branches = branches
        self._names = {tip.line: name for name, tip in branches.items()}
        self._ends = {tip.line: bytes.fromhex(tip.hash) for tip in branches.values()}
        self._forwards = forwards
        self._screen = screen
        self._lines: dict[int, _Line] = {}
        self._latest = self._store.clock() + limits.REMOTE_AHEAD_S * 1_000_000

    def accept(self, packed: PackedCommit, *, alone: bool = False) -> bool:
        """Write a commit unless it is here; False while the store lacks what it builds on.

        `alone` writes a merge even if what it took in is not here.
        """
        commit, line = packed.commit, self._lines.get(packed.line)
        goes_on = self._goes_on(line, packed)
        if not goes_on:
            found = self._find(commit.hash, commit.timestamp, near=line)
            if found is not None:
                self._lines[packed.line] = _Line(commit.hash, commit.timestamp, found)
                return True
        second = None
        if commit.second_hash is not None and packed.second_time:
            second = self._find(commit.second_hash, packed.second_time)
            if second is None and not alone:
                return False
        if line is None or not goes_on:
            line = self._open(packed, line)
            if line is None:
                return False
            self._lines[packed.line] = line
        self._write(packed, line, second)
        return True

    def _goes_on(self, line: _Line | None, packed: PackedCommit) -> bool:
        """Whether a commit is the next one of the branch that its line is written to.

        Another line may have gone on there meanwhile: then this one parts from it. A line may also
        bring more than its branch had when that was pushed: other branches build on it.
        """
        if line is None or line.branch is None or packed.previous != line.hash:
            return False
        if self._ends.get(packed.line) == packed.previous:
            return False
        return self._all.ends.get(line.branch, line.hash) == packed.previous

    def _write(self, packed: PackedCommit, line: _Line, second: Point | None) -> None:
        """Check a commit against what is before it, and write it."""
        commit, into = packed.commit, self._all
        assert line.branch is not None, "the line was opened"
        if commit.timestamp > self._latest:
            raise damaged_bundle(
                self.source,
                "a commit in it is dated more than a day after this machine's clock; set the "
                "clock that is wrong",
            )
        seal = Seal(_StoredLinks(self._store, line.branch), hash_=line.hash, time=line.time)
        check_commit(self.source, commit, seal)
        self._check_secrets(packed, line.branch)
        known = None if second is None else (second.branch, second.version)
        into.version = into.writer.write(commit, Point(line.branch, into.version), known)
        into.versions += len(commit.versions)
        line.hash, line.time = commit.hash, commit.timestamp
        line.point = into.commits[commit.hash] = Point(line.branch, into.version)
        into.ends[line.branch] = commit.hash

    def _check_secrets(self, packed: PackedCommit, branch: int) -> None:
        if self._screen is None:
            return
        store = self._store
        changes: list[StagedChange] = [change_of_version(one) for one in packed.commit.versions]
        self._screen.check_many(
            changes, lambda space, kind, key: record_on(store, branch, (space, kind, key))
        )

    def _find(self, hash_: bytes, time: int, near: _Line | None = None) -> Point | None:
        """Return where the store has a commit: mostly right behind the one before."""
        if near is not None and near.point is not None and hash_ not in self._all.commits:
            rows = commit_rows(self._store, near.point.branch, after=near.point.version, most=1)
            for row in rows:
                following = CommitRow(*row)
                if following.hash == hash_:
                    return Point(following.branch, following.version)
        return self._all.find(hash_, time)

    def _open(self, packed: PackedCommit, line: _Line | None) -> _Line | None:
        """Choose the branch for the first new commit of a line; None without what is before."""
        start: Point | None = None
        if packed.previous != NO_HASH:
            is_next = line is not None and line.hash == packed.previous
            start = (
                line.point
                if is_next and line is not None
                else self._find(packed.previous, packed.previous_time)
            )
            if start is None:
                return None
        branch = self._branch_for(packed, start)
        return _Line(packed.previous, self._time_of(start), start, branch)

    def _time_of(self, start: Point | None) -> int:
        return 0 if start is None else visible_tip(self._store, start.branch, start.version)[1]

    def _branch_for(self, packed: PackedCommit, start: Point | None) -> int:
        previous = packed.previous
        is_ended = self._ends.get(packed.line) == previous
        name = None if is_ended else self._names.get(packed.line)
        local = None if name is None else self._all.branch(name)
        if name is not None and self._forwards:
            if local is None and not self._was_deleted(name, previous):
                self._all.created.add(name)
                return self._make(name, start)
            if local is not None and self._ends_with(local, previous):
                if name not in self._all.created:
                    self._all.forwarded.add(name)
                return local
        # The same line may come by several ways; it goes on where it is.
        is_known = start is not None and self._ends_with(start.branch, previous)
        if start is not None and is_known and self._follows(start.branch):
            return start.branch
        if name is None:
            return self._make(f"{self._remote}/~{packed.line}", start, hides=True)
        return self._make(self._following(name), start)

    def _follows(self, branch: int) -> bool:
        """Whether a branch holds commits of other stores, and none that users here wrote."""
        if branch in self._all.following:
            return True
        return branch in self._store.catalog.following

    def _was_deleted(self, name: str, hash_: bytes) -> bool:
        """Whether a user deleted the branch here when it ended where the remote goes on."""
        return any(
            row.name == name and row.deleted is not None and self._ends_with(row.id, hash_)
            for row in self._store.catalog.all()
        )

    def _following(self, name: str) -> str:
        """Return the name of the branch that follows one; a user's own branch keeps its name."""
        wanted = f"{self._remote}/{name}"
        while (branch := self._all.branch(wanted)) is not None and not self._follows(branch):
            wanted += "-2"
        return wanted

    def _ends_with(self, branch: int, hash_: bytes) -> bool:
        return visible_tip(self._store, branch, NOW)[2] == hash_

    def _make(self, name: str, start: Point | None, *, hides: bool = False) -> int:
        """Make a branch that starts behind a commit; one that follows a remote says so."""
        if not hides:
            self._free(name)
        if start is not None:
            require_whole(self._store, start)
        is_local = name in self._all.created
        noted = None if is_local else msgspec.json.encode({"remote": self._remote}).decode()
        made = insert_branch(self._store, name, start=start, metadata=noted)
        if not is_local:
            self._all.following.add(made)
        if hides:
            retire_branch(self._store, made, name)
        else:
            self._all.branches[name] = made
        return made

    def finish(self) -> list[ReceivedBranch]:
        """Check that every branch is here to its end; return where each of them is."""
        return [self._arrival(name, tip) for name, tip in self._branches.items()]

    def _arrival(self, name: str, tip: BranchTip) -> ReceivedBranch:
        # Its own packs may end earlier: the rest is in those of the store that wrote it.
        hash_ = bytes.fromhex(tip.hash)
        point = self._find(hash_, tip.time)
        if point is None:
            raise damaged_bundle(self.source, f"it lacks the end of the branch {name!r}")
        local = self._all.branch(name)
        if local is None:
            was_here = any(row.name == name for row in self._store.catalog.all())
            if was_here or not self._forwards:
                return ReceivedBranch(name, point, "unchanged" if was_here else "created")
            self._all.created.add(name)
            self._make(name, point)
            return ReceivedBranch(name, point, "created")
        reach = Ancestry(self._store).reach(Point(local, NOW))
        if reach.get(point.branch, 0) >= point.version:
            return ReceivedBranch(name, point, self._outcome(name))
        return ReceivedBranch(name, point, "diverged", self._named(name, point, hash_))

    def _named(self, name: str, point: Point, hash_: bytes) -> str:
        """Return the branch that shows the end of a remote's branch, and see that there is one."""
        follows = self._following(name)
        at = self._all.branch(follows)
        if at is not None and self._ends_with(at, hash_):
            return follows
        if self._follows(point.branch) and self._ends_with(point.branch, hash_):
            row = next((r for r in self._store.catalog.all() if r.id == point.branch), None)
            if row is not None and row.deleted is None:
                return row.name
            if row is not None:
                self._free(follows)
                show_branch(self._store, point.branch, follows)
                self._all.branches[follows] = point.branch
                return follows
        self._make(follows, point)
        return follows

    def _free(self, name: str) -> None:
        """Put the branch of a name out of sight, so that another one can have it."""
        old = self._all.branch(name)
        if old is not None:
            retire_branch(self._store, old, name)

    def _outcome(self, name: str) -> str:
        if name in self._all.created:
            return "created"
        return "forwarded" if name in self._all.forwarded else "unchanged"
