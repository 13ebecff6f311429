"""Tools that do what a server must bear: they wait, report, print, write slowly, and break."""

import os
import sys
import threading
import time
from typing import Annotated

import msgspec

from strata.tools import Call, ToolGroup

odd = ToolGroup("memory", pattern="odd_{}")
TOOL_GROUPS = (odd,)

# What a test in the same process uses to let `waits` and `writes` go on.
gate = threading.Event()
# Set when one of the tools that write has begun.
begun = threading.Event()


class Done(msgspec.Struct, frozen=True):
    """That a tool came to its end."""

    done: bool = True
    thread: int = 0


@odd.reads()
def waits(call: Call, *, seconds: Annotated[float, "How long at most"] = 20.0) -> Done:
    """Wait for the gate."""
    gate.wait(seconds)
    return Done(thread=threading.get_ident())


@odd.reads()
def sleeps(call: Call, *, seconds: Annotated[float, "How long"] = 0.5) -> Done:
    """Say that it begins, then sleep without looking at anything."""
    call.progress("시작", 0, 1)
    time.sleep(seconds)
    return Done()


@odd.reads()
def hurries(call: Call) -> Done:
    """Return at once."""
    return Done(thread=threading.get_ident())


@odd.reads()
def reports(call: Call, *, steps: Annotated[int, "How many"] = 3) -> Done:
    """Tell how far it is."""
    for step in range(1, steps + 1):
        call.progress("세는 중", step, steps)
    call.progress("without a total", steps + 1, 0)
    return Done()


@odd.reads()
def prints(call: Call) -> Done:
    """Write to stdout in every way there is."""
    print("printed")
    sys.stdout.write("written\n")
    sys.stdout.flush()
    os.write(1, b"raw bytes\n")
    os.system("echo by a child")
    return Done()


@odd.reads()
def breaks(call: Call) -> Done:
    """Fail as no tool should."""
    raise ZeroDivisionError("a defect")


@odd.writes()
def writes(
    call: Call, *, key: Annotated[str, "Where"], waits: Annotated[bool, "For the gate"] = False
) -> Done:
    """Write a key, perhaps once the gate is open."""
    begun.set()
    if waits:
        gate.wait()
    call.db.kv.put(key, "쓰였다")
    return Done()


@odd.writes()
def fills(call: Call, *, keys: Annotated[int, "How many"], label: Annotated[str, "Prefix"]) -> Done:
    """Write many keys in one transaction that takes its time."""
    with call.db.transaction() as transaction:
        begun.set()
        for number in range(keys):
            transaction.kv.put(f"{label}/{number}", {"번호": number})
            transaction.kv.get(f"없는 것/{number}")
            time.sleep(0.001)
    return Done()
