"""Hints from other processes that something was committed, by the server's NOTIFY.

A hint only ends a pause sooner: what was committed is always read from the tables. Whether hints
arrive is tried out now and then, because a pooler between this process and the server may keep them
back. While they do not, callers look as often as without them.
"""

import logging
import threading
import time
from collections.abc import Callable
from contextlib import suppress

import psycopg

from strata.base import ids, limits
from strata.base.errors import StrataError
from strata.sql.postgres.connection import new_cursor
from strata.sql.postgres.lender import Session
from strata.sql.queries import load

_log = logging.getLogger(__name__)


class Hints:
    """Hears of commits of one workspace, in a thread and on a connection of its own.

    `connect` opens that connection. `send` sends a hint as any other process would.
    """

    def __init__(
        self, workspace: int, connect: Callable[[], Session], send: Callable[[str], None]
    ) -> None:
        self._channel = channel_of(workspace)
        self._connect = connect
        self._send = send
        # What this process sends to itself to try whether hints arrive.
        self._probe = ids.token()
        self._probed_at = 0.0
        self._heard_at = -limits.HINT_TRUST_S
        self._is_closed = threading.Event()
        self._lock = threading.Lock()
        self._listeners: list[Callable[[], object]] = []
        self._thread: threading.Thread | None = None

    @property
    def is_working(self) -> bool:
        """Whether hints have arrived lately, so that a caller may wait for one."""
        return time.monotonic() - self._heard_at < limits.HINT_TRUST_S

    def subscribe(self, listener: Callable[[], object]) -> Callable[[], None]:
        """Call a function, from another thread, after each hint; return what ends that."""
        with self._lock:
            self._listeners.append(listener)
            if self._thread is None and not self._is_closed.is_set():
                self._thread = threading.Thread(target=self._run, name="strata-hints", daemon=True)
                self._thread.start()

        def unsubscribe() -> None:
            with self._lock, suppress(ValueError):
                self._listeners.remove(listener)

        return unsubscribe

    def close(self) -> None:
        """Hear no more."""
        self._is_closed.set()
        thread = self._thread
        if thread is not None and thread is not threading.current_thread():
            thread.join(limits.CLOSE_WAIT_S)

    def _run(self) -> None:
        while not self._is_closed.is_set():
            try:
                with self._connect() as session:
                    new_cursor(session).execute(
                        load("postgres").listen.replace(":name", self._channel)
                    )
                    self._hear(session)
            except (psycopg.Error, StrataError) as error:
                _log.debug("hints of the database are not heard: %s", error)
            self._heard_at = -limits.HINT_TRUST_S
            self._tell()  # what came meanwhile was not heard
            self._is_closed.wait(limits.HINT_PAUSE_S)

    def _hear(self, session: Session) -> None:
        while not self._is_closed.is_set():
            self._try_out()
            for note in session.notifies(timeout=limits.HINT_CLOSE_S, stop_after=1):
                if note.payload == self._probe:
                    self._heard_at = time.monotonic()
                else:
                    self._tell()

    def _try_out(self) -> None:
        """Send a hint to itself, now and then."""
        now = time.monotonic()
        if now - self._probed_at > limits.HINT_TRUST_S / 3:
            self._probed_at = now
            self._send(self._probe)

    def _tell(self) -> None:
        with self._lock:
            listeners = list(self._listeners)
        for listener in listeners:
            listener()


def channel_of(workspace: int) -> str:
    """Return the name under which hints of a workspace are sent."""
    return f"strata_{workspace}"
