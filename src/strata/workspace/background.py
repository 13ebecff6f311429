"""Several kinds of background work, done in one thread, the first of them first."""

from collections.abc import Callable, Sequence
from typing import Protocol

from strata.search import Follower


class _Turn(Protocol):
    def release(self) -> None: ...

    def abandon(self) -> None: ...


class Chore(Protocol):
    """Work that is done in small steps, each by whichever process has the turn."""

    @property
    def turn(self) -> _Turn:
        """The right to do it."""
        ...

    def step(self, _is_stopped: Callable[[], bool] = ..., /) -> bool:
        """Do one step; tell whether there was one."""
        ...


class BackgroundWork:
    """Seals the text index, makes vectors, and then does what needs them or can wait for them.

    Sealing comes first: it takes a moment, and vectors of many texts may take hours.
    """

    def __init__(self, sealer: Chore, follower: Follower, *others: Chore) -> None:
        self._sealer = sealer
        self._follower = follower
        self._others = others
        chores = (sealer, follower, *others)
        self.turn = _Turns([chore.turn for chore in chores])

    def pending(self) -> int:
        """Return how much is left to embed: that is what a caller may wait for."""
        return self._follower.pending()

    def step(self, is_stopped: Callable[[], bool] = lambda: False) -> bool:
        """Do one small piece of work; tell whether there was one."""
        chores: tuple[Chore, ...] = (self._sealer, self._follower, *self._others)
        return any(chore.step(is_stopped) for chore in chores)


class _Turns:
    """The turns of all of them."""

    def __init__(self, turns: Sequence[_Turn]) -> None:
        self._turns = turns

    def release(self) -> None:
        """Give all of them back."""
        for turn in self._turns:
            turn.release()

    def abandon(self) -> None:
        """Forget all of them, after fork()."""
        for turn in self._turns:
            turn.abandon()
