"""Proposals: what waits, and what becomes of it when a user decides."""

import threading
from pathlib import Path

import pytest

import strata
from strata import Workspace
from strata.base import limits
from strata.proposals import ProposalVerdict
from tests.databases import place_of


def keys(db: Workspace) -> list[str]:
    return [one.key for one in db.proposals.list()]


@pytest.fixture
def claude(db: Workspace) -> Workspace:
    return db.as_actor("claude")


def test_what_is_proposed_is_left_out_of_reading_and_searching(
    db: Workspace, claude: Workspace
) -> None:
    claude.proposing().facts.remember("배포/요일", "금요일에는 배포하지 않는다")
    assert db.facts.recall("배포/요일") is None
    assert db.search("금요일 배포").hits == ()
    assert db.glance("금요일에는 배포하지 않는다") == ()
    assert keys(db) == ["배포/요일"]


def test_an_accepted_change_is_a_commit_that_names_both_sides(
    db: Workspace, claude: Workspace
) -> None:
    db.kv.put("limit", 10)
    claude.proposing().kv.put("limit", 20)
    done = db.as_actor("소연").proposals.accept("limit")
    assert db.kv["limit"] == 20
    commit = db.log(limit=1)[0]
    assert (commit.version,) == done.commits
    assert (commit.operation, commit.actor) == ("accept", "소연")
    assert commit.message == "accept limit, proposed by claude"
    assert keys(db) == []
    assert [branch.name for branch in db.branches.list()] == ["default"]


def test_a_rejected_change_leaves_nothing_but_a_note(db: Workspace, claude: Workspace) -> None:
    db.kv.put("limit", 10)
    draft = claude.proposing()
    draft.kv.put("limit", 20)
    draft.kv.put("other", 1)
    db.proposals.reject("limit", reason="너무 많다")
    assert keys(db) == ["other"]
    assert db.kv["limit"] == 10
    assert draft.kv["limit"] == 10
    [event] = db.space("proposals").events.list()
    assert event.payload["reason"] == "너무 많다"
    assert "20" not in str(event.payload)


def test_decided_changes_do_not_come_back_when_the_base_changes_later(
    db: Workspace, claude: Workspace
) -> None:
    db.kv.put_many({"a": 1, "b": 1})
    claude.proposing().kv.put_many({"a": 2, "b": 2, "c": 2})
    db.proposals.accept("a")
    db.proposals.reject("b")
    db.kv.put_many({"a": 3, "b": 3})
    assert keys(db) == ["c"]


def test_a_change_that_the_base_has_overtaken_is_a_conflict(
    db: Workspace, claude: Workspace
) -> None:
    db.kv.put("limit", 10)
    claude.proposing().kv.put_many({"limit": 20, "other": 1})
    db.kv.put("limit", 15)
    conflict = db.proposals.get("limit")
    assert (conflict.conflict, conflict.before, conflict.after) == (True, 15, 20)
    done = db.proposals.accept("limit", "other")
    assert [one.key for one in done.decided] == ["other"]
    assert [one.code for one in done.refused] == ["merge_conflict"]
    assert db.kv["limit"] == 15
    assert db.proposals.reword("limit", 17).refused
    db.proposals.accept("limit", force=True)
    assert db.kv["limit"] == 20
    assert db.verify().ok


def test_a_conflict_is_not_forgotten_when_more_is_proposed(
    db: Workspace, claude: Workspace
) -> None:
    db.kv.put("limit", 10)
    claude.proposing().kv.put("limit", 20)
    db.kv.put("limit", 15)
    claude.proposing().kv.put("more", 1)
    assert db.proposals.get("limit").conflict


def test_a_proposer_builds_on_what_the_base_says_now(db: Workspace, claude: Workspace) -> None:
    claude.proposing().kv.put("waits", 1)
    db.json.set("plan", "$", {"steps": ["build"]})
    draft = claude.proposing()
    assert draft.json.get("plan").value == {"steps": ["build"]}  # pyright: ignore[reportOptionalMemberAccess]
    assert sorted(keys(db)) == ["waits"]


def test_a_base_that_has_changed_much_is_not_merged_before_a_write(
    db: Workspace, claude: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "PROPOSALS_CATCH_UP_VERSIONS", 3)
    claude.proposing().kv.put("waits", 1)
    db.kv.put_many({str(n): n for n in range(10)})
    draft = claude.proposing()
    draft.kv.put("more", 1)
    assert draft.kv.get("3") is None
    assert keys(db) == ["waits", "more"]


def test_fields_that_both_changed_apart_are_joined(db: Workspace, claude: Workspace) -> None:
    db.json.set("plan", "$", {"a": 1, "b": 1})
    claude.proposing().json.set("plan", "$.a", 2)
    db.json.set("plan", "$.b", 3)
    assert not db.proposals.get("plan").conflict
    db.proposals.accept("plan")
    assert db.json["plan"] == {"a": 2, "b": 3}


def test_a_decision_comes_with_its_links_and_its_outcome(db: Workspace, claude: Workspace) -> None:
    db.decisions.save("auth", "Use sessions", "Simple")
    draft = claude.proposing()
    draft.decisions.save("auth", "토큰을 쓴다", "모바일")
    draft.decisions.outcome("success", topic="auth", reason="works")
    [one] = db.proposals.list()
    assert (one.title, one.kind, one.words) == ("auth", "memory", "토큰을 쓴다")
    db.proposals.accept(one.id)
    assert [memory.content for memory in db.decisions.heads("auth")] == ["토큰을 쓴다"]
    assert db.decisions.on_topic("auth").chain[-1].outcome == "SUCCESS"


def test_no_link_is_taken_without_its_other_end(db: Workspace, claude: Workspace) -> None:
    draft = claude.proposing()
    first = draft.decisions.save("db", "Use SQLite", "One file").memory
    second = draft.decisions.save("cache", "No cache", "SQLite is quick", implements=first.id)
    assert [one.title for one in db.proposals.list()] == ["db", "cache"]
    db.proposals.accept(second.memory.id)
    assert db.decisions.links(second.memory.id) == []
    db.proposals.accept(first.id)
    assert keys(db) == [] or all(one.kind == "link" for one in db.proposals.list())
    assert db.verify().ok


def test_other_words_are_the_reviewers_and_the_proposal_is_its_authors(
    db: Workspace, claude: Workspace
) -> None:
    claude.proposing().facts.remember("deploy", "never on fridays", tags=["ops"])
    done = db.proposals.reword("deploy", "금요일에는 배포하지 않는다")
    assert db.kv.get("deploy").value == "금요일에는 배포하지 않는다"  # pyright: ignore[reportOptionalMemberAccess]
    assert db.kv.get("deploy").tags == ("ops",)  # pyright: ignore[reportOptionalMemberAccess]
    assert done.decided[0].proposed_by == "claude"
    assert "proposed by claude" in (db.log(limit=1)[0].message or "")
    claude.proposing().decisions.save("auth", "use jwt", "mobile")
    db.proposals.reword(db.proposals.list()[0].id, "Use JWT")
    assert db.decisions.heads("auth")[0].content == "Use JWT"


def test_a_decision_that_is_taken_back_lets_the_proposal_wait_again(
    db: Workspace, claude: Workspace
) -> None:
    db.kv.put("limit", 10)
    claude.proposing().kv.put_many({"limit": 20, "other": 1})
    db.proposals.reopen(db.proposals.accept("limit"))
    assert db.kv["limit"] == 10
    db.proposals.reopen(db.proposals.reject("limit"))
    assert db.proposals.get("limit").proposed_by == "claude"
    db.proposals.reopen(db.proposals.accept("limit", "other"))
    assert sorted(keys(db)) == ["limit", "other"]
    with pytest.raises(strata.InvalidArgument):
        db.proposals.reopen(ProposalVerdict((), (db.kv.put("k", 1).version,)))
    assert db.verify().ok


def test_a_deletion_and_an_event_can_be_proposed(db: Workspace, claude: Workspace) -> None:
    db.kv.put("old", 1)
    draft = claude.proposing()
    draft.facts.forget(["old"])
    draft.events.append("deploy", {"to": "blue"})
    draft.events.append("deploy", {"to": "green"})
    gone, first, second = db.proposals.list()
    assert (gone.action, first.title, second.after) == ("removed", "deploy #1", {"to": "green"})
    db.proposals.accept(first.id)
    db.proposals.reject(second.id)
    assert [event.payload for event in db.events.list()] == [{"to": "blue"}]
    claude.proposing().kv.put("more", 1)
    assert keys(db) == ["old", "more"]
    db.proposals.accept("old")
    assert not db.kv.exists("old")
    assert db.verify().ok


def test_what_a_proposer_takes_back_waits_no_longer(db: Workspace, claude: Workspace) -> None:
    claude.proposing().kv.put("k", 1)
    claude.proposing().kv.delete("k")
    assert keys(db) == []


def test_a_change_that_is_proposed_anew_has_another_id(db: Workspace, claude: Workspace) -> None:
    claude.proposing().kv.put("k", 1)
    seen = db.proposals.get("k")
    claude.proposing().kv.put("k", 2)
    with pytest.raises(strata.NotFound):
        db.proposals.accept(seen.id)
    assert db.proposals.get("k").after == 2


def test_each_proposer_and_each_base_has_a_branch(db: Workspace, claude: Workspace) -> None:
    ann = db.users.add("ann@example.com", "소연")
    db.branches.fork("try")
    claude.proposing().kv.put("a", 1)
    db.as_user(ann.id).as_actor("claude").proposing().kv.put("b", 1)
    db.on("try").as_actor("claude").proposing().kv.put("c", 1)
    db.as_actor("x" * 200).proposing().kv.put("d", 1)
    assert [one.key for one in db.proposals.list()] == ["a", "b", "d"]
    assert keys(db.on("try")) == ["c"]
    assert db.proposals.get("b").proposed_by == "claude for 소연"
    names = [branch.name for branch in db.branches.list() if branch.name.startswith("proposals/")]
    assert len(set(names)) == 4


def test_names_that_mean_several_or_none_are_refused(db: Workspace, claude: Workspace) -> None:
    claude.proposing().kv.put("k", 1)
    db.as_actor("codex").proposing().kv.put("k", 2)
    with pytest.raises(strata.InvalidArgument, match="2 proposals"):
        db.proposals.accept("k")
    with pytest.raises(strata.NotFound):
        db.proposals.reject("nothing")
    ids = [one.id for one in db.proposals.list()]
    done = db.proposals.accept(ids[0])
    assert len(done.decided) == 1
    assert db.proposals.get(ids[1]).conflict


def test_several_at_once_are_one_commit_for_each_proposer(db: Workspace, claude: Workspace) -> None:
    claude.proposing().kv.put_many({"a": 1, "b": 1, "c": 1})
    db.as_actor("codex").proposing().kv.put("d", 1)
    done = db.proposals.accept("a", "b", "d", "a")
    assert len(done.commits) == 2
    assert len(done.decided) == 3
    assert keys(db) == ["c"]


def test_likely_twins_are_told(db: Workspace, claude: Workspace) -> None:
    db.facts.remember("ops/deploy", "We deploy to Frankfurt on Fridays")
    claude.proposing().facts.remember("when", "On Fridays we deploy to Frankfurt")
    assert [twin.key for twin in db.proposals.get("when").twins] == ["ops/deploy"]
    assert [twin.key for twin in db.proposals.list(twins=True)[0].twins] == ["ops/deploy"]


def test_two_processes_that_accept_the_same_write_it_once(tmp_path: Path) -> None:
    place = place_of(tmp_path / "store.db")
    with strata.open(place, auto_embed=False) as db:
        db.kv.put("n", 0)
        db.as_actor("claude").proposing().kv.put_many({f"k{n}": n for n in range(20)})
        ids = [one.id for one in db.proposals.list()]
    done: list[ProposalVerdict | Exception] = []

    def accept() -> None:
        with strata.open(place, auto_embed=False) as other:
            barrier.wait()
            try:
                done.append(other.proposals.accept(*ids))
            except strata.NotFound as error:
                done.append(error)

    barrier = threading.Barrier(2)
    threads = [threading.Thread(target=accept) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with strata.open(place, auto_embed=False) as db:
        accepted = [commit for commit in db.log() if commit.operation == "accept"]
        assert len(accepted) == 1
        assert [db.kv[f"k{n}"] for n in range(20)] == list(range(20))
        assert db.proposals.count() == 0
        assert db.verify().ok
    decided = [len(one.decided) for one in done if isinstance(one, ProposalVerdict)]
    assert max(decided) == 20
    assert sum(decided) == 20


def test_what_is_proposed_while_a_user_decides_is_kept(db: Workspace, claude: Workspace) -> None:
    claude.proposing().kv.put("k", 1)
    [found] = db.proposals._named(["k"])
    claude.proposing().kv.put("k", 2)
    done = db.proposals._accept([found], force=False)
    assert done.decided
    assert db.kv["k"] == 1
    assert db.proposals.get("k").after == 2


def test_ten_thousand_proposals_are_listed_by_pages_and_decided_at_once(
    db: Workspace, claude: Workspace
) -> None:
    claude.proposing().kv.put_many({f"키/{n:05}": f"값 {n}" for n in range(10_000)})
    page = db.proposals.list(limit=50)
    assert [one.key for one in page][:2] == ["키/00000", "키/00001"]
    assert page.more
    assert db.proposals.count() == 10_000
    assert db.proposals.list(limit=50, after=page.next)[0].key == "키/00050"
    ids = [one.id for one in db.proposals.list(limit=10_000)]
    assert len(db.proposals.accept(*ids).decided) == 10_000
    assert db.kv["키/09999"] == "값 9999"
    assert db.proposals.count() == 0


def test_a_huge_value_is_proposed_and_accepted(db: Workspace, claude: Workspace) -> None:
    text = "가" * 1_000_000
    claude.proposing().kv.put("huge", text)
    db.proposals.accept("huge")
    assert db.kv["huge"] == text


def test_a_user_who_sees_documents_only_sees_no_proposals(db: Workspace, claude: Workspace) -> None:
    from strata.access import OF_DOCUMENTS, Grant

    ann = db.users.add("ann@example.com")
    claude.proposing().kv.put("k", 1)
    grant = Grant("page", ann.id, groups=frozenset(OF_DOCUMENTS))
    here = db.serving.as_granted(grant)
    assert here.proposals.list() == []
    with pytest.raises(strata.NotFound):
        here.proposals.accept("k")


def test_nothing_is_decided_in_the_past(db: Workspace) -> None:
    version = db.kv.put("k", "then").version
    db.as_actor("claude").proposing().kv.put("k", "now")
    accepted = db.proposals.accept("k")
    db.as_actor("claude").proposing().kv.put_many({"a": 1, "b": 2})
    past, before = db.at(version).proposals, db.log()
    for decide in (
        lambda: past.accept("a"),
        lambda: past.reword("a", 2),
        lambda: past.reject("b"),
        lambda: past.reopen(accepted),
    ):
        with pytest.raises(strata.ReadOnly, match="the past cannot be written"):
            decide()
    assert db.log() == before
    assert db.proposals.count() == 2
