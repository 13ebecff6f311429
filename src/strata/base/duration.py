"""Lengths of time as users write them, in microseconds."""

from datetime import timedelta

from strata.base.errors import InvalidArgument
from strata.base.time_forms import read_span
from strata.base.time_words import plain, quoted

_MICROSECOND = timedelta(microseconds=1)
# As long as the calendar: more could not be taken from any date.
_LONGEST_US = timedelta(days=3_652_059) // _MICROSECOND


def parse_duration(length: str | int | float | timedelta, *, parameter: str = "duration") -> int:
    """Read `30d`, `1w 2d`, `15 minutes`, `2시간`, seconds or a timedelta as microseconds.

    Raises InvalidArgument for anything else, and for what is not longer than nothing.
    """
    try:
        us = _read(length)
    except (ValueError, OverflowError):
        raise _unusable(length, parameter, "cannot be read as a length of time") from None
    if not 0 < us <= _LONGEST_US:
        reason = "is too long" if us > 0 else "is not longer than nothing"
        raise _unusable(length, parameter, reason)
    return us


def _read(length: object) -> int:
    if isinstance(length, str):
        span = read_span(plain(length))
        if span.months:
            raise ValueError("a month has no fixed length")
        return span.us
    if isinstance(length, timedelta):
        return length // _MICROSECOND
    if isinstance(length, bool) or not isinstance(length, (int, float)):
        raise ValueError("not a number of seconds")
    # Whole seconds stay whole: as floats, large ones would not.
    return length * 1_000_000 if isinstance(length, int) else round(length * 1_000_000)


def _unusable(length: object, parameter: str, reason: str) -> InvalidArgument:
    return InvalidArgument(
        f"The {parameter} {quoted(length)} {reason}.",
        hint='Use seconds, or weeks, days, hours, minutes and seconds: "30d", "1w 2d", '
        '"15 minutes", "2시간". Months and years have no fixed length; give days.',
        parameter=parameter,
    )
