"""Derived state of a process that follows many commits equals what a new process reads.

One workspace stays open and asks all the time; a second one writes to the same file too, and
both fork, merge, delete, trim and purge. After every few steps the first one must answer what a
third one answers, which was opened just now and so has built everything from nothing.
"""

import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

import strata
from strata import StrataError, Workspace
from strata.documents import Request
from strata.store import Snapshot
from tests.property.examples import examples

WORDS = ["배포", "deploy", "кэш", "記憶"]
BRANCHES = ["default", "곁", "side"]
words = st.sampled_from(WORDS)
branches = st.sampled_from(BRANCHES)
numbers = st.integers(0, 50)


def answers(db: Workspace) -> dict[str, Any]:
    """Return what derived state gives on every branch."""
    found: dict[str, Any] = {"visible": dict(db.rights.visible())}
    for branch in sorted(one.name for one in db.branches.list()):
        on = db.on(branch)
        ids = sorted(memory.id for memory in on.decisions.recent(limit=100))
        documents = sorted(db.rights.visible())
        listed = on.documents.find(Request(intent="list", limit=50)).items
        snapshot = Snapshot(db._store, branch)
        found[branch] = {
            "links": sorted(db._followers.graphs.links(snapshot), key=lambda link: link.id),
            "walks": {
                id_: [
                    (step.id, step.depth, step.link.id) for step in on.decisions.walk(id_, depth=3)
                ]
                for id_ in ids
            },
            "candidates": db._followers._candidates.of(snapshot),
            "listed": [(item.id, item.title, item.updated) for item in listed],
            "texts": {id_: text_of(on, id_) for id_ in documents},
            # By words: the text index, and the table of words that typing errors are led to.
            "found": {
                word: [
                    (hit.entity, hit.version, hit.score)
                    for hit in on.search(word, mode="keyword", limit=50).hits
                ]
                for word in (*WORDS, "deplyo")
            },
            "sections": [
                (item.id, item.title)
                for word in WORDS
                for item in on.documents.find(Request(intent="search", query=word)).items
            ],
            "near": [
                (match.key, round(match.score, 5), match.metadata)
                for match in on.vectors.search("점", [1.0, 0.5], limit=20)
            ],
        }
    return found


def text_of(db: Workspace, document: str) -> str | None:
    try:
        return db.documents.text(document)
    except StrataError:
        return None  # not on this branch


class Writers(RuleBasedStateMachine):
    """Two workspaces that write to one file."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name) / "저장소.db"
        self.hands = [self.open(), self.open()]

    def open(self) -> Workspace:
        return strata.open(self.path, durability="standard", auto_embed=False)

    @initialize()
    def begin(self) -> None:
        first = self.hands[0]
        first.vectors.create("점", dimension=2)
        for branch in BRANCHES[1:]:
            first.branches.fork(branch)
        first.decisions.insight("처음")
        first.documents.create("처음", "# 처음\n\n끝")

    def teardown(self) -> None:
        for db in self.hands:
            db.close()
        self.folder.cleanup()

    @rule(hand=st.integers(0, 1), branch=branches, word=words)
    def decide(self, hand: int, branch: str, word: str) -> None:
        on = self.hands[hand].on(branch).decisions
        made = on.insight(word).memory.id
        others = [memory.id for memory in on.recent(limit=50) if memory.id != made]
        if others:
            on.link(made, others[0], "supports")

    @rule(hand=st.integers(0, 1), branch=branches, number=numbers)
    def unlink(self, hand: int, branch: str, number: int) -> None:
        on = self.hands[hand].on(branch).decisions
        links = on.links()
        if links:
            on.unlink(links[number % len(links)].id)

    @rule(hand=st.integers(0, 1), branch=branches, word=words, number=numbers)
    def write(self, hand: int, branch: str, word: str, number: int) -> None:
        on = self.hands[hand].on(branch).documents
        known = [item.id for item in on.find(Request(intent="list", limit=50)).items]
        if number % 3 and known:
            document = known[number % len(known)]
            on.edit(document, "끝", f"{word} 끝")
            if number % 2:
                on.rename(document, f"{word} {number}")
        else:
            on.create(f"{word} {number}", f"# {word}\n\n끝")

    @rule(hand=st.integers(0, 1), branch=branches, number=numbers)
    def point(self, hand: int, branch: str, number: int) -> None:
        on = self.hands[hand].on(branch).vectors
        if number % 4:
            on.upsert("점", f"p{number % 7}", [1.0, number / 10], metadata={"수": number})
        else:
            on.delete("점", f"p{number % 7}")

    @rule(hand=st.integers(0, 1), source=st.sampled_from(BRANCHES[1:]))
    def merge(self, hand: int, source: str) -> None:
        self.hands[hand].branches.merge(source, into="default", strategy="source_wins")

    @rule(hand=st.integers(0, 1), number=numbers)
    def purge(self, hand: int, number: int) -> None:
        db = self.hands[hand]
        memories = sorted(memory.id for memory in db.decisions.recent(limit=50))
        documents = sorted(db.rights.visible())
        if number % 2 and memories:
            db.purge(memories[number % len(memories)], kind="memory", space="decisions")
        elif documents:
            db.purge_document(documents[number % len(documents)])

    @invariant()
    def the_first_answers_what_a_new_one_does(self) -> None:
        with self.open() as fresh:
            assert answers(self.hands[0]) == answers(fresh)
            # Both hands skip words that they take for known: the table must have them all.
            assert fresh.verify().problems == ()


Writers.TestCase.settings = settings(
    max_examples=examples(40),
    stateful_step_count=14,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
TestDerivedState = pytest.mark.slow(Writers.TestCase)
