"""Three-way merge of two states into a branch, and what is built from it.

Merging a branch, reverting a commit and picking one are the same computation with other
points: what changed from `base` to `source` is applied to `target`.

    merge         base = where the branches parted   source = the other branch
    revert        base = after the commit            source = before it
    cherry-pick   base = before the commit           source = after it
"""

from collections.abc import Callable
from typing import Literal, TypeAlias

import msgspec

from strata.base.errors import InvalidArgument, MergeConflict
from strata.base.values import Json, decode
from strata.store.branch import Point, common_base, reach
from strata.store.chain import EVENT, event_change, has_event, last_event, origin_of
from strata.store.commit import Header, visible_tip
from strata.store.diff import Change as Shown
from strata.store.diff import Pair, as_change, is_present, pairs, same_content, shown_value
from strata.store.history import CommitRow, short_hash
from strata.store.json_merge import MISSING, FieldConflict, Missing, Part, Side, merge_values
from strata.store.record import (
    BINARY,
    COMPRESSED,
    DELETED,
    NOW,
    Address,
    Change,
    Record,
    meta_of,
    meta_of_deletion,
    plain,
)
from strata.store.snapshot import Snapshot
from strata.store.store import Store
from strata.store.transaction import Transaction

Strategy: TypeAlias = Literal["strict", "source_wins", "target_wins", "newest"]
STRATEGIES = ("strict", "source_wins", "target_wins", "newest")


class ConflictEntry(msgspec.Struct, frozen=True):
    """A place that both sides changed since `base`; `path` is "$" for a whole value."""

    space: str
    kind: str
    key: str
    path: str
    base: Json
    source: Json
    target: Json


class Merge(msgspec.Struct, frozen=True):
    """What a merge did, or with `preview` would do. `commit` is None when nothing was due."""

    source: str
    target: str
    strategy: str
    applied: int
    conflicts: tuple[ConflictEntry, ...]
    changes: tuple[Shown, ...]
    commit: int | None
    preview: bool
    base: int


class Task(msgspec.Struct, frozen=True):
    """One three-way merge to do."""

    name: str
    base: Point
    source: Point
    strategy: Strategy
    header: Header
    only: frozenset[Address] | None = None
    takes_events: bool = True


class _Plan:
    """The changes and conflicts found so far."""

    def __init__(self, target: Transaction) -> None:
        self.target = target
        self.changes: list[Change] = []
        self.shown: list[Shown] = []
        self.conflicts: list[ConflictEntry] = []
        self.events: list[Pair] = []


def merge_branch(
    store: Store, source: str, *, target: str, strategy: Strategy, preview: bool,
    actor: str | None, message: str | None,
) -> Merge:  # fmt: skip
    """Merge a branch into another; strict conflicts raise unless it is a preview."""
    if source == target:
        raise InvalidArgument(
            f"The branch {source!r} cannot be merged into itself.", parameter="source"
        )

    def task(transaction: Transaction) -> Task:
        row = store.catalog.require(source, store.connection())
        tip = visible_tip(store, row.id, NOW)[0]
        base = common_base(store, Point(row.id, NOW), Point(transaction.branch_id, NOW))
        header = Header("merge", actor, message or f"merge {source}", (row.id, tip))
        return Task(source, base, Point(row.id, tip), strategy, header)

    return _run(store, target, task, preview=preview)


def apply_commit(
    store: Store, commit: CommitRow, *, onto: str, operation: Literal["revert", "undo", "pick"],
    strategy: Strategy, actor: str | None, message: str | None, preview: bool = False,
) -> Merge:  # fmt: skip
    """Take one commit back, or take it over, as a new commit on a branch."""
    after = Point(commit.branch, commit.version)
    before = Point(commit.branch, commit.first - 1)
    picks = operation == "pick"
    # By its hash, which is the same in every store that the branch may be carried to.
    note = message or f"{operation} version {commit.version}"
    header = Header(f"{operation} {short_hash(commit)}", actor, note)

    def task(_transaction: Transaction) -> Task:
        rows = store.connection().rows(
            store.queries.versions_of_commit, (commit.first, commit.version)
        )
        only = frozenset((*store.shelf_name(row[6]), str(row[7])) for row in rows)
        base, source = (before, after) if picks else (after, before)
        # Events are append-only: taking a commit back leaves them where they are.
        name = f"version {commit.version}"
        return Task(name, base, source, strategy, header, only, takes_events=picks)

    return _run(store, onto, task, preview=preview)


def _run(
    store: Store, target: str, make_task: Callable[[Transaction], Task], *, preview: bool
) -> Merge:
    """Plan under the write lock, so that what was compared is what is written."""
    if preview:
        with store.database.reading():
            transaction = Transaction(Snapshot(store, target), Header("merge"), locked=False)
            task = make_task(transaction)
            plan = _plan(store, transaction, task)
            return _result(task, target, plan, commit=None, preview=True)
    with Transaction(Snapshot(store, target), Header("merge"), locked=True) as transaction:
        task = make_task(transaction)
        plan = _plan(store, transaction, task)
        if plan.conflicts and task.strategy == "strict":
            raise _conflict_error(task.name, target, plan.conflicts)
        if not plan.changes and not _adds_history(store, transaction, task):
            transaction.rollback()
            return _result(task, target, plan, commit=None, preview=False)
        for change in plan.changes:
            transaction.stage(change)
        transaction.header = task.header
        receipt = transaction.commit(always=True)
        assert receipt is not None, "a merge that is due makes a commit"
        return _result(task, target, plan, commit=receipt.version, preview=False)


def _adds_history(store: Store, transaction: Transaction, task: Task) -> bool:
    """Whether a merge without changes still brings commits that the target lacks."""
    if task.header.second is None:
        return False
    branch, version = task.header.second
    known = reach(store, Point(transaction.branch_id, NOW))
    wanted = reach(store, Point(branch, version))
    connection = store.connection()
    return any(
        tip[0] > known.get(at, 0)
        for at, upto in wanted.items()
        if (tip := connection.row(store.queries.branch_tip, (at, upto)))
    )


def _result(task: Task, target: str, plan: _Plan, *, commit: int | None, preview: bool) -> Merge:
    return Merge(
        source=task.name,
        target=target,
        strategy=task.strategy,
        applied=len(plan.changes),
        conflicts=tuple(plan.conflicts),
        changes=tuple(plan.shown),
        commit=commit,
        preview=preview,
        base=task.base.version,
    )


def _plan(store: Store, transaction: Transaction, task: Task) -> _Plan:
    _check_strategy(task.strategy)
    plan = _Plan(transaction)
    target = Point(transaction.branch_id, NOW)
    theirs = pairs(store, task.base, task.source)
    ours = {pair.address: pair for pair in pairs(store, task.base, target)}
    for pair in theirs:
        if task.only is not None and pair.address not in task.only:
            continue
        if pair.address[1] == EVENT:
            plan.events.append(pair)
            continue
        _plan_key(store, plan, (pair, ours.get(pair.address)), strategy=task.strategy)
    if task.takes_events:
        _plan_events(store, transaction, plan)
    return plan


def _plan_key(
    store: Store, plan: _Plan, sides: tuple[Pair, Pair | None], *, strategy: Strategy
) -> None:
    """Decide one key that the source changed."""
    theirs, ours = sides
    if ours is None:
        _take(store, plan, theirs)
        return
    if _agree(theirs.after, ours.after):
        return
    prefer = _preferred(strategy, theirs.after, ours.after)
    mergeable = _is_json(theirs.after) and _is_json(ours.after)
    if mergeable:
        _merge_json(store, plan, (theirs, ours), prefer=prefer)
        return
    _note(plan, theirs.address, [_whole(theirs, ours)])
    if prefer == "source":
        _take(store, plan, Pair(theirs.address, ours.after, theirs.after))


def _agree(a: Record | None, b: Record | None) -> bool:
    """Whether two states show the same for a key: nothing, or the same content."""
    if a is None or b is None or not is_present(a) or not is_present(b):
        return not is_present(a) and not is_present(b)
    return same_content(a, b)


def _preferred(strategy: Strategy, theirs: Record | None, ours: Record | None) -> Side:
    if strategy == "newest":
        newer = (theirs[1] if theirs else 0) > (ours[1] if ours else 0)
        return "source" if newer else "target"
    return "source" if strategy == "source_wins" else "target"


def _is_json(record: Record | None) -> bool:
    return record is not None and is_present(record) and not record[2] & BINARY


def _merge_json(store: Store, plan: _Plan, sides: tuple[Pair, Pair], *, prefer: Side) -> None:
    """Merge two present JSON values field by field."""
    theirs, ours = sides
    source, target = theirs.after, ours.after
    assert source is not None and target is not None
    merged, conflicts = merge_values(
        _part(theirs.before), _part(source), _part(target), prefer=prefer
    )
    _note(plan, theirs.address, conflicts)
    assert not isinstance(merged, Missing), "two present values merge to a value"
    data, meta = msgspec.json.encode(merged), _merged_meta(theirs, ours, prefer)
    if data == plain(target) and meta == target[4]:
        return
    kept = source if prefer == "source" else target
    change = _carried(store, theirs.address, kept)
    plan.changes.append(
        msgspec.structs.replace(change, data=data, meta=meta, flags=0, tags=_tags(meta))
    )
    plan.shown.append(Shown(*theirs.address, "modified", shown_value(target), merged, source[0]))


def _merged_meta(theirs: Pair, ours: Pair, prefer: Side) -> bytes | None:
    """Merge what the kind keeps beside the value; a cell's counter moves past both."""
    assert theirs.after is not None and ours.after is not None
    source, target = meta_of(theirs.after), meta_of(ours.after)
    base = meta_of(theirs.before) if theirs.before is not None else {}
    merged, _conflicts = merge_values(base, source, target, prefer=prefer)
    assert isinstance(merged, dict)
    if "counter" in source and "counter" in target:
        merged["counter"] = max(source["counter"], target["counter"]) + 1
    if "tags" in source or "tags" in target:
        merged["tags"] = list[Json](
            _merged_tags(base.get("tags", []), source.get("tags", []), target.get("tags", []))
        )
    return msgspec.json.encode(merged) if merged else None


def _merged_tags(base: list[str], source: list[str], target: list[str]) -> list[str]:
    """Tags are a set: what either side added is there, what either side took is not."""
    kept = [tag for tag in target if tag in source or tag not in base]
    return kept + [tag for tag in source if tag not in target and tag not in base]


def _tags(meta: bytes | None) -> tuple[str, ...]:
    return tuple(decode(meta).get("tags", ())) if meta else ()


def _part(record: Record | None) -> Part:
    if record is None or not is_present(record):
        return MISSING
    return decode(plain(record))


def _whole(theirs: Pair, ours: Pair) -> FieldConflict:
    return FieldConflict(
        "$", shown_value(theirs.before), shown_value(theirs.after), shown_value(ours.after)
    )


def _note(plan: _Plan, address: Address, conflicts: list[FieldConflict]) -> None:
    for entry in conflicts:
        parts = (entry.base, entry.source, entry.target)
        shown = [None if isinstance(part, Missing) else part for part in parts]
        plan.conflicts.append(ConflictEntry(*address, entry.path, *shown))


def _take(store: Store, plan: _Plan, pair: Pair) -> None:
    """Apply the source's version of a key as it is; `before` is what the target shows."""
    address, before, after = pair.address, pair.before, pair.after
    if not is_present(before) and not is_present(after):
        return
    if after is None or not is_present(after):
        meta = meta_of_deletion(address[1], plan.target.get(*address))
        plan.changes.append(Change(*address, flags=DELETED, meta=meta))
    else:
        change = _carried(store, address, after)
        plan.changes.append(_counted_up(change, plan.target.get(*address), after))
    plan.shown.append(as_change(pair))


def _counted_up(change: Change, before: Record | None, after: Record) -> Change:
    """Let a cell's counter grow, also when an old value comes back."""
    meta, known = meta_of(after), meta_of(before) if before is not None else {}
    if "counter" not in meta or meta["counter"] > known.get("counter", 0):
        return change
    counted = msgspec.json.encode(meta | {"counter": known["counter"] + 1})
    return msgspec.structs.replace(change, meta=counted)


def _carried(store: Store, address: Address, record: Record) -> Change:
    """Return a change that writes a version again, with all that was declared about it."""
    connection = store.connection()
    number = record[0]
    attributes = connection.rows(store.queries.attributes_of_version, (number,))
    links = connection.rows(store.queries.links_of_version, (number,))
    return Change(
        *address,
        data=plain(record),
        flags=record[2] & ~COMPRESSED,
        meta=record[4],
        tags=_tags(record[4]) if address[1] != EVENT else (),
        attributes=tuple((row[0], row[1]) for row in attributes),
        links=tuple((row[0], row[1]) for row in links),
    )


def _plan_events(store: Store, transaction: Transaction, plan: _Plan) -> None:
    """Append the source's new events behind the target's, their origin kept."""
    tails: dict[str, tuple[int, str]] = {}
    for pair in plan.events:
        space, _kind, key = pair.address
        if not is_present(pair.after) or pair.after is None:
            continue
        branch = store.catalog.by_id(_branch_of(store, pair.after[0])).name
        origin = origin_of(pair.after, branch=branch, sequence=int(key))
        if has_event(transaction, space, origin):
            continue  # it came from here in the first place, or by another way
        sequence, previous = tails.get(space) or last_event(transaction, space)
        meta = meta_of(pair.after)
        change = event_change(
            space, plain(pair.after), type_=meta["type"], sequence=sequence + 1,
            previous=previous, origin=origin,
        )  # fmt: skip
        tails[space] = (sequence + 1, decode(change.meta or b"{}")["hash"])
        plan.changes.append(change)
        plan.shown.append(
            Shown(space, EVENT, change.key, "added", None, shown_value(pair.after), pair.after[0])
        )


def _branch_of(store: Store, version: int) -> int:
    row = store.connection().row(store.queries.version_number, (version,))
    return row[5] if row is not None else 0


def _conflict_error(source: str, target: str, conflicts: list[ConflictEntry]) -> MergeConflict:
    places = [f"{entry.space}/{entry.key}" for entry in conflicts]
    more = "…" if len(places) > 5 else ""
    return MergeConflict(
        f"{source} and {target!r} both changed {len(places)} "
        f"place{'s' if len(places) > 1 else ''}: {', '.join(places[:5])}{more}.",
        hint="Nothing was changed. Choose a strategy: source_wins, target_wins or newest; "
        "a preview shows the values.",
        conflicts=conflicts,
    )


def _check_strategy(strategy: str) -> None:
    if strategy not in STRATEGIES:
        raise InvalidArgument(
            f"{strategy!r} is not a merge strategy.",
            hint=f"Use {', '.join(STRATEGIES)}.",
            parameter="strategy",
        )
