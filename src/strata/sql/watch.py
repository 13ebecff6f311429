"""Watches an opened store while no call runs: a thread that wakes twice a second.

Two things must be noticed by a process that does nothing: that its file was deleted or replaced,
and that another process has purged something that this one still holds in memory.
"""

import _thread
import threading
import weakref
from collections.abc import Callable

from strata.base import limits
from strata.base.errors import StrataError


class Watch:
    """Calls a method of a database now and then, for as long as the database is in use."""

    def __init__(self, look: Callable[[], None]) -> None:
        # Weak, so that a database that its owner has dropped is not kept by its watch.
        self._look = weakref.WeakMethod(look)
        self._stop = threading.Event()
        # To start a `threading.Thread` means to wait until it runs: on a busy machine, longer than
        # all else that opening a store takes.
        _thread.start_new_thread(self._run, ())

    def _run(self) -> None:
        while not self._stop.wait(limits.WATCH_S):
            look = self._look()
            if look is None:
                return
            try:
                look()
            except StrataError:
                # A damaged or closed store; the next caller meets the same and can act on it.
                continue
            finally:
                del look

    def close(self) -> None:
        """Let the thread end; it looks no more at what is closed."""
        self._stop.set()
