"""How likely a text has to do with a question, from 0 to 1, on one scale for all stores.

Two things are weighed: the share of what the question says that the text holds, and how much
nearer its meaning is than texts usually are that have nothing to do with each other. Among many
texts some are near by luck, so more is asked for in a larger store. The constants were fitted to
questions with known answers against questions that belong to other stores
(docs/decisions/0049-relevance.md). Pure; arrays in, arrays out.
"""

import math
from typing import TYPE_CHECKING, Any, NamedTuple

from strata.search.rank import Usual

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

# An answer without a hit of this relevance among its first ones is no answer.
FLOOR = 0.2
LOOKED_AT = 10


class Background(NamedTuple):
    """Among how many items something was found, and how near all of them are."""

    items: int
    usual: Usual


def by_words(share: "Array") -> "Array":
    """Return how relevant items are that only their words tell about."""
    return _logistic(6.8 * share - 2.6)


def by_meaning(share: "Array", units: "Array", background: Background) -> "Array":
    """Return how relevant items are by words and meaning; by words while a vector is to be made.

    `units` tell by how many usual spreads an item is nearer than unrelated texts are.
    """
    import numpy as np_

    margin = (units - background.usual.mean) / background.usual.spread
    luck = math.sqrt(2 * math.log(max(background.items, 2)))
    found = _logistic(3.2 * share + 1.07 * units + 0.32 * margin - 1.39 * luck - 1.19)
    return np_.where(np_.isnan(units), by_words(share), found)


def _logistic(values: "Array") -> "Array":
    import numpy as np_

    return 1 / (1 + np_.exp(-np_.clip(values, -30, 30)))
