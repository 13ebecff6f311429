"""Chunks: whole sections where these are short, and parts with steady cuts where they are long."""

import sys

import pytest

from strata.documents.markdown import chunks, sections


def parts(text: str) -> list[str]:
    return [text[one.start : one.end] for one in chunks(text, sections(text))]


def sentences(count: int, word: str = "문장") -> list[str]:
    return [f"{word} {n * n * 7919 % 99991} 번째입니다." for n in range(count)]


def test_short_sections_are_chunks_of_their_own() -> None:
    text = "앞\n# A\na\n## B\nb\n"
    assert parts(text) == ["앞\n", "# A\na\n", "## B\nb\n"]
    assert [one.section for one in chunks(text, sections(text))] == [0, 1, 2]


@pytest.mark.parametrize("between", ["\n\n", "\n", " ", "\r\n", "\r\n\r\n"])
def test_a_long_section_is_cut_between_its_pieces(between: str) -> None:
    text = "# 긴 글\n\n" + between.join(sentences(1_500))
    found = parts(text)
    assert "".join(found) == text
    assert all(1_000 <= len(part) <= 4_000 for part in found)
    assert 1_500 < len(text) / len(found) < 2_600
    assert all(part.endswith(between) for part in found[:-1])
    assert all(part.startswith("문장") for part in found[1:])


def test_paragraphs_are_better_cuts_than_lines() -> None:
    lines = sentences(600)
    text = "".join(line + ("\n\n" if n % 20 == 19 else "\n") for n, line in enumerate(lines))
    assert all(part.endswith("\n\n") for part in parts(text))


def test_code_is_not_cut_at_its_blank_lines_while_there_is_another_place() -> None:
    code = "```\n" + "\n\n".join(f"line_{n} = {n * 37}" for n in range(20)) + "\n```\n\n"
    prose = "\n\n".join(sentences(12)) + "\n\n"
    for part in parts((prose + code) * 30):
        assert part.count("```") % 2 == 0


@pytest.mark.parametrize(
    "piece",
    ["a", "가", "e\u0301", "👩‍🚀", "🇰🇷가", "\u1112\u1161\u11ab", "👍🏽", "ab0p", "दे", "。", "\r\n"],
)
def test_text_without_blanks_is_cut_between_characters(piece: str) -> None:
    text = "x" + piece * 20_000
    found = parts(text)
    assert "".join(found) == text
    assert all(len(part) <= 4_000 for part in found)
    if len(piece) > 1 and piece != "ab0p":
        assert all(part.startswith(piece) for part in found[1:])


def test_words_in_other_scripts_are_cut_at_their_sentences() -> None:
    text = "".join(f"これは{n * 7919 % 997}番目の文です。" for n in range(1_000))
    assert all(part.endswith("。") for part in parts(text))


def calls_for(text: str) -> int:
    """Return how many functions are called while a text is cut."""
    count = 0

    def note(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    found = sections(text)
    sys.setprofile(note)
    try:
        chunks(text, found)
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.slow
@pytest.mark.parametrize(("word", "most"), [("word ", 1.5), ("한국어 낱말을 ", 2.5), ("가", 9)])
def test_a_paragraph_without_sentences_is_cut_with_few_calls_for_each_character(
    word: str, most: float
) -> None:
    text = "# Big\n\n" + word * (200_000 // len(word))
    assert calls_for(text) < most * len(text)
    assert all(1_000 <= len(part) <= 4_000 for part in parts(text)[:-1])
