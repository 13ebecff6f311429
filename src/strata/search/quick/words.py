"""The words of a prompt that say what it is about."""

from typing import TypeAlias

from strata.base import limits
from strata.base.prompts import shortened
from strata.search import tokens

# The terms that a word is indexed under: one in English, pairs of letters in Korean.
Word: TypeAlias = tuple[str, ...]


def words_of(text: str) -> list[Word]:
    """Return the different words of a text in order, without those that say nothing."""
    found: dict[Word, None] = {}
    for chunk in tokens.cut(shortened(text))[1]:
        terms = tuple(term for term in tokens.terms_of(chunk) if not tokens.is_stop(term))
        # One letter or digit is in every other text.
        if any(len(term) > 1 for term in terms):
            found.setdefault(terms)
    return list(found)[: limits.LOOK_WORDS_MAX]
