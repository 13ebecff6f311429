"""Presence that is written soon, in a background thread: its caller does not wait.

A note needs the store's write lock, which others may hold for long.
"""

import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from queue import SimpleQueue
from typing import Literal, TypeAlias
from weakref import WeakKeyDictionary, ref

import msgspec

from strata.base import limits
from strata.base.errors import StrataError
from strata.store import Store

_log = logging.getLogger(__name__)
# Notes that wait to be written; a caller that is faster than that is recorded all the same.
_WAITING_MAX = 100
_FLUSH_S = 1.0


class PresenceNote(msgspec.Struct, frozen=True):
    """A user or agent that has just used a document."""

    document: str
    branch: int
    session: str
    via: str | None
    status: Literal["viewing", "editing", "idle"]
    section: str | None = None
    # Words of the section, if the section is not known.
    quote: str | None = None

    @property
    def is_vague(self) -> bool:
        """Whether it says nothing about where in the document."""
        return self.section is None and self.quote is None


Write: TypeAlias = Callable[[PresenceNote], object]


class PresenceNotes:
    """Writes notes one after another; the thread begins with the first."""

    def __init__(self, store: Store) -> None:
        self._store = ref(store)
        self._queue: SimpleQueue[tuple[Write, PresenceNote] | None] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()
        self._is_closed = False
        # The last note about each session at a document, and when it was made.
        self._last: OrderedDict[tuple[str, int, str], tuple[float, PresenceNote]] = OrderedDict()
        store.before_close.append(self.close)

    def put(self, note: PresenceNote, write: Write) -> None:
        """Have a note written; what says nothing new, or is one too many, is dropped."""
        with self._lock:
            news = self._news((note.document, note.branch, note.session), note)
            if news is None or self._is_closed or self._queue.qsize() >= _WAITING_MAX:
                return
            self._queue.put((write, news))
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(
                    target=self._write_all, name="strata-presence", daemon=True
                )
                self._thread.start()

    def _news(self, key: tuple[str, int, str], note: PresenceNote) -> PresenceNote | None:
        """Return what is to be written; None where the same was noted a moment ago."""
        now = time.monotonic()
        made, last = self._last.get(key, (float("-inf"), note))
        if note.is_vague and now - made < limits.PRESENCE_S:
            # A call about the whole document does not change the section that was known.
            note = msgspec.structs.replace(note, section=last.section, quote=last.quote)
        if note == last and now - made < limits.PRESENCE_TOUCH_S:
            return None
        self._last[key] = (now, note)
        self._last.move_to_end(key)
        if len(self._last) > limits.PRESENCE_REMEMBERED:
            self._last.popitem(last=False)
        return note

    def _write_all(self) -> None:
        while (asked := self._queue.get()) is not None:
            write, note = asked
            try:
                write(note)
            except StrataError as error:
                _log.debug("who is at a document was not noted: %s", error)
            except Exception:  # noqa: BLE001  (the border: no caller waits for this thread)
                _log.exception("who is at a document was not noted")

    def close(self) -> None:
        """Write what waits, and end; the store is about to be closed."""
        with self._lock:
            self._is_closed = True
            thread = self._thread
        if thread is None or not thread.is_alive():
            return
        self._queue.put(None)
        thread.join(_FLUSH_S)
        store = self._store()
        if thread.is_alive() and store is not None:
            store.database.interrupt()  # it waits for a lock that another process holds
            thread.join(_FLUSH_S)


_notes: "WeakKeyDictionary[Store, PresenceNotes]" = WeakKeyDictionary()
_making = threading.Lock()


def notes_of(store: Store) -> PresenceNotes:
    """Return the notes of a store in this process."""
    found = _notes.get(store)
    if found is None:
        with _making:
            found = _notes.get(store)
            if found is None:
                found = _notes[store] = PresenceNotes(store)
    return found
