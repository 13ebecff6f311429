"""Terms, cues and snippets of any text at all: nothing raises, and what was found can be found."""

import string
import struct
from collections import Counter
from datetime import date
from unicodedata import normalize

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from strata.search import cues, entry, tokens
from strata.search.snippets import Snippet, snippet
from strata.search.tokens import TERM_CHARACTERS_MAX, analyse, composed, question, surface
from strata.store import StagedChange

# Every code point there is, half surrogates too, and what texts are really made of.
ANYTHING = st.text(st.characters(exclude_categories=()))
PIECES = st.sampled_from(
    "a b the retry Retries getUserById get_user_by_id index.py v1.2.7 2026-03-19 don't Ann’s 1.5M "
    "데이터베이스를 책이 東京都 食べる สวัสดี हिन्दी مُحَمَّد Привет café 👨‍👩‍👧 🇰🇷 ﬁ ㎏ ½ \u0301 "
    "\u200d \ud800 \0 _ __ - . ' ’ * ( : [ ] ? x* \uff9e".split(" ")
)
PIECED = st.lists(PIECES | st.sampled_from([" ", "\n", ": "])).map("".join)
TEXTS = ANYTHING | PIECED
# What stands in front of texts, and tells times, numbers and names inside them.
TELLING = st.sampled_from(
    "Anna: [2026-03-19] Decision cache_policy: [10:32] **Kim:** 결정 캐시: 田中：こん 오후 3시 두 "
    "명 시간 전 년 달 어제 김지수 팀장 님 met Kim, Monday in 2023 1999, 20231 three twice 12 "
    "까요? 나요 ？ operator.isCallable self.max_retry 1.2.x_y 0.979 plan-17 Prüfung ёлка “ ” – "
    "・ ー ８ ｔｗｏ".split(" ")
)
TOLD = st.lists(
    (PIECES | TELLING).flatmap(
        lambda piece: st.sampled_from([piece, f"{piece} ", f"{piece} ", f"{piece}\n"])
    )
).map("".join)
LATIN_WORDS = st.text(string.ascii_letters + string.digits + "_-.' éüß", max_size=40)


@given(TEXTS)
@example("a" + "\u0e01" + "\u0301" * 200)
@example("x" * 1_000)
@example("1." * 40)
def test_every_term_is_bounded_has_letters_and_can_be_written(text: str) -> None:
    found = analyse(text)
    assert 0 <= found.length <= len(found.terms)
    for term in found.terms:
        assert 0 < len(term) <= TERM_CHARACTERS_MAX
        assert term.encode()
        assert not any(map(str.isspace, term))


@given(TEXTS)
def test_what_a_question_looks_for_is_in_the_text_that_says_the_same(text: str) -> None:
    asked, found = question(text), analyse(text)
    assert set(asked.terms) <= set(found.terms)
    assert bool(asked.terms) == bool(found.terms)
    assert len(set(asked.terms)) == len(asked.terms)
    assert asked.has_stop_words_only == (bool(found.terms) and not found.length)


@given(TEXTS, TEXTS)
def test_two_texts_side_by_side_have_the_terms_of_both(one: str, other: str) -> None:
    both = analyse(f"{one} {other}")
    assert both.terms == analyse(one).terms + analyse(other).terms
    assert both.length == analyse(one).length + analyse(other).length


@given(TEXTS)
@example("Å ㄱ각 각 ガ é̖ क़")
def test_composed_and_decomposed_text_are_the_same(text: str) -> None:
    one, other = normalize("NFC", text), normalize("NFD", text)
    assert analyse(one) == analyse(other) == analyse(text)
    assert question(one) == question(other)
    assert surface(one) == surface(other)


@given(LATIN_WORDS)
def test_case_does_not_change_what_a_word_in_one_case_means(text: str) -> None:
    assert analyse(text.lower()).terms == analyse(text.lower().swapcase()).terms


@given(TEXTS)
def test_surface_words_are_distinct_bounded_and_lead_to_terms(text: str) -> None:
    words = surface(text)
    assert len(set(words)) == len(words)
    for word in words:
        assert 2 <= len(word) <= 32
        assert word.encode()
        assert analyse(word).terms


@given(TEXTS | TOLD)
def test_a_shortcut_cuts_no_text_in_another_way(text: str) -> None:
    assert tokens.cut(text)[1] == tokens._chunks(*tokens._prepared(text))
    assert tokens.cut(text)[0].isascii() == tokens._prepared(text)[0].isascii()


@given(TEXTS | TOLD, st.sampled_from(["k", "talks/team/7", "설정/retry-count", "a.b_c:d"]))
@example("Anna: \u0301x", "k")
@example("田中：\u0301x\uff9e", "k")
@example("yesterday " * 600 + "three", "k")
def test_an_entry_holds_what_terms_and_cues_say(text: str, key: str) -> None:
    data = entry.pack(StagedChange("default", "kv", key), text)
    told = cues.read(text)
    found = analyse(text[told.start :])
    counts = Counter(map(entry.hash_term, found.terms))
    parts = key.replace("/", " ").replace(":", " ").split()
    named = [part for part in parts if sum(map(str.isalpha, part)) * 2 > len(part) > 2]
    for term in analyse(" ".join(named)).terms:
        counts.setdefault(entry.hash_term(term), 1)
    _layout, traits, length, day, label, _sequence = entry.HEAD.unpack_from(data)
    assert (length, day) == (found.length, told.date)
    assert label == (entry.hash_term(told.label) if told.label else 0)
    assert traits == (
        entry.QUESTION * told.is_question
        | entry.TEMPORAL * told.is_temporal
        | entry.NUMBER * told.has_number
        | entry.NAMES * told.names
        | entry.FOREIGN * found.is_foreign
        | entry.TOPIC * told.is_topic
    )
    rest, size = data[entry.HEAD.size :], len(counts)
    assert struct.unpack(f"<{size}I", rest[: 4 * size]) == tuple(counts)
    assert list(rest[4 * size :]) == [min(count, 255) for count in counts.values()]


@given(TEXTS | TOLD)
def test_new_words_are_the_surface_of_the_text_behind_its_date(text: str) -> None:
    seen = entry.TextIndexer()._seen
    chunks = entry._indexed(StagedChange("default", "kv", "k"), text)[1]
    words = seen.new_words(chunks)
    assert sorted(words) == sorted(surface(text[cues.read(text).start :]))
    seen.words.update(words)
    assert seen.new_words(chunks) == seen.new_words(chunks) == ()


@given(TEXTS)
def test_cues_lie_inside_their_text(text: str) -> None:
    told = cues.read(text)
    assert 0 <= told.start <= told.body <= len(text) or told.start == 0 <= told.body <= len(text)
    assert told.date == 0 or date.fromordinal(told.date)
    assert len(told.label) <= 40
    assert 0 <= told.names <= 3


@given(TEXTS)
def test_asking_reads_only_dates_that_a_calendar_can_have(text: str) -> None:
    for year, month, day in cues.ask(text).dates:
        assert year is None or 0 <= year <= 9999
        assert month is None or 1 <= month <= 12
        assert day is None or 1 <= day <= 31
    assert len(cues.names(text)) <= 64


@given(st.dates(), st.dates(), st.sampled_from(["ymd", "md", "ym", "m", "y"]))
def test_closeness_is_a_share_and_one_only_on_the_day(asked: date, day: date, known: str) -> None:
    parts = tuple(
        getattr(asked, name) if name[0] in known else None for name in ("year", "month", "day")
    )
    near = cues.closeness((parts[0], parts[1], parts[2]), day.toordinal())
    assert 0 <= near <= 1
    if near == 1:
        assert (asked.month, asked.day) == (day.month, day.day)
    if asked == day:
        assert near == {"ymd": 1, "md": 1, "ym": 0.6, "m": 0.6, "y": 0.1}[known]


@given(TEXTS, TEXTS, st.integers(0, 300))
def test_a_snippet_is_bounded_and_its_marks_are_in_order(text: str, asked: str, width: int) -> None:
    weights = dict.fromkeys(question(asked).terms, 1.0)
    shown = snippet(text, weights, width=width)
    assert len(shown.text) <= max(width, 16)
    check_marks(shown)


@given(st.lists(PIECES, min_size=1, max_size=60).map(" ".join), st.integers(60, 200))
def test_a_snippet_shows_a_term_that_the_text_has(text: str, width: int) -> None:
    terms = [term for term in analyse(text).terms if len(term) > 1]
    for term in terms[-1:]:
        shown = snippet(text, {term: 1.0}, width=width)
        assert shown.marks, (text, term)
        marked = " ".join(shown.text[start:end] for start, end in shown.marks)
        assert term in analyse(marked).terms


def check_marks(shown: Snippet) -> None:
    behind = -1
    for start, end in shown.marks:
        assert behind < start < end <= len(shown.text)
        behind = end


@given(TEXTS)
def test_composing_changes_no_term(text: str) -> None:
    assert analyse(composed(text)) == analyse(text)


@pytest.mark.parametrize("character", ["\ud800", "\0", "\u0301", "\u200d", "\uffff", "़"])
def test_a_lone_odd_character_gives_no_term(character: str) -> None:
    assert analyse(character * 3).terms == []
    assert snippet(character * 3, {"a": 1.0}).marks == ()
