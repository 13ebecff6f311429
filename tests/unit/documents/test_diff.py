"""Small edits between two texts: right, small, quick, and cut where a text may be cut."""

import random
import time
from collections.abc import Callable

import pytest

from strata.documents.text import Splice, splices
from tests.unit.documents.texts import applied, long_text, scattered


def pieces(old: str, new: str) -> list[tuple[str, str]]:
    found = splices(old, new)
    assert applied(old, found) == new
    return [(old[one.start : one.end], one.text) for one in found]


def test_equal_texts_need_no_edit() -> None:
    assert splices("", "") == []
    assert splices("같은 글\n", "같은 글\n") == []


def test_an_edit_names_its_place_in_code_points() -> None:
    assert splices("👍 서울 날씨", "👍 부산 날씨") == [Splice(2, 4, "부산")]


def test_only_the_changed_words_of_a_line_are_replaced() -> None:
    old = "The quick brown fox jumps over the lazy dog.\n"
    new = "The slow brown fox jumps over the tired dog.\n"
    assert pieces(old, new) == [("quick", "slow"), ("lazy", "tired")]


def test_words_next_to_each_other_are_one_edit() -> None:
    assert len(pieces("due on March 15 in Seoul", "due on April 20 in Seoul")) == 1


def test_an_inserted_line_is_one_insertion_of_that_line() -> None:
    old = "- 사과\n- 배\n- 감\n"
    assert pieces(old, "- 사과\n- 바나나\n- 배\n- 감\n") == [("", "- 바나나\n")]


def test_a_deleted_line_is_one_deletion_of_that_line() -> None:
    assert pieces("- a\n- b\n- c\n", "- a\n- c\n") == [("- b\n", "")]


def test_lines_that_only_moved_apart_stay() -> None:
    old = "".join(f"line {number}\n" for number in range(200))
    new = old.replace("line 50\n", "line 50\n새 줄\n").replace("line 150\n", "")
    assert pieces(old, new) == [("", "새 줄\n"), ("line 150\n", "")]


def test_a_script_without_blanks_is_compared_letter_by_letter() -> None:
    assert pieces("東京は大きい都市です。", "東京は小さい都市です。") == [("大き", "小さ")]


def test_a_letter_that_was_added_to_a_word_is_all_that_is_inserted() -> None:
    assert pieces("three colours", "three colour") == [("s", "")]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("a\r\nb", "a\nb", [("\r\n", "\n")]),
        ("a\rb", "a\r\nb", [("\r", "\r\n")]),
        ("cafe\u0301 x", "cafe\u0300 x", [("e\u0301", "e\u0300")]),
        ("하\u1112\u1161 x", "하\u1112\u1162 x", [("\u1112\u1161", "\u1112\u1162")]),
        ("👩‍👩‍👧!", "👩‍👩‍👦!", [("👩‍👩‍👧", "👩‍👩‍👦")]),
        ("👍🏽", "👍🏿", [("👍🏽", "👍🏿")]),
        ("🇰🇷", "🇰🇵", [("🇰🇷", "🇰🇵")]),
        ("हिन्दी", "हिन्दु", [("दी", "दु")]),
        ("\ud83d\ude00", "\ud83d\ude01", [("\ud83d\ude00", "\ud83d\ude01")]),
    ],
)
def test_nothing_that_is_read_as_one_is_cut(
    old: str, new: str, expected: list[tuple[str, str]]
) -> None:
    assert pieces(old, new) == expected


def test_other_line_ends_leave_the_lines_alone() -> None:
    old = "제목\r\n\r\n첫째 줄\r\n둘째 줄\r\n"
    assert all(set(was + now) <= set("\r\n") for was, now in pieces(old, old.replace("\r", "")))


def test_fifty_edits_of_a_megabyte_are_found_as_fifty_small_ones() -> None:
    chance = random.Random(7)
    old = long_text(chance, 1_000_000)
    new = scattered(chance, old, 50)
    found = splices(old, new)
    assert applied(old, found) == new
    assert len(found) <= 70
    assert sum(one.end - one.start + len(one.text) for one in found) < 5_000


def test_edits_among_a_hundred_thousand_equal_lines_are_found() -> None:
    old = "같은 줄\n" * 100_000
    new = scattered(random.Random(3), old, 30)
    found = splices(old, new)
    assert applied(old, found) == new
    assert sum(one.end - one.start + len(one.text) for one in found) < 5_000


def rewritten(chance: random.Random) -> tuple[str, str]:
    return long_text(chance, 1_000_000), long_text(chance, 1_000_000)


def shuffled(chance: random.Random) -> tuple[str, str]:
    lines = long_text(chance, 1_000_000).splitlines(keepends=True)
    return "".join(lines), "".join(chance.sample(lines, len(lines)))


def one_line(chance: random.Random) -> tuple[str, str]:
    text = long_text(chance, 1_000_000).replace("\n", " ").replace(".", "")
    return text, scattered(chance, text, 50).replace("\n", " ")


def two_lines_again_and_again(chance: random.Random) -> tuple[str, str]:
    return "a\nb\n" * 50_000, "b\na\na\n" * 40_000


def no_blanks(chance: random.Random) -> tuple[str, str]:
    text = "".join(chance.choices("0123456789abcdef", k=1_000_000))
    return text, text[:300_000] + "!" + text[300_000:700_000] + "?" + text[700_001:]


@pytest.mark.parametrize(
    "made", [rewritten, shuffled, one_line, two_lines_again_and_again, no_blanks]
)
def test_no_pair_of_texts_takes_long(made: Callable[[random.Random], tuple[str, str]]) -> None:
    old, new = made(random.Random(11))
    began = time.process_time()
    found = splices(old, new)
    took_s = time.process_time() - began
    assert applied(old, found) == new
    # Some tenths of a second where this was written; a comparison without bounds takes minutes.
    assert took_s < 3
