"""Normal forms of Unicode, in time that grows with a text and not with its square."""

import re
from typing import Literal
from unicodedata import normalize

# Marks on one letter are sorted by comparing each with each. No writing system uses more of them
# than this, and a text is put together again between words, where a normal form changes nothing.
_AT_ONCE = 1_000
_PIECES = re.compile(rf".{{1,{_AT_ONCE}}}(?!\S)|\S{{1,{_AT_ONCE}}}", re.DOTALL)


def normal(form: Literal["NFC", "NFD", "NFKC"], text: str) -> str:
    """Return a text in a normal form, however many marks a letter has.

    >>> normal("NFKC", "Ｓtore 가이드")
    'Store 가이드'
    """
    if text.isascii():
        return text
    if len(text) <= _AT_ONCE:
        return normalize(form, text)
    return "".join(normalize(form, piece) for piece in _PIECES.findall(text))
