"""How often a client may do something: on average, and at once."""

from math import inf


class Pace:
    """What one client has done lately, and how long it waits before it does more."""

    def __init__(self, a_second: float, at_once: float) -> None:
        self._a_second = a_second
        self._ahead_s = at_once / a_second
        # A clock that has just begun may say less than `at_once` takes.
        self._free_at = -inf

    def pause(self, now: float, weight: float = 1.0) -> float:
        """Count something that is done; return how long to wait for it."""
        self._free_at = self._free_after(now, weight)
        return max(0.0, self._free_at - now)

    def would_pause(self, now: float, weight: float = 1.0) -> float:
        """Return how long one would have to wait for something, and count nothing."""
        return max(0.0, self._free_after(now, weight) - now)

    def _free_after(self, now: float, weight: float) -> float:
        return max(self._free_at, now - self._ahead_s) + weight / self._a_second
