"""The queue: a task is taken by a lease, and ends once, however many workers there are."""

import os
from collections.abc import Sequence

from strata.base import ids, limits
from strata.sql import Connection
from strata.store import Store
from strata.tasks.records import Status, Task, TaskStep, as_task

_GAVE_UP = "The process that worked on it ended {times} times before it was done."
_NOBODY = "No worker took it in time."
_LATE = "It took longer than it may."
# Above the number of any step.
_ALL_STEPS = 2**62


class Queue:
    """The tasks of agents, for workers. Reached as `db.agents.queue`.

    Nothing here asks for rights: a worker has opened the file, and acts for each task's person.
    """

    def __init__(
        self,
        store: Store,
        *,
        lease_s: float = limits.AGENT_LEASE_S,
        attempts: int = limits.AGENT_ATTEMPTS,
    ) -> None:
        self._store = store
        self._lease = int(lease_s * 1_000_000)
        self._attempts = attempts

    @property
    def lease_s(self) -> float:
        """How long a task is a worker's own without a word from it."""
        return self._lease / 1_000_000

    def is_waiting(self) -> bool:
        """Tell whether there is anything to take; one look at an index.

        >>> db.agents.queue.is_waiting()
        False
        """
        row = self._store.connection().row(self._store.queries.is_work_waiting, (self.now(),))
        return row is not None and bool(row[0])

    def claim(self, task: str | None = None) -> Task | None:
        """Claim the next task, or the one named if it is free; None when there is none.

        The people with the fewest tasks running come first, and of them who waited longest.

        >>> made = db.agents.invoke("linker")
        >>> db.agents.queue.claim().id == made.id, db.agents.queue.claim()
        (True, None)
        """
        queries, now = self._store.queries, self.now()
        if not self.is_waiting():
            return None
        with self._store.writing() as connection:
            texts = (_GAVE_UP.format(times=self._attempts), _NOBODY, _LATE)
            connection.run(queries.end_tasks_without_worker, (now, self._attempts, *texts))
            row = (task,) if task is not None else connection.row(queries.next_task, (now,))
            worker = f"{os.getpid()}:{ids.token()}"
            if row is None or not connection.row(
                queries.claim_task, (row[0], worker, now + self._lease, now)
            ):
                return None
            connection.run(queries.delete_task_steps, (row[0], _ALL_STEPS))
            return self.get(row[0])

    def mark(self, user: str) -> tuple[object, ...]:
        """Return what differs when the tasks of a user have changed, however many there are.

        >>> before = db.agents.queue.mark(db.users.owner().id)
        >>> _ = db.agents.invoke("linker")
        >>> db.agents.queue.mark(db.users.owner().id) == before
        False
        """
        row = self._store.connection().row(self._store.queries.tasks_mark, (user,))
        return () if row is None else tuple(row)

    def get(self, task: str) -> Task | None:
        """Return a task, whosever it is.

        >>> db.agents.queue.get("task_none") is None
        True
        """
        row = self._store.connection().row(self._store.queries.task, (task,))
        return None if row is None else as_task(row)

    def renew(self, task: Task, tool_calls: int, *, steps: Sequence[TaskStep] = ()) -> bool:
        """Keep a task, and record its new steps; False when it is this worker's no more.

        >>> _ = db.agents.invoke("linker")
        >>> db.agents.queue.renew(db.agents.queue.claim(), 3)
        True
        """
        values = (task.id, task.worker, self.now() + self._lease, tool_calls)
        return self._change(self._store.queries.renew_task, values, steps)

    def must_stop(self, task: Task) -> bool | None:
        """Tell whether a task was cancelled; None when it is this worker's no more.

        >>> _ = db.agents.invoke("linker")
        >>> db.agents.queue.must_stop(db.agents.queue.claim())
        False
        """
        values = (task.id, task.worker)
        row = self._store.connection().row(self._store.queries.task_flag, values)
        return None if row is None else bool(row[0])

    def finish(
        self,
        task: Task,
        status: Status,
        *,
        output: str | None = None,
        error: str | None = None,
        tool_calls: int = 0,
        steps: Sequence[TaskStep] = (),
    ) -> bool:
        """End a task; False, and nothing is kept, when it is this worker's no more.

        >>> made = db.agents.invoke("linker")
        >>> db.agents.queue.finish(db.agents.queue.claim(), "completed", output="done")
        True
        >>> db.agents.task(made.id).output
        'done'
        """
        values = (task.id, task.worker, status, output, error, tool_calls, self.now())
        return self._change(self._store.queries.finish_task, values, steps)

    def release(self, task: Task) -> bool:
        """Give a task back unfinished, for another worker; the attempt does not count.

        >>> _ = db.agents.invoke("linker")
        >>> db.agents.queue.release(db.agents.queue.claim())
        True
        """
        return self._change(self._store.queries.release_task, (task.id, task.worker))

    def _change(
        self, statement: str, values: tuple[object, ...], steps: Sequence[TaskStep] = ()
    ) -> bool:
        with self._store.writing() as connection:
            if connection.row(statement, values) is None:
                return False
            if steps:
                self._record(connection, str(values[0]), steps)
            return True

    def _record(self, connection: Connection, task: str, steps: Sequence[TaskStep]) -> None:
        """Add steps to those of a task, and drop what is then too much."""
        queries = self._store.queries
        for one in steps:
            said = (one.tool, one.arguments, one.answer, int(one.is_error), one.took)
            connection.run(queries.insert_task_step, (task, one.number, one.created, *said))
        dropped = steps[-1].number - limits.AGENT_STEPS_MAX
        if dropped > 0:
            connection.run(queries.delete_task_steps, (task, dropped))

    def now(self) -> int:
        """Return the time by which leases and deadlines end, in microseconds.

        >>> db.agents.queue.now() > 0
        True
        """
        return self._store.clock()


def agent_names(store: Store) -> list[str]:
    """Return the names of the agents of all users."""
    return [row[0] for row in store.connection().rows(store.queries.agent_names)]


def forget_tasks(store: Store, document: str) -> None:
    """Drop the tasks about a document, when it is erased, in the open transaction."""
    for statement in (store.queries.delete_steps_about, store.queries.delete_tasks_about):
        store.connection().run(statement, (document,))
