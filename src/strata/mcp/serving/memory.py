"""Memory of a server: kept in few arenas, and released when no request comes."""

import asyncio
from collections.abc import Callable

from strata.base import limits
from strata.base.allocator import give_back, share_arenas
from strata.sql import limit_memory

_ARENAS = 2


def prepare_memory() -> None:
    """Let the server's threads share memory, and their connections one budget of pages."""
    share_arenas(_ARENAS)
    limit_memory(limits.SERVE_PAGES_BYTES_MAX)


async def give_back_when_idle(calls: Callable[[], int]) -> None:
    """Give memory back to the system after a while without calls, once; never returns.

    `calls` tells how many calls have begun so far.
    """
    seen = given = -1
    while True:
        await asyncio.sleep(limits.SERVE_IDLE_S)
        before, seen = seen, calls()
        if before == seen != given:
            given = seen
            # It may take a while, and holds no lock of ours.
            await asyncio.get_running_loop().run_in_executor(None, give_back)
