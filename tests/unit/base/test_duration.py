"""Lengths of time as people write them."""

from datetime import timedelta
from typing import Any

import pytest

from strata.base.duration import parse_duration
from strata.base.errors import InvalidArgument


@pytest.mark.parametrize(
    ("length", "expected"),
    [
        ("30d", timedelta(days=30)),
        ("12h", timedelta(hours=12)),
        ("1w 2d", timedelta(days=9)),
        ("90s", timedelta(seconds=90)),
        ("15 minutes", timedelta(minutes=15)),
        ("1.5h", timedelta(minutes=90)),
        ("an hour", timedelta(hours=1)),
        ("2시간", timedelta(hours=2)),
        ("두 시간 반", timedelta(minutes=150)),
        ("30일", timedelta(days=30)),
        ("３０ 日", timedelta(days=30)),
        ("90", timedelta(seconds=90)),
        ("0.5", timedelta(milliseconds=500)),
        (90, timedelta(seconds=90)),
        (0.25, timedelta(milliseconds=250)),
        (0.000001, timedelta(microseconds=1)),
        (timedelta(days=3, microseconds=7), timedelta(days=3, microseconds=7)),
    ],
)
def test_a_length_is_read_as_microseconds(length: Any, expected: timedelta) -> None:
    assert parse_duration(length) == expected // timedelta(microseconds=1)


@pytest.mark.parametrize(
    "length",
    [
        0,
        -1,
        0.0,
        -0.5,
        1e-9,
        float("nan"),
        float("inf"),
        10**30,
        pytest.param(10**5000, id="more digits than Python prints"),
        True,
        None,
        [1],
        "",
        "0",
        "0d",
        "-5d",
        "forever",
        "one",
        "1h ago",
        "yesterday",
        "14:30",
        "1 month",
        "1 year",
        "1 month 2 days",
        "9999999999 weeks",
        "1d " * 40,
        timedelta(0),
        timedelta(-1),
    ],
)
def test_a_length_that_is_nothing_or_unclear_is_refused(length: Any) -> None:
    with pytest.raises(InvalidArgument) as caught:
        parse_duration(length, parameter="max_age")
    assert caught.value.details["parameter"] == "max_age"
    assert '"30d"' in (caught.value.hint or "")
    assert len(caught.value.message) < 160
