"""Which groups of items are talks: conversations, rather than chunks of a text or a list of facts.

A talk touches on everything, and what it says of something is spread over several turns. Its
speakers ask something now and then, or a label in front of each turn names them. Pure; arrays in,
an array out (docs/decisions/0172-own-words-and-length.md).
"""

from typing import TYPE_CHECKING, Any

from strata.search.entry import QUESTION, TOPIC

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

# Of fewer items nothing is concluded.
_ITEMS_MIN = 4
# One in so many items asks something. Sections of a document and chunks of code hardly ask.
_ITEMS_FOR_A_QUESTION = 10
# Or one in so many names a speaker who spoke one or two turns before.
_ITEMS_FOR_A_SPEAKER = 3


def asks_often(items: Any, asking: Any) -> Any:
    """Tell of groups of so many items, of which so many ask something, which are talks by that."""
    return (items >= _ITEMS_MIN) & (_ITEMS_FOR_A_QUESTION * asking >= items)


def are_talks(begins: "Array", traits: "Array", label: "Array") -> "Array":
    """Tell which items belong to a talk, given which of them begin a group.

    `label` is that of each text, or 0; a label that is a topic names no speaker.
    """
    import numpy as np_

    starts = np_.flatnonzero(begins)
    if not len(starts):
        return np_.zeros(0, dtype=bool)
    sizes = np_.diff(starts, append=len(begins))
    asking = np_.add.reduceat((traits & QUESTION) != 0, starts, dtype="i8")
    speaker = np_.where(traits & TOPIC, 0, label)
    changes, again = np_.zeros((2, len(begins)), dtype=bool)
    if speaker.any():
        behind = ~begins
        behind_two = behind[2:] & behind[1:-1]
        changes[1:] = behind[1:] & (speaker[1:] != speaker[:-1]) & (speaker[:-1] != 0)
        changes &= speaker != 0
        again[1:] = behind[1:] & (speaker[1:] == speaker[:-1])
        again[2:] |= behind_two & (speaker[2:] == speaker[:-2])
        again &= speaker != 0
    speaks = _ITEMS_FOR_A_SPEAKER * np_.add.reduceat(again, starts, dtype="i8") >= sizes
    speaks &= np_.logical_or.reduceat(changes, starts) & (sizes >= _ITEMS_MIN)
    return (asks_often(sizes, asking) | speaks).repeat(sizes)
