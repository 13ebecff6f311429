"""Normal forms of long texts: the same as of short ones, without their square of time."""

from time import process_time
from unicodedata import normalize

import pytest

from strata.base.normal import normal
from strata.models.unigram import normalise

WORDS = "가각 Ｓtore e\u0301te\u0316\u0301 ﬁn ①\u00a0\u1112\u1161\u11ab "


@pytest.mark.parametrize("form", ["NFC", "NFD", "NFKC"])
def test_a_long_text_of_words_is_as_if_it_was_normalised_whole(form: str) -> None:
    text = WORDS * 300
    assert normal(form, text) == normalize(form, text)  # type: ignore[arg-type]


@pytest.mark.slow
def test_marks_without_end_take_no_time() -> None:
    text = "a" + "\u0301\u0316" * 200_000
    began = process_time()
    for form in ("NFC", "NFD", "NFKC"):
        assert normal(form, text)
    assert normalise(text)
    assert process_time() - began < 5
