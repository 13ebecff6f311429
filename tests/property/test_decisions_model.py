"""Any sequence of decisions, outcomes, links, forks, merges and undos agrees with a plain model.

The model keeps every memory and link as a dictionary in the states of `tests.property.conftest`,
and derives from them, by looking at everything, what the room answers by lookups: which decisions
hold, what a walk reaches, what fades. The tables for SQL are compared with it after every step.
"""

import json
from collections.abc import Callable
from math import exp
from typing import Any

import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from strata import CommitNotFound, MergeConflict, NotFound, Workspace
from strata.decisions import Link, Memory, Projection, SavedMemory
from strata.store import Store
from tests.databases import database_at
from tests.opened import workspace_over
from tests.property.conftest import START, Address, Commit, Draft, Model
from tests.property.examples import examples
from tests.property.merge_model import common_ground, plan_merge

HOUR_MS, DAY_MS = 3_600_000, 86_400_000
PRUNE = "prune"
# How people spell a topic, and what they mean by it.
TOPICS = {"auth": "auth", "Auth": "auth", "캐시 정책": "캐시_정책", "캐시-정책": "캐시_정책"}
RATES = {"temporal": 0.1, "association": 0.05, "implementation": 0.02, "evolution": 0.0}
# A word of each type whose ends stay as they are; one on an evolution that replaces nothing.
WORDS = [
    ("supports", "association"),
    ("needs", "implementation"),
    ("refines", "evolution"),
    ("replaces", "evolution"),
]
PAUSES_MS = st.sampled_from([10, 10, 10, 25 * 60_000, 2 * HOUR_MS, 20 * DAY_MS])
topics = st.sampled_from(sorted(TOPICS))
texts = st.sampled_from(["Use sessions", "토큰을 쓴다", "キャッシュ", "не кэшировать"])

Value = dict[str, Any]


def memories(commit: Commit) -> dict[str, Value]:
    return _shown(commit, "memory")


def links(commit: Commit) -> dict[str, Value]:
    return _shown(commit, "link")


def _shown(commit: Commit, kind: str) -> dict[str, Value]:
    return {
        key: entry.value
        for (_space, at_kind, key) in commit.shown
        if at_kind == kind and (entry := commit.live(("decisions", kind, key))) is not None
    }


def holders(commit: Commit, id_: str) -> set[str]:
    """Return the live memories that replace one."""
    return {
        link["from"]
        for link in links(commit).values()
        if link["to"] == id_
        and link["type"] == "evolution"
        and link["metadata"]["original_relationship"] != "refines"
        and link["from"] in memories(commit)
    }


def heads(commit: Commit, topic: str) -> list[str]:
    known = memories(commit)
    fitting = [
        id_
        for id_, value in known.items()
        if value["type"] == "decision"
        and TOPICS[value["topic"]] == TOPICS[topic]
        and not holders(commit, id_)
    ]
    return sorted(fitting, key=lambda id_: known[id_]["created_at"])


def reached(commit: Commit, start: str, depth: int) -> dict[str, int]:
    """Return how far away everything is that links lead to."""
    found, edge = {start: 0}, {start}
    for far in range(1, depth + 1):
        ends = [
            (link["from"], link["to"])
            for link in links(commit).values()
            if (link["type"], link["by"]) != ("temporal", "system")
        ]
        edge = {b for pair in ends for a, b in (pair, pair[::-1]) if a in edge} - found.keys()
        found |= dict.fromkeys(edge, far)
    return {id_: far for id_, far in found.items() if far and id_ in memories(commit)}


def neighbours_in_time(commit: Commit, now_ms: int, taken: set[str]) -> list[tuple[str, float]]:
    """Return the newest memory of the last hour, and how sure a link to it is."""
    recent = sorted(
        ((value["created_at"], id_) for id_, value in memories(commit).items()), reverse=True
    )
    near = [
        (id_, round(0.3 + 0.2 * (1 - (now_ms - at) / HOUR_MS), 4))
        for at, id_ in recent
        if now_ms - at <= HOUR_MS and id_ not in taken
    ]
    return near[:1]


def is_withered(link: Value, now_ms: int) -> bool:
    days = (now_ms - link["created_at"]) / DAY_MS
    has_faded = link["confidence"] * exp(-RATES[link["type"]] * days) < 0.2
    return link["by"] == "system" and (has_faded or (link["type"] == "temporal" and days > 30))


def memory_value(memory: Memory) -> Value:
    return {
        "type": memory.type,
        "topic": memory.topic,
        "content": memory.content,
        "metadata": memory.metadata,
        "created_at": memory.created_at,
        "updated_at": memory.updated_at,
    }


def link_value(link: Link) -> Value:
    return {
        "from": link.from_id,
        "to": link.to_id,
        "type": link.link_type,
        "confidence": link.confidence,
        "by": link.created_by,
        "created_at": link.created_at,
        "metadata": link.metadata,
    }


def place(kind: str, key: str) -> Address:
    return ("decisions", kind, key)


class DecisionsMachine(RuleBasedStateMachine):
    """Decides, judges, links, forks, merges, takes back, prunes and purges."""

    def __init__(self) -> None:
        super().__init__()
        self.now_ms = START // 1000
        self.model = Model()
        store = Store(database_at(None), now=lambda: self.now_ms * 1000, projector=Projection())
        self.store, self.db = store, workspace_over(store)

    def teardown(self) -> None:
        found = self.db.verify()
        assert found.ok, found.problems
        assert self.db.reindex().rows == 0
        self.db.close()

    # What the rules have in common.

    def branch(self, data: st.DataObject) -> str:
        return data.draw(st.sampled_from(sorted(self.model.heads)), label="branch")

    def on(self, branch: str, pause_ms: int = 10) -> Workspace:
        """Return a fresh view, a while later."""
        self.now_ms += pause_ms
        return self.db.on(branch)

    def some(self, data: st.DataObject, found: Callable[[Commit], dict[str, Value]]) -> Any:
        """Draw a branch and something that it shows; None where it shows nothing."""
        branch = self.branch(data)
        known = found(self.model.heads[branch])
        # By time: ids are random, and the same example must draw the same again.
        ordered = sorted(known, key=lambda id_: (known[id_]["created_at"], str(known[id_])))
        if not ordered:
            return branch, None
        return branch, ordered[data.draw(st.integers(0, len(ordered) - 1), label="which")]

    def write(self, branch: str, drafts: dict[Address, Draft | None]) -> Commit:
        return self.model.write(branch, drafts, now=self.now_ms * 1000)

    def take_save(self, branch: str, saved: SavedMemory, *, replaced: list[str]) -> None:
        """Compare what a save made with what it should have, and note it."""
        head, memory = self.model.heads[branch], saved.memory
        if saved.is_unchanged:
            assert memories(head)[memory.id] == memory_value(memory)
            return
        assert (memory.created_at, memory.updated_at) == (self.now_ms, self.now_ms)
        assert list(saved.superseded) == replaced
        expected = {(old, "evolution", 1.0, "user") for old in replaced}
        expected |= {
            (near, "temporal", sure, "system")
            for near, sure in neighbours_in_time(head, self.now_ms, set(replaced))
        }
        made = {(one.to_id, one.link_type, one.confidence, one.created_by) for one in saved.links}
        assert made == expected
        assert {one.from_id for one in saved.links} <= {memory.id}
        drafts: dict[Address, Draft | None] = {
            place("memory", memory.id): Draft(memory_value(memory)),
            **{place("link", one.id): Draft(link_value(one)) for one in saved.links},
        }
        commit = self.write(branch, drafts)
        assert memory.version == commit.first

    # Saving and judging.

    @rule(data=st.data(), topic=topics, text=texts, pause=PAUSES_MS, alone=st.booleans())
    def decide(
        self, data: st.DataObject, topic: str, text: str, pause: int, *, alone: bool
    ) -> None:
        branch = self.branch(data)
        replaced = [] if alone else heads(self.model.heads[branch], topic)
        room = self.on(branch, pause).decisions
        saved = room.save(topic, text, "왜냐하면", supersedes="none" if alone else None)
        assert (TOPICS[saved.memory.topic or ""], saved.memory.content) == (TOPICS[topic], text)
        assert saved.is_unchanged or saved.memory.topic == topic
        self.take_save(branch, saved, replaced=replaced)

    @rule(data=st.data(), text=texts, pause=PAUSES_MS, topic=st.none() | topics)
    def learn(self, data: st.DataObject, text: str, pause: int, topic: str | None) -> None:
        branch = self.branch(data)
        saved = self.on(branch, pause).decisions.insight(text, topic=topic)
        self.take_save(branch, saved, replaced=[])

    @rule(data=st.data(), text=texts)
    def pause_work(self, data: st.DataObject, text: str) -> None:
        branch = self.branch(data)
        saved = self.on(branch).decisions.checkpoint(text, open_files=["a.py"])
        self.take_save(branch, saved, replaced=[])
        found = self.db.on(branch).decisions.last_checkpoint()
        assert found is not None
        assert found.id == saved.memory.id

    @rule(data=st.data(), outcome=st.sampled_from(["SUCCESS", "실패", "partial"]))
    def judge(self, data: st.DataObject, outcome: str) -> None:
        branch, id_ = self.some(data, decisions)
        if id_ is None:
            return
        before = memories(self.model.heads[branch])[id_]
        judged = self.on(branch).decisions.outcome(outcome, id=id_, reason="느렸다")
        told = {"SUCCESS": "SUCCESS", "실패": "FAILED", "partial": "PARTIAL"}[outcome]
        reason = "failure_reason" if told == "FAILED" else "outcome_reason"
        noted = {"outcome": told, "outcome_at": self.now_ms, reason: "느렸다"}
        if judged.is_unchanged:
            assert memory_value(judged.memory) == before
            assert before["metadata"].items() >= {"outcome": told, reason: "느렸다"}.items()
            return
        verdict = ("outcome", "outcome_at", "failure_reason", "outcome_reason")
        others = {k: v for k, v in before["metadata"].items() if k not in verdict}
        metadata = {**others, **noted}
        assert memory_value(judged.memory) == {
            **before,
            "metadata": metadata,
            "updated_at": self.now_ms,
        }
        (link,) = (
            link
            for link in self.db.on(branch).decisions.links(judged.insight.id)
            if link.relationship == "outcome_of" and link.from_id == judged.insight.id
        )
        ends = (link.from_id, link.to_id, link.relationship, link.confidence)
        assert ends[:3] == (judged.insight.id, id_, "outcome_of")
        written: dict[Address, Draft | None] = {
            place("memory", id_): Draft(memory_value(judged.memory)),
            place("memory", judged.insight.id): Draft(memory_value(judged.insight)),
        }
        if link.id not in links(self.model.heads[branch]):
            assert link.confidence == 0.8
            written[place("link", link.id)] = Draft(link_value(link))
        self.write(branch, written)

    # Links.

    @rule(data=st.data(), word=st.sampled_from(WORDS))
    def tie(self, data: st.DataObject, word: tuple[str, Any]) -> None:
        branch, from_id = self.some(data, memories)
        known = memories(self.model.heads[branch])
        others = sorted(known.keys() - {from_id}, key=lambda id_: known[id_]["created_at"])
        if not others:
            return
        to_id = others[data.draw(st.integers(0, len(others) - 1), label="to")]
        made = self.on(branch).decisions.link(from_id, to_id, word[0], link_type=word[1])
        found = (made.from_id, made.to_id, made.link_type, made.relationship, made.confidence)
        assert found == (from_id, to_id, word[1], word[0], 0.8)
        self.write(branch, {place("link", made.id): Draft(link_value(made))})

    @rule(data=st.data())
    def confirm(self, data: st.DataObject) -> None:
        branch, id_ = self.some(data, links)
        if id_ is None:
            return
        before = links(self.model.heads[branch])[id_]
        sure = self.on(branch).decisions.confirm(id_)
        metadata = {**before["metadata"], "confirmed_at": self.now_ms}
        expected = {**before, "confidence": 1.0, "by": "user", "metadata": metadata}
        assert link_value(sure) == expected
        self.write(branch, {place("link", id_): Draft(expected)})

    @rule(data=st.data())
    def untie(self, data: st.DataObject) -> None:
        branch, id_ = self.some(data, links)
        if id_ is not None:
            self.on(branch).decisions.unlink(id_)
            self.write(branch, {place("link", id_): None})

    @rule(data=st.data(), pause=st.sampled_from([10, 20 * DAY_MS]))
    def prune(self, data: st.DataObject, pause: int) -> None:
        branch = self.branch(data)
        known = links(self.model.heads[branch])
        room = self.on(branch, pause).decisions
        expected = sorted(id_ for id_, link in known.items() if is_withered(link, self.now_ms))
        assert [link.id for link in room.prune(preview=True).links] == expected
        assert [link.id for link in room.prune().links] == expected
        if expected:
            gone: dict[Address, Draft | None] = {place("link", id_): None for id_ in expected}
            self.model.write(branch, gone, now=self.now_ms * 1000, operation=PRUNE)

    # Branches and the past.

    @rule(data=st.data(), name=st.sampled_from(["try", "실험"]))
    def fork(self, data: st.DataObject, name: str) -> None:
        if name not in self.model.heads:
            source = self.branch(data)
            self.on(source).branches.fork(name)
            self.model.start(name, self.model.heads[source])

    @precondition(lambda self: len(self.model.heads) > 1)
    @rule(data=st.data(), strategy=st.sampled_from(["strict", "source_wins", "target_wins"]))
    def merge(self, data: st.DataObject, strategy: Any) -> None:
        source, target = self.branch(data), self.branch(data)
        if source == target:
            return
        theirs, ours = self.model.heads[source], self.model.heads[target]
        plan = plan_merge(common_ground(theirs, ours), theirs, ours, strategy=strategy)
        branches = self.on(target).branches
        if plan.conflicts and strategy == "strict":
            with pytest.raises(MergeConflict):
                branches.merge(source)
            return
        done = branches.merge(source, strategy=strategy)
        if not plan.drafts and theirs in ours.ancestors():
            assert done.commit is None
            return
        commit = self.model.write(target, plan.drafts, now=self.now_ms * 1000, second=theirs)
        assert done.commit == commit.version

    @rule(data=st.data(), actor=st.sampled_from([None, None, "system"]))
    def undo(self, data: st.DataObject, actor: str | None) -> None:
        """Take back the newest commit of a person, or of the system if that is named."""
        target, own = self.branch(data), "" if actor is None else PRUNE
        head, undone = self.model.heads[target], set[str]()
        for commit in head.chain():
            undone.add(commit.operation)
            if commit.operation != own or f"undo {commit.version}" in undone or not commit.written:
                continue
            assert commit.parent is not None
            plan = plan_merge(commit, commit.parent, head, strategy="strict", only=commit)
            if plan.conflicts:
                with pytest.raises(MergeConflict):
                    self.on(target).undo(actor=actor)
                return
            if plan.drafts:
                done, name = self.on(target).undo(actor=actor), f"undo {commit.version}"
                now = self.now_ms * 1000
                made = self.model.write(target, plan.drafts, now=now, operation=name)
                assert done.commit == made.version
                return
        with pytest.raises(CommitNotFound):
            self.on(target).undo(actor=actor)

    @rule(data=st.data(), kind=st.sampled_from(["memory", "memory", "link"]))
    def purge(self, data: st.DataObject, kind: str) -> None:
        branch, id_ = self.some(data, memories if kind == "memory" else links)
        if id_ is None:
            return
        held = [
            entry
            for commit in self.model.commits
            if (entry := commit.written.get(place(kind, id_))) is not None
            if entry.fate != "erased"
        ]
        assert self.on(branch).purge(id_, space="decisions").versions == len(held)
        for entry in held:
            entry.fate = "erased"
        with pytest.raises(NotFound):
            self.db.purge(id_, space="decisions")

    # Reading.

    @invariant()
    def every_branch_shows_the_same(self) -> None:
        for branch, head in self.model.heads.items():
            self.compare(self.db.on(branch), head)

    @precondition(lambda self: self.model.commits)
    @rule(data=st.data())
    def look_back(self, data: st.DataObject) -> None:
        branch = self.branch(data)
        chain = [commit for commit in self.model.heads[branch].chain() if commit.version]
        if chain:
            commit = data.draw(st.sampled_from(chain), label="commit")
            self.compare(self.db.on(branch).at(commit.version), commit)

    @rule(data=st.data(), depth=st.integers(1, 5))
    def walk(self, data: st.DataObject, depth: int) -> None:
        branch, id_ = self.some(data, memories)
        if id_ is not None:
            steps = self.on(branch).decisions.walk(id_, depth=depth)
            expected = reached(self.model.heads[branch], id_, depth)
            assert {step.id: step.depth for step in steps} == expected
            assert [step.depth for step in steps] == sorted(step.depth for step in steps)

    @rule(data=st.data())
    def read_all_links(self, data: st.DataObject) -> None:
        """Hold all of a branch's links in memory, as linking by meaning does."""
        branch = self.branch(data)
        graphs, snapshot = self.db._followers.graphs, self.on(branch)._view.snapshot
        found = {link.id: link_value(link) for link in graphs.links(snapshot)}
        assert found == links(self.model.heads[branch])

    def compare(self, view: Workspace, commit: Commit) -> None:
        room, known = view.decisions, memories(commit)
        found = {memory.id: memory_value(memory) for memory in room.recent(limit=1000)}
        assert found == known
        assert {link.id: link_value(link) for link in room.links()} == links(commit)
        for topic in ("auth", "캐시 정책"):
            current = heads(commit, topic)
            assert [memory.id for memory in room.heads(topic)] == current
        for id_ in known:
            assert set(room.superseded_by(id_)) == holders(commit, id_)

    @invariant()
    def the_tables_show_the_default_branch(self) -> None:
        head, connection = self.model.heads["default"], self.store.connection()
        rows = connection.rows("SELECT * FROM memories")
        assert {row[0]: as_memory(row) for row in rows} == memories(head)
        rows = connection.rows("SELECT * FROM memory_links")
        assert {row[0]: as_link(row) for row in rows} == links(head)


def decisions(commit: Commit) -> dict[str, Value]:
    return {id_: value for id_, value in memories(commit).items() if value["type"] == "decision"}


def as_memory(row: tuple[Any, ...]) -> Value:
    _id, type_, content, topic, metadata, vector, created_at, updated_at = row
    assert vector is None
    return {
        "type": type_,
        "topic": topic,
        "content": content,
        "metadata": json.loads(metadata),
        "created_at": created_at,
        "updated_at": updated_at,
    }


def as_link(row: tuple[Any, ...]) -> Value:
    _id, from_id, to_id, type_, confidence, by, metadata, created_at = row
    return {
        "from": from_id,
        "to": to_id,
        "type": type_,
        "confidence": confidence,
        "by": by,
        "created_at": created_at,
        "metadata": json.loads(metadata),
    }


TestDecisions = DecisionsMachine.TestCase
TestDecisions.settings = settings(
    report_multiple_bugs=False,
    phases=set(Phase) - {Phase.explain},
    max_examples=examples(150),
    stateful_step_count=30,
)
