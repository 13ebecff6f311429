"""The worker: takes tasks from the queue and lets agents do them, in threads of this process.

While there is nothing to do, one thread looks once a second, by one statement. A second thread
keeps the leases of running tasks, and stops those that were cancelled or took too long.
"""

import logging
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TypeAlias

from strata.agents.failure_words import FailureWords
from strata.agents.running import TaskRun, TaskStopped, still_there
from strata.agents.words import words_for
from strata.base import limits
from strata.base.errors import NotFound, SecretRefused, StrataError
from strata.tasks import Agent, Queue, Status, Task
from strata.tools import StoreHost

_log = logging.getLogger(__name__)
# What an agent does: it acts through the run, and returns its output.
Behaviour: TypeAlias = Callable[[TaskRun], str]
_CUT = "\n… cut here: an output may have {most:,} bytes."
# What is written at the end must not be lost to a lock that another process holds for a moment.
_FINISH_ATTEMPTS = 3
# How often a task that goes on tells what it has done: a user may be watching.
_TELL_S = 1.0
_AGAIN = "Attempt {attempt}: the process that worked on it before ended."


class Worker:
    """Lets agents work in this process, as soon as there is a task."""

    def __init__(
        self,
        host: StoreHost,
        *,
        running: int = limits.AGENT_TASKS_RUNNING,
        look_s: float = limits.AGENT_LOOK_S,
        lease_s: float = limits.AGENT_LEASE_S,
        behaviours: Mapping[str, Behaviour] | None = None,
    ) -> None:
        self._host = host
        host.closing.append(self.close)
        # How many tasks are worked on at once.
        self._at_once = running
        self._look_s = look_s
        self._lease_s = lease_s
        self._behaviours = behaviours or {}
        self._changed = threading.Condition()
        self._threads: set[threading.Thread] = set()
        self._running: dict[TaskRun, float] = {}
        self._idle = self._wakes = 0
        self._is_stopping = False
        self._watcher: threading.Thread | None = None

    # From other threads.

    def start(self) -> None:
        """Work from now on; a second call changes nothing."""
        with self._changed:
            self._add_thread()

    def wake(self) -> None:
        """Look for tasks at once: one was made in this process."""
        with self._changed:
            self._wakes += 1
            self._add_thread()
            self._changed.notify_all()

    def stop(self, seconds: float = limits.SHUTDOWN_S) -> bool:
        """Give running tasks back and end every thread; tell whether all of them ended."""
        with self._changed:
            self._is_stopping = True
            for run in self._running:
                run.stop("released")
            self._changed.notify_all()
            threads = [*self._threads, *((self._watcher,) if self._watcher else ())]
        until = time.monotonic() + seconds
        for thread in threads:
            thread.join(max(until - time.monotonic(), 0))
        return not any(thread.is_alive() for thread in threads)

    def close(self) -> None:
        """Stop, before the store is closed."""
        self.stop()

    def run_one(self, task: str | None = None) -> Task | None:
        """Do the next task, or the one named, in this very thread; None when none was free."""
        taken = self._queue.claim(task)
        if taken is None:
            return None
        self._do(taken)
        return self._queue.get(taken.id)

    @property
    def is_busy(self) -> bool:
        """Whether a task is being worked on."""
        return bool(self._running)

    # Threads.

    def _add_thread(self) -> None:
        """Let one more thread look for tasks, unless one does or there are enough."""
        if not self._idle and len(self._threads) < self._at_once and not self._is_stopping:
            self._idle += 1
            thread = threading.Thread(target=self._work, name="strata-agent", daemon=True)
            self._threads.add(thread)
            thread.start()

    def _work(self) -> None:
        """Take tasks and do them, one after another; one idle thread is enough."""
        try:
            while not self._is_stopping:
                wakes = self._wakes
                task = self._next()
                if task is not None:
                    self._do_beside(task)
                elif not self._stays(wakes):
                    break
        finally:
            with self._changed:
                self._idle -= 1
                self._threads.discard(threading.current_thread())

    def _next(self) -> Task | None:
        try:
            return self._queue.claim() if self._host.is_made else None
        except StrataError as error:
            _log.info("the queue of agents cannot be looked at: %s", error)
            return None

    def _do_beside(self, task: Task) -> None:
        with self._changed:
            self._idle -= 1
            self._add_thread()
        try:
            self._do(task)
        finally:
            with self._changed:
                self._idle += 1

    def _stays(self, wakes: int) -> bool:
        """Wait until there may be something; False for a thread that is one too many."""
        with self._changed:
            if self._idle > 1:
                return False
            self._changed.wait_for(
                lambda: self._is_stopping or self._wakes != wakes, timeout=self._look_s
            )
            return True

    # Tasks.

    @property
    def _queue(self) -> Queue:
        return Queue(self._host.db.agents.store, lease_s=self._lease_s)

    def _do(self, task: Task) -> None:
        """Let an agent do a task, and end it whatever happens."""
        queue = self._queue
        run: TaskRun | None = None
        try:
            run = TaskRun(self._host, task, self._agent(task), queue=queue)
            if task.attempts > 1:
                run.recorder.note(_AGAIN.format(attempt=task.attempts))
            with self._watched(run):
                output = self._behaviour(run)(run)
                run.check()
            self._end(task, "completed", run, output=self._storable(output))
        except TaskStopped as stopped:
            self._end_stopped(task, stopped, run)
        except StrataError as error:
            self._end(task, "failed", run, error=str(error))
        except Exception as error:  # noqa: BLE001  (the border: a defect must not end the worker)
            _log.exception("the agent %s failed", task.agent_name)
            # The log of this process has the rest of a defect.
            said = self._words(task, run).defect.format(name=type(error).__name__)
            self._end(task, "failed", run, error=said)
        finally:
            if run is not None:
                run.session.close()

    def _words(self, task: Task, run: TaskRun | None) -> FailureWords:
        return words_for([task.instruction]).failures if run is None else run.failures

    def _agent(self, task: Task) -> Agent:
        """Return the agent as it is now, for the user of the task."""
        user = still_there(self._host.db, task)
        try:
            return self._host.db.as_user(user.id).agents.get(task.agent)
        except NotFound as error:
            raise NotFound("The agent was removed before it could begin.") from error

    def _behaviour(self, run: TaskRun) -> Behaviour:
        given = self._behaviours.get(run.agent.id)
        if given is not None:
            return given
        if run.agent.is_platform:
            from strata.agents.platform import BEHAVIOURS  # noqa: PLC0415  (seldom needed)

            return BEHAVIOURS[run.agent.id]
        from strata.agents.thinking import think  # noqa: PLC0415  (loads what speaks to models)

        return think

    def _storable(self, output: str) -> str:
        """Return an output as it may be kept: not too long, and without secrets."""
        most, data = limits.AGENT_OUTPUT_BYTES_MAX, output.encode()
        if len(data) > most:
            note = _CUT.format(most=most)
            output = data[: most - len(note.encode())].decode(errors="ignore") + note
        try:
            return self._host.db.agents.screened(output)
        except SecretRefused as error:
            return f"The output is not kept: {error.message}"

    def _end_stopped(self, task: Task, stopped: TaskStopped, run: TaskRun | None) -> None:
        if stopped.reason == "cancelled":
            self._end(task, "cancelled", run)
        elif stopped.reason == "timedOut":
            self._end(task, "timedOut", run, error=self._words(task, run).late)
        elif stopped.reason == "released":
            with suppress(StrataError):  # else its lease ends, and it is free then
                self._queue.release(task)

    def _end(
        self,
        task: Task,
        status: Status,
        run: TaskRun | None,
        *,
        output: str | None = None,
        error: str | None = None,
    ) -> None:
        queue, calls = self._queue, 0 if run is None else run.calls
        steps = [] if run is None else run.recorder.waiting()
        for attempt in range(_FINISH_ATTEMPTS):
            try:
                if not queue.finish(
                    task, status, output=output, error=error, tool_calls=calls, steps=steps
                ):
                    _log.info("%s was held by another worker when it ended here", task.id)
            except StrataError as problem:
                _log.warning("the end of %s could not be kept: %s", task.id, problem)
                time.sleep(0.2 * (attempt + 1))
            else:
                return

    # Watching.

    def _watched(self, run: TaskRun) -> "_Watch":
        return _Watch(self, run)

    def watch(self, run: TaskRun) -> None:
        """Look after a run from now on."""
        with self._changed:
            self._running[run] = time.monotonic()
            if self._is_stopping:
                run.stop("released")
            if self._watcher is None:
                self._watcher = threading.Thread(
                    target=self._look_after, name="strata-agent-watch", daemon=True
                )
                self._watcher.start()

    def unwatch(self, run: TaskRun) -> None:
        """Look after a run no more."""
        with self._changed:
            self._running.pop(run, None)
            self._changed.notify_all()
            watcher = None if self._running else self._watcher
        if watcher is not None:
            # Nothing may use the store while its owner closes it.
            watcher.join(limits.SHUTDOWN_S)

    def _look_after(self) -> None:
        while True:
            with self._changed:
                # First of all it waits: most tasks are done before anything is to be looked at.
                pause = min(self._look_s, self._lease_s / 6)
                self._changed.wait_for(lambda: not self._running, timeout=pause)
                if not self._running:
                    self._watcher = None
                    return
                runs = list(self._running.items())
            for run, told in runs:
                try:
                    self._look_at(run, told)
                except StrataError as error:
                    _log.info("a running task cannot be looked at: %s", error)

    def _look_at(self, run: TaskRun, told: float) -> None:
        """Keep a run's lease, or stop it."""
        queue, now = self._queue, time.monotonic()
        with suppress(TaskStopped):
            run.check()
        has_news = run.recorder.has_news and now - told >= _TELL_S
        if run.reason is not None or not (has_news or now - told >= self._lease_s / 3):
            return
        steps = run.recorder.waiting()
        if not queue.renew(run.task, run.calls, steps=steps):
            run.stop("lost")
        run.recorder.drop(steps)
        with self._changed:
            if run in self._running:
                self._running[run] = now


class _Watch:
    """Looks after a run while the block goes on."""

    def __init__(self, worker: Worker, run: TaskRun) -> None:
        self._worker, self._run = worker, run

    def __enter__(self) -> None:
        self._worker.watch(self._run)

    def __exit__(self, *_: object) -> None:
        self._worker.unwatch(self._run)
