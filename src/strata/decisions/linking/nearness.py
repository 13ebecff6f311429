"""Which memories are near each other in meaning, whatever model tells it.

A cosine means nothing by itself: two unrelated texts have 0.1 by one model and 0.9 by another.
So a pair is held against all pairs of the same store and model, and both must find each other.
"""

from typing import TYPE_CHECKING, Any

import msgspec

from strata.base import limits

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np

    Array = np.ndarray[Any, Any]

# The shares of all pairs that are most alike: those of the first are linked, those of the second
# suggested. Read by hand on decisions of a small team; `docs/decisions/0019-links.md`.
_CERTAIN, _LIKELY = 0.01, 0.04
# Nor more than so many for each memory: of ten thousand others a hundred are in the first share.
_CERTAIN_EACH, _LIKELY_EACH = 0.64, 2.56
# And by how many deviations from the mean: a hundredth of all pairs is above the first line even
# where likeness is mere chance, but chance alone does not reach so far.
_CERTAIN_DEVIATIONS, _LIKELY_DEVIATIONS = 2.5, 2.0
# How high each must rank among the other's neighbours, for the same two.
_CERTAIN_RANK, _LIKELY_RANK = 3, 5
# What a link's confidence begins with, and how much its likeness adds.
_CERTAIN_CONFIDENCE, _LIKELY_CONFIDENCE = (0.5, 0.3), (0.3, 0.2)
_SEED_COSINE = 0.75
# Rows that are multiplied at once: a few megabytes.
_ROWS = 256
# Below any cosine.
_NONE = -2.0


class NearPair(msgspec.Struct, frozen=True):
    """Two rows that are alike, and how sure that makes a link between them."""

    one: int
    other: int
    cosine: float
    confidence: float
    is_certain: bool = True


class CosineLines(msgspec.Struct, frozen=True):
    """The cosines that almost all pairs stay below."""

    certain: float
    likely: float


def near_pairs(matrix: "Array", groups: "Array", rows: "Array") -> list[NearPair]:
    """Return the pairs of some rows that are neighbours of each other, nearest first.

    `matrix` has unit vectors; rows of the same group are never a pair, nor do they exclude others.
    """
    lines = _lines(matrix, groups)
    if lines is None:
        return []
    found: dict[tuple[int, int], float] = {}
    for at, cosines in _compared(matrix, groups, rows):
        for other in _best(cosines, _LIKELY_RANK):
            if cosines[other] >= lines.likely:
                found[at, int(other)] = float(cosines[other])
    ranks = _ranks(matrix, groups, found)
    pairs: dict[tuple[int, int], NearPair] = {}
    for (one, other), cosine in found.items():
        rank = max(ranks[one, other], ranks[other, one])
        if rank <= _LIKELY_RANK:
            ends = (min(one, other), max(one, other))
            pairs[ends] = _near(ends, cosine, lines, is_mutual=rank <= _CERTAIN_RANK)
    return sorted(pairs.values(), key=lambda pair: (-pair.cosine, pair.one, pair.other))


def seed_pairs(matrix: "Array", groups: "Array", rows: "Array") -> list[NearPair]:
    """Return each row's five nearest with a cosine of 0.75 or more, by whatever model."""
    pairs: dict[tuple[int, int], NearPair] = {}
    for at, cosines in _compared(matrix, groups, rows):
        for other in _best(cosines, limits.SEMANTIC_LINKS_MAX):
            cosine = float(cosines[other])
            if cosine >= _SEED_COSINE:
                ends = (min(at, int(other)), max(at, int(other)))
                pairs[ends] = NearPair(*ends, cosine, round(min(cosine, 1.0), 4))
    return sorted(pairs.values(), key=lambda pair: (-pair.cosine, pair.one, pair.other))


def _near(ends: tuple[int, int], cosine: float, lines: CosineLines, *, is_mutual: bool) -> NearPair:
    """Return a pair with its confidence: from the line it has passed up to the next."""
    is_certain = is_mutual and cosine >= lines.certain
    if is_certain:
        least, most, (start, more) = lines.certain, 1.0, _CERTAIN_CONFIDENCE
    else:
        least, most, (start, more) = lines.likely, lines.certain, _LIKELY_CONFIDENCE
    share = min((cosine - least) / max(most - least, 1e-6), 1.0)
    return NearPair(*ends, cosine, round(start + more * share, 4), is_certain)


def _lines(matrix: "Array", groups: "Array") -> CosineLines | None:
    """Return the lines of a store and model; None where too few memories could tell them."""
    import numpy

    if len(matrix) < limits.LINKING_MEMORIES_MIN:
        return None
    # Evenly over all of them: the same ones for everybody who asks.
    count = min(len(matrix), limits.LINKING_SAMPLE)
    some = numpy.linspace(0, len(matrix) - 1, count).astype(int)
    cosines = matrix[some] @ matrix[some].T
    apart = numpy.triu(groups[some][:, None] != groups[some][None, :], 1)
    background = cosines[apart]
    if not len(background):
        return None
    shares = (min(_CERTAIN, _CERTAIN_EACH / len(matrix)), min(_LIKELY, _LIKELY_EACH / len(matrix)))
    certain, likely = numpy.quantile(background, [1 - share for share in shares])
    mean, deviation = float(background.mean()), float(background.std())
    return CosineLines(
        max(float(certain), mean + _CERTAIN_DEVIATIONS * deviation),
        max(float(likely), mean + _LIKELY_DEVIATIONS * deviation),
    )


def _compared(matrix: "Array", groups: "Array", rows: "Array") -> "Iterator[tuple[int, Array]]":
    """Yield each row with its cosines to all others, those of its own group left out."""
    for start in range(0, len(rows), _ROWS):
        part = rows[start : start + _ROWS]
        cosines = matrix[part] @ matrix.T
        cosines[groups[part][:, None] == groups[None, :]] = _NONE
        yield from zip((int(row) for row in part), cosines, strict=True)


def _best(cosines: "Array", count: int) -> "Array":
    """Return where the greatest are, in order; of equal ones those that come first."""
    import numpy

    most = min(count, len(cosines))
    least = numpy.partition(cosines, len(cosines) - most)[len(cosines) - most]
    among = numpy.flatnonzero(cosines >= least)
    return among[numpy.argsort(-cosines[among], kind="stable")][:count]


def _ranks(
    matrix: "Array", groups: "Array", found: dict[tuple[int, int], float]
) -> dict[tuple[int, int], int]:
    """Return the place of each pair's second row among the neighbours of its first."""
    import numpy

    others: dict[int, list[int]] = {}
    for one, other in found:
        others.setdefault(one, []).append(other)
        others.setdefault(other, []).append(one)
    ranks: dict[tuple[int, int], int] = {}
    rows = numpy.array(sorted(others), dtype=int)
    for one, cosines in _compared(matrix, groups, rows):
        for other in others[one]:
            # As near as another does not put it behind: copies of one text are all the first.
            ranks[one, other] = 1 + int((cosines > cosines[other] + 1e-6).sum())
    return ranks
