"""Branches: making, forking, deleting, bringing back, and where two of them meet."""

import msgspec

from strata.base import clock, ids, limits
from strata.base.errors import AlreadyExists, BranchNotFound, NotAllowed, TooOld
from strata.base.values import Json, encode
from strata.store.catalog import DEFAULT_BRANCH, BranchRow
from strata.store.commit import visible_tip
from strata.store.record import NOW, check_name
from strata.store.store import Store


class Branch(msgspec.Struct, frozen=True):
    """A line of work. `version` is the newest version that it shows."""

    name: str
    id: int
    status: str
    created_at: int
    updated_at: int
    parent: str | None
    fork_version: int | None
    version: int
    metadata: Json = None

    @property
    def time(self) -> str:
        """The time of the newest commit as ISO 8601."""
        return clock.iso(self.updated_at)


class Point(msgspec.Struct, frozen=True):
    """A state: what a branch showed right after a version."""

    branch: int
    version: int


def describe(store: Store, row: BranchRow) -> Branch:
    """Return the public form of a branch."""
    version, timestamp, _hash = visible_tip(store, row.id, NOW)
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
) -> Branch:
    """Make an empty branch, or one that starts from `source` as of `bound`, or from a point.

    Nothing is copied: a fork is one row and the list of what it sees of its ancestors.
    """
    wanted = check_name(name, what="branch") if name is not None else None
    packed = encode(metadata, what="metadata").decode() if metadata is not None else None
    with store.writing() as connection:
        name = wanted or _free_name(store)
        _refuse_taken(store, name)
        if start is None and source is not None:
            parent = store.catalog.require(source, connection)
            start = Point(parent.id, min(bound, store.last_version()))
        if start is not None:
            require_whole(store, start)
        insert_branch(store, name, start=start, actor=actor, metadata=packed)
    return get(store, name)


def require_whole(store: Store, point: Point) -> None:
    """Raise TooOld where retention has removed something that a state shows."""
    if store.catalog.removals == 0:
        return
    values = (point.branch, point.version)
    row = store.connection().row(store.queries.trimmed_key_at, values)
    if row is not None:
        raise TooOld(
            f"Retention has removed values of that state, {row[0]!r} among them.",
            hint="Choose a later point; tags made in time keep theirs whole.",
            key=row[0],
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
    values = (name, parent, fork_version, store.clock(), actor, metadata)
    row = connection.row(queries.insert_branch, values)
    assert row is not None, "INSERT … RETURNING gave no row"
    connection.run(queries.insert_branch_itself, (row[0],))
    if start is not None:
        values = (row[0], start.branch, start.version)
        connection.run(queries.insert_branch_ancestors, values)
    connection.run(queries.bump_generation)
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
    return [describe(store, row) for row in sorted(rows, key=lambda row: row.name)]


def delete(store: Store, name: str, *, force: bool = False) -> Branch:
    """Hide a branch; refuse `default` and, without `force`, work that is merged nowhere."""
    if name == DEFAULT_BRANCH:
        raise NotAllowed(f"The branch {name!r} cannot be deleted.", hint="Every store has it.")
    with store.writing() as connection:
        row = store.catalog.require(name, connection)
        if not force and has_unmerged_work(store, row.id):
            raise NotAllowed(
                f"The branch {name!r} has work that no other branch has.",
                hint="Merge it first, or delete it with force; it can be restored for "
                f"{limits.BRANCH_KEPT_S // 86400} days.",
                branch=name,
            )
        branch = describe(store, row)
        connection.run(store.queries.delete_branch, (store.clock(), row.id))
        connection.run(store.queries.bump_generation)
    return msgspec.structs.replace(branch, status="deleted")


def restore(store: Store, name: str, *, as_name: str | None = None) -> Branch:
    """Bring the branch of that name back that was deleted last."""
    with store.writing() as connection:
        rows = [row for row in store.catalog.all() if row.name == name and can_return(store, row)]
        if not rows:
            raise BranchNotFound(
                f"No deleted branch is called {name!r}.",
                hint="`strata branch --deleted` lists those that can be restored.",
                branch=name,
            )
        row = max(rows, key=lambda row: row.deleted or 0)
        target = check_name(as_name or name, what="branch")
        _refuse_taken(store, target)
        connection.run(store.queries.restore_branch, (target, row.id))
        connection.run(store.queries.bump_generation)
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
        _refuse_taken(store, new)
        connection.run(store.queries.rename_branch, (new, row.id))
        connection.run(store.queries.bump_generation)
    return get(store, new)


def _refuse_taken(store: Store, name: str) -> None:
    if store.catalog.known(name) is not None:
        raise AlreadyExists(
            f"There is a branch {name!r} already.", hint="Choose another name.", branch=name
        )


def _free_name(store: Store) -> str:
    name = ids.readable_name()
    while store.catalog.known(name) is not None:
        name = ids.readable_name()
    return name


def has_unmerged_work(store: Store, branch: int) -> bool:
    """Whether the branch has commits that no other branch contains."""
    tip = store.connection().row(store.queries.branch_tip, (branch, NOW))
    if tip is None:
        return False
    others = (row for row in store.catalog.all() if row.id != branch and row.deleted is None)
    return all(reach(store, Point(other.id, NOW)).get(branch, 0) < tip[0] for other in others)


def reach(store: Store, point: Point) -> dict[int, int]:
    """Return, for every branch, up to which of its versions a point contains it.

    By forking it contains its ancestors, by merging what was merged into any of them.
    """
    connection = store.connection()
    found: dict[int, int] = {}
    todo = [point]
    while todo:
        current = todo.pop()
        for ancestor, upto in store.lineage(current.branch):
            limit, known = min(upto, current.version), found.get(ancestor, 0)
            if limit <= known:
                continue
            found[ancestor] = limit
            merges = connection.rows(store.queries.branch_merges, (ancestor, limit))
            todo += [Point(row[1], row[2]) for row in merges if row[0] > known]
    return found


def common_base(store: Store, a: Point, b: Point) -> Point:
    """Return the newest state that both points contain; version 0 is the empty one.

    Numbers grow with time over the whole store, and a point that contains another ends
    with a later commit, so the newest common commit is contained in no other common one.
    """
    reach_a, reach_b = reach(store, a), reach(store, b)
    connection = store.connection()
    best = Point(a.branch, 0)
    for branch in reach_a.keys() & reach_b.keys():
        limit = min(reach_a[branch], reach_b[branch])
        tip = connection.row(store.queries.branch_tip, (branch, limit))
        if tip is not None and tip[0] > best.version:
            best = Point(branch, tip[0])
    return best
