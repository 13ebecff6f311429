"""The queue of agents compared with a plain model: take, renew, crash, cancel, finish, time."""

from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from strata.base import limits
from strata.store import Store
from strata.tasks import Agents, Task
from tests.databases import database_at
from tests.opened import workspace_over

S = 1_000_000
LEASE = int(limits.AGENT_LEASE_S * S)
ALLOWED = int(limits.AGENT_TASK_S * S)
WAIT = int(limits.AGENT_WAIT_S * S)
PEOPLE = ("owner", "ann@example.com", "bob@example.com")


class Known:
    """What the model knows of one task."""

    def __init__(self, user: str, now: int) -> None:
        self.user = user
        self.status = "pending"
        self.attempts = 0
        self.until = 0
        self.deadline = now + WAIT
        self.is_cancelled = False
        self.has_begun = False
        self.output: str | None = None
        self.worker: str | None = None
        self.ends = 0

    def is_free(self, now: int) -> bool:
        return self.status == "pending" or (self.status == "running" and self.until <= now)

    def end(self, status: str) -> None:
        self.status, self.worker = status, None
        self.ends += 1


class Queueing(RuleBasedStateMachine):
    """Random interleavings of everything that workers, people and time can do."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 1_700_000_000_000_000
        self.store = Store(database_at(None), now=lambda: self.now)
        self.db = workspace_over(self.store)
        for email in PEOPLE[1:]:
            self.db.users.add(email)
        self.rooms: dict[str, Agents] = {who: self.db.as_user(who).agents for who in PEOPLE}
        self.ids = {who: self.db.users.require(who).id for who in PEOPLE}
        self.queue = self.db.agents.queue
        self.known: dict[str, Known] = {}
        # Tasks as workers hold them, dead ones too: some of these are nobody's any more.
        self.held: list[Task] = []

    def teardown(self) -> None:
        self.db.close()

    @rule(who=st.sampled_from(PEOPLE))
    def ask(self, who: str) -> None:
        self.now += 1
        made = self.rooms[who].invoke("linker")
        self.known[made.id] = Known(self.ids[who], self.now)

    @rule()
    def take(self) -> None:
        self.now += 1
        if any(one.is_free(self.now) for one in self.known.values()):
            self._sweep()
        free = {id_: one for id_, one in self.known.items() if one.is_free(self.now)}
        task = self.queue.claim()
        if not free:
            assert task is None
            return
        assert task is not None
        assert task.id in free
        running = {
            user: sum(
                1
                for one in self.known.values()
                if one.user == user and one.status == "running" and one.until > self.now
            )
            for user in {one.user for one in free.values()}
        }
        assert running[task.user] == min(running.values())
        one = free[task.id]
        assert one.attempts < limits.AGENT_ATTEMPTS
        one.status, one.worker, one.until = "running", task.worker, self.now + LEASE
        one.attempts += 1
        if not one.has_begun:
            one.has_begun, one.deadline = True, self.now + ALLOWED
        assert (task.attempts, task.deadline) == (one.attempts, one.deadline)
        self.held.append(task)

    def _sweep(self) -> None:
        """End in the model what ends without a worker."""
        for one in self.known.values():
            if not one.is_free(self.now):
                continue
            if one.is_cancelled:
                one.end("cancelled")
            elif one.deadline <= self.now:
                one.end("timedOut")
            elif one.status == "running" and one.attempts >= limits.AGENT_ATTEMPTS:
                one.end("failed")

    def _is_theirs(self, task: Task) -> bool:
        one = self.known[task.id]
        return one.status == "running" and one.worker == task.worker

    @precondition(lambda self: self.held)
    @rule(data=st.data())
    def renew(self, data: Any) -> None:
        task = data.draw(st.sampled_from(self.held))
        is_theirs = self._is_theirs(task)
        assert self.queue.renew(task, 1) == is_theirs
        if is_theirs:
            self.known[task.id].until = self.now + LEASE

    @precondition(lambda self: self.held)
    @rule(data=st.data(), status=st.sampled_from(["completed", "failed", "cancelled", "timedOut"]))
    def finish(self, data: Any, status: Any) -> None:
        task = data.draw(st.sampled_from(self.held))
        is_theirs = self._is_theirs(task)
        assert self.queue.finish(task, status, output=task.worker) == is_theirs
        if is_theirs:
            self.known[task.id].end(status)
            self.known[task.id].output = task.worker

    @precondition(lambda self: self.held)
    @rule(data=st.data())
    def release(self, data: Any) -> None:
        task = data.draw(st.sampled_from(self.held))
        is_theirs = self._is_theirs(task)
        assert self.queue.release(task) == is_theirs
        if is_theirs:
            one = self.known[task.id]
            one.status, one.worker, one.attempts = "pending", None, one.attempts - 1

    @precondition(lambda self: self.held)
    @rule(data=st.data())
    def ask_whether_to_stop(self, data: Any) -> None:
        task = data.draw(st.sampled_from(self.held))
        flag = self.known[task.id].is_cancelled if self._is_theirs(task) else None
        assert self.queue.must_stop(task) == flag

    @precondition(lambda self: self.known)
    @rule(data=st.data(), who=st.sampled_from(PEOPLE))
    def cancel(self, data: Any, who: str) -> None:
        id_ = data.draw(st.sampled_from(sorted(self.known)))
        one = self.known[id_]
        if one.user != self.ids[who]:
            return
        self.rooms[who].cancel(id_)
        if one.status == "pending":
            one.is_cancelled = True
            one.end("cancelled")
        elif one.status == "running":
            one.is_cancelled = True

    @rule(step=st.sampled_from([1, LEASE // 2, LEASE, ALLOWED // 3, WAIT // 2]))
    def pass_time(self, step: int) -> None:
        """Let time pass: workers that do not renew are dead by then."""
        self.now += step

    @invariant()
    def both_tell_the_same(self) -> None:
        for id_, one in self.known.items():
            task = self.queue.get(id_)
            assert task is not None
            assert (task.status, task.attempts) == (one.status, one.attempts)
            assert task.output == one.output
            assert (task.ended is not None) == (one.ends == 1)
            assert one.ends <= 1
        waits = any(one.is_free(self.now) for one in self.known.values())
        assert self.queue.is_waiting() == waits


TestQueueing = Queueing.TestCase
