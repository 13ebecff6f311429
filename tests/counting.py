"""Counting what a call does, for tests that no other program on the machine may disturb."""

import sys
import threading
from collections.abc import Callable
from functools import partialmethod
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import strata
from strata.sql import Connection

# The methods of a connection that send a statement; all others go through one of these.
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
    """Return the statements that a call gives to its connections, the caller's thread alone.

    Each would be one way to a server and back. Many rows that are written by one statement count
    once; the begin and the end of a transaction count too.
    """
    found: list[str] = []
    thread = threading.get_ident()
    before = {name: getattr(Connection, name) for name in SENDING}

    def send(self: Connection, name: str, *arguments: Any) -> Any:
        if threading.get_ident() == thread and (arguments or self.in_transaction):
            found.append(str(arguments[0]) if arguments else "ROLLBACK")
        return before[name](self, *arguments)

    try:
        for name in SENDING:
            setattr(Connection, name, partialmethod(send, name))
        call()
    finally:
        for name, method in before.items():
            setattr(Connection, name, method)
    return found
