"""Long texts are cut where a reader would pause, and nothing of them is lost."""

from hypothesis import given
from hypothesis import strategies as st

from strata.models import MiniLM, chunks


def words(text: str) -> int:
    return len(text.split())


def test_a_short_text_stays_whole() -> None:
    assert chunks("하나 둘 셋", 3, words) == ["하나 둘 셋"]
    assert chunks("", 3, words) == []


def test_paragraphs_are_kept_together_where_they_fit() -> None:
    text = "one two three.\nfour.\n\nfive six.\n\nseven eight nine ten."
    assert chunks(text, 6, words) == [
        "one two three.\nfour.\n\nfive six.",
        "seven eight nine ten.",
    ]


def test_sentences_come_before_words() -> None:
    text = "One two three. Four five six. Seven eight nine."
    assert chunks(text, 7, words) == ["One two three. Four five six.", "Seven eight nine."]
    assert chunks("a b c d e", 2, words) == ["a b", "c d", "e"]


def test_sentences_without_spaces_between_them_are_cut_too() -> None:
    text = "첫 문장이다。둘째 문장이다。"
    assert chunks(text, 2, words) == ["첫 문장이다。", "둘째 문장이다。"]


def test_a_word_without_end_is_cut_in_the_middle() -> None:
    parts = chunks("x" * 1000, 100, len)
    assert "".join(parts) == "x" * 1000
    assert max(map(len, parts)) <= 100


def test_chunks_fit_the_window_of_the_model(minilm: MiniLM) -> None:
    text = "단어 and words, sentences. " * 400
    room = minilm.tokens_max - 2
    parts = chunks(text, room, minilm.count)
    assert len(parts) > 3
    assert all(minilm.count(part) <= room for part in parts)
    assert sum(minilm.count(part) for part in parts) == minilm.count(text)


@given(text=st.text(alphabet="ab가. \n。!", max_size=200), room=st.integers(1, 9))
def test_no_character_but_space_is_lost(text: str, room: int) -> None:
    parts = chunks(text, room, words)
    assert "".join("".join(parts).split()) == "".join(text.split())
    assert all(words(part) <= room for part in parts)
