"""Whatever a text is made of: masked, nothing is left, and the quick look never lies."""

from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from strata.base.errors import SecretRefused, WrongType
from strata.base.values import encode
from strata.secrets import SecretScreen, find_in, find_secrets, mask
from strata.store import StagedChange
from tests.unit.secrets.samples import SAMPLES

ANYTHING = st.text(st.characters(exclude_categories=()), max_size=40)
# By number, because hypothesis shows what it chooses from.
CHOICES = [text for sample in SAMPLES for text in sample[1:]]
SECRETS = st.integers(0, len(CHOICES) - 1).map(lambda number: CHOICES[number])
# What stands around secrets, and what rules look at.
PIECES = st.sampled_from(
    "password token secret key api_key = : := => \" ' ` \\ \n \t :// @ ; & ? % { } [ ] < > $ ( ) , "
    ". - _ postgres://app: @db/x Bearer Authorization: Basic machine login curl -u -----BEGIN "
    "PRIVATE KEY----- sk- ghp_ AKIA eyJ [masked: jwt] 비밀 소연 A1b2C3d4 tr0ub4dor 0123456789 xxxx "
    "İ".split(" ")
)
TEXTS = st.lists(ANYTHING | PIECES | SECRETS, max_size=8).map("".join)
VALUES = st.recursive(
    TEXTS | st.integers() | st.booleans() | st.none(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)


@given(TEXTS)
def test_findings_lie_in_the_text_in_order_and_do_not_overlap(text: str) -> None:
    places = [place for one in find_secrets(text) for place in (one.start, one.end)]
    assert places == sorted(places)
    assert all(0 <= place <= len(text) for place in places)
    assert all(one.start < one.end for one in find_secrets(text))


@given(TEXTS)
@example("".join(sample.text for sample in SAMPLES))
def test_nothing_is_left_to_be_found_in_a_masked_text(text: str) -> None:
    masked, found = mask(text)
    assert find_secrets(str(masked)) == []
    assert mask(masked) == (masked, [])
    assert bool(found) == (masked != text)


@given(VALUES)
def test_nothing_is_left_to_be_found_in_a_masked_value(value: Any) -> None:
    masked, found = mask(value)
    assert find_in(masked) == []
    assert bool(found) == bool(find_in(value))


@given(st.lists(st.tuples(TEXTS, VALUES), min_size=1, max_size=4))
@example([("deploy/target", "blue"), ("a-long-slug-of-a-branch", [0.8444218515250481])])
@example([("db/password", "tr0ub4dor"), ("팀/계획", {"text": "줄\nghp_" + "a1B2" * 9})])
def test_the_screen_refuses_what_the_long_look_finds_and_nothing_else(
    pairs: list[tuple[str, Any]],
) -> None:
    changes: list[StagedChange] = []
    for key, value in pairs:
        try:
            changes.append(StagedChange("default", "kv", key.encode().decode(), encode(value)))
        except (WrongType, UnicodeEncodeError):  # half a surrogate pair is refused before
            return
    is_secret = [bool(find_in(key) or find_in(value, name=key)) for key, value in pairs]
    assert [is_refused([change]) for change in changes] == is_secret
    assert is_refused(changes) == any(is_secret)


def is_refused(changes: list[StagedChange]) -> bool:
    """Tell whether the screen refuses changes to keys that hold nothing yet."""
    screen = SecretScreen(lambda: "refuse")
    try:
        if len(changes) == 1:
            screen.check(changes[0], lambda *_address: None)
        else:
            screen.check_many(changes, lambda *_address: None)
    except SecretRefused:
        return True
    return False
