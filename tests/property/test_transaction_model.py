"""Transactions that overlap: each sees its own state, and only those that kept it commit."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

import strata
from strata import ReadOnly, TransactionConflict, Version, WorkspaceTransaction
from tests.property.conftest import text
from tests.property.examples import examples

# Few of everything, so that transactions meet.
keys = st.sampled_from(["a", "a/나", "나"])
prefixes = st.sampled_from(["", "a/", "나"])
tags = st.sampled_from([(), ("x",), ("x", "글")])
values = st.integers(0, 3) | st.sampled_from([None, True, 1.0, "값"])
branches = st.sampled_from(["default", "default", "default", "child"])


class Value(NamedTuple):
    text: str
    tags: tuple[str, ...]


def as_value(version: Version) -> Value:
    return Value(text(version.value), version.tags)


class Write(NamedTuple):
    """One version that somebody committed: a key, or an event where the key is None."""

    key: str | None
    tags: tuple[str, ...] = ()


@dataclass
class State:
    """What a branch shows, and everything that was ever written to it."""

    kv: dict[str, Value] = field(default_factory=dict)
    events: list[str] = field(default_factory=list)
    written: list[Write] = field(default_factory=list)

    def copy(self) -> "State":
        return State(dict(self.kv), list(self.events), list(self.written))


@dataclass
class Open:
    """A transaction under way. `depends` are the tests that a foreign write must not pass."""

    branch: str
    block: AbstractContextManager[WorkspaceTransaction]
    rooms: WorkspaceTransaction
    seen: State
    reads_only: bool
    staged: dict[str, Value | None] = field(default_factory=dict)
    appended: list[str] = field(default_factory=list)
    depends: list[Callable[[Write], bool]] = field(default_factory=list)

    def shown(self) -> dict[str, Value]:
        both: dict[str, Value | None] = {**self.seen.kv, **self.staged}
        return {key: value for key, value in both.items() if value is not None}


class TransactionMachine(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.db = strata.open(durability="cache")
        self.states: dict[str, State] = {"default": State()}
        self.open: list[Open] = []

    def teardown(self) -> None:
        while self.open:
            self.finish(self.open[0])
        assert self.db.verify().ok
        self.db.close()

    @initialize(held=st.dictionaries(keys, values, max_size=3))
    def begin_with_a_fork(self, held: dict[str, Any]) -> None:
        for key, value in held.items():
            self.put("default", key, value, ())
        self.db.branches.fork("child")
        self.states["child"] = State(dict(self.states["default"].kv))
        for _number in range(2):
            self.begin("default", reads_only=False)

    @rule(branch=branches, key=keys, value=values, tags=tags)
    def put(self, branch: str, key: str, value: Any, tags: tuple[str, ...]) -> None:
        self.db.on(branch).kv.put(key, value, tags=tags)
        state = self.states[branch]
        state.kv[key] = Value(text(value), tags)
        state.written.append(Write(key, tags))

    @rule(branch=branches, key=keys)
    def delete(self, branch: str, key: str) -> None:
        state = self.states[branch]
        assert self.db.on(branch).kv.delete(key) == (key in state.kv)
        if state.kv.pop(key, None) is not None:
            state.written.append(Write(key))

    @rule(branch=branches)
    def append(self, branch: str) -> None:
        self.db.on(branch).events.append("outside", {})
        self.states[branch].events.append("outside")
        self.states[branch].written.append(Write(None))

    @precondition(lambda self: len(self.open) < 3)
    @rule(branch=branches, reads_only=st.sampled_from([False, False, True]))
    def begin(self, branch: str, *, reads_only: bool) -> None:
        block = self.db.on(branch).transaction(read_only=reads_only)
        seen = self.states[branch].copy()
        self.open.append(Open(branch, block, block.__enter__(), seen, reads_only))

    @precondition(lambda self: self.open)
    @rule(data=st.data(), key=keys, way=st.sampled_from(["get", "exists", "history"]))
    def read_a_key(self, data: st.DataObject, key: str, way: str) -> None:
        one = data.draw(st.sampled_from(self.open))
        expected = one.shown().get(key)
        if way == "get":
            found = one.rooms.kv.get(key)
            assert (found and as_value(found)) == expected
        elif way == "exists":
            assert one.rooms.kv.exists(key) == (expected is not None)
        elif key not in one.staged:
            found = one.rooms.kv.history(key, limit=1)
            live = as_value(found[0]) if found else None
            assert live == expected or not (found and found[0].state == "live")
        if key not in one.staged:
            one.depends.append(lambda write: write.key == key)

    @precondition(lambda self: self.open)
    @rule(data=st.data(), key=keys, read=st.sampled_from(["get", "exists", "history"]))
    def read_what_is_then_overwritten(self, data: st.DataObject, key: str, read: str) -> None:
        self.read_a_key(data, key, read)
        self.put(data.draw(branches), key, 0, ())

    @precondition(lambda self: self.open)
    @rule(data=st.data(), prefix=prefixes, limit=st.integers(1, 4))
    def read_a_range(self, data: st.DataObject, prefix: str, limit: int) -> None:
        one = data.draw(st.sampled_from(self.open))
        expected = sorted(key for key in one.shown() if key.startswith(prefix))
        assert one.rooms.kv.list(prefix, limit=limit) == expected[:limit]
        assert one.rooms.kv.count(prefix) == len(expected)
        items = one.rooms.kv.items(prefix, limit=limit)
        assert {key: as_value(found) for key, found in items} == {
            key: one.shown()[key] for key in expected[:limit]
        }
        one.depends.append(lambda write: write.key is not None and write.key.startswith(prefix))

    @precondition(lambda self: self.open)
    @rule(data=st.data(), tag=st.sampled_from(["x", "글"]))
    def read_by_tag(self, data: st.DataObject, tag: str) -> None:
        one = data.draw(st.sampled_from(self.open))
        expected = sorted(key for key, value in one.shown().items() if tag in value.tags)
        assert one.rooms.kv.list(tags=[tag]) == expected
        known = {key for key, value in one.seen.kv.items() if tag in value.tags}
        one.depends.append(lambda write: write.key in known or tag in write.tags)

    @precondition(lambda self: self.open)
    @rule(data=st.data(), key=keys, value=values, tags=tags)
    def put_inside(self, data: st.DataObject, key: str, value: Any, tags: tuple[str, ...]) -> None:
        one = data.draw(st.sampled_from(self.open))
        if one.reads_only:
            with pytest.raises(ReadOnly):
                one.rooms.kv.put(key, value, tags=tags)
            return
        one.rooms.kv.put(key, value, tags=tags)
        one.staged[key] = Value(text(value), tags)

    @precondition(lambda self: self.open)
    @rule(data=st.data(), key=keys)
    def delete_inside(self, data: st.DataObject, key: str) -> None:
        one = data.draw(st.sampled_from(self.open))
        if one.reads_only:
            return
        is_there = key in one.shown()
        if key not in one.staged:
            one.depends.append(lambda write: write.key == key)
        assert one.rooms.kv.delete(key) == is_there
        if is_there:
            one.staged[key] = None

    @precondition(lambda self: self.open)
    @rule(data=st.data())
    def append_inside(self, data: st.DataObject) -> None:
        one = data.draw(st.sampled_from(self.open))
        if one.reads_only:
            return
        found = one.rooms.events.append("inside", {})
        one.appended.append("inside")
        assert found.sequence == len(one.seen.events) + len(one.appended)
        # The next number depends on all events there are.
        one.depends.append(lambda write: write.key is None)

    @precondition(lambda self: self.open)
    @rule(data=st.data())
    def commit(self, data: st.DataObject) -> None:
        self.finish(data.draw(st.sampled_from(self.open)))

    def finish(self, one: Open) -> None:
        """End a transaction; it must commit or conflict just as the model says."""
        self.open.remove(one)
        state = self.states[one.branch]
        since = state.written[len(one.seen.written) :]
        moved = any(depends(write) for write in since for depends in one.depends)
        before = self.db.on(one.branch).resolve("now").version
        if moved and (one.staged or one.appended):
            with pytest.raises(TransactionConflict):
                one.block.__exit__(None, None, None)
            assert self.db.on(one.branch).resolve("now").version == before
            return
        one.block.__exit__(None, None, None)
        for key, value in one.staged.items():
            state.written.append(Write(key, value.tags if value else ()))
            if value is None:
                state.kv.pop(key, None)
            else:
                state.kv[key] = value
        state.events += one.appended
        state.written += [Write(None)] * len(one.appended)
        changes = len(one.staged) + len(one.appended)
        assert (one.rooms.commit is not None) == (changes > 0)
        if changes:
            assert self.db.on(one.branch).log(limit=1)[0].changes == changes

    @precondition(lambda self: self.open)
    @rule(data=st.data(), by_error=st.booleans())
    def roll_back(self, data: st.DataObject, *, by_error: bool) -> None:
        one = data.draw(st.sampled_from(self.open))
        self.open.remove(one)
        if by_error:
            error = RuntimeError("changed my mind")
            assert not one.block.__exit__(RuntimeError, error, None), "errors pass through"
        else:
            one.rooms.rollback()
            with pytest.raises(ReadOnly):
                one.rooms.kv.put("a", 1)
            one.block.__exit__(None, None, None)
        assert one.rooms.commit is None

    @invariant()
    def branches_show_what_was_committed(self) -> None:
        for branch, state in self.states.items():
            view = self.db.on(branch)
            found = {key: as_value(v) for key, v in view.kv.items(limit=100)}
            assert found == state.kv
            assert [event.type for event in view.events.list()] == state.events


TestTransactions = TransactionMachine.TestCase
TestTransactions.settings = settings(
    report_multiple_bugs=False,
    phases=set(Phase) - {Phase.explain},
    max_examples=examples(200),
    stateful_step_count=30,
)
