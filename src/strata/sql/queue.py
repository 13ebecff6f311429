"""The line of processes that wait for the write lock.

SQLite's waiters poll, and an attempt on its lock is work: sixteen of them on two cores spend
more on asking than on writing. So only the first in line asks SQLite; the others look at a
file lock now and then, which costs a tenth. The line is only about who asks next: SQLite's
own lock alone keeps writers apart, and a process that finds it free never sees the line.
"""

import os
import time
from pathlib import Path

from strata.base import limits

try:
    import fcntl
except ImportError:  # Windows: everybody polls, with longer pauses
    fcntl = None


class WriteQueue:
    """One connection's place in the line of a store's writers."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._descriptor: int | None = None
        self._started = 0.0
        self._wants_lock = False
        self._waits = True
        self.is_first = False
        # How long to wait, if not as long as all others.
        self.patience_s: float | None = None

    def enter(self, *, waits: bool = True) -> None:
        """Say that the next statement wants the write lock; `leave` must follow."""
        self._wants_lock = True
        self._waits = waits

    def wait(self, attempt: int) -> bool:
        """Wait before the next attempt on the lock; False when it has taken too long.

        This is SQLite's busy handler: `attempt` counts from 0 for each wait.
        """
        if not self._waits:
            return False
        if attempt == 0:
            self._started = time.monotonic()
            if self._wants_lock:
                self._stand_in_line()
        most = limits.LOCK_WAIT_S if self.patience_s is None else self.patience_s
        if time.monotonic() - self._started > most:
            return False
        time.sleep(self._pause())
        return True

    def _pause(self) -> float:
        if self.is_first:  # no other process asks, so this one may ask often
            return _jitter(limits.FIRST_PAUSE_MIN_S, limits.FIRST_PAUSE_MAX_S)
        # Jitter keeps many waiters from waking up together (measured: four times the rate).
        return _jitter(limits.LOCK_PAUSE_MIN_S, limits.LOCK_PAUSE_MAX_S)

    def _stand_in_line(self) -> None:
        """Wait to be first; not for long, because the first one may have been suspended."""
        until = self._started + limits.LINE_WAIT_S
        while not self._is_my_turn() and time.monotonic() < until:
            time.sleep(_jitter(limits.LOCK_PAUSE_MIN_S, limits.LOCK_PAUSE_MAX_S))

    def _is_my_turn(self) -> bool:
        if fcntl is None or self._path is None:
            return True
        try:
            if self._descriptor is None:
                flags = os.O_CREAT | os.O_RDWR | os.O_CLOEXEC
                self._descriptor = os.open(self._path, flags, 0o600)
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:
            return True  # a line that cannot be formed costs speed, nothing else
        self.is_first = True
        return True

    def leave(self) -> None:
        """Let the next one ask; called when the lock is ours, or given up."""
        self._wants_lock = False
        self._waits = True
        if self.is_first and fcntl is not None and self._descriptor is not None:
            self.is_first = False
            fcntl.flock(self._descriptor, fcntl.LOCK_UN)

    def close(self) -> None:
        """Give the file back; the kernel does so too when a process dies."""
        self.is_first = False
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def _jitter(least: float, most: float) -> float:
    """Return a time between two; the module random would cost every start 5 ms."""
    return least + (most - least) * os.urandom(1)[0] / 255
