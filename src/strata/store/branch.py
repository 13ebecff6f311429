"""Branches: making, forking, deleting, bringing back, and where two of them meet."""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import msgspec

from strata.base import ids, limits
from strata.base.errors import AlreadyExists, BranchNotFound, NotAllowed, TooOld
from strata.base.results import TimedResult
from strata.base.values import Json, decode, encode
from strata.sql import Read, bump_generation
from strata.store.catalog import DEFAULT_BRANCH, BranchRow, row_digest
from strata.store.commit import Tips, visible_tip
from strata.store.record import NOW, check_name
from strata.store.rows import tip_row
from strata.store.store import Store
from strata.store.visibility import WHOLE, Visibility

# Branches whose names begin so hold what agents propose: no process links or prunes there.
PROPOSALS = "proposals/"


class Branch(TimedResult, frozen=True):
    """A line of work. `version` is the newest version that it shows."""

    TIME = "updated_at"

    name: str
    id: int
    status: str
    created_at: int
    updated_at: int
    parent: str | None
    fork_version: int | None
    version: int
    metadata: Any = None


class Point(msgspec.Struct, frozen=True):
    """A state: what a branch showed right after a version."""

    branch: int
    version: int


def describe(store: Store, row: BranchRow, tip: Sequence[int] | None = None) -> Branch:
    """Return the public form of a branch, whose tip (version, time) may be known already."""
    version, timestamp = (tip or visible_tip(store, row.id, NOW))[:2]
    parent = store.catalog.by_id(row.parent).name if row.parent is not None else None
    return Branch(
        name=row.name,
        id=row.id,
        status="active" if row.deleted is None else "deleted",
        created_at=row.created,
        updated_at=max(timestamp, row.created),
        parent=parent,
        fork_version=row.fork_version,
        version=version,
        metadata=row.metadata,
    )


def create(
    store: Store,
    name: str | None = None,
    *,
    source: str | None = None,
    bound: int = NOW,
    start: Point | None = None,
    metadata: Json = None,
    actor: str | None = None,
    visibility: Visibility = WHOLE,
) -> Branch:
    """Make an empty branch, or one that starts from `source` as of `bound`, or from a point.

    Nothing is copied: a fork is one row and the list of what it sees of its ancestors.
    """
    wanted = check_name(name, what="branch") if name is not None else None
    packed = encode(metadata, what="metadata").decode() if metadata is not None else None
    if source is not None and start is None and store.database.forks_at_once:
        made = _append(store, wanted, (source, bound), actor=actor, metadata=packed)
        if made is not None:
            return made
    with store.writing() as connection:
        name = wanted or _free_name(store)
        _refuse_existing(store, name)
        if start is None and source is not None:
            parent = store.catalog.readable(source, connection)
            start = Point(parent.id, min(bound, store.last_version()))
        if start is not None:
            require_whole(store, start, visibility=visibility)
        insert_branch(store, name, start=start, actor=actor, metadata=packed)
    return get(store, name)


def _append(
    store: Store,
    wanted: str | None,
    origin: tuple[str, int],
    *,
    actor: str | None,
    metadata: str | None,
) -> Branch | None:
    """Fork a branch by one statement, if nothing has moved since this thread last looked.

    None means that the caller must take the lock and look again.
    """
    connection, catalog = store.connection(), store.catalog
    state, tips, generation = connection.state(), connection.memo, catalog.generation
    parent = catalog.known(origin[0])
    is_known = isinstance(tips, Tips) and tips.state == state == connection.seen
    if parent is None or not is_known or connection.in_transaction or catalog.removals:
        return None
    assert isinstance(tips, Tips)
    name = wanted or _free_name(store)
    if catalog.known(name) is not None:
        return None
    number, fork_version = catalog.last_number() + 1, min(origin[1], tips.version)
    values = (name, parent.id, fork_version, store.clock(), None, actor, metadata)
    guards = (generation, tips.version)
    with connection.together([(store.queries.visible_tip, (number, NOW))]):
        sealed = (number, *values, row_digest(*values), *guards)
        if store.database.write_alone(store.queries.append_branch, sealed) is None:
            return None
        tip = visible_tip(store, number, NOW)
    row = BranchRow(number, *values[:6], metadata=decode(metadata) if metadata else None)
    is_last = connection.state() == state + 1
    if is_last and catalog.add(row, generation, store.lineage(parent.id)):
        connection.seen = connection.state()
        connection.memo = Tips(connection.state(), tips.version, {number: tip[1:]})
        return describe(store, row, tip[:2])
    return get(store, name)


def bear(store: Store, name: str, *, bound: int = NOW) -> None:
    """Make a branch that was unborn, before its first write; another process may have done so."""
    unborn = store.catalog.unborn[name]
    try:
        if unborn.renames:
            rename(store, unborn.parent, name)
        else:
            parent = store.catalog.readable(name, store.connection()).name
            create(store, name, source=parent, bound=bound, metadata=unborn.metadata)
    except AlreadyExists:
        return
    except BranchNotFound:
        # The branch that was to be renamed is gone.
        store.catalog.unborn[name] = msgspec.structs.replace(unborn, renames=False)
        bear(store, name, bound=bound)


def require_whole(store: Store, point: Point, *, visibility: Visibility = WHOLE) -> None:
    """Raise TooOld where retention has removed something that a state shows to the user."""
    if store.catalog.removals == 0:
        return
    values = (point.branch, point.version)
    for keyspace, key in store.connection().rows(store.queries.trimmed_keys_at, values):
        if visibility.shows((*store.keyspace_name(keyspace), key)):
            raise TooOld(
                f"Retention has removed values of that state, {key!r} among them.",
                hint="Choose a later point; tags made in time keep theirs whole.",
                key=key,
            )


def insert_branch(
    store: Store,
    name: str,
    *,
    start: Point | None = None,
    actor: str | None = None,
    metadata: str | None = None,
) -> int:
    """Write the rows of a branch inside an open transaction; return its number."""
    connection, queries = store.connection(), store.queries
    parent, fork_version = (start.branch, start.version) if start else (None, None)
    values = (name, parent, fork_version, store.clock(), None, actor, metadata)
    row = connection.row(queries.insert_branch, (*values, row_digest(*values)))
    assert row is not None, "INSERT … RETURNING gave no row"
    connection.run(queries.insert_branch_itself, (row[0],))
    if start is not None:
        values = (row[0], start.branch, start.version)
        connection.run(queries.insert_branch_ancestors, values)
    bump_generation(connection)
    return row[0]


def get(store: Store, name: str) -> Branch:
    """Return a branch or raise BranchNotFound."""
    connection = store.connection()
    return describe(store, store.catalog.require(name, connection))


def listing(store: Store, *, deleted: bool = False) -> list[Branch]:
    """Return the branches in use, or those that can still be brought back."""
    connection = store.connection()
    store.catalog.find(DEFAULT_BRANCH, connection)
    wanted = can_return if deleted else _is_active
    rows = [row for row in store.catalog.all() if wanted(store, row)]
    tips = {row[0]: row[1:] for row in connection.rows(store.queries.branch_tips)}
    return [
        describe(store, row, tips.get(row.id)) for row in sorted(rows, key=lambda row: row.name)
    ]


def names_of_branches(store: Store) -> list[str]:
    """Return the names of the branches in use, in order."""
    store.catalog.find(DEFAULT_BRANCH, store.connection())
    return sorted(row.name for row in store.catalog.active())


def delete(
    store: Store, name: str, *, has_work: Callable[[int], bool], force: bool = False
) -> Branch:
    """Hide a branch; refuse `default` and, without `force`, work that is merged nowhere.

    `has_work` tells whether a branch has such work, as far as the user sees it.
    """
    if name == DEFAULT_BRANCH:
        raise NotAllowed(f"The branch {name!r} cannot be deleted.", hint="Every store has it.")
    with store.writing() as connection:
        row = store.catalog.require(name, connection)
        if not force and has_work(row.id):
            raise NotAllowed(
                f"The branch {name!r} has work that no other branch has.",
                hint="Merge it first, or delete it with force; it can be restored for "
                f"{limits.BRANCH_KEPT_S // 86400} days.",
                branch=name,
            )
        branch = describe(store, row)
        _update(store, row.id, name=name, deleted=store.clock())
    return msgspec.structs.replace(branch, status="deleted")


def retire_branch(store: Store, branch: int, name: str) -> None:
    """Put a branch out of sight inside an open transaction; what it holds stays."""
    _update(store, branch, name=name, deleted=store.clock())


def show_branch(store: Store, branch: int, name: str) -> None:
    """Show a branch that was out of sight under a name, inside an open transaction."""
    _update(store, branch, name=name, deleted=None)


def restore(store: Store, name: str, *, as_name: str | None = None) -> Branch:
    """Bring the branch of that name back that was deleted last."""
    with store.writing():
        rows = [row for row in store.catalog.all() if row.name == name and can_return(store, row)]
        if not rows:
            raise BranchNotFound(
                f"No deleted branch is called {name!r}.",
                hint="`db.branches.list(deleted=True)` lists those that can be restored.",
                branch=name,
            )
        row = max(rows, key=lambda row: row.deleted or 0)
        target = check_name(as_name or name, what="branch")
        _refuse_existing(store, target)
        _update(store, row.id, name=target, deleted=None)
    return get(store, target)


def _is_active(_store: Store, row: BranchRow) -> bool:
    return row.deleted is None


def can_return(store: Store, row: BranchRow) -> bool:
    """Whether a branch is deleted, but not for so long that its values may be gone."""
    return row.deleted is not None and row.deleted > expiry(store)


def expiry(store: Store) -> int:
    """Return the time before which a deleted branch cannot be brought back."""
    return store.clock() - limits.BRANCH_KEPT_S * 1_000_000


def rename(store: Store, old: str, new: str) -> Branch:
    """Give a branch another name; `default` keeps its own."""
    if old == DEFAULT_BRANCH:
        raise NotAllowed(f"The branch {old!r} cannot be renamed.", hint="Fork it instead.")
    check_name(new, what="branch")
    with store.writing() as connection:
        row = store.catalog.require(old, connection)
        _refuse_existing(store, new)
        _update(store, row.id, name=new, deleted=None)
    return get(store, new)


def _update(store: Store, branch: int, *, name: str, deleted: int | None) -> None:
    """Change the row of a branch; one that was damaged before does not become right by it."""
    connection, queries = store.connection(), store.queries
    row = connection.row(queries.branch, (branch,))
    assert row is not None, "the catalog knows the branch"
    *old, sealed = row
    new = (name, *old[1:4], deleted, *old[5:])
    kept = row_digest(*new) if row_digest(*old) == sealed else sealed
    connection.run(queries.update_branch, (name, deleted, kept, branch))
    bump_generation(connection)


def _refuse_existing(store: Store, name: str) -> None:
    if store.catalog.known(name) is not None:
        raise AlreadyExists(
            f"There is a branch {name!r} already.", hint="Choose another name.", branch=name
        )


def _free_name(store: Store) -> str:
    name = ids.readable_name()
    while store.catalog.known(name) is not None:
        name = ids.readable_name()
    return name


def has_unmerged_work(store: Store, branch: int, *, upto: int = NOW) -> bool:
    """Whether the branch has commits up to a version that no other branch contains."""
    tip = tip_row(store, branch, upto)
    if tip is None:
        return False
    ancestry = Ancestry(store)
    others = (row for row in store.catalog.all() if row.id != branch and row.deleted is None)
    return all(ancestry.reach(Point(other.id, NOW)).get(branch, 0) < tip[0] for other in others)


def common_base(store: Store, a: Point, b: Point) -> Point:
    """Return the newest state that both points contain; version 0 is the empty one."""
    return Ancestry(store).common((a,), b)[-1]


class Ancestry:
    """What contains what: by forking its ancestors, by merging what was merged into any.

    It remembers what it has read, so it lasts no longer than one question under one lock.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lineages: dict[int, tuple[tuple[int, int], ...]] = {}
        self._merges: dict[int, list[tuple[int, Point]]] = {}
        self._reaches: dict[Point, dict[int, int]] = {}
        self._tips: dict[Point, Point | None] = {}

    def foresee(self, points: Sequence[Point]) -> None:
        """Let what `common` will read of points travel together."""
        self._store.connection().foresee(self._reads(points))

    def _reads(self, points: Sequence[Point]) -> Iterator[Read]:
        queries = self._store.queries
        seen = [
            {at: min(upto, point.version) for at, upto in self._lineage(point.branch)}
            for point in points
        ]
        for branch in {at: None for one in seen for at in one}:
            if branch not in self._merges:
                yield queries.branch_merges, (branch,)
        for branch, upto in seen[0].items() if seen else ():
            if all(branch in one for one in seen):
                yield queries.branch_tip, (branch, min(upto, *(one[branch] for one in seen)))

    def reach(self, point: Point) -> dict[int, int]:
        """Return, for every branch, up to which of its versions a point contains it."""
        found = self._reaches.get(point)
        if found is None:
            found = self._reaches[point] = self._walk(point)
        return found

    def _walk(self, point: Point) -> dict[int, int]:
        found: dict[int, int] = {}
        todo = [point]
        while todo:
            current = todo.pop()
            for ancestor, upto in self._lineage(current.branch):
                limit, known = min(upto, current.version), found.get(ancestor, 0)
                if limit > known:
                    found[ancestor] = limit
                    todo += self._merged(ancestor, after=known, upto=limit)
            self._store.connection().foresee(self._merges_of(todo))
        return found

    def _merges_of(self, points: Iterable[Point]) -> Iterator[Read]:
        branches = {at for point in points for at, _upto in self._lineage(point.branch)}
        for branch in branches - self._merges.keys():
            yield self._store.queries.branch_merges, (branch,)

    def _lineage(self, branch: int) -> tuple[tuple[int, int], ...]:
        found = self._lineages.get(branch)
        if found is None:
            found = self._lineages[branch] = self._store.lineage(branch)
        return found

    def _merged(self, branch: int, *, after: int, upto: int) -> list[Point]:
        """Return the points that were merged into a branch in (after, upto], oldest first."""
        found = self._merges.get(branch)
        if found is None:
            statement = self._store.queries.branch_merges
            rows = self._store.connection().rows(statement, (branch,))
            found = self._merges[branch] = [(row[0], Point(row[1], row[2])) for row in rows]
        first, last = (bisect_right(found, bound, key=_version) for bound in (after, upto))
        return [point for _version, point in found[first:last]]

    def common(self, joined: Sequence[Point], other: Point) -> tuple[Point, ...]:
        """Return the states that two sides share and that no other such state contains.

        The first side is everything that its points contain. They come oldest first;
        without any in common it is the empty state alone. Numbers grow with time over the
        whole store, so no state contains a newer one.
        """
        mine, theirs = self._joined(joined), self.reach(other)
        shared = sorted(self._shared(mine, theirs), key=lambda point: -point.version)
        best: list[Point] = []
        for point in shared:
            if not any(self.reach(newer).get(point.branch, 0) >= point.version for newer in best):
                best.append(point)
        return tuple(reversed(best)) or (Point(other.branch, 0),)

    def _joined(self, points: Sequence[Point]) -> dict[int, int]:
        found: dict[int, int] = {}
        for point in points:
            for branch, upto in self.reach(point).items():
                found[branch] = max(upto, found.get(branch, 0))
        return found

    def _shared(self, a: dict[int, int], b: dict[int, int]) -> Iterator[Point]:
        """Yield the newest commit of each branch that both contain."""
        shared = [Point(branch, min(a[branch], b[branch])) for branch in a.keys() & b.keys()]
        self._store.connection().foresee(
            (self._store.queries.branch_tip, (point.branch, point.version))
            for point in shared
            if point not in self._tips
        )
        for point in shared:
            tip = self._tip(point)
            if tip is not None:
                yield tip

    def _tip(self, point: Point) -> Point | None:
        """Return the newest commit that a branch itself wrote up to a point."""
        if point not in self._tips:
            row = tip_row(self._store, point.branch, point.version)
            self._tips[point] = Point(point.branch, row[0]) if row is not None else None
        return self._tips[point]


def _version(merge: tuple[int, Point]) -> int:
    return merge[0]
