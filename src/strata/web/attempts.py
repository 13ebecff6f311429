"""Failed sign-ins: an address with too many of them has to wait."""

import asyncio
import time
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Sequence

from strata.base import limits

_WINDOW_S = 60.0
# Addresses that are remembered; those that failed longest ago are forgotten first.
_ADDRESSES_MAX = 10_000


class Attempts:
    """Counts failures of the last minute, by address and altogether."""

    def __init__(
        self, of_one: int, of_all: int, *, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._of_one, self._of_all, self._now = of_one, of_all, now
        self._all: deque[float] = deque(maxlen=of_all)
        self._by: OrderedDict[str, deque[float]] = OrderedDict()

    def wait_s(self, address: str) -> float:
        """Return how long an address has to wait; nothing for most."""
        now = self._now()
        own = self._by.get(address, ())
        return max(_left(own, self._of_one, now), _left(self._all, self._of_all, now))

    def failed(self, address: str) -> None:
        """Count a failure."""
        now = self._now()
        self._all.append(now)
        self._by.setdefault(address, deque(maxlen=self._of_one)).append(now)
        self._by.move_to_end(address)
        if len(self._by) > _ADDRESSES_MAX:
            self._by.popitem(last=False)


class Turns:
    """Attempts of one address, one by one, with a pause before each."""

    def __init__(self) -> None:
        self._waiting: Counter[str] = Counter()
        self._locks: dict[str, asyncio.Lock] = {}

    async def wait(self, address: str) -> bool:
        """Wait for a turn; False where too many of the address wait already."""
        if self._waiting[address] >= limits.SIGN_IN_WAITING_MAX:
            return False
        self._waiting[address] += 1
        lock = self._locks.setdefault(address, asyncio.Lock())
        try:
            async with lock:
                await asyncio.sleep(limits.SIGN_IN_PAUSE_S)
        finally:
            self._waiting[address] -= 1
            if not self._waiting[address]:
                del self._waiting[address], self._locks[address]
        return True


def _left(times: Sequence[float], most: int, now: float) -> float:
    """Return when the oldest of as many failures as are allowed is a minute ago."""
    return max(0.0, times[0] + _WINDOW_S - now) if len(times) >= most else 0.0
