"""Decisions on several branches and as of a time: merged in any order they say the same."""

from collections.abc import Callable, Iterator
from math import exp
from pathlib import Path

import pytest

from strata import ReadOnly, Workspace
from strata.decisions import Projection
from strata.store import Store
from tests.databases import database_at
from tests.opened import workspace_over

HOUR_US = 3600 * 1_000_000
DAY_US = 24 * HOUR_US


class Clock:
    """A clock that moves when it is told to."""

    now = 1_800_000_000_000_000

    def __call__(self) -> int:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def reopen(tmp_path: Path, clock: Clock) -> Iterator[Callable[[str], Workspace]]:
    """Open stores on one clock, by name."""
    opened: list[Workspace] = []

    def open_named(name: str) -> Workspace:
        database = database_at(tmp_path / name)
        store = Store(database, now=clock, projector=Projection())
        opened.append(workspace_over(store))
        return opened[-1]

    yield open_named
    for workspace in opened:
        workspace.close()


def links_of(db: Workspace) -> dict[str, tuple[object, ...]]:
    return {
        link.id: (link.from_id, link.to_id, link.link_type, link.confidence, link.created_at)
        for link in db.decisions.links()
    }


def diverge(db: Workspace, clock: Clock) -> None:
    """Let two branches decide on the same topic, and add the same link each."""
    first = db.decisions.save("auth", "Use sessions", "Simple").memory.id
    lesson = db.decisions.insight("세션은 쉽게 끊는다").memory.id
    for name, text in (("왼쪽", "토큰을 쓴다"), ("오른쪽", "Passkeys")):
        clock.now += 60_000_000
        db.branches.fork(name)
        there = db.on(name).decisions
        there.save("auth", text, "Mobile")
        there.link(lesson, first, "supports", reason="둘 다 보았다")
        there.outcome("success", id=there.heads("auth")[0].id)
        there.unlink(next(link.id for link in there.links() if link.link_type == "temporal"))


def test_two_branches_merged_in_either_order_give_the_same_links(
    reopen: Callable[[str], Workspace], clock: Clock, tmp_path: Path
) -> None:
    db = reopen("one.db")
    diverge(db, clock)
    db.backup(tmp_path / "two.db")
    other = reopen("two.db")
    for here, order in ((db, ("왼쪽", "오른쪽")), (other, ("오른쪽", "왼쪽"))):
        for name in order:
            here.branches.merge(name, strategy="source_wins")
    found = links_of(db)
    # The time of a link that both made is one of the two, field by field as any merge decides.
    assert found.keys() == links_of(other).keys()
    assert {id_: link[:4] for id_, link in found.items()} == {
        id_: link[:4] for id_, link in links_of(other).items()
    }
    supports = [link for link in db.decisions.links() if link.relationship == "supports"]
    assert len(supports) == 1, "the same link from two sides is one"
    for here in (db, other):
        assert {memory.content for memory in here.decisions.heads("auth")} == {
            "토큰을 쓴다",
            "Passkeys",
        }
        assert here.decisions.on_topic("auth").has_conflict
        assert here.verify().ok


def test_deciding_after_a_merge_settles_what_two_branches_left_open(
    reopen: Callable[[str], Workspace], clock: Clock
) -> None:
    db = reopen("one.db")
    diverge(db, clock)
    for name in ("왼쪽", "오른쪽"):
        db.branches.merge(name, strategy="source_wins")
    both = {memory.id for memory in db.decisions.heads("auth")}
    settled = db.decisions.save("auth", "둘 다 허용한다", "Users differ")
    assert set(settled.superseded) == both
    assert [memory.content for memory in db.decisions.heads("auth")] == ["둘 다 허용한다"]


def test_as_of_a_time_the_decision_of_then_holds_and_links_are_as_sure_as_then(
    reopen: Callable[[str], Workspace], clock: Clock
) -> None:
    db = reopen("one.db")
    first = db.decisions.save("cache", "Cache for an hour", "Speed").memory
    lesson = db.decisions.insight("캐시는 늙는다", topic="cache").memory
    link = db.decisions.link(lesson.id, first.id, "supports")
    version, an_hour_later = db.log(limit=1)[0].version, clock.now + HOUR_US
    clock.now += 10 * DAY_US
    second = db.decisions.save("cache", "Cache for a minute", "Prices move").memory
    db.decisions.outcome("failed", id=first.id, reason="가격이 틀렸다")
    db.decisions.unlink(link.id)

    past = db.at(version).decisions
    assert [memory.id for memory in past.heads("cache")] == [first.id]
    assert past.require(first.id).outcome is None
    assert past.get(second.id) is None
    assert past.superseded_by(first.id) == []
    assert {step.id for step in past.walk(first.id)} == {lesson.id}
    assert round(past.faded(link), 4) == 0.8
    assert db.decisions.faded(link) == pytest.approx(0.8 * exp(-0.5))

    now = db.decisions
    assert [memory.id for memory in now.heads("cache")] == [second.id]
    assert now.require(first.id).outcome == "FAILED"
    assert link.id not in {one.id for one in now.links()}
    assert [memory.id for memory in db.at(an_hour_later).decisions.heads("cache")] == [first.id]
    with pytest.raises(ReadOnly):
        past.save("cache", "Change the past", "No")


def test_a_clock_that_was_set_back_does_not_put_the_replaced_decision_first(
    timed: Workspace, clock: Clock
) -> None:
    room = timed.decisions
    old = room.save("배포", "Blue", "Known").memory
    clock.now -= DAY_US
    new = room.save("배포", "초록", "더 크다").memory
    lesson = room.insight("The clock was wrong").memory
    assert [memory.id for memory in room.recent()] == [lesson.id, new.id, old.id]
    assert old.id < new.id, "ids of one type sort by time"
    judged = room.outcome("SUCCESS", id=new.id).memory
    assert judged.updated_at >= new.created_at
