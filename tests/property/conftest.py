"""A plain model of the store: every commit keeps a full copy of all that it shows.

Branches are names for commits, commits know their parents, and everything else (time travel,
history, merge bases) is walking from commit to commit. It is slow and obvious, and shares no
line with the store that it is compared with.
"""

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from strata import InvalidPath, TooOld, Workspace
from strata.store import Store
from tests.databases import database_at
from tests.opened import workspace_over

Address: TypeAlias = tuple[str, str, str]  # space, kind, key
START = 1_200_000_000_000_000  # a moment in 2008, far from where numbers change their unit
KINDS = ("kv", "json", "state")
SPACES = ("default", "메모")
STRATEGIES = ("strict", "source_wins", "target_wins", "newest")

# One key comes up often, so that branches meet there.
keys = st.sampled_from(["a", "a", "a", "a/b", "가", "🙂", "\U0010ffff"])
prefixes = st.sampled_from(["", "a", "a/", "가", "\U0010ffff", "a\U0010ffff", "zz"])
spaces = st.sampled_from(["default", "default", "default", "메모"])
kinds = st.sampled_from(KINDS)
scalars = st.sampled_from([None, True, 1, 1.0, "", "값"])
values = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from(["a", "이름", "a b"]), inner, max_size=2)
    ),
    max_leaves=4,
)
types = st.sampled_from(["tick", "배포"])


def text(value: Any) -> str:
    """Spell a value so that 1, 1.0, True and null stay apart and member order does not count."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


class Draft(NamedTuple):
    """A value about to be written; None stands for a deletion."""

    value: Any
    tags: tuple[str, ...] = ()
    counter: int = 0


@dataclass(eq=False)
class Entry:
    """One version of one key. Its fate changes when retention or purge come by."""

    value: Any
    version: int
    timestamp: int
    tags: tuple[str, ...]
    counter: int
    fate: str = "live"

    @property
    def content(self) -> tuple[Any, ...]:
        return (text(self.value), self.tags, self.counter)


@dataclass(eq=False)
class Happening:
    """One event; merging hands on the very same object."""

    type: str
    payload: Any


@dataclass(eq=False, repr=False)
class Commit:
    """A state of a branch, whole."""

    version: int
    timestamp: int
    first: int = 0
    line: int = 0
    operation: str = ""
    parent: "Commit | None" = None
    second: "Commit | None" = None
    written: dict[Address, Entry] = field(default_factory=dict)
    shown: dict[Address, Entry] = field(default_factory=dict)
    appended: tuple[tuple[str, Happening], ...] = ()
    logs: dict[str, tuple[Happening, ...]] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<commit {self.version} on line {self.line}>"

    def _repr_pretty_(self, printer: Any, _cycle: object) -> None:
        printer.text(repr(self))  # hypothesis would print all of it, parents included

    def live(self, address: Address) -> Entry | None:
        entry = self.shown.get(address)
        return None if entry is None or entry.fate in {"deleted", "erased"} else entry

    def log(self, space: str) -> tuple[Happening, ...]:
        return self.logs.get(space, ())

    def chain(self) -> Iterator["Commit"]:
        """Yield this commit and those before it on its branch, newest first."""
        commit: Commit | None = self
        while commit is not None:
            yield commit
            commit = commit.parent

    def bases(self, other: "Commit") -> list["Commit"]:
        """Return what both contain and nothing else that both contain does, newest last."""
        common = self.ancestors() & other.ancestors()
        contained = {commit for one in common for commit in one.ancestors() - {one}}
        return sorted(common - contained, key=lambda commit: commit.version)

    def ancestors(self) -> set["Commit"]:
        """Return everything this commit contains, by forking or merging, itself included."""
        found: set[Commit] = set()
        todo: list[Commit | None] = [self]
        while todo:
            commit = todo.pop()
            if commit is not None and commit not in found:
                found.add(commit)
                todo += [commit.parent, commit.second]
        return found


class Model:
    """The whole store in dictionaries."""

    def __init__(self) -> None:
        self.root = Commit(0, 0)
        self.last = 0
        self.commits: list[Commit] = []
        self.heads: dict[str, Commit] = {"default": self.root}
        self.lines: dict[str, int] = {"default": 0}
        self.starts: dict[int, Commit] = {0: self.root}
        self.tags: dict[str, Commit] = {}

    def start(self, name: str, commit: Commit) -> None:
        """Make a branch that begins at a commit; the root makes an empty one."""
        self.lines[name] = line = len(self.starts)
        self.starts[line] = self.heads[name] = commit

    def write(
        self,
        branch: str,
        drafts: dict[Address, Draft | None],
        *,
        now: int,
        events: list[tuple[str, Happening]] | None = None,
        second: Commit | None = None,
        operation: str = "",
        number: Callable[[Address], int] | None = None,
    ) -> Commit:
        """Add a commit; versions are counted on in order unless `number` knows better."""
        head, appended = self.heads[branch], tuple(events or ())
        timestamp = max(now, head.timestamp + 1)
        written: dict[Address, Entry] = {}
        for version, (address, draft) in enumerate(drafts.items(), self.last + 1):
            chosen = version if number is None else number(address)
            fate, content = "live", draft
            if content is None:
                # A deleted cell counts on, so that an old expectation never fits again.
                before = head.shown.get(address)
                fate, content = "deleted", Draft(None, (), before.counter + 1 if before else 0)
            written[address] = Entry(
                deepcopy(content.value), chosen, timestamp, content.tags, content.counter, fate
            )
        logs = dict(head.logs)
        for space, happening in appended:
            logs[space] = (*logs.get(space, ()), happening)
        first = self.last + 1
        # A commit without changes still writes one version, a mark.
        self.last += max(len(drafts) + len(appended), 1)
        commit = Commit(
            self.last,
            timestamp,
            first,
            self.lines[branch],
            operation,
            head,
            second,
            written,
            {**head.shown, **written},
            appended,
            logs,
        )
        self.heads[branch] = commit
        self.commits.append(commit)
        return commit

    def at_version(self, branch: str, version: int) -> Commit:
        """Return what a branch showed after a version; no state lies inside a commit."""
        whole = next((c.version for c in self.commits if c.first <= version <= c.version), version)
        return next(commit for commit in self.heads[branch].chain() if commit.version <= whole)

    def at_time(self, branch: str, timestamp: int) -> Commit:
        return next(c for c in self.heads[branch].chain() if c.timestamp <= timestamp)

    def history(self, branch: str, address: Address) -> list[Entry]:
        chain = self.heads[branch].chain()
        return [commit.written[address] for commit in chain if address in commit.written]


ABSENT = object()


class Misfit(Exception):
    """A path that does not fit the document."""


PATHS: dict[str, tuple[str | int, ...]] = {
    "$": (),
    "$.a": ("a",),
    "$.a.b": ("a", "b"),
    "이름": ("이름",),
    '$["a b"].a': ("a b", "a"),
    "$[0]": (0,),
    "$.a[1]": ("a", 1),
}


def assign(document: Any, steps: tuple[str | int, ...], value: Any) -> Any:
    """Return a copy of a document with a value at a place; ABSENT is no document."""
    if not steps:
        return deepcopy(value)
    step, rest = steps[0], steps[1:]
    container: Any = ([] if isinstance(step, int) else {}) if document is ABSENT else document
    if not fits(container, step):
        raise Misfit
    changed: Any = deepcopy(container)
    if isinstance(step, int):
        if step > len(changed):
            raise Misfit
        inner = changed[step] if step < len(changed) else ABSENT
        changed[step : step + 1] = [assign(inner, rest, value)]
    else:
        changed[step] = assign(changed.get(step, ABSENT), rest, value)
    return changed


def fits(container: Any, step: str | int) -> bool:
    """Whether a container is of the kind that a step leads into."""
    return isinstance(container, list if isinstance(step, int) else dict)


def remove(document: Any, steps: tuple[str | int, ...]) -> Any:
    """Return a copy of a document without a place; raise Misfit when nothing is there."""
    changed = deepcopy(document)
    place: Any = changed
    for index, step in enumerate(steps):
        known = range(len(place)) if fits(place, 0) else place
        if not fits(place, step) or step not in known:
            raise Misfit
        if index == len(steps) - 1:
            del place[step]
        else:
            place = place[step]
    return changed


def open_at(path: Path | None, now: Callable[[], int]) -> tuple[Workspace, Store]:
    """Open a store on an injected clock; without a path it lives in memory."""
    store = Store(database_at(path), now=now)
    return workspace_over(store), store


class StoreMachine(RuleBasedStateMachine):
    """Ordinary writes to any branch, each followed by reading everything."""

    def __init__(self) -> None:
        super().__init__()
        self.now = START
        self.model = Model()
        self.db, self.store = self.open()

    def open(self) -> tuple[Workspace, Store]:
        return open_at(None, lambda: self.now)

    def teardown(self) -> None:
        found = self.db.verify()
        assert found.ok, found.problems
        self.db.close()

    def branch(self, data: st.DataObject) -> str:
        return data.draw(st.sampled_from(sorted(self.model.heads)), label="branch")

    def view(self, branch: str, space: str = "default") -> Workspace:
        """Return a fresh view, a moment later."""
        self.now += 10_000
        return self.db.on(branch).space(space)

    def record(self, branch: str, drafts: dict[Address, Draft | None], found: list[Any]) -> None:
        """Write to the model and compare the numbers and times that the store answered."""
        commit = self.model.write(branch, drafts, now=self.now)
        expected = [(entry.version, entry.timestamp) for entry in commit.written.values()]
        assert [(version.version, version.timestamp) for version in found] == expected

    @rule(data=st.data(), space=spaces, items=st.dictionaries(keys, values, min_size=1, max_size=3))
    def put_some(self, data: st.DataObject, space: str, items: dict[str, Any]) -> None:
        branch = self.branch(data)
        tags = ("글",) if all(isinstance(value, str) for value in items.values()) else ()
        room = self.view(branch, space).kv
        if len(items) == 1:
            found = [room.put(*item, tags=tags) for item in items.items()]
        else:
            found = room.put_many(items, tags=tags)
        drafts: dict[Address, Draft | None] = {
            (space, "kv", key): Draft(value, tags) for key, value in items.items()
        }
        self.record(branch, drafts, found)

    @rule(data=st.data(), space=spaces, kind=kinds, chosen=st.lists(keys, min_size=1, max_size=3))
    def delete_some(self, data: st.DataObject, space: str, kind: str, chosen: list[str]) -> None:
        branch = self.branch(data)
        head = self.model.heads[branch]
        there = [key for key in dict.fromkeys(chosen) if head.live((space, kind, key))]
        room = getattr(self.view(branch, space), kind)
        found = room.delete_many(chosen)
        first = {key: index for index, key in reversed(list(enumerate(chosen)))}
        expected = [key in there and first[key] == index for index, key in enumerate(chosen)]
        assert found == expected
        if there:
            self.model.write(branch, {(space, kind, key): None for key in there}, now=self.now)

    @rule(data=st.data(), space=spaces, key=keys, path=st.sampled_from(sorted(PATHS)), value=values)
    def set_in_a_document(
        self, data: st.DataObject, space: str, key: str, path: str, value: Any
    ) -> None:
        branch = self.branch(data)
        entry = self.model.heads[branch].live((space, "json", key))
        room = self.view(branch, space).json
        try:
            document = assign(ABSENT if entry is None else entry.value, PATHS[path], value)
        except Misfit:
            try:
                room.set(key, path, value)
            except InvalidPath:
                return
            raise AssertionError(f"{path} does not fit, and was taken") from None
        found = room.set(key, path, value)
        self.record(branch, {(space, "json", key): Draft(document)}, [found])
        read = room.get(key, path)
        assert read is not None
        assert text(read.value) == text(value)

    @rule(data=st.data(), space=spaces, key=keys, path=st.sampled_from(sorted(PATHS)))
    def delete_in_a_document(self, data: st.DataObject, space: str, key: str, path: str) -> None:
        branch = self.branch(data)
        entry = self.model.heads[branch].live((space, "json", key))
        found = self.view(branch, space).json.delete(key, path)
        if entry is None:
            assert found == 0
            return
        draft = None
        if PATHS[path]:
            try:
                draft = Draft(remove(entry.value, PATHS[path]))
            except Misfit:
                assert found == 0
                return
        assert found == 1
        self.model.write(branch, {(space, "json", key): draft}, now=self.now)

    @rule(
        data=st.data(),
        space=spaces,
        key=keys,
        value=values,
        way=st.sampled_from(["set", "init", "cas", "cas absent", "cas too late"]),
    )
    def write_a_cell(self, data: st.DataObject, space: str, key: str, value: Any, way: str) -> None:
        branch = self.branch(data)
        address = (space, "state", key)
        last, live = (
            self.model.heads[branch].shown.get(address),
            self.model.heads[branch].live(address),
        )
        room = self.view(branch, space).state
        if way == "set":
            found, is_due = room.set(key, value), True
        elif way == "init":
            found, is_due = room.init(key, value), live is None
        else:
            counter = live.counter if live is not None else None
            expected = {"cas": counter, "cas absent": None, "cas too late": (counter or 7) - 1}[way]
            found, is_due = room.cas(key, value, expected), expected == counter
        if not is_due:
            shown = live if way == "init" else None
            assert (found and text(found.value)) == (shown and text(shown.value))
            return
        assert found is not None
        if last is None or last.fate != "erased":
            assert found.counter == (last.counter if last is not None else 0) + 1
        self.record(branch, {address: Draft(value, (), found.counter)}, [found])

    @rule(
        data=st.data(),
        space=spaces,
        events=st.lists(st.tuples(types, values), min_size=1, max_size=2),
    )
    def append_some(self, data: st.DataObject, space: str, events: list[tuple[str, Any]]) -> None:
        branch = self.branch(data)
        found = self.view(branch, space).events.append_many(events)
        before = len(self.model.heads[branch].log(space))
        happenings = [(space, Happening(type_, deepcopy(value))) for type_, value in events]
        commit = self.model.write(branch, {}, now=self.now, events=happenings)
        expected = [(before + n, commit.first + n - 1) for n in range(1, len(events) + 1)]
        assert [(event.sequence, event.version) for event in found] == expected

    @rule()
    def count_everything(self) -> None:
        found = self.db.verify()
        assert found.ok, found.problems
        assert (found.commits, found.versions) == (len(self.model.commits), self.model.last)

    @invariant()
    def everything_reads_alike(self) -> None:
        for branch, head in self.model.heads.items():
            self.compare(self.db.on(branch), head)

    def compare(self, view: Workspace, commit: Commit) -> None:
        """Read all of a view and compare it with what a commit shows."""
        for space in SPACES:
            there = view.space(space)
            for kind in KINDS:
                expected = shown_rows(commit, space, kind)
                room = getattr(there, kind)
                assert room.count() == len(expected)
                if any(row[4] == "trimmed" for row in expected):
                    self.compare_what_is_left(room, expected)
                    continue
                found = [
                    (key, v.version, v.timestamp, v.tags, v.state, text(v.value))
                    for key, v in room.items(limit=1000)
                ]
                assert found == expected, (view.branch, space, kind)
            log = [(event.type, text(event.payload)) for event in commit.log(space)]
            assert [(e.type, text(e.payload)) for e in there.events.list(limit=1000)] == log
            assert len(there.events) == len(log)

    def compare_what_is_left(self, room: Any, expected: list[Any]) -> None:
        """Where retention has been, a read gives the true value or says that it is too old."""
        assert room.list(limit=1000) == [row[0] for row in expected]
        with pytest.raises(TooOld):
            room.items(limit=1000)
        for key, version, _time, _tags, state, value in expected:
            if state == "trimmed":
                with pytest.raises(TooOld):
                    room.get(key)
            else:
                found = room.get(key)
                assert (found.version, text(found.value)) == (version, value)


def shown_rows(
    commit: Commit, space: str, kind: str, prefix: str = ""
) -> list[tuple[str, int, int, tuple[str, ...], str, str]]:
    """Return what listing a kind must give, in order of keys."""
    live = {
        key: entry
        for at_space, at_kind, key in commit.shown
        if (at_space, at_kind) == (space, kind)
        and key.startswith(prefix)
        and (entry := commit.live((space, kind, key))) is not None
    }
    return [
        (key, entry.version, entry.timestamp, *seen(entry)) for key, entry in sorted(live.items())
    ]


def seen(entry: Entry) -> tuple[tuple[str, ...], str, str]:
    """Return tags, state and value as history and listings give them."""
    if entry.fate == "live":
        return entry.tags, "live", text(entry.value)
    return (), entry.fate, text(None)
