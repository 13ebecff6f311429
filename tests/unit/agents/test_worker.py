"""The worker: threads that take tasks, keep leases, and end in order."""

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

import strata
from strata.access import OWNER, Grant
from strata.agents.running import TaskRun
from strata.agents.worker import Worker
from strata.base import limits
from strata.mcp.start import agents_in
from strata.tasks import Definition, caller_of
from strata.tools import StoreHost


@pytest.fixture
def db(tmp_path: Path) -> Iterator[strata.Workspace]:
    with strata.open(tmp_path / "작업.db", durability="standard", auto_embed=False) as opened:
        yield opened


MakeWorker = Callable[..., Worker]


@pytest.fixture
def host(db: strata.Workspace) -> Iterator[StoreHost]:
    made = StoreHost(lambda: db, auto_embed=False)
    yield made
    made.close()


@pytest.fixture
def worker_of(host: StoreHost) -> Iterator[MakeWorker]:
    """Make workers that end with the test, however it ends."""
    made: list[Worker] = []

    def make(**told: Any) -> Worker:
        made.append(Worker(host, **told))
        return made[-1]

    yield make
    for worker in made:
        worker.stop()


def until(is_so: Callable[[], object], seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.005)


def defined(db: strata.Workspace, name: str = "시험") -> str:
    return db.agents.define(name, Definition(instructions="x", calls_max=5_000)).id


def ours(name: str) -> list[threading.Thread]:
    return [one for one in threading.enumerate() if one.name.startswith(name)]


def test_a_worker_that_was_woken_does_the_task_at_once(
    db: strata.Workspace, worker_of: MakeWorker
) -> None:
    agent = defined(db)
    worker = worker_of(behaviours={agent: lambda run: "안녕"}, look_s=3_600)
    worker.start()
    until(lambda: ours("strata-agent"))
    time.sleep(0.05)
    made = db.agents.invoke(agent)
    worker.wake()
    until(lambda: db.agents.task(made.id).has_ended)  # not after the hour between two looks
    assert db.agents.task(made.id).output == "안녕"
    assert worker.stop()
    assert not ours("strata-agent")


def test_a_worker_finds_what_another_process_asked(
    db: strata.Workspace, worker_of: MakeWorker
) -> None:
    agent = defined(db)
    worker = worker_of(behaviours={agent: lambda run: "done"}, look_s=0.02)
    worker.start()
    made = db.agents.invoke(agent)
    until(lambda: db.agents.task(made.id).has_ended)
    assert worker.stop()


def test_no_more_tasks_run_at_once_than_may(db: strata.Workspace, worker_of: MakeWorker) -> None:
    agent = defined(db)
    lock, running, most = threading.Lock(), [0], [0]

    def behave(run: TaskRun) -> str:
        with lock:
            running[0] += 1
            most[0] = max(most[0], running[0])
        time.sleep(0.02)
        with lock:
            running[0] -= 1
        return "done"

    worker = worker_of(running=3, behaviours={agent: behave}, look_s=0.02)
    made = [db.agents.invoke(agent).id for _ in range(12)]
    worker.start()
    until(lambda: all(db.agents.task(one).has_ended for one in made))
    assert worker.stop()
    assert most[0] == 3


def test_a_cancelled_task_stops_between_two_calls(
    db: strata.Workspace, worker_of: MakeWorker
) -> None:
    agent = defined(db)
    began = threading.Event()

    def behave(run: TaskRun) -> str:
        while True:
            time.sleep(0.001)
            run.call("find", intent="list")
            began.set()

    worker = worker_of(behaviours={agent: behave}, look_s=0.05)
    made = db.agents.invoke(agent)
    worker.start()
    assert began.wait(10)
    db.agents.cancel(made.id)
    until(lambda: db.agents.task(made.id).has_ended)
    found = db.agents.task(made.id)
    assert (found.status, found.output) == ("cancelled", None)
    assert found.tool_calls > 0
    assert worker.stop()


def test_a_task_that_takes_too_long_is_stopped(db: strata.Workspace, worker_of: MakeWorker) -> None:
    agent = db.agents.define(
        "느린", Definition(instructions="x", timeout_s=0.2, calls_max=5_000)
    ).id

    def behave(run: TaskRun) -> str:
        while True:
            time.sleep(0.001)
            run.call("find", intent="list")

    worker = worker_of(behaviours={agent: behave}, look_s=0.05)
    made = db.agents.invoke(agent)
    done = worker.run_one(made.id)
    assert done is not None
    assert (done.status, done.error) == ("timedOut", "It took longer than it may.")


def test_a_stopped_worker_gives_its_task_back_and_another_one_does_it(
    db: strata.Workspace, worker_of: MakeWorker
) -> None:
    agent = defined(db)
    began = threading.Event()

    def endless(run: TaskRun) -> str:
        began.set()
        while True:
            time.sleep(0.001)
            run.call("find", intent="list")

    first = worker_of(behaviours={agent: endless}, look_s=0.05)
    made = db.agents.invoke(agent)
    first.start()
    assert began.wait(10)
    assert first.stop()
    found = db.agents.task(made.id)
    assert (found.status, found.attempts, found.worker) == ("pending", 0, None)
    second = worker_of(behaviours={agent: lambda run: "done"})
    done = second.run_one()
    assert done is not None
    assert done.output == "done"


def test_a_lease_is_kept_while_a_long_task_runs(
    db: strata.Workspace, worker_of: MakeWorker
) -> None:
    agent = defined(db)
    free = threading.Event()

    def wait(run: TaskRun) -> str:
        free.wait(20)
        return "done"

    worker = worker_of(behaviours={agent: wait}, look_s=0.02, lease_s=0.3)
    made = db.agents.invoke(agent)
    worker.start()
    until(lambda: db.agents.task(made.id).status == "running")
    for _ in range(10):
        time.sleep(0.1)
        assert db.agents.queue.claim() is None
    free.set()
    until(lambda: db.agents.task(made.id).has_ended)
    assert db.agents.task(made.id).attempts == 1
    assert worker.stop()


def test_a_defect_in_an_agent_fails_its_task_and_not_the_worker(
    db: strata.Workspace, worker_of: MakeWorker
) -> None:
    agent = defined(db)
    turns = iter([True, False])

    def behave(run: TaskRun) -> str:
        if next(turns):
            raise ZeroDivisionError("inside")
        return "fine"

    worker = worker_of(running=1, behaviours={agent: behave}, look_s=0.02)
    first, second = db.agents.invoke(agent), db.agents.invoke(agent)
    worker.start()
    until(lambda: db.agents.task(second.id).has_ended)
    failed = db.agents.task(first.id)
    assert failed.status == "failed"
    assert "ZeroDivisionError" in str(failed.error)
    assert "inside" not in str(failed.error)
    assert db.agents.task(second.id).output == "fine"
    assert worker.stop()


def test_calls_are_counted_and_limited(db: strata.Workspace, worker_of: MakeWorker) -> None:
    agent = db.agents.define("셋", Definition(instructions="x", calls_max=3)).id

    def behave(run: TaskRun) -> str:
        for _ in range(5):
            run.call("find", intent="list")
        return "never"

    worker = worker_of(behaviours={agent: behave})
    done = worker.run_one(db.agents.invoke(agent).id)
    assert done is not None
    assert (done.status, done.tool_calls) == ("failed", 3)
    assert "as many as it may" in str(done.error)


def test_a_long_output_is_cut_and_one_with_a_secret_is_not_kept(
    db: strata.Workspace, worker_of: MakeWorker
) -> None:
    agent = defined(db)
    outputs = iter(["가" * 40_000, "the dsn is postgres://app:" + "tr0ub4dor" + "@db/app"])
    worker = worker_of(behaviours={agent: lambda run: next(outputs)})
    long = worker.run_one(db.agents.invoke(agent).id)
    assert long is not None
    assert len(str(long.output).encode()) <= 64 * 1024
    assert str(long.output).endswith("an output may have 65,536 bytes.")
    secret = worker.run_one(db.agents.invoke(agent).id)
    assert secret is not None
    assert secret.status == "completed"
    assert "tr0ub4dor" not in str(secret.output)


def test_an_agent_that_was_removed_fails_what_it_had_not_begun(
    db: strata.Workspace, worker_of: MakeWorker
) -> None:
    agent = defined(db)
    made = db.agents.invoke(agent)
    db.agents.remove("시험")
    done = worker_of().run_one(made.id)
    assert done is not None
    assert (done.status, done.error) == ("failed", "The agent was removed before it could begin.")


def test_a_person_who_was_removed_and_a_revoked_token_fail_their_tasks(
    db: strata.Workspace,
    worker_of: MakeWorker,
) -> None:
    bob = db.users.add("bob@example.com")
    worker = worker_of()
    token = db.tokens.create("laptop", user=bob.id).token
    view = db.serving.as_granted(token.grant)
    asked = [view.agents.invoke("linker", caller=caller_of(token.grant)) for _ in range(2)]
    first = worker.run_one(asked[0].id)
    assert first is not None
    assert first.status == "completed"
    db.tokens.revoke(token.id)
    second = worker.run_one(asked[1].id)
    assert second is not None
    assert second.status == "failed"
    assert second.error == "The token that asked for this was revoked or has expired."
    third = db.as_user(bob.id).agents.invoke("linker")
    db.users.remove(bob.id)
    gone = worker.run_one(third.id)
    assert gone is not None
    assert gone.error == "The user who asked for this is no longer in the workspace."


@pytest.mark.parametrize(
    ("grant", "status"),
    [
        (Grant("all", OWNER), "suggested"),
        (Grant("suggests", OWNER, suggest_only=True), "suggested"),
        (Grant("reads", OWNER, read_only=True), "not_allowed"),
        (Grant("core only", OWNER, groups=frozenset({"agents"})), "not_allowed"),
    ],
)
def test_an_agent_may_do_what_its_caller_may_and_no_more(
    db: strata.Workspace, worker_of: MakeWorker, grant: Grant, status: str
) -> None:
    made = db.documents.create("글", "one two")
    agent = defined(db)
    seen: list[object] = []

    def behave(run: TaskRun) -> str:
        arguments = {
            "action": "edit",
            "documentId": made.document,
            "oldString": "one",
            "newString": "하나",
        }
        outcome = run.ask("edit_document", arguments)
        seen.append(outcome.value.get("status") or outcome.value["code"])
        return "x"

    view = db.serving.as_granted(grant)
    task = view.agents.invoke(agent, caller=caller_of(grant))
    worker_of(behaviours={agent: behave}).run_one(task.id)
    assert seen == [status]
    assert db.documents.text(made.document) == "one two"


def test_a_repeated_attempt_writes_nothing_twice(
    db: strata.Workspace, worker_of: MakeWorker, host: StoreHost
) -> None:
    agent = db.agents.define("쓰기", Definition(instructions="x", may_edit=True)).id
    made = db.documents.create("글", "The first words of it.")

    def behave(run: TaskRun) -> str:
        run.call("edit_document", action="create", title="새 글", content="once")
        run.call("manage_comments", action="create", documentId=made.document, body="한 번만")
        run.call(
            "manage_suggestions",
            action="propose",
            documentId=made.document,
            originalText="first",
            replacementText="첫",
        )
        return "x"

    task = db.agents.invoke(agent)
    worker = worker_of(behaviours={agent: behave}, lease_s=0.05)
    queue = worker._queue
    taken = queue.claim()
    assert taken is not None
    behave(TaskRun(host, taken, db.agents.get(agent), queue=queue))
    time.sleep(0.06)  # this attempt dies here: its lease ends
    done = worker.run_one(task.id)
    assert done is not None
    assert (done.status, done.attempts) == ("completed", 2)
    from strata.documents import Request

    titles = [item.title for item in db.documents.find(Request(intent="list")).items]
    assert sorted(titles) == ["글", "새 글"]
    assert len(db.review.comments(made.document)) == 1
    assert len(db.documents.suggestions(made.document)) == 1
    assert db.documents.suggestions(made.document)[0].via == "쓰기"


def test_closing_a_host_ends_every_thread(tmp_path: Path) -> None:
    host = StoreHost(lambda: strata.open(tmp_path / "x.db", auto_embed=False))
    host.start_agents = agents_in(host)
    host.writing().agents.invoke("linker")
    assert not ours("strata-agent")  # until somebody asks, or tasks are found to wait
    host.start_agents()
    until(lambda: host.db.agents.tasks()[0].has_ended)
    assert ours("strata-agent")
    host.close()
    assert not ours("strata-agent")


def test_a_run_records_what_it_calls_and_what_it_notes(
    db: strata.Workspace, worker_of: MakeWorker
) -> None:
    agent = defined(db)
    document = db.documents.create("긴 글", "가" * 5_000).document
    secret = "postgres://app:" + "tr0ub4dor" + "@db/app"

    def behaviour(run: TaskRun) -> str:
        run.recorder.note("세 가지를 한다")
        run.call("read_document", documentId=document)
        run.ask("edit_document", {"action": "trash", "documentId": document})
        run.ask("find", {"query": secret, "intent": "search"})
        return "끝"

    made = db.agents.invoke(agent)
    worker_of(behaviours={agent: behaviour}).run_one(made.id)
    note, read, refused, found = db.agents.steps(made.id)
    assert (note.tool, note.answer) == (None, "세 가지를 한다")
    assert (read.tool, read.is_error) == ("read_document", False)
    assert document in read.arguments
    assert len(read.answer) <= limits.AGENT_STEP_CHARACTERS_MAX
    assert msgspec.json.decode(read.answer)["content"].endswith("…")
    assert (refused.tool, refused.is_error) == ("edit_document", True)
    assert "may not call" in refused.answer
    assert "tr0ub4dor" not in found.arguments + found.answer


def test_a_task_that_goes_on_shows_its_steps(db: strata.Workspace, worker_of: MakeWorker) -> None:
    agent, go_on = defined(db), threading.Event()

    def behaviour(run: TaskRun) -> str:
        run.call("find", intent="list")
        assert go_on.wait(60)
        return "끝"

    made = db.agents.invoke(agent)
    worker = worker_of(behaviours={agent: behaviour}, look_s=0.01)
    worker.start()
    until(lambda: db.agents.steps(made.id))
    assert db.agents.task(made.id).status == "running"
    assert db.agents.task(made.id).tool_calls == 1
    go_on.set()
    until(lambda: db.agents.task(made.id).has_ended)
    assert [one.tool for one in db.agents.steps(made.id)] == ["find"]
