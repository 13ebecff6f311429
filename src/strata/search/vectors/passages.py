"""Which passage of a long text answers a question, by its words and by what each of them means.

The tokens of a piece are kept in its order, and a sentence has as many of them wherever it is. So
which tokens are those of a sentence is known without a place being kept for any.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from strata.search.vectors.pieces import stretches

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

# The first character of a passage, and the one behind its last.
Passage: TypeAlias = tuple[int, int]


class PassageRequest(NamedTuple):
    """What a passage is wanted for.

    `says` tells how much of what the words of the question say a passage holds, from 0 to 1. A
    sentence of more than `characters` is taken in parts.
    """

    question: str
    says: Callable[[str], float]
    characters: int


def best_passage(
    text: str,
    pieces: Sequence[str],
    near: "Sequence[Array]",
    *,
    count: Callable[[str], int],
    wanted: PassageRequest,
) -> Passage | None:
    """Return the sentence that holds most of what the words of a question say, and mean.

    `near` holds for each piece how near each of its tokens, counted by `count`, comes to each of
    the question's; both parts count alike. None where the pieces and the tokens are not of one
    text.
    """
    best, found, at = float("-inf"), None, 0
    if len(pieces) != len(near):
        return None
    for piece, rows in zip(pieces, near, strict=True):
        parts = list(stretches(piece, wanted.characters))
        sizes = [count(part) for part in parts]
        if sum(sizes) != len(rows):
            return None
        first = 0
        for part, size in zip(parts, sizes, strict=True):
            at = max(at, text.find(part.strip(), at))
            here = rows[first : first + size]
            score = float(here.max(axis=0).mean()) + wanted.says(part) if size else best
            if score > best:
                best, found = score, (at, at + len(part.strip()))
            first += size
    return found
