"""Long work that a call starts and does not wait for: a backup, a verification."""

import logging
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from strata.base.errors import Interrupted, StrataError

if TYPE_CHECKING:
    from strata.workspace import Workspace

_log = logging.getLogger(__name__)

# What long work reports: a word for what it does now, how much of it is done, how much there is.
Report: TypeAlias = Callable[[str, int, int], None]
Work: TypeAlias = "Callable[[Workspace, Report], dict[str, Any]]"
_JOIN_S = 10.0


class ChoreState(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """How far a piece of long work is; times are POSIX seconds. `result` is there at its end."""

    started: float
    ended: float | None = None
    step: str = ""
    done: int = 0
    total: int = 0
    result: dict[str, Any] | None = None
    error: str | None = None

    @property
    def is_running(self) -> bool:
        """Whether it goes on."""
        return self.ended is None


class Chores:
    """The long work of one process, one of each name at a time; the last result is kept."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._states: dict[str, ChoreState] = {}
        self._threads: dict[str, threading.Thread] = {}
        self._is_stopped = False

    def start(self, name: str, db: "Workspace", work: Work) -> ChoreState:
        """Begin a piece of work, unless it is going on already; return how far it is."""
        with self._lock:
            known = self._states.get(name)
            if known is not None and known.is_running:
                return known
            state = self._states[name] = ChoreState(started=time.time())
            thread = threading.Thread(
                target=self._run, args=(name, db, work), name=f"strata-{name}", daemon=True
            )
            self._threads[name] = thread
        thread.start()
        return state

    def state(self, name: str) -> ChoreState | None:
        """Return how far a piece of work is, or how the last one ended; None if there was none."""
        return self._states.get(name)

    def stop(self) -> None:
        """Let no work go on, before the store is closed."""
        self._is_stopped = True
        for thread in list(self._threads.values()):
            thread.join(_JOIN_S)

    def _run(self, name: str, db: "Workspace", work: Work) -> None:
        def report(step: str, done: int, total: int) -> None:
            if self._is_stopped:
                raise Interrupted("The server stops.")
            self._change(name, step=step, done=done, total=total)

        try:
            result = work(db, report)
        except StrataError as error:
            self._change(name, ended=time.time(), error=error.message)
        except Exception:  # noqa: BLE001  (the border: a thread has no caller to tell)
            _log.exception("%s failed", name)
            message = "It failed; the log of the server says where."
            self._change(name, ended=time.time(), error=message)
        else:
            self._change(name, ended=time.time(), result=result)

    def _change(self, name: str, **news: Any) -> None:
        with self._lock:
            self._states[name] = msgspec.structs.replace(self._states[name], **news)
