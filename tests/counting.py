"""Counting what a call does, for tests that no other program on the machine may disturb."""

import os
import sys
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import partialmethod
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import strata
from strata.base import limits
from strata.sql.postgres import database
from strata.sql.postgres.lender import Session
from strata.sql.sqlite import SqliteConnection

# The methods of SQLite's connection that send a statement; all others go through one of these.
SENDING = ("row", "rows", "each", "run", "run_many", "run_guarded", "rollback")

SOURCE = str(Path(strata.__file__).parent)


def counted(call: Callable[[], object]) -> tuple[int, int]:
    """Count the calls of our own functions, and the statements given to SQLite."""
    calls: list[CodeType] = []
    statements: list[object] = []

    def note(frame: FrameType, event: str, argument: object) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(SOURCE):
            calls.append(frame.f_code)
        elif event == "c_call" and getattr(argument, "__name__", "").startswith("execute"):
            statements.append(argument)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        call()
    finally:
        sys.setprofile(before)
    return len(calls), len(statements)


def statements_of(call: Callable[[], object]) -> list[str]:
    """Return the statements that a call gives to SQLite, the caller's thread alone.

    Many rows that are written by one statement count once; the begin and the end of a transaction
    count too.
    """
    found: list[str] = []
    thread = threading.get_ident()
    before = {name: getattr(SqliteConnection, name) for name in SENDING}

    def send(self: SqliteConnection, name: str, *arguments: Any) -> Any:
        if threading.get_ident() == thread and (arguments or self.in_transaction):
            found.append(str(arguments[0]) if arguments else "ROLLBACK")
        return before[name](self, *arguments)

    try:
        for name in SENDING:
            setattr(SqliteConnection, name, partialmethod(send, name))
        call()
    finally:
        for name, method in before.items():
            setattr(SqliteConnection, name, method)
    return found


class RoundTrips:
    """Counts how often clients of PostgreSQL waited for the server, as the driver notes it."""

    def __init__(self, note: Path) -> None:
        self._note = note
        self._sessions: list[Session] = []
        self._file = os.open(note, os.O_RDWR | os.O_CREAT)

    def follow(self, session: Session) -> None:
        """Note what a new connection sends."""
        self._sessions.append(session)
        session.pgconn.trace(self._file)

    def of(self, call: Callable[[], object]) -> list[str]:
        """Return the statements that a call sent, one line for each round trip."""
        os.ftruncate(self._file, 0)
        call()
        for session in self._sessions:
            if not session.closed:
                session.pgconn.untrace()  # writes what it has not written yet
                session.pgconn.trace(self._file)
        return list(trips_in(self._note.read_text("utf-8", "replace")))

    def close(self) -> None:
        """Follow no connection any more."""
        for session in self._sessions:
            if not session.closed:
                session.pgconn.untrace()
        os.close(self._file)


def trips_in(noted: str) -> Generator[str]:
    """Yield what was sent up to each point where the client waited."""
    sent: list[str] = []
    for line in noted.split("\n"):
        _time, is_sent, message = line.partition("\tF\t")
        if is_sent:
            sent.append(message.partition("\t")[2])  # behind its length
            if sent[-1].startswith(("Sync", "Query")):
                yield " + ".join(sent)
                sent = []


@contextmanager
def counting_trips(note: Path) -> Generator[RoundTrips]:
    """Count the round trips of databases that are opened in the block.

    Their watches wait until it ends: what these send is no part of a call.
    """
    trips, before, pause_s = RoundTrips(note), database.configure, limits.WATCH_S

    def configure(session: Session) -> None:
        before(session)
        trips.follow(session)

    database.configure, limits.WATCH_S = configure, 3600.0
    try:
        yield trips
    finally:
        database.configure, limits.WATCH_S = before, pause_s
        trips.close()
