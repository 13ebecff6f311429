"""Counting what a call does, for tests that no other program on the machine may disturb."""

import sys
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FrameType

import strata

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
