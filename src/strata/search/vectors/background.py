"""The thread in which a process follows the commits, asleep unless there is something to do."""

import atexit
import math
import os
import sys
import threading
import time
import weakref
from collections.abc import Callable
from contextlib import suppress
from typing import Protocol

from strata.base import limits
from strata.base.errors import StrataError

# A model is asked to stop between two texts, and one text takes a fraction of a second. An endpoint
# may take longer; no caller waits for that.
_STOP_S = 10.0
_PAUSE_MAX_S = 60.0
# A step looks whether to stop after each text; a forking process does not wait longer than this.
_FORK_WAIT_S = 5.0
# How often a caller that waits for the end looks for it.
_ASK_S = 0.02


class _Turn(Protocol):
    def release(self) -> None: ...

    def abandon(self) -> None: ...


class Steps(Protocol):
    """Work that is done in small steps; `strata.search.vectors.follow.Follower` is one."""

    @property
    def turn(self) -> _Turn:
        """The right to do the work."""
        ...

    def step(self, is_stopped: Callable[[], bool] = ...) -> bool:
        """Do one step; tell whether there was one."""
        ...

    def pending(self) -> int:
        """Return how much is left to do."""
        ...


class Following:
    """Does the steps of a follower beside everything else the process does."""

    def __init__(self, follower: Steps, *, look_s: float = limits.EMBED_LOOK_S) -> None:
        self._follower = follower
        self._look_s = look_s
        self._is_wanted = False
        self._begin_afresh()
        _all.add(self)

    def _begin_afresh(self) -> None:
        self._lock = threading.Lock()
        # Held by the thread while it may be inside the database; see `pause`.
        self._inside = threading.Lock()
        self._wake = threading.Event()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._pause = self._look_s
        # When the last commit was; a clock may begin at zero when the machine starts.
        self._committed = -math.inf
        # Why the last step failed; None when it did not.
        self.failure: StrataError | None = None

    @property
    def is_running(self) -> bool:
        """Whether the thread is there."""
        thread = self._thread
        return thread is not None and thread.is_alive()

    def start(self, *, after_s: float = 0.0) -> None:
        """Begin to follow, after a pause or the first commit; a second call does nothing."""
        with self._lock:
            self._is_wanted = True
            if self.is_running:
                return
            self._stop.clear()
            # A daemon, so that a program that forgot to close can end; `atexit` stops it first,
            # because a thread must not be inside a model when the interpreter goes.
            self._thread = threading.Thread(
                target=self._run, args=(after_s,), name="strata-follow", daemon=True
            )
            self._thread.start()

    def wake(self) -> None:
        """Say that something was committed. Cheap; in a child made by fork() it also starts."""
        self._committed = time.monotonic()
        self._call()

    def _call(self) -> None:
        if not self._wake.is_set():
            self._wake.set()
            if self._is_wanted and self._thread is None:
                self.start()

    def stop(self, timeout_s: float = _STOP_S) -> bool:
        """End the thread after the text it is at; tell whether it ended in time."""
        self._is_wanted = False
        self._stop.set()
        self._wake.set()
        thread = self._thread
        if thread is None or thread is threading.current_thread():
            return True
        thread.join(timeout_s)
        return not thread.is_alive()

    def wait(self, timeout_s: float) -> bool:
        """Wait until nothing is pending, whichever process does it; False when time is up."""
        until = time.monotonic() + timeout_s
        while self._follower.pending():
            if time.monotonic() > until:
                return False
            self._call()
            time.sleep(_ASK_S)
        return True

    def _run(self, after_s: float) -> None:
        _give_way()
        try:
            if after_s:
                self._wake.wait(after_s)
            while not self._stop.is_set():
                self._work()
                if self._wake.wait(self._look_s) and not self._stop.is_set():
                    # A burst of commits becomes one batch.
                    self._wake.clear()
                    self._let_others_write(limits.EMBED_GATHER_MAX_S)
        finally:
            self._give_back()

    def _let_others_write(self, seconds_max: float | None = None) -> bool:
        """Wait until commits have ceased for a moment, but no longer; tell whether to stop.

        A model's thread and a writer's take the interpreter from each other, and the writer
        is the one that a caller waits for.
        """
        until = time.monotonic() + (seconds_max or limits.EMBED_YIELD_S)
        while not self._stop.is_set():
            pause = min(self._committed + limits.EMBED_GATHER_S, until) - time.monotonic()
            if pause <= 0:
                break
            self._stop.wait(pause)
        return self._stop.is_set()

    def _work(self) -> None:
        """Do what there is; after a failure wait for longer each time."""
        try:
            while not self._stop.is_set() and self._step():
                self.failure, self._pause = None, self._look_s
        except StrataError as error:
            # A full disk, a model that cannot be reached, a lock held too long: each may pass.
            self.failure = error
        except Exception as error:
            import logging  # noqa: PLC0415  (7 ms that only a failure needs)

            log = logging.getLogger(__name__)
            said = "following the commits failed; it is tried again"
            if isinstance(error, OSError):
                # What the machine refuses, such as another open file, needs no traceback.
                log.warning("%s: %s", said, error)
            else:
                log.exception(said)
        else:
            self.failure = None
            return
        self._stop.wait(self._pause)
        self._pause = min(2 * self._pause, _PAUSE_MAX_S)

    def _step(self) -> bool:
        with self._inside:
            return self._follower.step(self._is_stopped)

    def _is_stopped(self) -> bool:
        """Tell whether to stop, between two texts: nothing is going on in the database then."""
        self._inside.release()
        try:
            return self._let_others_write()
        finally:
            self._inside.acquire()

    def pause(self) -> bool:
        """Wait until the thread is outside the database, and keep it there; False if it is not.

        SQLite has locks of the whole process. One that is taken while a process is copied by
        fork() stays taken in the child for ever.
        """
        if not self.is_running or self._thread is threading.current_thread():
            return False
        return self._inside.acquire(timeout=_FORK_WAIT_S)

    def go_on(self) -> None:
        """Let the thread go on after `pause`."""
        self._inside.release()

    def _give_back(self) -> None:
        try:
            self._follower.turn.release()
        except StrataError:
            return  # it ends by itself when it is not renewed

    def begin_in_child(self) -> None:
        """Leave the thread and its lease to the parent; the next `wake` starts another one."""
        self._follower.turn.abandon()
        self._begin_afresh()


def _give_way() -> None:
    """Let all other threads go first, where threads have priorities of their own.

    Threads that this one starts for a model have its priority.
    """
    if sys.platform == "linux":
        thread = threading.get_native_id()
        with suppress(OSError):  # a system may forbid even that
            now = os.getpriority(os.PRIO_PROCESS, thread)
            os.setpriority(os.PRIO_PROCESS, thread, now + limits.EMBED_NICE)


_all: "weakref.WeakSet[Following]" = weakref.WeakSet()


def _stop_all() -> None:
    for following in list(_all):
        following.stop()


_paused: list[Following] = []


def _before_fork() -> None:
    _paused[:] = [following for following in list(_all) if following.pause()]


def _go_on_in_parent() -> None:
    while _paused:
        _paused.pop().go_on()


def _begin_in_child() -> None:
    _paused.clear()
    for following in list(_all):
        following.begin_in_child()


atexit.register(_stop_all)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_before_fork,
        after_in_parent=_go_on_in_parent,
        after_in_child=_begin_in_child,
    )
