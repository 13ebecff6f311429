"""What some words of a text are joined to: letters, digits and signs with no blank between."""

import re
import unicodedata

from strata.documents.text.diff import UNSPACED

# Longer than any word; an address without blanks is compared as far as this.
_RUN_MAX = 80
# Of scripts that write no blanks between words, one letter: the next may be another word.
_BEHIND = re.compile(rf"[^\s{UNSPACED}]+|[{UNSPACED}]")
_BEFORE = re.compile(rf"(?:[^\s{UNSPACED}]+|[{UNSPACED}])\Z")
# Signs that change what a number means, though they are punctuation.
_MEANING = "-%‰"


def joined_to(text: str, span: tuple[int, int]) -> tuple[str, str]:
    """Return the text directly before and after some words, as far as it belongs to them.

    "10" in "costs (-100.5)." is joined to "-" and "0.5": brackets and full stops around a word
    are not part of it. Nothing is joined to a blank, and an empty span is joined to both sides.
    """
    start, end = span
    before = _BEFORE.search(text, max(0, start - _RUN_MAX), start)
    behind = _BEHIND.match(text, end, end + _RUN_MAX)
    is_blank_first, is_blank_last = (text[at : at + 1].isspace() for at in (start, end - 1))
    left = "" if before is None or (start < end and is_blank_first) else before.group()
    right = "" if behind is None or (start < end and is_blank_last) else behind.group()
    return _without_signs(left), _without_signs(right[::-1])[::-1]


def _without_signs(run: str) -> str:
    """Return a run without the punctuation that it begins with."""
    for at, sign in enumerate(run):
        if sign in _MEANING or unicodedata.category(sign)[0] != "P":
            return run[at:]
    return ""
