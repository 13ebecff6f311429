"""Runs `strata` with every call of its own functions and every SQL statement counted.

python -m walking.watched COUNTS.json ARGUMENTS...

Threads that answer are counted: the first one, and those that call tools. What others do behind
them (vectors, presence, the watch of the file) depends on how fast they get to it.
"""

import atexit
import json
import sys
import threading
from collections import Counter, defaultdict
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import apsw

import strata

OWN = str(Path(strata.__file__).parent)


def watch(target: Path) -> None:
    """Count from now on, thread by thread; write the counts when the process ends."""
    calls: defaultdict[int, Counter[CodeType]] = defaultdict(Counter)
    statements: Counter[int] = Counter()
    answering = {threading.get_ident()}

    loading = threading.local()

    def note(frame: FrameType, event: str, _argument: Any) -> None:
        code = frame.f_code
        if not code.co_filename.startswith(OWN):
            return
        # What modules do while they are loaded is no part of a walk.
        if code.co_name == "<module>":
            loading.depth = getattr(loading, "depth", 0) + (event == "call") - (event == "return")
        elif event == "call" and not getattr(loading, "depth", 0):
            calls[threading.get_ident()][code] += 1
            if code.co_name == "call_tool":
                answering.add(threading.get_ident())

    def executed(*_arguments: Any) -> bool:
        statements[threading.get_ident()] += 1
        return True

    def opened(connection: apsw.Connection) -> None:
        connection.exec_trace = executed

    def write() -> None:
        sys.setprofile(None)
        functions = {
            f"{code.co_filename.removeprefix(OWN)}:{code.co_firstlineno}:{code.co_name}": count
            for code, count in sum((calls[one] for one in answering), Counter[CodeType]()).items()
        }
        total = sum(statements[one] for one in answering)
        target.write_text(json.dumps({"calls": functions, "statements": total}))

    apsw.connection_hooks.append(opened)
    atexit.register(write)
    threading.setprofile(note)
    sys.setprofile(note)


if __name__ == "__main__":
    watch(Path(sys.argv[1]))
    sys.argv[:] = ["strata", *sys.argv[2:]]
    from strata.__main__ import main

    main()
