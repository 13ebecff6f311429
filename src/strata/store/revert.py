"""Taking commits back: one, or all that an agent did, as one new commit.

What several commits did to a key, with nothing of others between, is taken back in one step: from
the state after the last of them to the state before the first. Where others wrote between, the
newest step is taken back first, and the next one from what that gave.
"""

from collections.abc import Iterable, Sequence
from typing import Literal, TypeAlias

import msgspec

from strata.base import limits
from strata.base.errors import ConflictEntry, LimitExceeded
from strata.store.branch import Ancestry, Point
from strata.store.chain import EVENT
from strata.store.commit import Header
from strata.store.diff import MARK_KIND, Pair, differ, is_present, visible_record
from strata.store.diff import Change as Shown
from strata.store.history import CommitRow, find_commit, short_hash, touched
from strata.store.merge import (
    Merge,
    check_strategy,
    conflict_error,
    join_texts,
    visible_part,
)
from strata.store.merging.choices import Choices, shortened
from strata.store.merging.collections import keep_together
from strata.store.merging.events import plan_events
from strata.store.merging.keys import plan_key
from strata.store.merging.plan import LaterChange, MergeTask, Plan, Strategy
from strata.store.record import Address, Record, StagedChange
from strata.store.signature import read_signature
from strata.store.snapshot import Snapshot
from strata.store.store import Store
from strata.store.transaction import Transaction
from strata.store.visibility import FOLLOWING, SHARED, WHOLE, Visibility

# The keys that are taken back together: one, or what a document is made of.
Unit: TypeAlias = tuple[Address, ...]
# The first and the last of some commits that are taken back in one step.
Span: TypeAlias = tuple[CommitRow, CommitRow]
# Kinds that are never taken back: the mark of an empty commit, and bytes that others may use.
_STAYS = SHARED | {MARK_KIND}
# How many versions of a key are looked at for the one that came after the commits.
_LOOKED_AT = 200


def revert_commits(
    store: Store,
    commits: Iterable[CommitRow],
    *,
    onto: str,
    operation: Literal["revert", "undo"],
    strategy: Strategy,
    actor: str | None,
    message: str | None,
    preview: bool = False,
    visibility: Visibility = WHOLE,
) -> Merge:
    """Take commits back as one new commit on a branch, or only tell what that would do.

    What the user may not see of them stays as it is.
    """
    check_strategy(strategy)
    chosen = sorted({one.version: one for one in commits}.values(), key=lambda one: -one.version)
    if len(chosen) > limits.REVERT_COMMITS_MAX:
        raise LimitExceeded(
            f"{len(chosen):,} commits cannot be taken back at once.",
            hint=f"Take back at most {limits.REVERT_COMMITS_MAX:,}, the newest first.",
            limit=limits.REVERT_COMMITS_MAX,
            size=len(chosen),
        )
    # By their hashes, which are the same in every store that the branch may be carried to.
    hashes = " ".join(map(short_hash, chosen))
    name = _name(chosen)
    header = Header(f"{operation} {hashes}", actor, message or f"{operation} {name}")
    task = MergeTask(name, Ancestry(store), (), Point(0, 0), strategy, header, takes_events=False)
    if preview:
        with store.database.reading():
            found = _Reversal(store, onto, task, visibility=visibility)
            return found.result(chosen, commit=None, preview=True)
    with Transaction(Snapshot(store, onto), header, locked=True) as transaction:
        found = _Reversal(store, onto, task, visibility=visibility)
        done = found.result(chosen, commit=None, preview=False)
        if done.conflicts and strategy == "strict":
            raise conflict_error(task, onto, list(done.conflicts))
        if not found.changes:
            transaction.rollback()
            return done
        for change in found.changes:
            transaction.stage(change)
        receipt = transaction.commit()
        assert receipt is not None, "a transaction with changes makes a commit"
        return msgspec.structs.replace(done, commit=receipt.version)


def _name(commits: Sequence[CommitRow]) -> str:
    numbers = [str(one.version) for one in reversed(commits)]
    return f"version{'s' if len(numbers) > 1 else ''} {shortened(numbers)}"


class _Reversal:
    """One reversal under way. It is planned in a transaction that is never committed.

    There each step sees what the steps before it gave, and nothing has a version yet.
    """

    def __init__(
        self, store: Store, target: str, task: MergeTask, *, visibility: Visibility
    ) -> None:
        self._store, self._target, self._task = store, target, task
        self._visibility = visibility
        self._joined = frozenset[str]() if store.joiner is None else store.joiner.kinds
        self._staged = Transaction(Snapshot(store, target), task.header, locked=False)
        self._shown: dict[Address, Shown] = {}
        self._conflicts: dict[tuple[str, str, str, str], ConflictEntry] = {}

    @property
    def changes(self) -> list[StagedChange]:
        """What the reversal writes."""
        return self._staged.staged

    def result(self, commits: Sequence[CommitRow], *, commit: int | None, preview: bool) -> Merge:
        """Plan all steps; return what they do."""
        steps = self._steps(commits)
        while steps:
            newest = {unit: spans.pop(0) for unit, spans in steps.items()}
            self._plan_steps(newest)
            steps = {unit: spans for unit, spans in steps.items() if spans}
        done = Merge(
            source=self._task.name,
            target=self._target,
            strategy=self._task.strategy,
            applied=len(self._shown),
            conflicts=tuple(self._conflicts.values()),
            changes=tuple(self._shown.values()),
            commit=commit,
            preview=preview,
            base=commits[0].version if commits else 0,
        )
        seen = visible_part(done, self._visibility)
        return msgspec.structs.replace(
            seen,
            kept=tuple(self._later_change(entry, commits) for entry in seen.conflicts),
            events_kept=self._events(commits),
        )

    # The steps.

    def _steps(self, commits: Sequence[CommitRow]) -> dict[Unit, list[Span]]:
        """Return what is taken back of each unit, the newest step first."""
        found: dict[Unit, list[Span]] = {}
        wrote = {one.version: self._written(one) for one in commits}
        allowed = set(self._visibility.writable({at for places in wrote.values() for at in places}))
        for commit in commits:
            places = (at for at in wrote[commit.version] if at in allowed)
            for unit in dict.fromkeys(map(self._unit, places)):
                spans = found.setdefault(unit, [])
                if spans and self._goes_on(unit, commit, spans[-1][0]):
                    spans[-1] = (commit, spans[-1][1])
                else:
                    spans.append((commit, commit))
        return dict(sorted(found.items()))

    def _written(self, commit: CommitRow) -> list[Address]:
        return [at for at in touched(self._store, commit) if at[1] not in _STAYS]

    def _unit(self, address: Address) -> Unit:
        space, kind, key = address
        if kind not in self._joined:
            return (address,)
        document = key.partition("/")[0]
        return tuple((space, one, document) for one in sorted(self._joined - FOLLOWING))

    def _goes_on(self, unit: Unit, earlier: CommitRow, later: CommitRow) -> bool:
        """Whether nothing else changed a unit between two commits."""
        points = (_after(earlier), _before(later))
        return all(
            len({_number(self._at(address, point)) for point in points}) == 1 for address in unit
        )

    def _at(self, address: Address, point: Point) -> Record | None:
        space, kind, key = address
        keyspace = self._store.catalog.keyspace(space, kind, self._store.connection()) or 0
        return visible_record(self._store, point, (keyspace, key))

    def _plan_steps(self, steps: dict[Unit, Span]) -> None:
        """Plan one step of every unit, and stage it."""
        store, plan = self._store, Plan(self._staged, self._task.strategy, Choices({}, WHOLE))
        first = min((span[0] for span in steps.values()), key=lambda one: one.version)
        last = max((span[1] for span in steps.values()), key=lambda one: one.version)
        for unit, span in steps.items():
            if unit[0][1] not in self._joined:
                self._plan_key(plan, unit[0], self._between(*span))
        keep_together(store, plan, self._between(first, last))
        for unit, span in steps.items():
            if store.joiner is not None and unit[0][1] in self._joined:
                pairs = [Pair(unit[0], None, None)]
                join_texts(
                    store.joiner,
                    plan,
                    self._between(*span),
                    pairs=pairs,
                    visibility=self._visibility,
                )
        for change in plan.changes.values():
            self._staged.stage(change)
        for address, shown in plan.shown.items():
            self._show(address, shown)
        for entry in plan.conflicts:
            self._conflicts.setdefault((entry.space, entry.kind, entry.key, entry.id), entry)

    def _between(self, first: CommitRow, last: CommitRow) -> MergeTask:
        return msgspec.structs.replace(self._task, bases=(_after(last),), source=_before(first))

    def _plan_key(self, plan: Plan, address: Address, task: MergeTask) -> None:
        base, source = (self._at(address, point) for point in (task.bases[-1], task.source))
        theirs: Pair | None = Pair(address, base, source)
        if not differ(base, source):
            return
        if address[1] == EVENT:
            plan_events(self._store, plan, task, pairs=[Pair(address, base, source)])
            return
        joiner = self._store.joiner
        if joiner is not None and address[1] in joiner.shows:
            theirs = joiner.permitted(plan, task, theirs)
        now = self._staged.get(*address)
        ours = Pair(address, base, now) if differ(base, now) else None
        if theirs is not None:
            plan_key(self._store, plan, (theirs, ours))

    # What came of it.

    def _show(self, address: Address, shown: Shown) -> None:
        """Tell a change of a later step as one with those before it."""
        known = self._shown.pop(address, None)
        if known is None:
            self._shown[address] = shown
            return
        is_new, is_gone = known.action == "added", shown.action == "removed"
        if is_new and is_gone:
            return
        action = "added" if is_new else "removed" if is_gone else "modified"
        self._shown[address] = msgspec.structs.replace(shown, action=action, before=known.before)

    def _later_change(self, entry: ConflictEntry, commits: Sequence[CommitRow]) -> LaterChange:
        """Return who changed a place since, by the newest commit that is not taken back."""
        here = Snapshot(self._store, self._target)
        rows = here.history(entry.space, entry.kind, entry.key, limit=_LOOKED_AT)
        newer = (row[0] for row in rows if not any(c.first <= row[0] <= c.version for c in commits))
        version = next(newer, 0)
        commit = find_commit(self._store, version) if version else None
        by = read_signature(None if commit is None else commit.actor)
        return LaterChange(
            space=entry.space,
            kind=entry.kind,
            key=entry.key,
            path=entry.path,
            conflict=entry.id,
            version=version,
            timestamp=0 if commit is None else commit.timestamp,
            actor=by.actor,
            person=by.person,
            agent=by.agent if by.person is not None else None,
        )

    def _events(self, commits: Sequence[CommitRow]) -> int:
        """Count the events that the commits appended: a log says what happened, so they stay."""
        written = {at for one in commits for at in self._written(one) if at[1] == EVENT}
        shown = (at for at in written if self._visibility.shows(at))
        return sum(is_present(self._staged.get(*at)) for at in shown)


def _after(commit: CommitRow) -> Point:
    return Point(commit.branch, commit.version)


def _before(commit: CommitRow) -> Point:
    return Point(commit.branch, commit.first - 1)


def _number(record: Record | None) -> int:
    return 0 if record is None else record[0]
