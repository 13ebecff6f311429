"""Joining ranked lists by rank alone: for lists whose scores cannot be compared."""

from collections import defaultdict
from collections.abc import Hashable, Sequence
from typing import TypeVar

T = TypeVar("T", bound=Hashable)

# The larger, the less the first places count above the others. Sixty is what everybody uses.
RANK_CONSTANT = 60


def reciprocal(rankings: Sequence[Sequence[T]], *, constant: int = RANK_CONSTANT) -> list[T]:
    """Return everything that any list holds, best first, by reciprocal rank fusion.

    Ties fall as in the first list that holds one of them.
    """
    scores: defaultdict[T, float] = defaultdict(float)
    for ranking in rankings:
        for rank, item in enumerate(dict.fromkeys(ranking), 1):
            scores[item] += 1 / (constant + rank)
    return sorted(scores, key=lambda item: -scores[item])
