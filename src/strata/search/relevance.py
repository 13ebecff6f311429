"""How likely a text has to do with a question, from 0 to 1, on one scale for all stores.

Four things are weighed: how much of what the question's rarest words say the text holds, how much
of what the question names occurs nowhere in the store, how much nearer the text's meaning is than
texts are that have nothing to do with this question, and whether the text is part of a talk, where
more evidence is asked for. Among many texts some are near by luck, so more is asked for in a larger
store too. The constants were fitted to questions with known answers against questions that belong
to other stores (docs/decisions/0056-what-is-usual.md, 0100-talk.md). Pure; arrays in, arrays out.
"""

import math
from collections.abc import Iterable, Sequence
from operator import itemgetter, mul
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


class Held(NamedTuple):  # of arrays, or of one number each
    """What items hold of a question's words, or what one item does.

    `few` is their part of what its three rarest words say, `share` of what five of them do, both
    from 0 to 1, and `most` what the rarest word says that they hold.
    """

    few: Any
    share: Any
    most: Any


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


class HeldByOne:
    """What single items hold of a question's words, given how much each word tells; no numpy."""

    def __init__(self, told: "Sequence[float]") -> None:
        ordered = sorted(range(len(told)), key=told.__getitem__)
        self._told = told
        self._rarest = ordered[-_FEW:]
        self._few_say = max(sum(told[at] for at in self._rarest), 1e-9)
        self._enough_say = max(sum(told[at] for at in ordered[-_ENOUGH:]), 1e-9)

    def held(self, parts: "Sequence[float]") -> Held:
        """Return what an item holds, given which part it holds of each word.

        Its share may be more than 1, so that those that hold more come first.
        """
        told = self._told
        few = sum(told[at] * parts[at] for at in self._rarest)
        share = sum(map(mul, told, parts))
        most = max((tells for tells, part in zip(told, parts, strict=True) if part), default=0.0)
        return Held(few / self._few_say, share / self._enough_say, most)


def by_words(words: Held, absent: float) -> "Array":
    """Return how relevant items are that only their words tell about.

    `absent` is the share of what the question names that occurs nowhere here.
    """
    return _logistic(_by_words(words.share, words.most, absent))


def by_words_of_one(words: Held, absent: float) -> float:
    """Return the same of one item, without numpy."""
    return _logistic_of_one(_by_words(min(words.share, 1), words.most, absent))


def _by_words(share: Any, most: Any, absent: float) -> Any:
    return 5.8 * share + 0.356 * most - 2.5 * absent - 4.85


class Near(NamedTuple):  # of arrays, or of one number each
    """How near items are to a question by their meaning, and among what they were found.

    `units` tell by how many usual spreads each is nearer than texts are that have nothing to do
    with the question, `items` among how many, and `is_talk` which of them are part of a talk.
    """

    units: Any
    items: int
    is_talk: Any = False


def by_meaning(
    words: Held, absent: float, near: Near, *, lacks_identifier: bool = False
) -> "Array":
    """Return how relevant items are by words and meaning; by words while a vector is to be made.

    Of names that occur nowhere their share counts, and that there are any; an identifier that
    occurs nowhere counts half of all. A talk touches on everything, so a part of it has to say more
    of what is asked, or to be nearer, than a text of its own.
    """
    import numpy as np_

    found = _logistic(_by_meaning(words, absent, near, lacks_identifier=lacks_identifier))
    return np_.where(np_.isnan(near.units), by_words(words, absent), found)


def by_meaning_of_one(
    words: Held, absent: float, near: Near, *, lacks_identifier: bool = False
) -> float:
    """Return the same of one item that has a vector, without numpy."""
    return _logistic_of_one(_by_meaning(words, absent, near, lacks_identifier=lacks_identifier))


def _by_meaning(words: Held, absent: float, near: Near, *, lacks_identifier: bool) -> Any:
    lacking = (absent + (absent > 0) + lacks_identifier) / 2
    beyond_luck = near.units - _LUCK * math.log(max(near.items, _ITEMS_MIN))
    return 4.0 * words.few - 4.0 * lacking + 1.6 * beyond_luck - 3.2 * near.is_talk - 0.65


def _logistic(values: "Array") -> "Array":
    import numpy as np_

    return 1 / (1 + np_.exp(-np_.clip(values, -30, 30)))


def _logistic_of_one(value: float) -> float:
    return 1 / (1 + math.exp(-min(max(value, -30.0), 30.0)))
