"""Keys, names, prefixes, and the bytes of a value."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strata.base import limits
from strata.base.errors import InvalidArgument, InvalidKey, LimitExceeded, TooOld
from strata.store import BINARY, COMPRESSED, TRIMMED, check_key, check_name, packed, plain
from strata.store.record import after_prefix

# Around the places where the order of characters could go wrong.
EDGES = "\x01a\x7f\x80\u07ff\u0800\ud7ff\ue000\uffff\U00010000\U0010fffe\U0010ffff가"
texts = st.text(st.sampled_from(EDGES), max_size=4)


@given(texts, texts)
def test_a_key_has_a_prefix_exactly_when_it_lies_in_its_range(prefix: str, key: str) -> None:
    assert (prefix <= key < after_prefix(prefix)) == key.startswith(prefix)


@given(texts, texts)
def test_characters_order_as_their_bytes_do(a: str, b: str) -> None:
    assert (a < b) == (a.encode() < b.encode())


def test_the_greatest_possible_key_lies_in_every_range_it_fits() -> None:
    greatest = "\U0010ffff" * (limits.KEY_BYTES_MAX // 4)
    assert check_key(greatest) == greatest
    assert greatest < after_prefix("")
    assert greatest < after_prefix("\U0010ffff")


def test_a_key_is_text_of_bounded_size() -> None:
    assert check_key("a" * limits.KEY_BYTES_MAX)
    assert check_key("가" * (limits.KEY_BYTES_MAX // 3))
    for long in ("a" * (limits.KEY_BYTES_MAX + 1), "가" * (limits.KEY_BYTES_MAX // 3 + 1)):
        with pytest.raises(LimitExceeded) as caught:
            check_key(long)
        assert caught.value.details == {
            "limit": limits.KEY_BYTES_MAX,
            "size": len(long.encode()),
        }


@pytest.mark.parametrize("key", ["", "a\0b", "\0", "\ud800", "a\udfff", 1, None, b"a", ["a"]])
def test_what_cannot_be_a_key_is_refused(key: str) -> None:
    with pytest.raises(InvalidKey) as caught:
        check_key(key)
    assert caught.value.hint


@pytest.mark.parametrize(
    "name", ["", " a", "a ", "-a", "a\nb", "a\tb", "a\0", "x" * 201, "\ud800", None, 3]
)
def test_what_cannot_be_a_name_is_refused(name: str) -> None:
    with pytest.raises(InvalidArgument):
        check_name(name, what="branch")


@pytest.mark.parametrize("name", ["a", "a/b", "실험", "two words", "🙂", "x" * 200, "a-b"])
def test_names_of_any_script_are_taken(name: str) -> None:
    assert check_name(name, what="branch") == name


def test_large_values_are_compressed_where_that_helps() -> None:
    small, large = b'"a"', b'"' + b"abc" * 1000 + b'"'
    assert packed(small, 0) == (0, small)
    flags, stored = packed(large, 0)
    assert flags == COMPRESSED
    assert len(stored) < len(large)
    assert plain((1, 1, flags, stored, None)) == large


def test_noise_and_vectors_are_kept_as_they_are() -> None:
    import os

    noise = os.urandom(5000)
    assert packed(noise, 0) == (0, noise)
    assert packed(b"\0" * 5000, BINARY) == (BINARY, b"\0" * 5000)


def test_a_trimmed_version_is_too_old_to_read() -> None:
    with pytest.raises(TooOld):
        plain((1, 1, TRIMMED, None, None))
