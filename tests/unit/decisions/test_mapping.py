"""Words for relationships: what they mean, and which end is which.

`first.json` are the words the lexicon began with, `seen.json` those it was tuned on,
`unseen.json` those that were set aside. `vocabularies.json` are link names of public vocabularies
and everyday phrases; most of what was missed there at first sight was added afterwards.
"""

import json
from pathlib import Path

import pytest

from strata.decisions import map_relationship
from strata.decisions.lexicon import lexicon

Row = tuple[str, str, bool | None]


def rows(name: str) -> list[Row]:
    path = Path(__file__).parent / "words" / f"{name}.json"
    return [tuple(row) for row in json.loads(path.read_text(encoding="utf-8"))]


def share_right(found: list[Row]) -> float:
    return sum(map_relationship(word).link_type == type_ for word, type_, _turn in found) / len(
        found
    )


@pytest.mark.parametrize("row", rows("first") + rows("seen"), ids=lambda row: row[0])
def test_a_known_word_means_its_type_and_names_its_ends(row: Row) -> None:
    word, type_, is_turned = row
    mapped = map_relationship(word)
    assert mapped.link_type == type_
    assert is_turned is None or mapped.is_passive is is_turned


def test_nine_of_ten_words_that_were_set_aside_are_right() -> None:
    found = rows("unseen")
    assert len(found) > 150
    assert share_right(found) >= 0.9
    turns = [(word, turn) for word, _type, turn in found if turn is not None]
    right = sum(map_relationship(word).is_passive is turn for word, turn in turns)
    assert right / len(turns) >= 0.9


def test_nine_of_ten_names_of_public_vocabularies_are_right() -> None:
    assert share_right(rows("vocabularies")) >= 0.9


def test_no_list_holds_a_word_of_another() -> None:
    words = [word for name in ("first", "seen", "unseen") for word, *_rest in rows(name)]
    assert len(set(words)) == len(words)


@pytest.mark.parametrize(
    "words",
    [
        (
            "superseded_by",
            "superseded by",
            "Superseded-By",
            "supersededBy",
            "ＳＵＰＥＲＳＥＤＥＤ＿ＢＹ",
            "is superseded by",
            "  superseded   by ",
        ),
        ("대체됨", "대체된", "에 의해 대체", "대체됐다"),
    ],
)
def test_spellings_of_one_word_mean_the_same(words: tuple[str, ...]) -> None:
    assert len({map_relationship(word) for word in words}) == 1


@pytest.mark.parametrize(
    ("active", "passive"),
    [
        ("replaces", "replaced by"),
        ("implements", "implemented by"),
        ("cites", "cited by"),
        ("follows", "followed by"),
        ("대체한다", "대체됨"),
        ("caused by", "causes"),
    ],
)
def test_a_passive_has_its_ends_the_other_way(active: str, passive: str) -> None:
    one, other = map_relationship(active), map_relationship(passive)
    assert one.link_type == other.link_type
    assert (one.is_passive, other.is_passive) == (False, True)


@pytest.mark.parametrize("word", ["similar to", "conflicts with", "motivated by", "관련됨"])
def test_what_has_no_older_end_is_not_turned(word: str) -> None:
    assert not map_relationship(word).is_passive


@pytest.mark.parametrize(
    "word", ["does not replace", "never superseded by", "doesn't implement", "대체하지 않음"]
)
def test_what_is_denied_becomes_an_association(word: str) -> None:
    mapped = map_relationship(word)
    assert (mapped.link_type, mapped.is_passive, mapped.how) == ("association", False, "lexicon")


def test_only_what_was_denied_is_left_out() -> None:
    assert map_relationship("no longer uses, replaces").link_type == "evolution"


@pytest.mark.parametrize("word", ["asdf qwer", "🔥", "", "   ", "…", "関係", "bananas"])
def test_an_unknown_word_is_an_association_and_says_so(word: str) -> None:
    mapped = map_relationship(word)
    assert (mapped.link_type, mapped.how) == ("association", "fallback")


@pytest.mark.parametrize(
    ("word", "grows"),
    [
        ("refines", True),
        ("builds_on", True),
        ("확장한다", True),
        ("replaces", False),
        ("deprecates", False),
        ("new version of", False),
        ("implements", False),
    ],
)
def test_a_word_says_whether_the_older_end_stays_true(word: str, *, grows: bool) -> None:
    assert map_relationship(word).grows is grows


@pytest.mark.parametrize("word", ["superceeds", "implments", "simillar_to", "referances"])
def test_one_wrong_letter_is_forgiven(word: str) -> None:
    assert map_relationship(word).how == "lexicon"


@pytest.mark.parametrize("word", ["completely", "tested"])
def test_an_adverb_does_not_say_what_its_verb_does(word: str) -> None:
    assert (map_relationship(word).how == "fallback") is word.endswith("ly")


def test_no_stem_of_the_lexicon_is_empty_or_split() -> None:
    words = lexicon()
    assert all(key and not set(key) & set(" _-") for key in [*words.stems, *words.korean])
