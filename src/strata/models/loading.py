"""A model that is loaded in the background when first needed, and released when unused."""

import os
import threading
import time
import weakref
from collections.abc import Callable
from typing import Any, Generic, Literal, TypeVar

from strata.base import limits
from strata.base.errors import StrataError, Unavailable

Model = TypeVar("Model")
State = Literal["absent", "not loaded", "loading", "ready", "failed"]


class Loader(Generic[Model]):
    """Holds one model for a process. Safe to use from several threads, and after fork().

    What `get` and `wait` return is meant for one piece of work: a caller that keeps it keeps its
    memory from being given back.
    """

    def __init__(
        self,
        name: str,
        load: Callable[[], Model],
        *,
        is_installed: Callable[[], bool] = lambda: True,
        idle_s: float = limits.MODEL_IDLE_S,
    ) -> None:
        self.name = name
        self._load = load
        self._is_installed = is_installed
        self._idle_s = idle_s
        self._start_afresh()
        _loaders.add(self)

    @property
    def state(self) -> State:
        """Whether the model is there, and if not, why not yet."""
        with self._changed:
            if self._model is not None:
                return "ready"
            if self._thread is not None:
                return "loading"
            if self._failure is not None:
                return "failed"
        return "not loaded" if self._is_installed() else "absent"

    @property
    def reason(self) -> str | None:
        """Why the last attempt to load failed."""
        failure = self._failure
        return None if failure is None else str(failure)

    def get(self) -> Model | None:
        """Return the model if it is ready. If not, begin to load it, unless that failed lately."""
        with self._changed:
            if self._may_begin():
                self._begin()
            return self._use()

    def prepare(self) -> None:
        """Begin to load the model, also after a failure; return at once."""
        with self._changed:
            if self._model is None:
                self._begin()

    def wait(self, timeout_s: float) -> Model | None:
        """Wait for the model; None when time is up. Raises `Unavailable` if it cannot be loaded."""
        with self._changed:
            if self._may_begin():
                self._begin()
            self._changed.wait_for(lambda: self._thread is None, timeout_s)
            if self._failure is not None:
                raise _again(self._failure)
            return self._use()

    def unload(self) -> bool:
        """Release the memory as soon as no caller uses the model; tell whether it was loaded."""
        with self._changed:
            was_there = self._model is not None
            self._model = None
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None
        _give_back_memory()
        return was_there

    def _may_begin(self) -> bool:
        if self._model is not None:
            return False
        has_rested = time.monotonic() - self._failed_at > limits.MODEL_RETRY_S
        return self._failure is None or has_rested

    def _use(self) -> Model | None:
        self._used = time.monotonic()
        return self._model

    def _begin(self) -> None:
        if self._thread is not None:
            return
        self._failure = None
        # Not a daemon: a thread inside native code must not outlive the interpreter. Loading takes
        # a fraction of a second, so an exit in between does not wait long.
        thread = threading.Thread(target=self._run, name=f"strata-load-{self.name}")
        try:
            thread.start()
        except RuntimeError as problem:  # The interpreter is shutting down, or threads ran out.
            message = f"The model {self.name} could not be loaded: {problem}"
            self._failure, self._failed_at = Unavailable(message, model=self.name), time.monotonic()
        else:
            self._thread = thread

    def _run(self) -> None:
        model: Model | None = None
        failure: StrataError | None = None
        try:
            model = self._load()
        except StrataError as problem:
            failure = problem
        except Exception as problem:  # noqa: BLE001  (the thread's last line; callers raise it)
            message = f"The model {self.name} could not be loaded: {problem}"
            failure = Unavailable(message, model=self.name)
        _give_back_memory()
        with self._changed:
            self._model, self._failure, self._thread = model, failure, None
            self._used = self._failed_at = time.monotonic()
            if model is not None:
                self._watch(self._idle_s)
            self._changed.notify_all()

    def _watch(self, seconds: float) -> None:
        # A daemon, because it does nothing but wait: an exit need not.
        self._timer = threading.Timer(seconds, self._unload_if_idle)
        self._timer.daemon = True
        self._timer.start()

    def _unload_if_idle(self) -> None:
        with self._changed:
            if self._timer is not threading.current_thread():
                return
            rest = self._used + self._idle_s - time.monotonic()
            if rest > 0:
                self._watch(rest)
                return
            self._model, self._timer = None, None
        _give_back_memory()

    def before_fork(self) -> None:
        """Let a load in progress end: a child would find its modules imported by half."""
        with self._changed:
            if self._thread is not threading.current_thread():
                self._changed.wait_for(lambda: self._thread is None, limits.MODEL_LOAD_S)

    def after_fork(self) -> None:
        """Forget what only the parent process has; called in the child."""
        self._start_afresh()

    def _start_afresh(self) -> None:
        # A fork copies memory but no threads: the child may find the lock held by no thread. What
        # the parent had loaded is kept but not used, since its runtime may miss its threads.
        self._left_behind = getattr(self, "_model", None)
        self._changed = threading.Condition()
        self._model: Model | None = None
        self._failure: StrataError | None = None
        self._thread: threading.Thread | None = None
        self._timer: threading.Timer | None = None
        self._used = self._failed_at = 0.0


def _give_back_memory() -> None:
    """Return to the system what loading has freed, some 9 MB, or the memory of a model."""
    from strata.base import allocator  # noqa: PLC0415  (ctypes, which a start does not need)

    allocator.give_back()


_loaders: "weakref.WeakSet[Loader[Any]]" = weakref.WeakSet()


def _before_fork() -> None:
    for loader in list(_loaders):
        loader.before_fork()


def _after_fork() -> None:
    for loader in list(_loaders):
        loader.after_fork()


def _again(failure: StrataError) -> StrataError:
    # One error object raised in several threads would mix their tracebacks.
    copy = type(failure)(failure.message, hint=failure.hint, **failure.details)
    copy.__cause__ = failure
    for note in getattr(failure, "__notes__", ()):
        copy.add_note(note)
    return copy


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork, after_in_child=_after_fork)
