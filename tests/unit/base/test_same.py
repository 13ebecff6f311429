"""Whether two encodings hold the same value."""

import pytest

from strata.base.values import Json, encode, same


def test_the_order_of_members_is_no_difference() -> None:
    a: Json = {"이름": 'é\n"', "n": [-0.0, 1e300, True, {"x": None, "y": 1.5}], "z": 12345678901}
    b: Json = {"z": 12345678901, "n": [-0.0, 1e300, True, {"y": 1.5, "x": None}], "이름": 'é\n"'}
    assert encode(a) != encode(b)
    assert same(encode(a), encode(b))


@pytest.mark.parametrize(
    ("a", "b"), [(1, 1.0), (1, True), ([1, 2], [2, 1]), ({"a": 1}, {"a": 2}), ("ab", "ac"), ({}, 0)]
)
def test_other_values_are_a_difference(a: Json, b: Json) -> None:
    assert not same(encode(a), encode(b))
