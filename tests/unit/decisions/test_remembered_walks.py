"""Walks that are remembered: how long, how deep, and what makes them forgotten."""

from collections.abc import Iterator

import pytest

import strata
from strata import Workspace
from strata.base import limits
from strata.decisions import Graphs, Walk
from strata.store import Snapshot


class Bench:
    """A store with two chains that nothing joins, and a clock that moves when told to."""

    def __init__(self, db: Workspace) -> None:
        self.db = db
        self.now_s = 0.0
        self.graphs = Graphs(db._store, lambda: self.now_s)
        self.left = self.chain("왼쪽")
        self.right = self.chain("오른쪽")

    def chain(self, name: str) -> list[str]:
        room = self.db.decisions
        made = [room.insight(f"{name} {number}").memory.id for number in range(5)]
        for link in room.links():
            if link.link_type == "temporal":
                room.unlink(link.id)
        for newer, older in zip(made[1:], made, strict=False):
            room.link(newer, older, "supports")
        return made

    def walk(self, start: str, depth: int = 3, **wishes: object) -> list[str]:
        snapshot = Snapshot(self.db._store, "default")
        walk = Walk(depth=depth, **wishes)  # pyright: ignore[reportArgumentType]
        found = self.graphs.walks(snapshot, [start], walk, now_ms=0)
        return [step.id for step in found[start]]

    @property
    def counts(self) -> tuple[int, int]:
        return self.graphs.hits, self.graphs.misses


@pytest.fixture
def bench() -> Iterator[Bench]:
    with strata.open(durability="cache", auto_embed=False) as db:
        yield Bench(db)


def test_a_walk_is_made_once_and_forgotten_after_five_minutes(bench: Bench) -> None:
    assert bench.walk(bench.left[0]) == bench.left[1:4]
    assert bench.walk(bench.left[0]) == bench.left[1:4]
    assert bench.counts == (1, 1)
    bench.now_s += limits.GRAPH_CACHE_S
    assert bench.walk(bench.left[0]) == bench.left[1:4]
    assert bench.counts == (1, 2)


def test_a_shorter_walk_is_a_part_of_a_longer_one(bench: Bench) -> None:
    assert bench.walk(bench.left[0], 5) == bench.left[1:]
    assert bench.walk(bench.left[0], 1) == bench.left[1:2]
    assert bench.walk(bench.left[0], 3) == bench.left[1:4]
    assert bench.counts == (2, 1)
    assert bench.walk(bench.left[0], 3, direction="from") == []
    assert bench.counts == (2, 2)


def test_a_change_elsewhere_leaves_a_walk_remembered(bench: Bench) -> None:
    bench.walk(bench.left[0])
    bench.db.kv.put("배포", "blue")
    bench.db.decisions.link(bench.right[0], bench.right[4], "supports")
    assert bench.walk(bench.left[0]) == bench.left[1:4]
    assert bench.counts == (1, 1)


def test_a_new_link_at_a_memory_that_was_passed_leads_the_next_walk(bench: Bench) -> None:
    bench.walk(bench.left[0])
    bench.db.decisions.link(bench.right[0], bench.left[0], "supports")
    assert set(bench.walk(bench.left[0])) == {*bench.left[1:4], *bench.right[:3]}
    assert bench.counts == (0, 2)


def test_a_link_at_the_last_memory_of_a_walk_does_not_lengthen_it(bench: Bench) -> None:
    bench.walk(bench.left[0], 3)
    bench.db.decisions.link(bench.right[0], bench.left[3], "supports")
    assert bench.walk(bench.left[0], 3) == bench.left[1:4]
    assert bench.counts == (1, 1)


def test_a_link_that_is_gone_leads_nowhere(bench: Bench) -> None:
    bench.walk(bench.left[0])
    (link,) = bench.db.decisions.links(bench.left[0])
    bench.db.decisions.unlink(link.id)
    assert bench.walk(bench.left[0]) == []
    bench.db.undo()
    assert bench.walk(bench.left[0]) == bench.left[1:4]


def test_a_purged_memory_or_link_is_not_walked_to_any_more(bench: Bench) -> None:
    bench.walk(bench.left[0])
    bench.db.purge(bench.left[2], space="decisions")
    assert bench.walk(bench.left[0]) == [bench.left[1], bench.left[3]]
    (link,) = bench.db.decisions.links(bench.left[0])
    bench.db.purge(link.id, space="decisions")
    assert bench.walk(bench.left[0]) == []


def test_a_branch_and_the_past_have_walks_of_their_own(bench: Bench) -> None:
    before = bench.db.log(limit=1)[0].version
    bench.db.branches.fork("실험")
    bench.db.on("실험").decisions.link(bench.right[0], bench.left[0], "supports")
    assert bench.walk(bench.left[0]) == bench.left[1:4]
    there = bench.db.on("실험").decisions
    assert set(bench.right[:3]) <= {step.id for step in there.walk(bench.left[0], depth=3)}
    bench.db.branches.merge("실험")
    assert set(bench.right[:3]) <= set(bench.walk(bench.left[0]))
    past = bench.db.at(before).decisions.walk(bench.left[0], depth=3)
    assert [step.id for step in past] == bench.left[1:4]


def test_a_process_that_has_passed_too_much_begins_anew(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "GRAPH_PLACES_MAX", 4)
    for _ in range(2):
        assert bench.walk(bench.left[0]) == bench.left[1:4]
        assert bench.walk(bench.right[0]) == bench.right[1:4]
    assert bench.counts == (0, 4)
