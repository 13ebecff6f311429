"""Fair timing: everybody does the same work in turns, and ratios are taken turn by turn.

A machine that is slow for a second is then slow for all, and the median of the ratios does
not notice. The collector of garbage runs between the rounds and never inside one.
"""

import gc
import statistics
import time
from collections.abc import Callable, Iterable, Mapping

import msgspec

# Does its share of one round and returns the microseconds of each of its operations.
Job = Callable[[int], list[float]]


class Timing(msgspec.Struct):
    """The operations of one contender, in microseconds, round by round."""

    rounds: list[list[float]] = []

    @property
    def medians(self) -> list[float]:
        """The median operation of each round."""
        return [statistics.median(taken) for taken in self.rounds]

    @property
    def median(self) -> float:
        """The median round."""
        return statistics.median(self.medians)

    @property
    def best(self) -> float:
        """The quickest round: what the machine can do when nothing else disturbs it."""
        return min(self.medians)

    @property
    def mean(self) -> float:
        """The mean over all operations, which also sees the rare slow ones."""
        return statistics.fmean(taken for round_ in self.rounds for taken in round_)

    @property
    def spread(self) -> tuple[float, float]:
        """The quickest and the slowest round."""
        return self.best, max(self.medians)


def take_turns(jobs: Mapping[str, Job], rounds: int, *, warm_up: int = 1) -> dict[str, Timing]:
    """Run every job once a round, each round in another order; the first rounds do not count."""
    names = list(jobs)
    timings = {name: Timing() for name in names}
    for number in range(warm_up + rounds):
        shift = number % len(names)
        gc.collect()
        for name in names[shift:] + names[:shift]:
            taken = jobs[name](number)
            if number >= warm_up:
                timings[name].rounds.append(taken)
    return timings


def ratio(ours: Timing, theirs: Timing) -> float:
    """Return the median over the rounds of how many times our time is theirs."""
    pairs = zip(ours.medians, theirs.medians, strict=True)
    return statistics.median(our / their for our, their in pairs)


def ratio_of_best(ours: Timing, theirs: Timing) -> float:
    """Return how many times our quickest round is theirs; for work that strays by itself."""
    return ours.best / theirs.best


def time_each(operation: Callable[..., object], arguments: Iterable[tuple]) -> list[float]:
    """Call an operation once for each tuple of arguments; return microseconds of each call."""
    clock = time.perf_counter_ns
    taken: list[int] = []
    for values in arguments:
        started = clock()
        operation(*values)
        taken.append(clock() - started)
    return [nanoseconds / 1000 for nanoseconds in taken]


def time_once(operation: Callable[[], object]) -> float:
    """Return the microseconds of one call."""
    started = time.perf_counter_ns()
    operation()
    return (time.perf_counter_ns() - started) / 1000
