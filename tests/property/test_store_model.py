"""Any sequence of writes, forks, merges and looks back agrees with a plain model."""

import contextlib
from itertools import permutations
from typing import Any, NamedTuple

import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, precondition, rule

from strata import (
    BranchNotFound,
    Change,
    CommitNotFound,
    InvalidTime,
    Merge,
    MergeConflict,
    NotAllowed,
    NotFound,
    TooOld,
)
from strata.store import ERASED, TRIMMED
from tests.property.conftest import (
    KINDS,
    STRATEGIES,
    Address,
    Commit,
    Draft,
    Entry,
    StoreMachine,
    keys,
    kinds,
    prefixes,
    scalars,
    seen,
    shown_rows,
    spaces,
    text,
    values,
)
from tests.property.examples import examples
from tests.property.merge_model import Conflict, Plan, common_ground, plan_merge

HOUR_US = 3600 * 1_000_000
KEPT_US = 30 * 24 * HOUR_US  # how long a deleted branch can be brought back
# Documents whose fields can be changed apart.
documents = st.fixed_dictionaries({"a": scalars, "이름": scalars, "b": st.just({"c": 1})})
NAMES = st.sampled_from(["try", "실험", "🙂"])


class BranchMachine(StoreMachine):
    """Forks of forks, from now and from the past; every way of reading them."""

    def __init__(self) -> None:
        super().__init__()
        # By name: head, line and time of deletion, the last one last.
        self.deleted: dict[str, list[tuple[Commit, int, int]]] = {}

    @rule(data=st.data(), name=NAMES)
    def fork(self, data: st.DataObject, name: str) -> None:
        if name in self.model.heads:
            return
        source = self.branch(data)
        start, at = self.model.heads[source], None
        if data.draw(st.booleans(), label="from the past"):
            at = data.draw(st.integers(0, self.model.last), label="at")
            start = self.model.at_version(source, at)
            if any(is_trimmed(start, address) for address in start.shown):
                return  # see tests/unit/upkeep/test_retention.py
        found = self.view(source).branches.fork(name, at=at)
        assert (found.parent, found.version) == (source, start.version)
        self.model.start(name, start)

    @rule(name=NAMES)
    def create_an_empty_branch(self, name: str) -> None:
        if name not in self.model.heads:
            assert self.view("default").branches.create_empty(name).version == 0
            self.model.start(name, self.model.root)

    @rule(data=st.data())
    def delete_a_branch(self, data: st.DataObject) -> None:
        name = self.branch(data)
        head, line = self.model.heads[name], self.model.lines[name]
        others = [other for branch, other in self.model.heads.items() if branch != name]
        is_merged = head.line != line or any(head in other.ancestors() for other in others)
        branches = self.view("default").branches
        if name == "default" or not is_merged:
            with pytest.raises(NotAllowed):
                branches.delete(name)
        if name == "default":
            return
        self.drop(name, force=not is_merged)

    def drop(self, name: str, *, force: bool = True) -> None:
        found = self.view("default").branches.delete(name, force=force)
        assert found.status == "deleted"
        ends = (self.model.heads.pop(name), self.model.lines.pop(name), self.now)
        self.deleted.setdefault(name, []).append(ends)

    @precondition(lambda self: self.deleted)
    @rule(data=st.data(), as_name=NAMES)
    def restore_a_branch(self, data: st.DataObject, as_name: str) -> None:
        if as_name in self.model.heads:
            return
        name = data.draw(st.sampled_from(sorted(self.deleted)), label="name")
        head, line, when = self.deleted[name][-1]
        branches = self.view("default").branches
        if when <= self.now - KEPT_US:
            with pytest.raises(BranchNotFound):
                branches.restore(name)
            return
        self.deleted[name].pop()
        if not self.deleted[name]:
            del self.deleted[name]
        found = branches.restore(name, as_name=as_name)
        assert (found.name, found.version) == (as_name, head.version)
        self.model.heads[as_name], self.model.lines[as_name] = head, line

    @rule(data=st.data(), new=NAMES)
    def rename_a_branch(self, data: st.DataObject, new: str) -> None:
        old = self.branch(data)
        if old == "default" or new in self.model.heads:
            return
        assert self.view("default").branches.rename(old, new).name == new
        for table in (self.model.heads, self.model.lines):
            table[new] = table.pop(old)  # pyright: ignore[reportArgumentType]

    @rule(data=st.data(), name=st.sampled_from(["v1", "출시"]))
    def tag_a_point(self, data: st.DataObject, name: str) -> None:
        branch = self.branch(data)
        tags = self.view(branch).tags
        if name in self.model.tags:
            assert tags.delete(name)
        self.model.tags[name] = head = self.model.heads[branch]
        assert tags.create(name).version == head.version
        self.compare(self.db.on(branch).at(f"tag:{name}"), head)

    @rule(data=st.data())
    def empty_a_space(self, data: st.DataObject) -> None:
        branch = self.branch(data)
        head = self.model.heads[branch]
        there = [address for address in head.shown if address[0] == "메모" and head.live(address)]
        if head.log("메모") or not there:
            return  # events have rules of their own, see tests/unit/memory
        spaces_ = self.view(branch).spaces
        with pytest.raises(NotAllowed):
            spaces_.delete("메모")
        assert spaces_.delete("메모", force=True) == len(there)
        # The order in which the store walks kinds is its own affair.
        numbers = {address: self._newest(branch, address) for address in there}
        self.model.write(branch, dict.fromkeys(there), now=self.now, number=numbers.__getitem__)
        assert "메모" not in self.db.on(branch).spaces.list()

    def _newest(self, branch: str, address: Address) -> int:
        space, kind, key = address
        return getattr(self.db.on(branch).space(space), kind).history(key, limit=1)[0].version

    @rule(data=st.data(), way=st.sampled_from(["version", "time", "between"]))
    def look_back(self, data: st.DataObject, way: str) -> None:
        branch = self.branch(data)
        if way == "version":
            when = data.draw(st.integers(0, self.model.last), label="version")
            with pytest.raises(InvalidTime):
                self.db.on(branch).at(self.model.last + 1)
            expected = self.model.at_version(branch, when)
        else:
            commits = [commit.timestamp for commit in self.model.heads[branch].chain()][:-1]
            chosen = data.draw(st.sampled_from([self.now, *commits]), label="time")
            when = chosen - 1 if way == "between" else chosen
            expected = self.model.at_time(branch, when)
        view = self.db.on(branch).at(when)
        assert view.as_of is not None
        assert view.as_of.version == expected.version
        if expected.version:  # before the first one, it is the time that was asked for
            assert view.as_of.timestamp == expected.timestamp
        self.compare(view, expected)

    @rule(
        data=st.data(),
        space=spaces,
        kind=kinds,
        prefix=prefixes,
        key=keys,
        limit=st.integers(1, 4),
        goes_on=st.booleans(),
    )
    def read_pages_and_single_keys(
        self,
        data: st.DataObject,
        space: str,
        kind: str,
        prefix: str,
        key: str,
        limit: int,
        *,
        goes_on: bool,
    ) -> None:
        branch = self.branch(data)
        head = self.model.heads[branch]
        room = getattr(self.db.on(branch).space(space), kind)
        rows = shown_rows(head, space, kind, prefix)
        assert room.count(prefix) == len(rows)
        after = key if goes_on else None
        expected = [row[0] for row in rows if after is None or row[0] > after][:limit]
        assert room.list(prefix, limit=limit, after=after) == expected
        assert [found for found, _ in room.items(prefix, limit=limit, after=after)] == expected
        assert [found for found, _ in room.scan(prefix)] == [row[0] for row in rows]
        entry = head.live((space, kind, key))
        assert room.exists(key) == (entry is not None)
        found = room.get(key)
        assert (found and text(found.value)) == (entry and text(entry.value))
        if kind == "state" and found is not None:
            assert entry is not None
            assert found.counter == entry.counter
        tagged = [row[0] for row in rows if row[3] == ("글",)]
        assert room.list(prefix, tags=["글"]) == tagged

    @rule(data=st.data(), space=spaces, kind=kinds, key=keys)
    def read_history(self, data: st.DataObject, space: str, kind: str, key: str) -> None:
        branch = self.branch(data)
        expected = [
            (entry.version, entry.timestamp, *seen(entry)[1:])
            for entry in self.model.history(branch, (space, kind, key))
        ]
        room = getattr(self.db.on(branch).space(space), kind)
        found = [(v.version, v.timestamp, v.state, text(v.value)) for v in room.history(key)]
        assert found == expected
        assert [v.version for v in room.history(key, limit=2)] == [row[0] for row in expected[:2]]
        commits = [commit.version for commit in self.model.heads[branch].chain()][:-1]
        assert [commit.version for commit in self.db.on(branch).log(limit=1000)] == commits

    @invariant()
    def differences_are_what_they_should_be(self) -> None:
        for a, b in permutations(sorted(self.model.heads), 2):
            before, after = self.model.heads[a], self.model.heads[b]
            found = self.db.branches.diff(a, b, kinds=KINDS, two_sided=True)
            assert found.base == before.bases(after)[-1].version
            assert found.total == len(found.changes)
            assert {as_row(change) for change in found.changes} == difference(before, after)
            bases = before.bases(after)
            if a < b and len(bases) == 1:
                since = self.db.branches.diff(a, b, kinds=KINDS)
                places = {row[1:4] for row in difference(before, after)}
                expected = {row for row in difference(bases[0], after) if row[1:4] in places}
                assert {as_row(change) for change in since.changes} == expected


def as_row(change: Change) -> tuple[str, ...]:
    shown = text(change.before), text(change.after)
    return (change.action, change.space, change.kind, change.key, *shown)


def difference(before: Commit, after: Commit) -> set[tuple[str, ...]]:
    rows: set[tuple[str, ...]] = set()
    for address in {*before.shown, *after.shown}:
        old, new = before.live(address), after.live(address)
        action = "added" if old is None else "removed" if new is None else "modified"
        if (old and old.content) != (new and new.content):
            shown = text(old.value if old else None), text(new.value if new else None)
            rows.add((action, *address, *shown))
    return rows


class MergeMachine(BranchMachine):
    """Merging in all directions, taking commits back and taking them over."""

    @rule(data=st.data(), kind=kinds, key=keys)
    def write_the_same_key_on_two_branches(self, data: st.DataObject, kind: str, key: str) -> None:
        for _side in range(2):
            branch, value = self.branch(data), data.draw(values | documents, label="value")
            room = getattr(self.view(branch), kind)
            drafts: dict[Address, Draft | None] = {("default", kind, key): Draft(value)}
            if kind == "kv":
                found = room.put(key, value)
            elif kind == "json":
                found = room.set(key, "$", value)
            else:
                found = room.set(key, value)
                drafts = {("default", kind, key): Draft(value, (), found.counter)}
            self.record(branch, drafts, [found])

    @rule(data=st.data(), strategy=st.sampled_from(STRATEGIES))
    def merge(self, data: st.DataObject, strategy: Any) -> None:
        source, target = self.branch(data), self.branch(data)
        if source != target:
            self.merge_one(source, target, strategy)

    @rule(data=st.data(), strategy=st.sampled_from(STRATEGIES))
    def merge_crosswise(self, data: st.DataObject, strategy: Any) -> None:
        sides = (self.branch(data), self.branch(data))
        names = {f"{side} then" for side in sides}
        if len(names) == 2 and not names & self.model.heads.keys():
            self.cross(sides, strategy)

    def cross(self, sides: tuple[str, ...], strategy: Any) -> None:
        """Merge each of some branches into the others as it was before all that."""
        names = {side: f"{side} then" for side in sides}
        for side, name in names.items():
            self.view(side).branches.fork(name)
            self.model.start(name, self.model.heads[side])
        for source, target in permutations(sides, 2):
            self.merge_one(names[source], target, strategy)
        for name in names.values():
            self.drop(name)

    def merge_one(self, source: str, target: str, strategy: Any) -> None:
        theirs, ours = self.model.heads[source], self.model.heads[target]
        base = theirs.bases(ours)[-1]
        plan = plan_merge(common_ground(theirs, ours), theirs, ours, strategy=strategy)
        branches = self.view(target).branches
        preview = branches.merge(source, strategy=strategy, preview=True)
        assert preview.base == base.version
        assert preview.commit is None
        self.check_plan(preview, plan)
        if plan.conflicts and strategy == "strict":
            with pytest.raises(MergeConflict) as caught:
                branches.merge(source)
            assert caught.value.conflicts == preview.conflicts
            return
        done = branches.merge(source, strategy=strategy)
        assert (done.changes, done.conflicts) == (preview.changes, preview.conflicts)
        is_due = bool(plan.drafts or plan.events) or theirs not in ours.ancestors()
        self.follow(target, done, plan, is_due=is_due, second=theirs)

    @precondition(lambda self: self.model.commits)
    @rule(
        data=st.data(),
        strategy=st.sampled_from(STRATEGIES),
        way=st.sampled_from(["revert", "cherry_pick"]),
    )
    def apply_one_commit(self, data: st.DataObject, strategy: Any, way: str) -> None:
        target = self.branch(data)
        commit = data.draw(st.sampled_from(self.model.commits), label="commit")
        self.take(target, commit, way, strategy)

    @rule(data=st.data())
    def undo(self, data: st.DataObject) -> None:
        target = self.branch(data)
        head = self.model.heads[target]
        undone: set[str] = set()
        for commit in head.chain():
            if commit.operation.startswith("undo "):
                undone.add(commit.operation)
            elif commit.written and f"undo {commit.version}" not in undone:
                before = commit.parent
                assert before is not None
                if any(is_trimmed(end, at) for end in (before, commit) for at in commit.written):
                    return  # whether it changed anything is not known any more
                plan = plan_merge(commit, before, head, strategy="strict", only=commit)
                if plan.drafts or plan.conflicts:
                    self.take(target, commit, "undo", "strict")
                    return
        with pytest.raises(CommitNotFound):
            self.view(target).undo()

    def take(self, target: str, commit: Commit, way: str, strategy: Any) -> None:
        before = commit.parent
        assert before is not None
        ours = self.model.heads[target]
        ends = (before, commit) if way == "cherry_pick" else (commit, before)
        plan = plan_merge(*ends, ours, strategy=strategy, only=commit)
        if way != "cherry_pick":
            plan.events.clear()  # what happened cannot be taken back
        view, name = self.view(target), f"{way} {commit.version}"
        options = {} if way == "undo" else {"version": commit.version, "strategy": strategy}
        if any(is_trimmed(end, address) for end in ends for address in commit.written):
            # What the commit changed is not known any more: its keys are refused or left alone.
            with contextlib.suppress(TooOld, MergeConflict):
                done = getattr(view, way)(**(options and options | {"strategy": "strict"}))
                left = Plan({}, set(), plan.events)
                self.follow(target, done, left, is_due=bool(plan.events), operation=name)
            return
        if plan.conflicts and strategy == "strict":
            with pytest.raises(MergeConflict) as caught:
                getattr(view, way)(**options)
            assert as_conflicts(caught.value.conflicts) == plan.conflicts
            return
        done = getattr(view, way)(**options)
        self.check_plan(done, plan)
        self.follow(target, done, plan, is_due=bool(plan.drafts or plan.events), operation=name)

    def check_plan(self, merge: Merge, plan: Plan) -> None:
        assert as_conflicts(merge.conflicts) == plan.conflicts
        expected = {*plan.drafts} | {(space, "event", "") for space, _ in plan.events}
        found = {
            (c.space, c.kind, "" if c.kind == "event" else c.key): text(c.after)
            for c in merge.changes
        }
        assert found.keys() == expected
        for address, draft in plan.drafts.items():
            assert found[address] == text(draft.value if draft else None)
        assert merge.applied == len(plan.drafts) + len(plan.events)

    def follow(
        self,
        target: str,
        done: Merge,
        plan: Plan,
        *,
        is_due: bool,
        second: Commit | None = None,
        operation: str = "",
    ) -> None:
        """Let the model make the commit that the store made, if one was due."""
        if not is_due:
            assert done.commit is None
            return
        numbers = {address: self._newest(target, address) for address in plan.drafts}
        floor = self.model.last
        drafts = {
            address: self._with_counter(target, address, draft)
            for address, draft in plan.drafts.items()
        }
        commit = self.model.write(
            target,
            drafts,
            now=self.now,
            events=plan.events,
            second=second,
            operation=operation,
            number=numbers.__getitem__,
        )
        assert done.commit == commit.version
        assert len(set(numbers.values())) == len(numbers)
        assert all(floor < number <= commit.version for number in numbers.values())

    def _with_counter(self, branch: str, address: Address, draft: Draft | None) -> Draft | None:
        """How far a merge moves a cell's counter is told in tests/unit/store/test_merge.py."""
        space, kind, key = address
        if draft is None or kind != "state":
            return draft
        cell = self.db.on(branch).space(space).state.get(key)
        assert cell is not None
        return draft._replace(counter=cell.counter)


def is_trimmed(commit: Commit, address: Address) -> bool:
    entry = commit.live(address)
    return entry is not None and entry.fate == "trimmed"


def as_conflicts(entries: tuple[Any, ...]) -> set[Conflict]:
    return {
        Conflict((e.space, e.kind, e.key), e.path, text(e.base), text(e.source), text(e.target))
        for e in entries
    }


class Policy(NamedTuple):
    max_age: str | None
    max_versions: int | None


class RetentionMachine(MergeMachine):
    """Trimming and purging, which must leave all that is still shown as it was."""

    def __init__(self) -> None:
        super().__init__()
        self.policies: dict[tuple[str, str], Policy] = {}
        self.gone: set[int] = set()

    @initialize()
    def begin_with_one_version_a_key(self) -> None:
        self.set_a_policy("*", "*", None, 1)

    @rule(data=st.data(), key=keys, held=st.lists(values, min_size=2, max_size=4))
    def put_again_and_again(self, data: st.DataObject, key: str, held: list[Any]) -> None:
        branch = self.branch(data)
        for value in held:
            found = self.view(branch).kv.put(key, value)
            self.record(branch, {("default", "kv", key): Draft(value)}, [found])

    @rule(
        space=st.sampled_from(["*", "메모"]),
        kind=st.sampled_from(["*", *KINDS]),
        max_age=st.sampled_from([None, "1h", "2d"]),
        max_versions=st.sampled_from([None, 1, 2]),
    )
    def set_a_policy(self, space: str, kind: str, max_age: Any, max_versions: Any) -> None:
        if max_age is None and max_versions is None:
            known = self.policies.pop((space, kind), None)
            assert self.db.retention.remove(space=space, kind=kind) == (known is not None)
            return
        self.db.retention.set(space=space, kind=kind, max_age=max_age, max_versions=max_versions)
        self.policies[space, kind] = Policy(max_age, max_versions)

    @rule(hours=st.sampled_from([1, 48, 31 * 24]))
    def time_passes(self, hours: int) -> None:
        self.now += hours * HOUR_US

    @rule()
    def trim(self) -> None:
        self.now += 10_000
        preview = self.db.retention.apply(preview=True)
        assert preview.preview
        assert self.marked(TRIMMED) == self.gone
        done = self.db.retention.apply()
        assert (done.versions, done.bytes, done.needed) == (
            preview.versions,
            preview.bytes,
            preview.needed,
        )
        removed = self.marked(TRIMMED) - self.gone
        assert len(removed) == done.versions
        shown = self.needed()
        entries = {entry.version: entry for entry in self.entries()}
        assert removed & entries.keys() <= self.removable(shown)
        merges = {commit for commit in self.model.commits if commit.second is not None}
        assert self.removable(shown | merges) <= removed
        for number in removed & entries.keys():
            entries[number].fate = "trimmed"
        self.gone |= removed
        for branch, head in self.model.heads.items():
            for commit in head.chain():
                self.compare(self.db.on(branch).at(commit.version), commit)

    @rule(data=st.data(), space=spaces, key=keys)
    def purge(self, data: st.DataObject, space: str, key: str) -> None:
        kind = data.draw(st.sampled_from([None, *KINDS]), label="kind")
        held = [
            entry
            for commit in self.model.commits
            for (at_space, at_kind, at_key), entry in commit.written.items()
            if (at_space, at_key) == (space, key) and kind in {None, at_kind}
            if entry.fate != "erased"
        ]
        if not held:
            with pytest.raises(NotFound):
                self.db.purge(key, space=space, kind=kind)
            return
        assert self.db.purge(key, space=space, kind=kind).versions == len(held)
        for entry in held:
            entry.fate = "erased"
        self.gone -= {entry.version for entry in held}
        assert {entry.version for entry in held} <= self.marked(ERASED)

    def marked(self, flag: int) -> set[int]:
        """Return the versions that carry a mark, whatever branch they lie on."""
        store = self.store
        rows = store.connection().rows(store.queries.all_versions, (0, 1_000_000))
        return {row[0] for row in rows if row[2] & flag}

    def needed(self) -> set[Commit]:
        """Return the states that somebody can still ask for or merge from."""
        returning = [
            (head, line)
            for deleted in self.deleted.values()
            for head, line, when in deleted
            if when > self.now - KEPT_US
        ]
        ends = [(head, self.model.lines[name]) for name, head in self.model.heads.items()]
        found = {*self.model.tags.values()}
        for head, line in ends + returning:
            found |= {head, self.model.starts[line]}
        return found | {commit.second for commit in self.model.commits if commit.second is not None}

    def entries(self) -> list[Entry]:
        return [entry for commit in self.model.commits for entry in commit.written.values()]

    def removable(self, needed: set[Commit]) -> set[int]:
        """Return what policies and expired branches give up and no needed state shows."""
        shown = {entry.version for commit in needed for entry in commit.shown.values()}
        lines = {*self.model.lines.values()}
        for deleted in self.deleted.values():
            lines |= {line for _head, line, when in deleted if when > self.now - KEPT_US}
        by_key: dict[tuple[int, Address], list[Entry]] = {}
        for commit in self.model.commits:
            for address, entry in commit.written.items():
                by_key.setdefault((commit.line, address), []).append(entry)
        return {
            entry.version
            for (line, address), entries in by_key.items()
            for entry, later in zip(entries, tails(entries), strict=True)
            if entry.fate == "live" and entry.version not in shown
            if line not in lines or self.is_past(address, later)
        }

    def is_past(self, address: Address, later: list[Entry]) -> bool:
        space, kind, _key = address
        places = [(space, kind), (space, "*"), ("*", kind), ("*", "*")]
        policy = next((self.policies[at] for at in places if at in self.policies), None)
        if policy is None or not later:
            return False
        age = {"1h": HOUR_US, "2d": 48 * HOUR_US, None: 0}[policy.max_age]
        is_old = policy.max_age is None or later[0].timestamp <= self.now - age
        return is_old and (policy.max_versions is None or len(later) >= policy.max_versions)


def tails(entries: list[Entry]) -> list[list[Entry]]:
    """Return, for each entry, those behind it."""
    return [entries[index + 1 :] for index in range(len(entries))]


# One failure at a time, and no search for its explanation: both may take minutes.
_CALM = settings(report_multiple_bugs=False, phases=set(Phase) - {Phase.explain})
TestBranches = BranchMachine.TestCase
TestBranches.settings = settings(_CALM, max_examples=examples(100), stateful_step_count=40)
TestMerges = MergeMachine.TestCase
TestMerges.settings = settings(_CALM, max_examples=examples(150), stateful_step_count=40)
TestRetention = RetentionMachine.TestCase
TestRetention.settings = settings(_CALM, max_examples=examples(150), stateful_step_count=50)
