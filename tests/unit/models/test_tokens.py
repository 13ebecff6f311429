"""Tokens of the shipped models: what they are, and the way back to text."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from strata.base.errors import InvalidArgument
from strata.models import tokenizer, unload_tokenizer
from strata.models.files import Files
from strata.models.unigram import SPECIAL, hash_piece, spelling


def test_every_spelled_piece_has_the_number_that_its_hash_has() -> None:
    folder = Files("multilingual").folder
    pieces = spelling(folder / "pieces.zst")
    with np.load(folder / "pieces.npz") as arrays:
        numbers = dict(zip(arrays["hashes"].tolist(), arrays["numbers"].tolist(), strict=True))
    assert len(pieces) == 128_000
    assert pieces[:3] == ["<unk>", "<s>", "</s>"]
    wrong = [
        number
        for number, piece in enumerate(pieces[SPECIAL:], SPECIAL)
        if numbers[hash_piece(piece)] != number
    ]
    assert wrong == []


@pytest.mark.parametrize(
    "text",
    [
        "배포는 금요일에 하지 않는다",
        "データを保存する",
        "我们明天部署",
        "Straße nach Zürich",
        "в пятницу",
    ],
)
def test_the_multilingual_way_back_gives_the_same_text(text: str) -> None:
    found = tokenizer("multilingual")
    assert found.text(found.ids(text, marks=True)) == text
    assert found.ids(text, marks=True)[1:-1] == found.ids(text, marks=False)


def test_the_english_way_back_has_no_capitals_and_no_accents() -> None:
    found = tokenizer("minilm")
    ids = found.ids("Tokenization in Zürich, unbelievable!", marks=True)
    assert found.text(ids) == "tokenization in zurich , unbelievable !"
    assert found.text([]) == ""
    # A piece from the middle of a word may stand first.
    assert found.text(found.ids("tokenization", marks=False)[1:]) == "ization"


@given(st.text(max_size=60))
def test_cutting_the_text_of_tokens_again_gives_the_same_tokens(text: str) -> None:
    found = tokenizer("minilm")
    ids = found.ids(text, marks=False)
    if 100 not in ids:  # an unknown word has no spelling
        assert found.ids(found.text(ids), marks=False) == ids


@pytest.mark.parametrize("model", ["minilm", "multilingual"])
def test_a_number_that_no_token_has_is_refused(model: str) -> None:
    for number in (-1, 10**9):
        with pytest.raises(InvalidArgument) as caught:
            tokenizer(model).text([5, number])
        assert caught.value.details["parameter"] == "ids"


def test_other_models_have_none_here() -> None:
    with pytest.raises(InvalidArgument, match="gpt") as caught:
        tokenizer("gpt")
    assert "minilm, multilingual" in (caught.value.hint or "")


def test_one_serves_the_process_until_it_is_unloaded() -> None:
    first = tokenizer("minilm")
    assert tokenizer("minilm") is first
    assert unload_tokenizer("minilm")
    assert not unload_tokenizer("minilm")
    assert tokenizer("minilm") is not first
