"""The tokenizer of the model for English and Korean cuts text as the model was trained on it."""

import tracemalloc
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strata.models.files import Files
from strata.models.wordpiece import WordPiece


@pytest.fixture(scope="module")
def tokenizer() -> WordPiece:
    return WordPiece.read(Files("minilm").folder / "vocabulary.txt")


VOCABULARY = Files("minilm").folder / "vocabulary.txt"
TOY = WordPiece(
    ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "un", "##able", "##a", "a", "b", "!", "가", "한"]
)


def test_the_longest_known_piece_is_cut_off_first() -> None:
    assert TOY.ids("unable") == [4, 5]
    assert TOY.ids("una") == [4, 6]


def test_a_word_with_an_unknown_rest_is_unknown_as_a_whole() -> None:
    assert TOY.ids("unx a") == [1, 7]


def test_a_word_beyond_all_bounds_is_unknown() -> None:
    assert TOY.ids("a" * 101) == [1]
    assert len(TOY.ids("a" * 100)) == 100


def test_hangul_is_cut_in_syllables_however_it_is_written() -> None:
    syllables = "가 한"
    assert TOY.ids(syllables) == [10, 11]
    assert TOY.ids(unicodedata.normalize("NFD", syllables)) == [10, 11]


def test_every_piece_has_its_number_and_every_number_its_piece(tokenizer: WordPiece) -> None:
    pieces = VOCABULARY.read_text(encoding="utf-8").splitlines()
    assert len(tokenizer) == len(pieces) == 44_899
    whole = [number for number, piece in enumerate(pieces) if piece.isalpha()]
    assert len(whole) > 30_000
    assert [tokenizer.ids(pieces[number]) for number in whole] == [[number] for number in whole]
    assert tokenizer.text(whole) == " ".join(pieces[number] for number in whole)


def test_a_vocabulary_takes_little_memory() -> None:
    tracemalloc.start()
    tokenizer = WordPiece.read(VOCABULARY)
    size, _peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(tokenizer) == 44_899
    # As a dictionary of strings and numbers it takes 6 MB.
    assert size < 2_000_000


pieces_of_few_signs = st.lists(st.text("ab# 1\n", min_size=1, max_size=4), unique=True)


@given(pieces=pieces_of_few_signs, word=st.text("ab1"))
def test_a_number_is_never_that_of_another_piece(pieces: list[str], word: str) -> None:
    known = [piece for piece in pieces if not set(piece) & {" ", "\n"}]
    tokenizer = WordPiece(["[UNK]", "[CLS]", "[SEP]", *known])
    if word in known:
        assert tokenizer.ids(word) == [3 + known.index(word)]
    else:
        assert all(number < 3 + len(known) for number in tokenizer.ids(word))


def test_a_text_cannot_speak_the_marks_of_its_ends(tokenizer: WordPiece) -> None:
    ids = tokenizer.ids("over [SEP] and out [CLS]")
    assert tokenizer.last not in ids
    assert tokenizer.first not in ids
    assert ids == tokenizer.ids("over [ sep ] and out [ cls ]")


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("Café Ünïcödé", "cafe unicode"),
        ("don't", "don ' t"),
        ("tab\tnew\nline", "tab new line"),
        ("東京タワー", "東 京 タワー"),
        ("soft\u00adhyphen zero\u200bwidth", "softhyphen zerowidth"),
        ("ΣΊΣΥΦΟΣ", "σισυφοσ"),
        ("İstanbul", "istanbul"),
        ("a\u00a0b\u3000c", "a b c"),
    ],
)
def test_texts_that_differ_in_form_alone_are_cut_alike(
    tokenizer: WordPiece, text: str, same: str
) -> None:
    assert tokenizer.ids(text) == tokenizer.ids(same) != []


@pytest.mark.parametrize("text", ["", "   \n", "\u200b", "\u0301"])
def test_a_text_without_a_word_has_no_token(tokenizer: WordPiece, text: str) -> None:
    assert tokenizer.ids(text) == []


def test_a_limit_keeps_the_beginning(tokenizer: WordPiece) -> None:
    text = "unbelievably long sentences " * 50
    assert tokenizer.ids(text, limit=7) == tokenizer.ids(text)[:7]
    assert tokenizer.ids("short", limit=7) == tokenizer.ids("short")


def test_forgetting_words_changes_nothing(tokenizer: WordPiece) -> None:
    before = tokenizer.ids("the word that was met before")
    for number in range(17_000):
        tokenizer.ids(f"w{number}")
    assert tokenizer.ids("the word that was met before") == before


@given(first=st.text(), second=st.text())
def test_two_lines_are_cut_as_each_alone(tokenizer: WordPiece, first: str, second: str) -> None:
    # This is what lets a text be encoded behind another one without looking for the border.
    assert tokenizer.ids(f"{first}\n{second}") == tokenizer.ids(first) + tokenizer.ids(second)
