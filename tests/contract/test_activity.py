"""What users and agents did, run by run: who, what, how much, and nothing that is not for all."""

import pytest

import strata
from strata import Workspace
from strata.base import limits
from strata.documents import Arrival, Author
from strata.documents.text import Replica, Splice
from tests.contract.conftest import Clock
from tests.counting import counted


def type_in(db: Workspace, document: str, *authors: Author) -> None:
    """Let pages of several authors send a word each, as one commit."""
    live = db.documents.live()
    arrivals: list[Arrival] = []
    for author in authors:
        there = Replica([live.difference(document).update])
        arrivals.append(Arrival(document, there.splice([Splice(0, 0, "말 ")]), author))
    live.append(arrivals)


def test_a_run_tells_who_did_what_and_how_much(timed: Workspace, clock: Clock) -> None:
    ann = timed.users.add("ann@example.com", "안나")
    agent = timed.as_user(ann.id).as_actor("claude-code")
    doc = agent.documents.create("사업 계획", "하나 둘 셋.\n").document
    clock.forward(hours=1)
    agent.documents.edit(doc, "둘", "두 번째 것")
    clock.forward(hours=0.1)
    agent.kv.put("한도", 1)
    agent.kv.put("한도", 2)
    agent.events.append("배포", {})
    clock.forward(hours=1)
    timed.kv.put("다른", 1)
    last, run, first = timed.activity()
    assert (run.actor, run.person, run.person_name) == ("claude-code", ann.id, "안나")
    assert (run.agent, run.counts) == ("claude-code", {"event": 1, "kv": 1, "document": 1})
    assert run.timestamp - run.started == 360_000_000 + 2
    assert len(run.commits) == 4
    [document] = [one for one in run.touched if one.kind == "document"]
    assert (document.title, document.key, document.changes) == ("사업 계획", doc, 1)
    assert (document.words_added, document.words_removed) == (3, 1)
    [limit] = [one for one in run.touched if one.kind == "kv"]
    assert (limit.key, limit.changes, limit.words_added) == ("한도", 2, None)
    assert (last.actor, last.counts, first.counts) == (None, {"kv": 1}, {"document": 1})
    agent.revert(run.commits)
    assert agent.documents.text(doc) == "하나 둘 셋.\n"


def test_runs_of_authors_who_work_at_once_are_told_apart(timed: Workspace, clock: Clock) -> None:
    for number in range(6):
        clock.forward(hours=0.05)
        timed.as_actor(f"일꾼 {number % 2}").kv.put(f"k/{number}", number)
    assert [(run.actor, len(run.commits)) for run in timed.activity()] == [
        ("일꾼 1", 3),
        ("일꾼 0", 3),
    ]


def test_a_task_is_one_run_whatever_the_pauses(timed: Workspace, clock: Clock) -> None:
    owner = timed.rights.user
    for _step in range(3):
        timed.as_user(owner.id).as_actor("정리", task="task_1").kv.put("k", 1)
        clock.forward(hours=5)
    [run] = timed.activity()
    assert (run.task, run.agent, len(run.commits)) == ("task_1", "정리", 3)


def test_typing_is_grouped_by_author_document_and_sitting(timed: Workspace, clock: Clock) -> None:
    ann, bora = (timed.users.add(f"{name}@example.com", name) for name in ("ann", "bora"))
    one = timed.documents.create("하나", "처음").document
    two = timed.documents.create("둘", "처음").document
    clock.forward(hours=1)
    for _key in range(5):
        type_in(timed, one, Author(ann.id), Author(bora.id))
        type_in(timed, two, Author(ann.id))
        clock.forward(hours=0.01)
    timed.documents.live().settle()
    clock.forward(hours=1)
    type_in(timed, one, Author(ann.id, "도우미"))
    runs = timed.activity()
    told = [(run.person, run.agent, run.touched[0].title, len(run.commits)) for run in runs]
    assert told[0] == (ann.id, "도우미", "하나", 1)
    assert set(told[1:4]) == {
        (ann.id, None, "하나", 5),
        (bora.id, None, "하나", 5),
        (ann.id, None, "둘", 5),
    }
    assert [run.is_typing for run in runs] == [True] * 4 + [False]
    words = {(run.person, run.touched[0].title): run.touched[0].words_added for run in runs[1:4]}
    assert words[ann.id, "둘"] == 5


def test_filters_and_the_past(timed: Workspace, clock: Clock) -> None:
    ann = timed.users.add("ann@example.com", "안나")
    timed.as_user(ann.id).kv.put("가", 1)
    past = timed.resolve("now").version
    clock.forward(hours=1)
    timed.as_actor("bot").kv.put("나", 1)
    clock.forward(hours=1)
    timed.documents.create("계획", "글")
    assert [run.person for run in timed.activity(person="ann@example.com")] == [ann.id]
    assert [run.actor for run in timed.activity(agent="bot")] == ["bot"]
    assert [run.counts for run in timed.activity(kinds=["document"])] == [{"document": 1}]
    assert [run.actor for run in timed.activity(since="90 minutes ago")][1:] == ["bot"]
    assert [run.person for run in timed.at(past).activity()] == [ann.id]
    fork = timed.branches.fork("가지", at=past).name
    assert [run.person for run in timed.on(fork).activity()] == [ann.id]


def test_pages_show_every_commit_once(timed: Workspace, clock: Clock) -> None:
    for number in range(30):
        clock.forward(hours=0.3 if number % 4 == 0 else 0.01)
        timed.as_actor(f"일꾼 {number % 3}").kv.put("k", number)
    whole = timed.activity(limit=100)
    paged = list(timed.activity(limit=2).all())
    assert sorted(v for run in paged for v in run.commits) == list(range(1, 31))
    assert sorted(v for run in whole for v in run.commits) == list(range(1, 31))
    assert not any(run.cut for run in whole)
    assert len(timed.activity(limit=2)) == 2
    assert any(run.cut for run in paged)


def test_a_stranger_sees_neither_titles_nor_counts(db: Workspace) -> None:
    bora = db.as_user(db.users.add("bora@example.com", "보라").id)
    doc = db.documents.create("비밀 계획", "비밀").document
    with db.transaction(message="함께") as tx:
        tx.kv.put("열린 것", 1)
        tx.documents.edit(doc, "비밀", "더 비밀")
    type_in(db, doc, Author(db.rights.user.id))
    [run] = bora.activity()
    assert (run.counts, len(run.commits)) == ({"kv": 1}, 1)
    assert "비밀" not in repr(list(bora.activity()))
    assert doc not in repr(list(bora.activity()))


def test_a_page_costs_the_same_however_long_the_history_is(timed: Workspace, clock: Clock) -> None:
    def statements() -> int:
        return counted(lambda: timed.activity(limit=2))[1]

    def work(count: int) -> None:
        for number in range(count):
            clock.forward(hours=1)
            timed.kv.put("k", number)

    work(20)
    few = statements()
    work(280)
    assert statements() <= few + 2
    assert len(timed.activity(limit=2, agent="없음")) == 0
    assert limits.ACTIVITY_COMMITS_MAX >= 1_000
    with pytest.raises(strata.NotFound):
        timed.activity(person="nobody@example.com")
