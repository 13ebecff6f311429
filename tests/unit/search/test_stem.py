"""Stems: forms of one English word meet, different words do not."""

import string

import hypothesis.strategies as st
import pytest
from hypothesis import given

from strata.search.stemming import stem


@pytest.mark.parametrize(
    "words",
    [
        "cache caches cached caching",
        "decide decides decided deciding",
        "retry retries retried retrying",
        "connect connects connected connecting connection connections",
        "run runs running",
        "hope hopes hoped hoping",
        "relational relation relations",
        "index indexes indexed indexing",
        "happy happiness",
        "die dies died dying",
        "operator operators operate operation",
        "agree agrees agreed agreeing",
    ],
)
def test_forms_of_one_word_have_one_stem(words: str) -> None:
    assert len({stem(word) for word in words.split()}) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("hop", "hope"),
        ("universe", "university"),
        ("general", "generous"),
        ("news", "new"),
        ("past", "paste"),
        ("evening", "even"),
        ("skis", "skies"),
        ("internal", "intern"),
        ("proceed", "process"),
    ],
)
def test_different_words_keep_apart(one: str, other: str) -> None:
    assert stem(one) != stem(other)


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("consistency", "consist"),
        ("conditional", "condit"),
        ("hopefully", "hope"),
        ("electricity", "electr"),
        ("adjustment", "adjust"),
        ("biologist", "biolog"),
        ("analogy", "analog"),
        ("pedagogy", "pedagogi"),
        ("demonstrative", "demonstr"),
        ("formative", "format"),
        ("controlling", "control"),
        ("ponies", "poni"),
        ("ties", "tie"),
        ("gas", "gas"),
        ("kiwis", "kiwi"),
        ("glasses", "glass"),
        ("fizzed", "fizz"),
        ("sized", "size"),
        ("egged", "egg"),
        ("sayings", "say"),
        ("yellow", "yellow"),
        ("enjoyed", "enjoy"),
        ("feed", "feed"),
        ("guaranteed", "guarante"),
        ("quickly", "quick"),
        ("rate", "rate"),
        ("skill", "skill"),
        ("parallel", "parallel"),
    ],
)
def test_stems_are_those_of_the_snowball_stemmer(word: str, expected: str) -> None:
    assert stem(word) == expected


@pytest.mark.parametrize("word", ["", "a", "is", "by", "ox"])
def test_the_shortest_words_stay_as_they_are(word: str) -> None:
    assert stem(word) == word


def test_a_stem_is_never_empty_nor_longer_than_its_word_and_one_letter() -> None:
    endings = "s es ed ing ly eed eedly ies ization ational fulness ogist y e ll".split()
    starts = "b by at yy aa str qu hop".split()
    for word in (start + ending for start in starts for ending in endings):
        assert 0 < len(stem(word)) <= len(word) + 1


@given(st.text(string.ascii_lowercase, min_size=2, max_size=24))
def test_a_stem_begins_as_its_word_does(word: str) -> None:
    # A search for marked words relies on it: most words of a text are passed over by this.
    assert stem(word)[:2] == word[:2]
