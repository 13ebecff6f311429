"""Two edits of one text: both are kept, or the collision is told."""

import random
import time

import pytest

from strata.documents.text import MergedText, Overlap, merge_texts
from tests.unit.documents.texts import long_text, scattered

BASE = "# 계획\n\nWe deploy on Friday with two replicas in the region Seoul.\n\nThe end.\n"


def test_edits_of_different_words_of_one_sentence_are_both_kept() -> None:
    ours = BASE.replace("Friday", "Monday")
    theirs = BASE.replace("Seoul", "Busan")
    merged = merge_texts(BASE, ours, theirs)
    assert merged == MergedText(ours.replace("Seoul", "Busan"))


def test_two_values_for_one_word_are_an_overlap_and_ours_stays() -> None:
    ours = BASE.replace("Friday", "Monday")
    merged = merge_texts(BASE, ours, BASE.replace("Friday", "Sunday"))
    assert merged.text == ours
    start = ours.index("Monday")
    assert merged.overlaps == (Overlap(start, start + 6, "Friday", "Monday", "Sunday", at=start),)


def test_words_that_directly_follow_each_other_are_one_place() -> None:
    merged = merge_texts("on March 15 at noon", "on April 15 at noon", "on March 30 at noon")
    assert merged.text == "on April 15 at noon"
    assert merged.overlaps == (Overlap(3, 11, "March 15", "April 15", "March 30", at=3),)


def test_the_same_change_on_both_sides_counts_once() -> None:
    changed = BASE.replace("Friday", "금요일") + "More.\n"
    assert merge_texts(BASE, changed, changed) == MergedText(changed)


def test_one_change_in_common_and_one_of_each_side() -> None:
    both = BASE.replace("two", "three")
    merged = merge_texts(BASE, both.replace("Friday", "Monday"), both + "More.\n")
    assert merged == MergedText(both.replace("Friday", "Monday") + "More.\n")


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "text"),
    [
        ("a\nb\n", "a\n우리\nb\n", "a\n그들\nb\n", "a\n우리\n그들\nb\n"),
        ("", "우리\n", "그들\n", "우리\n그들\n"),
        ("끝", "끝\n우리", "끝\n그들", "끝\n우리\n그들"),
        ("a\r\nb\r\n", "a\r\nx\r\nb\r\n", "a\r\ny\r\nb\r\n", "a\r\nx\r\ny\r\nb\r\n"),
        ("a\n", "a\nx\n", "a\ny", "a\nx\ny"),
        ("a\n", "a\ny", "a\nx\n", "a\nx\ny"),
    ],
)
def test_whole_lines_at_one_place_stand_one_after_the_other(
    base: str, ours: str, theirs: str, text: str
) -> None:
    assert merge_texts(base, ours, theirs) == MergedText(text)


def test_a_line_may_be_put_before_a_line_that_the_other_side_changed() -> None:
    merged = merge_texts("one\ntwo\nthree\n", "one\n둘\nthree\n", "one\nhalf\ntwo\nthree\n")
    assert merged == MergedText("one\nhalf\n둘\nthree\n")


def test_a_line_is_not_put_behind_a_line_that_lost_its_end() -> None:
    merged = merge_texts("one\ntwo\n", "one two\n", "one\nhalf\ntwo\n")
    assert merged.text == "one two\n"
    assert [one.theirs for one in merged.overlaps] == ["one\nhalf\ntwo"]


def test_different_words_at_one_place_are_an_overlap() -> None:
    merged = merge_texts("a dog", "a big dog", "a small dog")
    assert merged.text == "a big dog"
    assert merged.overlaps == (Overlap(2, 9, "dog", "big dog", "small dog", at=2),)


def test_an_overlap_is_told_in_whole_words() -> None:
    merged = merge_texts("끝났다 (정말)", "끝났다! (정말)", "끝났다? (정말)")
    assert merged.overlaps == (Overlap(0, 4, "끝났다", "끝났다!", "끝났다?"),)


def test_a_deletion_against_a_change_is_an_overlap() -> None:
    ours = BASE.replace("We deploy on Friday with two replicas in the region Seoul.\n\n", "")
    merged = merge_texts(BASE, ours, BASE.replace("Friday", "Sunday"))
    assert merged.text == ours
    (overlap,) = merged.overlaps
    assert merged.text[overlap.start : overlap.end] == overlap.ours
    assert "Sunday" in overlap.theirs
    assert "Friday" in overlap.base


def test_a_rewritten_sentence_is_not_interleaved_with_a_changed_word() -> None:
    base = "the cat sat on the mat today"
    merged = merge_texts(base, "a dog ran to a house yesterday", base.replace("sat", "lay"))
    assert merged.text == "a dog ran to a house yesterday"
    assert "lay" in merged.overlaps[0].theirs


def test_letters_of_a_script_without_blanks_can_be_changed_by_both() -> None:
    merged = merge_texts("東京は大きい都市です", "京都は大きい都市です", "東京は大きい町です")
    assert merged == MergedText("京都は大きい町です")


def test_fifty_edits_on_each_side_of_a_megabyte_are_merged_quickly() -> None:
    chance = random.Random(5)
    base = long_text(chance, 1_000_000)
    ours, theirs = scattered(chance, base, 50), scattered(chance, base, 50)
    began = time.process_time()
    merged = merge_texts(base, ours, theirs)
    # Some hundredths of a second where this was written.
    assert time.process_time() - began < 1
    assert len(merged.overlaps) <= 3
    assert abs(len(merged.text) - len(ours) - len(theirs) + len(base)) < 500
