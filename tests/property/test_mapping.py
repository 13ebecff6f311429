"""Whatever somebody calls a relationship, it means one thing, the same one every time."""

from hypothesis import example, given
from hypothesis import strategies as st

from strata.base.memo import forget_texts
from strata.decisions import LINK_TYPES, map_relationship
from strata.decisions.lexicon import lexicon

KNOWN = sorted([*lexicon().spelled, *lexicon().korean])
SMALL = ["by", "of", "not", "to", "with", "에 의해", "됨", "않음", "v2", "_", "-", " "]
phrases = st.lists(st.sampled_from(KNOWN + SMALL), max_size=6).map(" ".join)


@given(st.one_of(st.text(max_size=60), phrases))
@example("\ud800")
@example("대체" * 300)
def test_any_text_means_one_type(word: str) -> None:
    mapped = map_relationship(word)
    assert mapped.link_type in LINK_TYPES
    assert mapped.how in ("lexicon", "fallback")
    forget_texts()
    assert map_relationship(word) == mapped


@given(phrases)
def test_separators_and_case_do_not_matter(phrase: str) -> None:
    assert map_relationship(phrase.replace(" ", "_").upper()) == map_relationship(phrase)


@given(st.sampled_from(KNOWN))
def test_a_known_word_alone_is_known(word: str) -> None:
    assert map_relationship(word).how == "lexicon"
