"""The queue: leases, attempts, deadlines, cancelling, fairness, keys and limits."""

import pytest

import strata
from strata.access import Cap
from strata.base import limits
from strata.tasks import Caller, Queue, Task, TaskStep
from tests.unit.conftest import Bench

S = 1_000_000


def taken(queue: Queue, task: str | None = None) -> Task:
    found = queue.claim(task)
    assert found is not None
    return found


def test_a_task_is_taken_once_and_ends_once(bench: Bench) -> None:
    made = bench.db.agents.invoke("linker", instruction="천천히")
    queue = bench.db.agents.queue
    first = taken(queue)
    assert (first.id, first.status, first.attempts) == (made.id, "running", 1)
    assert queue.claim() is None
    assert queue.finish(first, "completed", output="끝", tool_calls=4)
    assert not queue.finish(first, "failed", error="again")
    ended = bench.db.agents.task(made.id)
    assert (ended.status, ended.output, ended.error, ended.tool_calls) == (
        "completed",
        "끝",
        None,
        4,
    )


def test_a_silent_workers_task_is_free_again_and_its_late_end_counts_for_nothing(
    bench: Bench,
) -> None:
    made = bench.db.agents.invoke("linker")
    queue = bench.db.agents.queue
    dead = taken(queue)
    bench.clock.us += int(limits.AGENT_LEASE_S * S) - 1
    assert queue.claim() is None
    bench.clock.us += 1
    second = taken(queue)
    assert (second.id, second.attempts) == (made.id, 2)
    assert not queue.renew(dead, 1)
    assert queue.must_stop(dead) is None
    assert not queue.finish(dead, "completed", output="late")
    assert not queue.release(dead)
    assert queue.finish(second, "completed", output="in time")
    assert bench.db.agents.task(made.id).output == "in time"


def test_a_renewed_lease_lasts(bench: Bench) -> None:
    bench.db.agents.invoke("linker")
    queue = bench.db.agents.queue
    task = taken(queue)
    for calls in range(1, 4):
        bench.clock.us += int(limits.AGENT_LEASE_S * S) - 1
        assert queue.renew(task, calls)
        assert queue.claim() is None
    assert bench.db.agents.task(task.id).tool_calls == 3


def test_after_three_attempts_it_has_failed_and_says_why(bench: Bench) -> None:
    made = bench.db.agents.invoke("linker")
    queue = bench.db.agents.queue
    for attempt in range(limits.AGENT_ATTEMPTS):
        assert taken(queue).attempts == attempt + 1
        bench.clock.us += int(limits.AGENT_LEASE_S * S)
    assert queue.claim() is None
    found = bench.db.agents.task(made.id)
    assert found.status == "failed"
    assert found.error == "The process that worked on it ended 3 times before it was done."


def test_an_attempt_that_was_given_back_in_order_does_not_count(bench: Bench) -> None:
    made = bench.db.agents.invoke("linker")
    queue = bench.db.agents.queue
    for _ in range(5):
        assert queue.release(taken(queue))
    assert taken(queue).attempts == 1
    assert bench.db.agents.task(made.id).status == "running"


def test_a_task_that_waits_too_long_and_one_that_runs_too_long_time_out(bench: Bench) -> None:
    waiting = bench.db.agents.invoke("linker")
    bench.clock.us += int(limits.AGENT_WAIT_S * S)
    queue = bench.db.agents.queue
    assert queue.claim() is None
    found = bench.db.agents.task(waiting.id)
    assert (found.status, found.error) == ("timedOut", "No worker took it in time.")
    running = bench.db.agents.invoke("linker")
    first = taken(queue)
    assert first.deadline == bench.clock.us + int(limits.AGENT_TASK_S * S)
    bench.clock.us += int(limits.AGENT_LEASE_S * S)
    # A second attempt gets no more time than the first one had.
    assert taken(queue).deadline == first.deadline
    bench.clock.us += int(limits.AGENT_TASK_S * S)
    assert queue.claim() is None
    found = bench.db.agents.task(running.id)
    assert (found.status, found.error) == ("timedOut", "It took longer than it may.")


def test_a_waiting_task_is_cancelled_at_once_and_a_running_one_is_told(bench: Bench) -> None:
    agents = bench.db.agents
    waiting = agents.invoke("linker")
    assert agents.cancel(waiting.id).status == "cancelled"
    assert agents.queue.claim() is None
    running = agents.invoke("linker")
    task = taken(agents.queue)
    found = agents.cancel(running.id)
    assert (found.status, found.is_cancelled) == ("running", True)
    assert agents.queue.must_stop(task) is True
    # Its worker dies before it has seen that: nobody begins it again.
    bench.clock.us += int(limits.AGENT_LEASE_S * S)
    assert agents.queue.claim() is None
    assert agents.task(running.id).status == "cancelled"
    assert agents.cancel(running.id).status == "cancelled"


def test_people_take_turns_however_much_one_of_them_asks(bench: Bench) -> None:
    db = bench.db
    people = [db.users.add(f"{name}@example.com").id for name in ("ann", "bob", "민수")]
    for user, count in zip(people, (6, 2, 1), strict=True):
        for _ in range(count):
            bench.clock.us += 1
            db.as_user(user).agents.invoke("linker")
    order: list[str] = []
    while (task := db.agents.queue.claim()) is not None:
        bench.clock.us += 1
        order.append(task.user)
        db.agents.queue.finish(task, "completed")
    ann, bob, minsu = people
    assert order == [ann, bob, minsu, ann, bob, ann, ann, ann, ann]


def test_whoever_has_a_task_running_waits_for_those_who_have_none(bench: Bench) -> None:
    db = bench.db
    ann, bob = (db.users.add(f"{name}@example.com").id for name in ("ann", "bob"))
    for user in (ann, ann, ann, bob):
        bench.clock.us += 1
        db.as_user(user).agents.invoke("linker")
    assert [taken(db.agents.queue).user for _ in range(4)] == [ann, bob, ann, ann]


def test_the_same_key_gives_the_same_task_and_another_request_with_it_is_a_conflict(
    bench: Bench,
) -> None:
    db = bench.db
    bob = db.as_user(db.users.add("bob@example.com").id)
    made = db.agents.invoke("linker", instruction="at most 5", request="한 번")
    assert db.agents.invoke("linker", instruction="at most 5", request="한 번").id == made.id
    with pytest.raises(strata.Conflict):
        db.agents.invoke("linker", instruction="at most 6", request="한 번")
    with pytest.raises(strata.Conflict):
        db.agents.invoke("digest", instruction="at most 5", request="한 번")
    # Keys are each user's own.
    assert bob.agents.invoke("digest", request="한 번").id != made.id
    db.agents.queue.finish(taken(db.agents.queue, made.id), "completed", output="x")
    assert db.agents.invoke("linker", instruction="at most 5", request="한 번").output == "x"


def test_nobody_sees_cancels_or_lists_tasks_of_others(bench: Bench) -> None:
    db = bench.db
    bob = db.as_user(db.users.add("bob@example.com").id)
    made = bob.agents.invoke("linker")
    for act in (db.agents.task, db.agents.cancel):
        with pytest.raises(strata.NotFound):
            act(made.id)
    assert db.agents.tasks() == []
    assert [task.id for task in bob.agents.tasks()] == [made.id]


def test_one_person_has_a_hundred_tasks_open_at_most(bench: Bench) -> None:
    db = bench.db
    bob = db.as_user(db.users.add("bob@example.com").id)
    first, *_rest = [bob.agents.invoke("linker") for _ in range(limits.AGENT_TASKS_OPEN_MAX)]
    with pytest.raises(strata.LimitExceeded):
        bob.agents.invoke("linker")
    db.agents.invoke("linker")  # others are not kept from asking
    bob.agents.cancel(first.id)
    bob.agents.invoke("linker")


def test_what_ended_a_month_ago_is_forgotten(bench: Bench) -> None:
    agents = bench.db.agents
    made = agents.invoke("linker")
    agents.cancel(made.id)
    bench.clock.us += int(limits.AGENT_TASK_KEPT_S * S) + 1
    agents.invoke("linker")
    with pytest.raises(strata.NotFound):
        agents.task(made.id)


def test_what_the_caller_may_is_kept_with_the_task(bench: Bench) -> None:
    db = bench.db
    view = db.as_user("owner", cap=Cap(suggest_only=True))
    made = view.agents.invoke("linker", caller=Caller(who="laptop", groups=("core",)))
    assert made.caller == Caller(who="laptop", groups=("core",), suggest_only=True)
    read = db.as_user("owner", cap=Cap(read_only=True)).agents.invoke("linker")
    assert read.caller.read_only


def test_a_document_that_is_not_there_and_one_of_others_cannot_be_asked_about(bench: Bench) -> None:
    db = bench.db
    bob = db.as_user(db.users.add("bob@example.com").id)
    made = db.documents.create("비밀", "text")
    for document in (made.document, "doc_00000000000000000000000000"):
        with pytest.raises(strata.NotFound, match="There is no document"):
            bob.agents.invoke("linker", document=document)
    with pytest.raises(strata.NotFound):
        db.agents.invoke("linker", document="doc_00000000000000000000000000")


def test_a_secret_in_an_instruction_is_refused_before_it_is_kept(bench: Bench) -> None:
    with strata.open(durability="cache", auto_embed=False) as db:
        dsn = "postgres://app:" + "tr0ub4dor" + "@db/app"
        with pytest.raises(strata.SecretRefused):
            db.agents.invoke("linker", instruction=f"use {dsn}")
        assert db.agents.tasks() == []
        with pytest.raises(strata.LimitExceeded):
            db.agents.invoke("linker", instruction="가" * limits.AGENT_INSTRUCTION_BYTES_MAX)


def test_a_look_at_an_idle_queue_is_one_indexed_statement(bench: Bench) -> None:
    agents, store = bench.db.agents, bench.store
    for _ in range(200):
        agents.cancel(agents.invoke("linker").id)
    statement = f"EXPLAIN QUERY PLAN {store.queries.is_work_waiting}"
    plan = " ".join(str(row[3]) for row in store.connection().rows(statement, (0,)))
    assert plan.count("USING INDEX tasks_open") == 2
    assert "SCAN tasks" not in plan


def test_what_was_asked_and_told_about_an_erased_document_is_erased_with_it(bench: Bench) -> None:
    db = bench.db
    gone, kept = db.documents.create("비밀", "text"), db.documents.create("Plan", "text")
    about = db.agents.invoke("linker", document=gone.document)
    naming = db.agents.invoke("linker", instruction=f"not {gone.document}")
    told = db.agents.invoke("digest")
    other = db.agents.invoke("linker", document=kept.document)
    output = f"Made of {gone.document}"
    db.agents.queue.finish(taken(db.agents.queue, told.id), "completed", output=output)
    db.purge_document(gone.document)
    assert [task.id for task in db.agents.tasks()] == [other.id]
    assert {about.id, naming.id, told.id}.isdisjoint({other.id})


# Steps.


def steps(first: int, last: int) -> list[TaskStep]:
    return [
        TaskStep(number=one, created=one, tool="find", arguments="{}", answer=f'"{one}"')
        for one in range(first, last + 1)
    ]


def test_the_newest_steps_of_a_task_are_kept_and_no_more(bench: Bench) -> None:
    made = bench.db.agents.invoke("linker")
    queue, most = bench.db.agents.queue, limits.AGENT_STEPS_MAX
    task = taken(queue)
    assert queue.renew(task, 3, steps=steps(1, 3))
    assert queue.renew(task, 3, steps=steps(2, 3))  # what could not be confirmed comes again
    assert [one.number for one in bench.db.agents.steps(made.id)] == [1, 2, 3]
    assert queue.finish(task, "completed", tool_calls=most + 9, steps=steps(4, most + 9))
    kept = [one.number for one in bench.db.agents.steps(made.id)]
    assert kept == list(range(10, most + 10))
    assert bench.db.info().versions == 0  # steps are no commits


def test_another_attempt_begins_with_its_own_first_step(bench: Bench) -> None:
    made = bench.db.agents.invoke("linker")
    queue = bench.db.agents.queue
    dead = taken(queue)
    assert queue.renew(dead, 2, steps=steps(1, 2))
    bench.clock.us += int(limits.AGENT_LEASE_S * S)
    second = taken(queue)
    assert bench.db.agents.steps(made.id) == []
    assert not queue.renew(dead, 3, steps=steps(3, 3))
    assert queue.renew(second, 1, steps=steps(1, 1))
    assert [one.number for one in bench.db.agents.steps(made.id)] == [1]


def test_the_steps_of_another_users_task_do_not_exist(bench: Bench) -> None:
    made = bench.db.agents.invoke("linker")
    assert bench.db.agents.queue.renew(taken(bench.db.agents.queue), 1, steps=steps(1, 1))
    bench.db.users.add("ann@example.com")
    with pytest.raises(strata.NotFound):
        bench.db.as_user("ann@example.com").agents.steps(made.id)


def test_steps_that_name_an_erased_document_are_gone(bench: Bench) -> None:
    document = bench.db.documents.create("비밀", "hunter2").document
    made = bench.db.agents.invoke("linker")
    read = TaskStep(number=2, created=2, tool="read_document", arguments=f'{{"d":"{document}"}}')
    bench.db.agents.queue.renew(taken(bench.db.agents.queue), 2, steps=[*steps(1, 1), read])
    bench.db.purge_document(document)
    assert [one.number for one in bench.db.agents.steps(made.id)] == [1]


def test_steps_go_with_tasks_that_are_too_old(bench: Bench) -> None:
    made = bench.db.agents.invoke("linker")
    queue = bench.db.agents.queue
    assert queue.finish(taken(queue), "completed", steps=steps(1, 2))
    bench.clock.us += int(limits.AGENT_TASK_KEPT_S * S) + 1
    bench.db.agents.invoke("linker")
    store = bench.db.agents.store
    assert store.connection().rows(store.queries.task_steps, (made.id,)) == []


def test_tasks_are_listed_by_status_and_by_agent(bench: Bench) -> None:
    agents = bench.db.agents
    asked = []
    for name in ("linker", "digest", "linker", "digest"):
        bench.clock.us += 1
        asked.append(agents.invoke(name).id)
    agents.cancel(asked[0])
    agents.cancel(asked[1])
    assert [one.id for one in agents.tasks(status="cancelled")] == [asked[1], asked[0]]
    assert [one.id for one in agents.tasks(agent="agent_linker")] == [asked[2], asked[0]]
    both = agents.tasks(status="pending", agent="agent_digest")
    assert [one.id for one in both] == [asked[3]]
    page = agents.tasks(1, status="cancelled")
    assert [one.id for one in page.all()] == [asked[1], asked[0]]
    with pytest.raises(strata.InvalidArgument, match="no status"):
        agents.tasks(status="done")  # pyright: ignore[reportArgumentType]  (what a user may type)
