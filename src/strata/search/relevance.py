"""How likely a text has to do with a question, from 0 to 1, on one scale for all stores.

Three things are weighed: the share of what the question says that the text holds, how much of what
the question names occurs nowhere in the store, and how much nearer the text's meaning is than texts
usually are that have nothing to do with each other. Among many texts some are near by luck, so more
is asked for in a larger store. The constants were fitted to questions with known answers against
questions that belong to other stores (docs/decisions/0053-silence.md). Pure; arrays in, arrays out.
"""

import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

# An answer without a hit of this relevance among its first ones is no answer.
FLOOR = 0.25
LOOKED_AT = 10
# By how many usual spreads the nearest of unrelated texts is nearer, for each e times as many of
# them: measured over questions and texts that were not written for each other.
_LUCK = 0.62
# By words alone: what the share counts, what absent names count against it, and what is asked for.
_SHARE, _ABSENT, _NOTHING = 6.3, 2.3, 2.45


def by_words(share: "Array", absent: float) -> "Array":
    """Return how relevant items are that only their words tell about.

    `absent` is the share of what the question names that occurs nowhere here.
    """
    return _logistic(_SHARE * share - _ABSENT * absent - _NOTHING)


def by_words_of_one(share: float, absent: float) -> float:
    """Return the same of one item, without numpy."""
    return 1 / (1 + math.exp(_NOTHING + _ABSENT * absent - _SHARE * share))


def by_meaning(share: "Array", absent: float, *, units: "Array", items: int) -> "Array":
    """Return how relevant items are by words and meaning; by words while a vector is to be made.

    `units` tell by how many usual spreads an item is nearer than unrelated texts are, and `items`
    among how many it was found.
    """
    import numpy as np_

    beyond_luck = units - _LUCK * math.log(max(items, 2))
    found = _logistic(2.9 * share - 2.6 * absent + 1.15 * beyond_luck - 0.55)
    return np_.where(np_.isnan(units), by_words(share, absent), found)


def _logistic(values: "Array") -> "Array":
    import numpy as np_

    return 1 / (1 + np_.exp(-np_.clip(values, -30, 30)))
