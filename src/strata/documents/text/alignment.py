"""What differs between two sequences, each written as a string with one character a unit.

As strings they are compared slice by slice, at the speed of the memory. Units that occur once on
either side are matched first; what lies between them is compared by the shortest script of
insertions and deletions, within a bound.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple


class TextChange(NamedTuple):
    """`old[start:end]` became `new[new_start:new_end]`."""

    start: int
    end: int
    new_start: int
    new_end: int


class _Run(NamedTuple):
    """Units that are equal, by where they begin on either side."""

    start: int
    new_start: int
    length: int


class Effort:
    """How much work a comparison may still be, in steps of some microseconds.

    Texts that differ more than it can find out are compared in coarser pieces.
    """

    def __init__(self, steps: int = 100_000) -> None:
        self.steps = steps

    def spend(self, steps: int) -> bool:
        """Take some of it, if there is so much."""
        if steps > self.steps:
            return False
        self.steps -= steps
        return True


# A small edit is found from where it begins: within so many insertions and deletions,
_NEAR_ROUNDS = 12
# when so many equal units follow.
_NEAR_RUN = 32
_ROUNDS_MAX = 160


def changes(old: str, new: str, effort: Effort) -> list[TextChange]:
    """Return where two sequences differ: in order, with something equal between any two."""
    found: list[TextChange] = []
    waiting = [TextChange(0, len(old), 0, len(new))]
    while waiting:
        gap = trimmed(old, new, waiting.pop())
        size, new_size = gap.end - gap.start, gap.new_end - gap.new_start
        if not size or not new_size or size == new_size == 1:
            found += [gap] if size or new_size else []
        elif near := _shortest(old, new, gap, effort=effort, rounds=_NEAR_ROUNDS, run=_NEAR_RUN):
            found += near.changes
            waiting.append(near.rest)
        elif unique := _unique(old[gap.start : gap.end], new[gap.new_start : gap.new_end]):
            waiting += reversed(_between(unique, gap))
        else:
            whole = _shortest(old, new, gap, effort=effort, rounds=_ROUNDS_MAX)
            found += whole.changes if whole else [gap]
    return _slid(old, new, found)


def trimmed(old: str, new: str, gap: TextChange) -> TextChange:
    """Return a change without what is equal at its start and at its end."""
    start, end, new_start, new_end = gap
    most = min(end - start, new_end - new_start)
    head = shared_start(old, new, at=(start, new_start), most=most)
    tail = shared_end(old, new, at=(end, new_end), most=most - head)
    return TextChange(start + head, end - tail, new_start + head, new_end - tail)


def shared_start(old: str, new: str, *, at: tuple[int, int], most: int) -> int:
    """Return how many characters are equal behind a place in either text, `most` at most."""
    here, there = at
    length, step = 0, 1
    while step := min(step, most - length):
        begin, other = here + length, there + length
        if old[begin : begin + step] == new[other : other + step]:
            length += step
            step *= 2
        else:
            step //= 2
    return length


def shared_end(old: str, new: str, *, at: tuple[int, int], most: int) -> int:
    """Return how many characters are equal before a place in either text, `most` at most."""
    here, there = at
    length, step = 0, 1
    while step := min(step, most - length):
        end, other = here - length, there - length
        if old[end - step : end] == new[other - step : other]:
            length += step
            step *= 2
        else:
            step //= 2
    return length


def _unique(old: str, new: str) -> list[_Run]:
    """Return units that occur once on either side, as many as are in the same order."""
    once = _once(old) & _once(new)
    if not once:
        return []
    places = {unit: at for at, unit in enumerate(old) if unit in once}
    pairs = [_Run(places[unit], at, 1) for at, unit in enumerate(new) if unit in once]
    return _rising(pairs)


def _once(units: str) -> set[str]:
    return {unit for unit, count in Counter(units).items() if count == 1}


def _rising(runs: list[_Run]) -> list[_Run]:
    """Return the longest choice of runs that are in the same order on both sides."""
    lowest: list[int] = []
    last: list[int] = []
    before: list[int] = []
    for at, run in enumerate(runs):
        length = bisect_left(lowest, run.start)
        before.append(last[length - 1] if length else -1)
        lowest[length : length + 1] = [run.start]
        last[length : length + 1] = [at]
    chosen = [last[-1]]
    while before[chosen[-1]] >= 0:
        chosen.append(before[chosen[-1]])
    return [runs[at] for at in reversed(chosen)]


def _between(runs: Iterable[_Run], gap: TextChange) -> list[TextChange]:
    """Return what is left of a gap between its equal runs, in order."""
    left: list[TextChange] = []
    start, end, new_start, new_end = gap
    at, new_at = start, new_start
    for run in (*runs, _Run(end - start, new_end - new_start, 0)):
        to, new_to = start + run.start, new_start + run.new_start
        if at != to or new_at != new_to:
            left.append(TextChange(at, to, new_at, new_to))
        at, new_at = to + run.length, new_to + run.length
    return left


class _Script(NamedTuple):
    """The changes up to some place, and what lies behind it."""

    changes: list[TextChange]
    rest: TextChange


def _shortest(
    old: str, new: str, gap: TextChange, *, effort: Effort, rounds: int, run: int | None = None
) -> _Script | None:
    """Return the fewest changes up to the end of a gap, or behind an equal run of that length.

    This is Myers' algorithm. Nothing is returned for what takes more rounds, or more effort than
    is left.
    """
    trace = _Trace(old, new, gap)
    met = trace.follow(min(rounds, int((2 * effort.steps) ** 0.5)), run)
    effort.spend(len(trace.rounds) ** 2 // 2)
    if met is None:
        return None
    end, new_end = gap.start + met[0], gap.new_start + met[1]
    here = TextChange(gap.start, end, gap.new_start, new_end)
    return _Script(_between(trace.runs(met), here), TextChange(end, gap.end, new_end, gap.new_end))


class _Trace:
    """How far each diagonal of a gap was followed, round by round."""

    def __init__(self, old: str, new: str, gap: TextChange) -> None:
        self._old, self._new, self._gap = old, new, gap
        self.rounds: list[dict[int, int]] = []

    def follow(self, rounds: int, run: int | None) -> tuple[int, int] | None:
        """Return where the end or an equal run of that length was met."""
        enough = run or len(self._old) + 1
        reach = {1: 0}
        for this in range(rounds + 1):
            self.rounds.append(reach.copy())
            for diagonal in range(-this, this + 1, 2):
                entry = _entry(reach, diagonal, this)
                at = reach[diagonal] = entry + self._equal(entry, entry - diagonal)
                if at - entry >= enough or self._is_end(at, at - diagonal):
                    return at, at - diagonal
        return None

    def _equal(self, at: int, new_at: int) -> int:
        start, end, new_start, new_end = self._gap
        here, there = start + at, new_start + new_at
        if here >= end or there >= new_end or self._old[here] != self._new[there]:
            return 0
        most = min(end - here, new_end - there)
        return shared_start(self._old, self._new, at=(here, there), most=most)

    def _is_end(self, at: int, new_at: int) -> bool:
        start, end, new_start, new_end = self._gap
        return at >= end - start and new_at >= new_end - new_start

    def runs(self, end: tuple[int, int]) -> list[_Run]:
        """Return the equal runs on the way to where it ended, in order."""
        runs: list[_Run] = []
        at, new_at = end
        for this in range(len(self.rounds) - 1, -1, -1):
            reach, diagonal = self.rounds[this], at - new_at
            entry = _entry(reach, diagonal, this)
            if entry < at:
                runs.append(_Run(entry, entry - diagonal, at - entry))
            above = _is_from_above(reach, diagonal, this)
            at = entry if above else entry - 1
            new_at = entry - diagonal - 1 if above else entry - diagonal
        return runs[::-1]


def _entry(reach: dict[int, int], diagonal: int, this: int) -> int:
    """Return where a diagonal is entered in a round: from above, or from the left."""
    if _is_from_above(reach, diagonal, this):
        return reach[diagonal + 1]
    return reach[diagonal - 1] + 1


def _is_from_above(reach: dict[int, int], diagonal: int, this: int) -> bool:
    if diagonal in (-this, this):
        return diagonal == -this
    return reach[diagonal - 1] < reach[diagonal + 1]


def _slid(old: str, new: str, found: list[TextChange]) -> list[TextChange]:
    """Move insertions and deletions as far back as they mean the same: one form for one edit."""
    kept: list[TextChange] = []
    limit = len(old)
    for change in reversed(found):
        start, end, new_start, new_end = change
        while (
            (start == end or new_start == new_end)
            and end < limit
            and (old[start] if start < end else new[new_start]) == old[end]
        ):
            start, end, new_start, new_end = start + 1, end + 1, new_start + 1, new_end + 1
        if kept and end == limit:
            after = kept.pop()
            end, new_end = after.end, after.new_end
        kept.append(TextChange(start, end, new_start, new_end))
        limit = start
    return kept[::-1]
