"""Three-way merge of two states into a branch, and what is built from it.

Merging a branch, reverting a commit and picking one are the same computation with other
points: what changed from `base` to `source` is applied to `target`.

    merge         base = where the branches parted   source = the other branch
    revert        base = after the commit            source = before it
    cherry-pick   base = before the commit           source = after it
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

import msgspec

from strata.base.errors import Conflict, ConflictEntry, InvalidArgument, MergeConflict, StrataError
from strata.base.results import Result
from strata.sql import Read
from strata.store.branch import Ancestry, Point
from strata.store.chain import EVENT, event_deletion
from strata.store.commit import Header, visible_tip
from strata.store.diff import Change as Shown
from strata.store.diff import Pair, differ, is_present
from strata.store.history import CommitRow, has_visible_between, short_hash, short_hash_of, touched
from strata.store.history import is_visible as is_commit_visible
from strata.store.merging.choices import Choices, NamedChoices, shortened
from strata.store.merging.collections import keep_together
from strata.store.merging.events import plan_events
from strata.store.merging.keys import plan_key, sides_of
from strata.store.merging.plan import (
    FiledEdit,
    LaterChange,
    MergeTask,
    Plan,
    Strategy,
    apply_source,
)
from strata.store.record import NOW, Address, Record
from strata.store.snapshot import Snapshot
from strata.store.store import Joiner, Store
from strata.store.transaction import MARK, Transaction
from strata.store.visibility import WHOLE, Visibility

STRATEGIES = ("strict", "source_wins", "target_wins", "newest")


class Merge(Result, frozen=True):
    """What a merge did, or with `preview` would do. `commit` is None when nothing was due.

    `conflicts` are the places that both sides changed, with what was chosen for them. `filed` are
    the edits of documents that both sides made to the same words: the target's words stay, and the
    source's wait as suggestions. `settled` are those that a choice decided. `left_out` are
    documents of which edits, titles, comments or suggestions were left out, because their authors
    may not make them any more and neither may who merges. `undone_by` are the commits that took
    back an earlier merge of the same branch: what that had brought is left out, and comes back when
    they are reverted. Where commits are taken back, `kept` tells for each conflict who changed the
    place since, and `events_kept` how many events stay, because a log says what happened.
    """

    source: str
    target: str
    strategy: str
    applied: int
    conflicts: tuple[ConflictEntry, ...]
    changes: tuple[Shown, ...]
    commit: int | None
    preview: bool
    base: int
    filed: tuple[FiledEdit, ...] = ()
    left_out: tuple[str, ...] = ()
    undone_by: tuple[int, ...] = ()
    settled: tuple[FiledEdit, ...] = ()
    kept: tuple[LaterChange, ...] = ()
    events_kept: int = 0

    @property
    def undecided(self) -> tuple[ConflictEntry, ...]:
        """The conflicts that neither a choice nor a strategy decides."""
        if self.strategy != "strict":
            return ()
        return tuple(entry for entry in self.conflicts if entry.choice is None)

    @property
    def note(self) -> str | None:
        """What the merge leaves out because it was undone before, and how to get it; or None."""
        if not self.undone_by:
            return None
        versions = ", ".join(str(version) for version in self.undone_by)
        return (
            f"An earlier merge of {self.source!r} was undone here (version {versions}), so what it "
            f"had brought is left out; revert version {versions} to bring it back."
        )


def merge_branch(
    store: Store,
    source: str,
    *,
    target: str,
    strategy: Strategy,
    preview: bool,
    actor: str | None,
    message: str | None,
    choices: NamedChoices,
    visibility: Visibility = WHOLE,
    adds_history: bool = True,
    at: Point | None = None,
) -> Merge:
    """Merge a branch into another; strict conflicts without a choice raise, except in a preview.

    Without `adds_history` a merge that changes nothing makes no commit, unless it decided
    conflicts: stores that take from each other would answer every merge with one more. `at` is the
    state to merge, if it is not the branch as it is now.

    All of the branch is merged, for a part of it could not be merged later; the answer tells
    what the user sees. Where both sides changed what the user does not see, the target's stays.
    """
    if source == target:
        raise InvalidArgument(
            f"The branch {source!r} cannot be merged into itself.",
            hint="Name the branch that takes it in (`into`), or switch to that one first.",
            parameter="source",
        )

    ancestry = Ancestry(store)

    def task(transaction: Transaction) -> MergeTask:
        branch = at.branch if at else store.catalog.require(source, store.connection()).id
        theirs, ours = at or Point(branch, NOW), Point(transaction.branch_id, NOW)
        tip, _time, hash_ = visible_tip(store, branch, theirs.version)
        note = message or f"merge {source}"
        return MergeTask(
            source,
            ancestry,
            ancestry.common((theirs,), ours),
            Point(branch, tip),
            strategy,
            Header("merge", actor, note, (branch, tip), hash_),
            visibility=visibility,
            choices=choices,
            undone_by=_undoings_of(store, ancestry, (theirs, ours), visibility=visibility),
            adds_history=adds_history,
        )

    known = [store.catalog.known(name) for name in (source, target)]
    points = [Point(row.id, NOW) for row in known if row is not None]
    if not store.connection().in_transaction:
        ancestry.foresee(points)
        store.connection().foresee(_reads_of_task(store, points))
    return _run(store, target, task, preview=preview, visibility=visibility)


def would_change(store: Store, source: Point, *, into: Point, erased: Collection[int] = ()) -> bool:
    """Tell whether merging a state into another one would change it, or meet a conflict.

    Both may have been written by the transaction that asks. Versions that are about to be `erased`
    count as nothing.
    """
    ancestry = Ancestry(store)
    theirs, ours = (
        Snapshot(store, "", point.version, branch_id=point.branch) for point in (source, into)
    )
    with store.database.reading():
        transaction = Transaction(ours, Header("merge"), locked=False)
        task = MergeTask(
            "merge",
            ancestry,
            ancestry.common((source,), into),
            source,
            "strict",
            Header("merge"),
            undone_by=_undoings_of(store, ancestry, (source, into), visibility=WHOLE),
        )
        plan = _plan(store, transaction, task, visibility=WHOLE)
        places = {*plan.changes, *((one.space, one.kind, one.key) for one in plan.conflicts)}
        sides = ((theirs.get(*place), ours.get(*place)) for place in places)
        return any(not _is_gone(records, erased) for records in sides)


def _is_gone(records: Iterable[Record | None], erased: Collection[int]) -> bool:
    """Tell whether states show nothing for a key but what is about to be erased."""
    shown = [record[0] for record in records if record is not None and is_present(record)]
    return bool(shown) and all(number in erased for number in shown)


def _reads_of_task(store: Store, points: Sequence[Point]) -> Iterator[Read]:
    """Yield what is read of both branches of a merge first."""
    for point in points:
        yield store.queries.visible_tip, (point.branch, NOW)
    for place in store.lineage(points[-1].branch) if points else ():
        yield store.queries.branch_undoings, place


def _undoings_of(
    store: Store, ancestry: Ancestry, sides: tuple[Point, Point], *, visibility: Visibility
) -> tuple[int, ...]:
    """Return the commits by which a branch took back merges of another one, oldest first."""
    theirs, ours = sides
    lineage, connection = store.lineage(ours.branch), store.connection()
    undoings = [
        CommitRow(*row)
        for place in lineage
        for row in connection.rows(store.queries.branch_undoings, place)
    ]
    if not undoings:
        return ()
    brought = ancestry.reach(theirs)
    merges = {
        short_hash_of(row[3])
        for ancestor, upto in lineage
        for row in connection.rows(store.queries.branch_merges, (ancestor,))
        if row[0] <= upto and brought.get(row[1], 0) >= row[2]
    }
    return tuple(
        row.version
        for row in reversed(_in_force(undoings))
        if merges.intersection(row.operation.split(" ")[1:])
        and is_commit_visible(store, row, visibility)
    )


def _in_force(undoings: list[CommitRow]) -> list[CommitRow]:
    """Return those, newest first, that were not taken back themselves."""
    taken_back: set[str] = set()
    kept: list[CommitRow] = []
    for row in undoings:
        if short_hash(row) not in taken_back:
            taken_back.update(row.operation.split(" ")[1:])
            kept.append(row)
    return kept


def pick_commit(
    store: Store,
    commit: CommitRow,
    *,
    onto: str,
    strategy: Strategy,
    actor: str | None,
    message: str | None,
    visibility: Visibility = WHOLE,
) -> Merge:
    """Take a commit over, as a new commit on a branch; what the user may not see is left out."""
    name = f"version {commit.version}"
    # By its hash, which is the same in every store that the branch may be carried to.
    header = Header(f"pick {short_hash(commit)}", actor, message or f"pick {name}")

    def task(_transaction: Transaction) -> MergeTask:
        return MergeTask(
            name,
            Ancestry(store),
            (Point(commit.branch, commit.first - 1),),
            Point(commit.branch, commit.version),
            strategy,
            header,
            frozenset(visibility.writable(frozenset(touched(store, commit)))),
        )

    return _run(store, onto, task, preview=False, visibility=visibility)


def accept_changes(
    store: Store,
    source: str,
    only: frozenset[Address],
    *,
    upto: int,
    target: str,
    strategy: Strategy,
    actor: str | None,
    message: str | None,
    visibility: Visibility = WHOLE,
) -> Merge:
    """Take single changes over from a branch as of a version, as one new commit on another.

    They are compared with where the branches parted, as in a merge. But the commit is no merge: the
    other changes of the branch can be taken later.
    """

    def task(transaction: Transaction) -> MergeTask:
        row = store.catalog.require(source, store.connection())
        ancestry, theirs = Ancestry(store), Point(row.id, NOW)
        return MergeTask(
            source,
            ancestry,
            ancestry.common((theirs,), Point(transaction.branch_id, NOW)),
            Point(row.id, min(upto, visible_tip(store, row.id, NOW)[0])),
            strategy,
            Header("accept", actor, message),
            frozenset(visibility.writable(only)),
        )

    return _run(store, target, task, preview=False, visibility=visibility)


def drop_changes(
    store: Store,
    source: str,
    only: frozenset[Address],
    *,
    upto: int,
    target: str,
    operation: str,
    actor: str | None,
    message: str | None,
) -> int | None:
    """Give keys of a branch back what they held where it parted from another.

    So the branch changes them no longer. Those it has written after the version `upto` stay as
    they are. Events are hidden: a log keeps its order. Returns the commit; None where nothing was
    to be done.
    """
    with Transaction(
        Snapshot(store, source), Header(operation, actor, message), locked=True
    ) as transaction:
        other = store.catalog.require(target, store.connection())
        ours = Point(transaction.branch_id, NOW)
        base = Ancestry(store).common((ours,), Point(other.id, NOW))[-1]
        before = Snapshot(store, "", base.version, branch_id=base.branch)
        plan = Plan(transaction, "source_wins", Choices({}, WHOLE))
        for address in sorted(only):
            space, kind, key = address
            now = transaction.get(*address)
            if now is not None and now[0] > upto:
                continue
            if kind == EVENT and now is not None and is_present(now):
                plan.add(event_deletion(space, key, now), None)
            elif kind != EVENT and differ(now, then := before.get(*address)):
                apply_source(store, plan, Pair(address, now, then))
        for change in plan.changes.values():
            transaction.stage(change)
        receipt = transaction.commit() if plan.changes else None
        return None if receipt is None else receipt.version


def _run(
    store: Store,
    target: str,
    make_task: Callable[[Transaction], MergeTask],
    *,
    preview: bool,
    visibility: Visibility,
) -> Merge:
    """Plan under the write lock, so that what was compared is what is written."""
    if preview:
        with store.database.reading():
            transaction = Transaction(Snapshot(store, target), Header("merge"), locked=False)
            task = make_task(transaction)
            plan = _plan(store, transaction, task, visibility=visibility)
            return visible_part(_result(task, target, plan, commit=None, preview=True), visibility)
    with Transaction(Snapshot(store, target), Header("merge"), locked=True) as transaction:
        task = make_task(transaction)
        plan = _plan(store, transaction, task, visibility=visibility)
        open_ = [
            entry
            for entry in plan.conflicts
            if entry.choice is None and is_visible(entry, visibility)
        ]
        if open_ and task.strategy == "strict":
            raise conflict_error(task, target, open_)
        is_due = task.adds_history or bool(plan.conflicts)
        if not plan.changes and not (is_due and _adds_history(store, transaction, task)):
            transaction.rollback()
            return visible_part(_result(task, target, plan, commit=None, preview=False), visibility)
        for change in plan.changes.values():
            transaction.stage(change)
        told = (*plan.shown.values(), *plan.filed)
        is_shown = visibility is WHOLE or any(is_visible(one, visibility) for one in told)
        seen = None if is_shown or not is_due else visibility
        if seen is not None and _adds_history(store, transaction, task, visibility=seen):
            # To the user it is a merge without changes, and has to look like one.
            transaction.stage(MARK)
            is_shown = True
        transaction.header = task.header
        receipt = transaction.commit(always=True)
        assert receipt is not None, "a merge that is due makes a commit"
        commit = receipt.version if is_shown else None
        return visible_part(_result(task, target, plan, commit=commit, preview=False), visibility)


def is_visible(entry: ConflictEntry | FiledEdit | Shown, visibility: Visibility) -> bool:
    """Tell whether the user sees the place of an entry."""
    return visibility.shows((entry.space, entry.kind, entry.key))


def visible_part(done: Merge, visibility: Visibility) -> Merge:
    """Return what the user sees of a merge."""
    if visibility is WHOLE:
        return done
    changes = tuple(change for change in done.changes if is_visible(change, visibility))
    conflicts = tuple(entry for entry in done.conflicts if is_visible(entry, visibility))
    filed, settled = (
        tuple(one for one in found if is_visible(one, visibility))
        for found in (done.filed, done.settled)
    )
    return msgspec.structs.replace(
        done,
        applied=len(changes),
        changes=changes,
        conflicts=conflicts,
        filed=filed,
        settled=settled,
    )


def _adds_history(
    store: Store, transaction: Transaction, task: MergeTask, *, visibility: Visibility = WHOLE
) -> bool:
    """Whether a merge without changes still brings commits that the target lacks."""
    if task.header.second is None:
        return False
    branch, version = task.header.second
    known = task.ancestry.reach(Point(transaction.branch_id, NOW))
    wanted = task.ancestry.reach(Point(branch, version))
    return any(
        has_visible_between(store, at, (known.get(at, 0), upto), visibility=visibility)
        for at, upto in wanted.items()
    )


def _result(
    task: MergeTask, target: str, plan: Plan, *, commit: int | None, preview: bool
) -> Merge:
    return Merge(
        source=task.name,
        target=target,
        strategy=task.strategy,
        applied=len(plan.shown),
        conflicts=tuple(plan.conflicts),
        changes=tuple(plan.shown.values()),
        commit=commit,
        preview=preview,
        base=task.bases[-1].version,
        filed=tuple(msgspec.structs.replace(one, suggestion=None) for one in plan.filed)
        if preview
        else tuple(plan.filed),
        left_out=tuple(dict.fromkeys(at[2] for at in plan.left_out if task.visibility.shows(at))),
        undone_by=task.undone_by,
        settled=tuple(plan.settled),
    )


def _plan(
    store: Store, transaction: Transaction, task: MergeTask, *, visibility: Visibility
) -> Plan:
    check_strategy(task.strategy)
    plan = Plan(transaction, task.strategy, Choices(task.choices, visibility))
    theirs, ours = sides_of(store, task, Point(transaction.branch_id, transaction.bound))
    wanted = [pair for address, pair in theirs.items() if task.only is None or address in task.only]
    joiner = store.joiner
    joined = frozenset[str]() if joiner is None else joiner.kinds
    single = [pair for pair in wanted if pair.address[1] not in (EVENT, *joined)]
    plan.expect((pair, ours.get(pair.address)) for pair in single)
    for pair in single:
        found = pair
        if joiner is not None and pair.address[1] in joiner.shows:
            found = joiner.permitted(plan, task, pair)
        if found is not None:
            plan_key(store, plan, (found, ours.get(pair.address)))
    events = [pair for pair in wanted if pair.address[1] == EVENT]
    plan_events(store, plan, task, pairs=events)
    keep_together(store, plan, task)
    texts = [pair for pair in wanted if pair.address[1] in joined]
    if joiner is not None:
        join_texts(joiner, plan, task, pairs=texts, visibility=visibility)
    found = [entry for entry in plan.conflicts if is_visible(entry, visibility)]
    passages = [one for one in (*plan.filed, *plan.settled) if is_visible(one, visibility)]
    plan.choices.check((one.id or "", one.key) for one in (*found, *passages))
    return plan


def join_texts(
    joiner: Joiner, plan: Plan, task: MergeTask, *, pairs: list[Pair], visibility: Visibility
) -> None:
    """Let a kind's own merger plan its records; conflicts name only records the user can see."""
    joiner.join(plan, task, [pair for pair in pairs if visibility.shows(pair.address)])
    try:
        joiner.join(plan, task, [pair for pair in pairs if not visibility.shows(pair.address)])
    except StrataError as error:
        raise Conflict(
            f"{task.name} cannot be merged here.",
            hint="Nothing was changed. The owner of the workspace can see why: "
            "`db.branches.merge(NAME)`.",
        ) from error


def conflict_error(task: MergeTask, target: str, conflicts: list[ConflictEntry]) -> MergeConflict:
    """Return the error for conflicts that a strict strategy leaves open."""
    places = [f"{entry.space}/{entry.key}" for entry in conflicts]
    is_merge = task.header.second is not None
    by_choice = '`choices` for single conflicts, as {"ID": "theirs"}, or ' if is_merge else ""
    return MergeConflict(
        f"{task.name} and {target!r} both changed {len(places)} "
        f"place{'s' if len(places) > 1 else ''}: {shortened(places)}.",
        hint=f"Nothing was changed. Pass {by_choice}a strategy: source_wins, target_wins or "
        "newest. A preview shows the values.",
        conflicts=conflicts,
    )


def check_strategy(strategy: str) -> None:
    """Raise for a word that is no strategy."""
    if strategy not in STRATEGIES:
        raise InvalidArgument(
            f"{strategy!r} is not a merge strategy.",
            hint=f"Use {', '.join(STRATEGIES)}.",
            parameter="strategy",
        )
