"""Runs `strata` with every call of its own functions and every SQL statement counted.

python -m walking.watched COUNTS.json ARGUMENTS...
"""

import atexit
import json
import sys
import threading
from collections import Counter
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import apsw

import strata

OWN = str(Path(strata.__file__).parent)


def watch(target: Path) -> None:
    """Count from now on, in every thread; write the counts when the process ends."""
    calls: Counter[CodeType] = Counter()
    statements = [0]

    loading = threading.local()

    def note(frame: FrameType, event: str, _argument: Any) -> None:
        code = frame.f_code
        if not code.co_filename.startswith(OWN):
            return
        # What modules do while they are loaded is no part of a walk.
        if code.co_name == "<module>":
            loading.depth = getattr(loading, "depth", 0) + (event == "call") - (event == "return")
        elif event == "call" and not getattr(loading, "depth", 0):
            calls[code] += 1

    def executed(*_arguments: Any) -> bool:
        statements[0] += 1
        return True

    def opened(connection: apsw.Connection) -> None:
        connection.exec_trace = executed

    def write() -> None:
        sys.setprofile(None)
        functions = {
            f"{code.co_filename.removeprefix(OWN)}:{code.co_firstlineno}:{code.co_name}": count
            for code, count in calls.items()
        }
        target.write_text(json.dumps({"calls": functions, "statements": statements[0]}))

    apsw.connection_hooks.append(opened)
    atexit.register(write)
    threading.setprofile(note)
    sys.setprofile(note)


if __name__ == "__main__":
    watch(Path(sys.argv[1]))
    sys.argv[:] = ["strata", *sys.argv[2:]]
    from strata.__main__ import main

    main()
