"""Cutting a long text: within the window, at the ends of sentences, nothing lost."""

from hypothesis import given
from hypothesis import strategies as st

from strata.search.vectors.pieces import estimate, split


def words(text: str) -> int:
    return len(text.split())


def letters(text: str) -> int:
    return sum(not character.isspace() for character in text)


def test_a_short_text_stays_whole() -> None:
    assert split("  짧은 글.  ", 5, count=words, most=4) == ["짧은 글."]
    assert split(" \n ", 5, count=words, most=4) == []


def test_a_text_is_cut_between_sentences() -> None:
    text = "One two three. Four five six! 七八九。十十一。 Ten 1.2.7 eleven?"
    assert split(text, 5, count=words, most=9) == [
        "One two three.",
        "Four five six! 七八九。十十一。",
        "Ten 1.2.7 eleven?",
    ]


def test_a_piece_repeats_the_short_sentence_before_it() -> None:
    sentences = [f"{'word ' * 6}end{n}." for n in range(3)] + ["Yes.", f"{'word ' * 12}end."]
    first, second = split(" ".join(sentences), 24, count=words, most=9)
    assert first.endswith("Yes.")
    assert second.startswith("Yes. word")


def test_a_word_without_end_is_cut_too() -> None:
    found = split("가" * 100, 30, count=len, most=9)
    assert "".join(found) == "가" * 100
    assert max(map(len, found)) <= 30


def test_there_are_at_most_so_many_pieces() -> None:
    assert len(split("Many words here. " * 500, 10, count=words, most=4)) == 4


def test_a_guess_rather_takes_too_many_tokens() -> None:
    assert estimate("안녕하세요") >= 5
    assert estimate("hello world") >= 2
    assert estimate("") >= 1


@given(st.text(max_size=300), st.integers(1, 20))
def test_every_piece_fits_and_every_word_is_in_one(text: str, room: int) -> None:
    found = split(text, room, count=letters, most=1000)
    assert all(piece and letters(piece) <= room for piece in found)
    left = "".join(text.split())
    joined = "".join("".join(found).split())
    # Pieces may repeat a sentence, never leave a character out.
    position = 0
    for character in left:
        position = joined.index(character, position) + 1
