"""Faded links are taken away: as previewed, once a week, and not for good."""

import threading

import pytest

from strata import ReadOnly, Workspace
from strata.base import limits
from strata.decisions import Pruner
from strata.search import Turn
from tests.contract.conftest import Clock


def pruner(db: Workspace) -> Pruner:
    return Pruner(db._store, turn=Turn(db.leases, seconds=limits.LEASE_S, name="pruning"))


@pytest.fixture
def aged(timed: Workspace, clock: Clock) -> Workspace:
    """Links by time and by people, all of them made forty days ago."""
    for text in ("세션을 쓴다", "Use tokens", "キャッシュ"):
        timed.decisions.insight(text)
        clock.forward(hours=0.1)
    newest, middle, oldest = (memory.id for memory in timed.decisions.recent())
    timed.decisions.link(newest, oldest, "motivated_by")
    timed.decisions.link(newest, middle, "happened after", by="llm")
    timed.decisions.save("cache", "one", "why")
    timed.decisions.save("cache", "two", "why")
    clock.forward(days=40)
    return timed


def test_a_preview_tells_exactly_what_is_pruned(aged: Workspace) -> None:
    links, versions = aged.decisions.links(), aged.info().versions
    preview = aged.decisions.prune(preview=True)
    assert aged.decisions.links() == links
    assert aged.info().versions == versions
    assert preview.count > 0
    assert aged.decisions.prune() == preview
    left = aged.decisions.links()
    assert [link for link in links if link not in left] == [
        link for link in links if link in preview.links
    ]
    assert aged.decisions.prune(preview=True).count == 0


def test_what_was_named_and_what_evolved_stays(aged: Workspace) -> None:
    aged.decisions.prune()
    assert {(link.relationship, link.created_by) for link in aged.decisions.links()} == {
        ("motivated_by", "user"),
        ("happened after", "llm"),
        ("supersedes", "user"),
    }


def test_pruning_is_one_commit_of_the_system_and_can_be_undone(aged: Workspace) -> None:
    links, commits = aged.decisions.links(), len(aged.log(limit=100))
    aged.decisions.prune()
    assert aged.log(limit=1)[0].actor == "system"
    assert len(aged.log(limit=100)) == commits + 1
    aged.undo(actor="system")
    again = aged.decisions.links()
    assert [(link.id, link.confidence, link.created_at) for link in again] == [
        (link.id, link.confidence, link.created_at) for link in links
    ]


def test_a_prune_can_be_reverted_by_its_commit(aged: Workspace) -> None:
    before = {link.id for link in aged.decisions.links()}
    aged.decisions.prune()
    aged.revert(aged.log(limit=1)[0].version)
    assert {link.id for link in aged.decisions.links()} == before


def test_pruning_nothing_commits_nothing(timed: Workspace) -> None:
    timed.decisions.insight("하나")
    timed.decisions.insight("둘")
    commits = len(timed.log(limit=100))
    assert timed.decisions.prune().count == 0
    assert len(timed.log(limit=100)) == commits


def test_the_past_shows_what_was_pruned_since_and_how_sure_it_was(
    aged: Workspace, clock: Clock
) -> None:
    early = clock.us - 39 * limits.DAY_MS * 1000
    aged.decisions.prune()
    then = aged.at(early)
    temporal = [link for link in then.decisions.links() if link.created_by == "system"]
    assert temporal
    # A day after they were made, not forty.
    assert all(then.decisions.faded(link) > 0.25 for link in temporal)
    assert all(aged.decisions.faded(link) < 0.2 for link in temporal)
    with pytest.raises(ReadOnly):
        then.decisions.prune()


def test_the_weekly_job_runs_once_a_week(aged: Workspace, clock: Clock) -> None:
    ours, other = pruner(aged), pruner(aged)
    assert ours.step()
    assert aged.decisions.prune(preview=True).count == 0
    assert not other.step()
    aged.decisions.insight("넷")
    aged.decisions.insight("다섯")
    clock.forward(days=6.9)
    assert not ours.step()
    assert not pruner(aged).step()
    clock.forward(days=0.2)
    assert pruner(aged).step()


def test_the_weekly_job_prunes_every_branch_with_links(aged: Workspace) -> None:
    aged.branches.fork("갈래")
    side = aged.on("갈래")
    side.decisions.insight("여기서만")
    side.decisions.insight("here alone")
    assert pruner(aged).step()
    for db in (aged, side):
        assert db.decisions.prune(preview=True).count == 0
        assert db.log(limit=1)[0].actor == "system"
    assert [link for link in side.decisions.links() if link.created_by == "system"]


def test_a_store_without_links_is_left_alone(timed: Workspace, clock: Clock) -> None:
    timed.kv.put("k", 1)
    clock.forward(days=100)
    assert not pruner(timed).step()
    assert timed.info().versions == 1


def test_two_at_once_prune_once(aged: Workspace) -> None:
    start, done = threading.Barrier(2), list[bool]()

    def work() -> None:
        job = pruner(aged)
        start.wait(60)
        done.append(job.step())

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert sorted(done) == [False, True]
    assert [commit.operation for commit in aged.log(limit=100)].count("prune") == 1
    assert aged.verify().ok
