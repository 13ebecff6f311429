"""Every failure of an agent has its sentence, and the same names in it, in both languages."""

import re

import pytest

from strata.agents.failure_words import FailureWords, KoreanFailureWords, failure
from strata.base.errors import Unavailable

NAMES = [name for name in vars(FailureWords) if not name.startswith("_")]
ABOUT = re.compile(r"\{(\w+)[^}]*\}")
COMMANDS = re.compile("`[^`]+`")


def texts(words: FailureWords, name: str) -> list[str]:
    said = getattr(words, name)
    said = said(1234) if callable(said) else said
    return [said] if isinstance(said, str) else [text for text in said if text is not None]


@pytest.mark.parametrize("name", NAMES)
def test_both_languages_say_the_same(name: str) -> None:
    assert name in vars(KoreanFailureWords)
    english, korean = texts(FailureWords(), name), texts(KoreanFailureWords(), name)
    assert len(english) == len(korean)
    for one, other in zip(english, korean, strict=True):
        assert re.search("[가-힣]", other)
        assert sorted(ABOUT.findall(one)) == sorted(ABOUT.findall(other))
        assert COMMANDS.findall(one) == COMMANDS.findall(other)


def test_braces_of_what_failed_stay_as_they_are() -> None:
    made = failure(Unavailable, FailureWords.no_json, url="http://localhost/{key}")
    assert "http://localhost/{key} gave" in made.message
    assert made.hint is not None
    assert failure(Unavailable, FailureWords.no_sense, url="x").hint is None
