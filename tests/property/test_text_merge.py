"""Differences and merges of any texts: exact, cut in the right places, and nothing is lost."""

import re
import unicodedata
from collections import Counter

from hypothesis import example, given
from hypothesis import strategies as st

from strata.documents.text import MergedText, merge_texts, splices
from tests.unit.documents.texts import applied

WORDS = [
    "one",
    "two",
    "three",
    "don't",
    "서울",
    "날씨가",
    "東",
    "京",
    "は",
    "e\u0301",
    "नि",
    "👩‍👩‍👧",
    "👍🏽",
    "🇰🇷",
    "[[Note]]",
    "**",
    "`x`",
    ".",
    ",",
    " ",
    " ",
    "  ",
    "\n",
    "\n",
    "\n\n",
    "\r\n",
    "\r",
    "- ",
    "# ",
    "\t",
    "\u2028",
    "\x00",
]
texts = st.lists(st.one_of(st.sampled_from(WORDS), st.text(max_size=3)), max_size=30).map("".join)


@st.composite
def edited(draw: st.DrawFn, base: str) -> str:
    """Return the base with up to five replacements."""
    for _ in range(draw(st.integers(0, 5))):
        start = draw(st.integers(0, len(base)))
        end = min(len(base), start + draw(st.integers(0, 6)))
        base = base[:start] + draw(texts.map(lambda text: text[:12])) + base[end:]
    return base


pairs = texts.flatmap(lambda base: st.tuples(st.just(base), st.one_of(texts, edited(base))))
triples = texts.flatmap(lambda base: st.tuples(st.just(base), edited(base), edited(base)))


def is_cut(text: str, at: int) -> bool:
    """Return whether a place is in the middle of what belongs together."""
    if not 0 < at < len(text):
        return False
    before, after = text[at - 1], text[at]
    if before == "\u200d":  # joins pictures, not letters
        return after >= "\U0001f000"
    return before + after == "\r\n" or unicodedata.combining(after) != 0


@given(pairs)
@example(("a\r", "a\r\n"))
@example(("東", "one東[[Note]]one東[[Note]]"))
@example(("\ud800a", "\udc00a"))
def test_splices_turn_one_text_into_the_other(pair: tuple[str, str]) -> None:
    old, new = pair
    assert applied(old, splices(old, new)) == new


@given(pairs)
def test_splices_cut_through_nothing_that_belongs_together(pair: tuple[str, str]) -> None:
    old, new = pair
    shift = 0
    for one in splices(old, new):
        assert not is_cut(old, one.start)
        assert not is_cut(old, one.end)
        assert not is_cut(new, one.start + shift)
        shift += len(one.text) - (one.end - one.start)
        assert not is_cut(new, one.end + shift)


@given(pairs)
def test_a_side_that_changed_nothing_changes_nothing(pair: tuple[str, str]) -> None:
    base, other = pair
    assert merge_texts(base, other, base) == MergedText(other)
    assert merge_texts(base, base, other) == MergedText(other)
    assert merge_texts(base, other, other) == MergedText(other)


@given(triples)
@example(("a\nb", "a b", "a\nx\nb"))
@example(("", "a\n", "b"))
def test_swapping_the_sides_changes_only_what_stays_and_the_order(
    triple: tuple[str, str, str],
) -> None:
    base, ours, theirs = triple
    merged, swapped = merge_texts(base, ours, theirs), merge_texts(base, theirs, ours)
    assert [(one.base, one.ours, one.theirs) for one in merged.overlaps] == [
        (one.base, one.theirs, one.ours) for one in swapped.overlaps
    ]
    assert lines_of(with_theirs(merged)) == lines_of(swapped.text)


def lines_of(text: str) -> Counter[str]:
    return Counter(re.split(r"[\r\n]", text))


def with_theirs(merged: MergedText) -> str:
    """Return the text that it would be if theirs stayed in every overlap."""
    out, at = "", 0
    for one in merged.overlaps:
        out += merged.text[at : one.start] + one.theirs
        at = one.end
    return out + merged.text[at:]


@given(triples)
def test_overlaps_stand_where_they_say(triple: tuple[str, str, str]) -> None:
    base, ours, theirs = triple
    merged = merge_texts(base, ours, theirs)
    at = 0
    for one in merged.overlaps:
        assert at <= one.start <= one.end
        assert merged.text[one.start : one.end] == one.ours
        assert one.base in base
        assert one.ours in ours
        assert one.theirs in theirs
        assert one.ours != one.theirs
        at = one.end


@given(triples)
def test_every_word_that_was_inserted_is_in_the_text_or_in_an_overlap(
    triple: tuple[str, str, str],
) -> None:
    base, ours, theirs = triple
    merged = merge_texts(base, ours, theirs)
    for word in words_of(theirs) - words_of(base):
        assert word in merged.text or any(word in one.theirs for one in merged.overlaps)
    for word in words_of(ours) - words_of(base):
        assert word in merged.text


def words_of(text: str) -> set[str]:
    # Of scripts that have words: the units of the others are letters.
    return set(re.findall(r"[A-Za-z가-힣]+", text))


@given(texts, st.lists(st.tuples(st.integers(0, 200), texts), max_size=4))
def test_whole_lines_of_both_sides_are_all_there(
    base: str, inserted: list[tuple[int, str]]
) -> None:
    lines = re.findall(r"[^\n]*\n", base.replace("\r", "") + "\n")
    sides = [lines.copy(), lines.copy()]
    for number, (at, text) in enumerate(inserted):
        place = at % (len(lines) + 1)
        sides[number % 2].insert(place, f"<{number} {text!r}>\n")
    ours, theirs = ("".join(side) for side in sides)
    merged = merge_texts("".join(lines), ours, theirs)
    assert merged.overlaps == ()
    assert all(f"<{number} " in merged.text for number in range(len(inserted)))
    assert splices(merged.text, merged.text) == []
