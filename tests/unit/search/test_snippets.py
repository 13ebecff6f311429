"""Snippets: the part of a text that shows why it was found."""

from time import process_time
from unicodedata import normalize

import pytest

from strata.search.snippets import Snippet, snippet
from strata.search.tokens import question

FILLER = "Nothing of note was said about the weather in those days. "


def ask(text: str, asked: str, width: int = 200) -> Snippet:
    return snippet(text, dict.fromkeys(question(asked).terms, 1.0), width=width)


def marked(shown: Snippet) -> list[str]:
    return [shown.text[start:end] for start, end in shown.marks]


def test_a_short_text_is_shown_whole_with_its_matches_marked() -> None:
    shown = ask("We decided to cache the retries.", "caching retry")
    assert shown.text == "We decided to cache the retries."
    assert marked(shown) == ["cache", "retries"]


def test_the_window_covers_most_terms_together() -> None:
    text = "The cache. " + FILLER * 10 + "Here a retry of the cache helps. " + FILLER * 10
    shown = ask(text, "cache retry", width=80)
    assert marked(shown) == ["retry", "cache"]
    assert shown.text.startswith("…")
    assert shown.text.endswith("…")
    assert len(shown.text) <= 80


def test_different_terms_weigh_more_than_one_term_repeated() -> None:
    text = "cache cache cache cache. " + FILLER * 5 + "cache policy"
    assert marked(ask(text, "cache policy", width=60)) == ["cache", "policy"]


def test_a_heavy_term_wins_over_two_light_ones() -> None:
    text = "light feather. " + FILLER * 5 + "anvil. " + FILLER * 5
    shown = snippet(text, {"light": 1.0, "feather": 1.0, "anvil": 5.0}, width=60)
    assert marked(shown) == ["anvil"]


def test_the_earliest_of_equal_windows_is_shown() -> None:
    text = FILLER * 3 + "first cache. " + FILLER * 5 + "second cache. "
    shown = ask(text, "cache", width=70)
    assert "first" in shown.text
    assert "second" not in shown.text


def test_without_a_match_the_beginning_is_shown_and_cut_between_words() -> None:
    shown = ask("A rather long beginning " + FILLER * 5, "absent", width=40)
    assert shown == Snippet("A rather long beginning Nothing of…", ())


def test_cuts_fall_between_words_in_front_too() -> None:
    shown = ask(FILLER * 9 + "the cache is cold " + FILLER * 9, "cache", width=50)
    inner = shown.text.strip("…")
    assert all(word in f"{FILLER}the cache is cold".split() for word in inner.split())


def test_an_identifier_is_marked_whole() -> None:
    assert marked(ask("call getUserById in index.py now", "user index")) == [
        "getUserById",
        "index.py",
    ]


def test_matched_korean_bigrams_are_marked_as_one() -> None:
    shown = ask("어제 데이터베이스를 옮기기로 결정했다.", "데이터베이스 결정")
    assert marked(shown) == ["데이터베이스", "결정"]


def test_decomposed_korean_is_shown_composed_and_marked() -> None:
    shown = ask(normalize("NFD", "어제 데이터베이스를 옮겼다"), "데이터베이스")
    assert shown.text == "어제 데이터베이스를 옮겼다"
    assert marked(shown) == ["데이터베이스"]


def test_a_match_in_text_without_blanks_is_found_and_cut_around() -> None:
    shown = ask("漢字" * 300 + "東京都" + "仮名" * 300, "東京都", width=40)
    assert marked(shown) == ["東京都"]
    assert len(shown.text) == 40


def test_letters_of_other_widths_are_marked_as_they_stand() -> None:
    assert marked(ask("ｶﾞｷﾞ と ＣＡＣＨＥ", "ガギ cache")) == ["ｶﾞｷﾞ", "ＣＡＣＨＥ"]


def test_a_cut_does_not_part_a_letter_from_its_marks_nor_a_joined_emoji() -> None:
    family = "👨‍👩‍👧"
    for width in range(20, 40):
        shown = ask("é̖" * 100 + "東京" + "é̖" * 100, "東京", width=width)
        assert shown.text[1] not in "\u0301\u0316"
        shown = ask(family * 60, "zzz", width=width)
        assert not shown.text.rstrip("…").endswith("\u200d")


def test_a_snippet_is_one_line() -> None:
    shown = ask("first line\n\tcache line\r\nlast line\u2028", "cache")
    assert shown.text == "first line  cache line  last line"
    assert marked(shown) == ["cache"]


@pytest.mark.parametrize("weight", [0.0, -1.0, float("nan")])
def test_a_term_without_weight_is_not_looked_for(weight: float) -> None:
    assert snippet("a cache", {"cach": weight}).marks == ()


def test_odd_weights_and_widths_do_no_harm() -> None:
    shown = snippet("a cache", {"cach": float("inf"), "": 1.0}, width=-5)
    assert marked(shown) == ["cache"]
    assert snippet("", {"a": 1.0}) == Snippet("", ())


@pytest.mark.parametrize(
    "text",
    [
        FILLER * 18_000,
        "데이터베이스를 옮기기로 결정했다. " * 55_000,
        "東京都漢字" * 200_000,
        "a_" * 500_000,
        "cache " * 170_000,
        "a" + "\u0301\u0316" * 500_000,
    ],
    ids=["english", "korean", "han", "underscores", "matches", "marks"],
)
def test_a_megabyte_is_searched_in_time_that_grows_with_its_length(text: str) -> None:
    started = process_time()
    ask(text, "cache weather policy 데이터베이스 東京 a")
    # Measured: a fifth of a second at most. By the square of the length it would be hours.
    assert process_time() - started < 5


def test_only_the_first_two_million_characters_are_looked_at() -> None:
    text = " " * 2_000_000 + "cache"
    assert ask(text, "cache").marks == ()
    assert marked(ask(text[10:], "cache")) == ["cache"]
