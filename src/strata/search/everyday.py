"""How common terms are in texts in general, whatever the texts of one store are about.

The table beside this module was counted over English and Korean texts of several kinds
(packages/strata-embed/train/usual.py). A term that is not in it is a rare one.
"""

from functools import cache
from pathlib import Path

from strata.search.entry import hash_encoded
from strata.search.tokens import rarity

# As if a store held so many other texts, so that in a young one a word is about as rare as it is
# in general.
_OTHER_TEXTS = 5_000


def term_weight(texts: int, holders: int, *forms: int) -> float:
    """Return how much it tells that a text of a store holds a term, in any of its forms."""
    shares = _table()
    others = _OTHER_TEXTS * max([shares.get(form, 0.0) for form in forms])
    return rarity(texts + _OTHER_TEXTS, holders + others)


@cache
def _table() -> dict[int, float]:
    """Return which share of texts in general holds each common term."""
    found: dict[int, float] = {}
    content = Path(__file__).with_name("everyday.txt").read_bytes()
    for line in content.splitlines():
        texts, *terms = line.split()
        found.update(dict.fromkeys(map(hash_encoded, terms), 1 / int(texts)))
    return found
