"""Which passage of a long text answers a question, by its words and by what each of them means.

The tokens of a piece are kept in its order, and a sentence has as many of them wherever it is. So
which tokens are those of a sentence is known without a place being kept for any.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from strata.search.tokens import Finder
from strata.search.vectors.pieces import Piece, stretches

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

# The first character of a passage, and the one behind its last.
Passage: TypeAlias = tuple[int, int]


class PassageRequest(NamedTuple):
    """What a passage is wanted for: a question, and how much each of its terms says.

    A sentence of more than so many `characters` is taken in parts.
    """

    question: str
    terms: Mapping[str, float]
    finder: Finder
    characters: int


def best_passage(
    text: str,
    pieces: Sequence[Piece],
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
    import numpy as np_

    cut = [_cut(piece, count, wanted.characters) for piece in pieces]
    if [sum(size for _part, size in parts) for parts in cut] != list(map(len, near)):
        return None
    spans = list(_spans(text, (part for parts in cut for part, _size in parts)))
    if not spans:
        return None
    scores: list[Array] = []
    for parts, rows in zip(cut, near, strict=True):
        firsts = np_.cumsum([0, *(size for _part, size in parts[:-1])])
        scores.append(np_.maximum.reduceat(rows, firsts, axis=0).mean(axis=1))
    total = np_.concatenate(scores) + list(_shares(text, spans, wanted))
    return spans[int(total.argmax())]


def _cut(piece: Piece, count: Callable[[str], int], characters: int) -> Piece:
    """Cut the parts of a piece into sentences, and these into parts that are short enough."""
    found: Piece = []
    for part, size in piece:
        cut = list(stretches(part, characters))
        found += [(part, size)] if len(cut) == 1 else [(one, count(one)) for one in cut]
    return [(part, size) for part, size in found if size]


def _spans(text: str, parts: Iterator[str]) -> Iterator[Passage]:
    """Yield where parts are in a text, in whose order they come; some may come twice."""
    at = 0
    for part in parts:
        body = part.strip()
        at = max(at, text.find(body, at))
        yield at, at + len(body)


def _shares(text: str, spans: Sequence[Passage], wanted: PassageRequest) -> Iterator[float]:
    """Yield how much of what the terms say each part of a text holds, from 0 to 1."""
    places = list(wanted.finder.places(text))
    starts = [start for start, _end, _terms in places]
    everything = max(sum(wanted.terms.values()), 1e-9)
    for first, last in spans:
        here = places[bisect_left(starts, first) : bisect_left(starts, last)]
        held = {term for _start, _end, terms in here for term in terms}
        yield sum(wanted.terms[term] for term in held) / everything
