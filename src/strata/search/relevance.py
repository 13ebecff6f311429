"""How likely a text has to do with a question, from 0 to 1, on one scale for all stores.

Four things are weighed: how much of what the question's rarest words say the text holds, how much
of what the question names occurs nowhere in the store, how much nearer the text's meaning is than
texts are that have nothing to do with this question, and whether the text is part of a talk, where
more evidence is asked for. Among many texts some are near by luck, so more is asked for in a larger
store too. The constants were fitted to questions with known answers against questions that belong
to other stores (docs/decisions/0056-what-is-usual.md, 0100-talk.md). Pure; arrays in, arrays out.
"""

import math
from collections.abc import Iterable
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

# An answer without a hit of this relevance among its first ones is no answer.
FLOOR = 0.3
LOOKED_AT = 10
# A strict answer leaves out what is less relevant, however well something else answers.
WEAK = 0.01
# By how many usual spreads the nearest of unrelated texts is nearer, for each e times as many of
# them: measured over questions and texts that were not written for each other.
_LUCK = 0.62
# A young store is judged as if it held so many: all that were measured hold more.
_ITEMS_MIN = 150
# Of so many of a question's words, its rarest, a text holds a part; or as much as these say.
_FEW, _ENOUGH = 3, 5


class Held(NamedTuple):
    """What items hold of a question's words.

    `few` is their part of what its three rarest words say, `share` of what five of them do, both
    from 0 to 1, and `most` what the rarest word says that they hold.
    """

    few: "Array"
    share: "Array"
    most: "Array"


def held(words: "Iterable[tuple[float, Array]]", count: int) -> Held:
    """Return what each item holds, given how much each word tells and which items hold it."""
    import numpy as np_

    few, share, most = np_.zeros((3, count), dtype="f4")
    ordered = sorted(words, key=itemgetter(0))
    for place, (told, at) in enumerate(ordered, -len(ordered)):
        share[at] += told
        most[at] = told
        if place >= -_FEW:
            few[at] += told
    said = [told for told, _at in ordered]
    few /= max(sum(said[-_FEW:]), 1e-9)
    return Held(few, np_.minimum(share / max(sum(said[-_ENOUGH:]), 1e-9), 1), most)


def by_words(words: Held, absent: float) -> "Array":
    """Return how relevant items are that only their words tell about.

    `absent` is the share of what the question names that occurs nowhere here.
    """
    return _logistic(_by_words(words.share, words.most, absent))


def by_words_of_one(share: float, most: float, absent: float) -> float:
    """Return the same of one item, without numpy."""
    return 1 / (1 + math.exp(-_by_words(share, most, absent)))


def _by_words(share: Any, most: Any, absent: float) -> Any:
    return 5.8 * share + 0.356 * most - 2.5 * absent - 4.85


class Near(NamedTuple):
    """How near items are to a question by their meaning, and among what they were found.

    `units` tell by how many usual spreads each is nearer than texts are that have nothing to do
    with the question, `items` among how many, and `is_talk` which of them are part of a talk.
    """

    units: "Array"
    items: int
    is_talk: "Array | bool" = False


def by_meaning(
    words: Held, absent: float, near: Near, *, lacks_identifier: bool = False
) -> "Array":
    """Return how relevant items are by words and meaning; by words while a vector is to be made.

    Of names that occur nowhere their share counts, and that there are any; an identifier that
    occurs nowhere counts half of all. A talk touches on everything, so a part of it has to say more
    of what is asked, or to be nearer, than a text of its own.
    """
    import numpy as np_

    lacking = (absent + (absent > 0) + lacks_identifier) / 2
    beyond_luck = near.units - _LUCK * math.log(max(near.items, _ITEMS_MIN))
    talk = 2.7 * np_.asarray(near.is_talk)
    found = _logistic(4.0 * words.few - 4.0 * lacking + 1.6 * beyond_luck - talk - 0.8)
    return np_.where(np_.isnan(near.units), by_words(words, absent), found)


def _logistic(values: "Array") -> "Array":
    import numpy as np_

    return 1 / (1 + np_.exp(-np_.clip(values, -30, 30)))
