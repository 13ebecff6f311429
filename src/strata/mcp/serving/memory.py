"""Memory of a server: kept in few arenas, and released when no request comes."""

import asyncio
import ctypes
import logging
import sys
from collections.abc import Callable

from strata.base import limits
from strata.sql import limit_memory

_log = logging.getLogger(__name__)
_M_ARENA_MAX = -8  # of <malloc.h>
_ARENAS = 2


def prepare_memory() -> None:
    """Let threads share memory: by itself glibc keeps a heap for each, which stays at its peak.

    SQLite's connections share one budget of pages, however many threads there are.
    """
    libc = _glibc()
    if libc is not None:
        libc.mallopt(_M_ARENA_MAX, _ARENAS)
    limit_memory(limits.SERVE_PAGES_BYTES_MAX)


async def give_back_when_idle(calls: Callable[[], int]) -> None:
    """Give memory back to the system after a while without calls, once; never returns.

    `calls` tells how many calls have begun so far.
    """
    libc = _glibc()
    seen = given = -1
    while libc is not None:
        await asyncio.sleep(limits.SERVE_IDLE_S)
        before, seen = seen, calls()
        if before == seen != given:
            given = seen
            # It may take a while, and holds no lock of ours.
            await asyncio.get_running_loop().run_in_executor(None, libc.malloc_trim, 0)


def _glibc() -> ctypes.CDLL | None:
    """Return the C library where it is glibc."""
    if sys.platform != "linux":
        return None
    try:
        libc = ctypes.CDLL(None)
        _version = libc.gnu_get_libc_version
    except (OSError, AttributeError):
        return None  # musl has neither arenas nor these calls
    return libc
