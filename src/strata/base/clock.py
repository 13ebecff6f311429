"""The clock: microseconds since 1970 in UTC, their one spelling, and reading what users write.

Inside Strata a time is an integer. It is spelled by `iso` and read by `parse_time`; nothing
here looks at the clock but `now_us`, so the same arguments always give the same answer.
"""

import re
import time as system_time
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from datetime import timezone as fixed_zone
from typing import TypeAlias

import msgspec

from strata.base.errors import InvalidArgument, InvalidTime
from strata.base.time_forms import Span, months_before, read
from strata.base.time_words import plain, quoted
from strata.base.utc import EPOCH, iso

__all__ = ["LAST_US", "TIMESTAMP_MIN", "Moment", "When", "iso", "now_us", "parse_time"]

# Numbers below are versions. From here on they are POSIX seconds, from 10^12 on milliseconds and
# from 10^15 on microseconds: each unit begins in September 2001, before any store.
TIMESTAMP_MIN = 10**9
_UNITS_US = ((10**15, 1), (10**12, 1_000), (TIMESTAMP_MIN, 1_000_000))

When: TypeAlias = str | int | float | date | datetime | timedelta

_NAIVE_EPOCH = EPOCH.replace(tzinfo=None)
_MICROSECOND = timedelta(microseconds=1)
_FIRST_US = (datetime(1, 1, 1, tzinfo=UTC) - EPOCH) // _MICROSECOND
# The end of the year 9999, the last that ISO 8601 spells.
LAST_US = (datetime(9999, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC) - EPOCH) // _MICROSECOND

# Patterns are compiled, and kept, by `re` when first used: at import that would take milliseconds.
_ISO = (
    r"(?P<year>\d{4})(?P<dash>-?)(?P<month>\d\d)(?P=dash)(?P<day>\d\d)"
    r"(?:(?:t|\s+)(?P<hour>\d\d):?(?P<minute>\d\d)"
    r"(?::?(?P<second>\d\d)(?:[.,](?P<fraction>\d{1,9}))?)?"
    r"\s*(?P<offset>z|utc|gmt|[+-]\d\d(?::?\d\d)?)?)?"
)
_FORMS = (
    'Use a version number, POSIX seconds, ISO 8601 ("2026-11-15T09:00:00Z"), a date, "now", '
    '"1h ago", "2 days ago", "yesterday 14:30", "last friday 12:00", "1시간 전", '
    '"어제 오후 3시", "11월 1일" or "tag:NAME".'
)


class Moment(msgspec.Struct, frozen=True, omit_defaults=True):
    """A point in history; exactly one of the three is set."""

    version: int | None = None
    timestamp: int | None = None
    tag: str | None = None


def now_us() -> int:
    """Return the present, in microseconds since 1970 in UTC."""
    return system_time.time_ns() // 1000


def parse_time(
    when: When,
    *,
    now: int,
    timezone: str | None = None,
    clamp: bool = True,
    parameter: str = "time",
) -> Moment:
    """Read a version, a time in any of the usual forms, or `tag:NAME`.

    Numbers below 10^9 are versions, larger ones seconds, milliseconds or microseconds since 1970
    by their size. A `timedelta` is that long ago.

    Words and times without an offset are local to `timezone`, by default the system's. A day
    alone means its last microsecond, "last week", "last month" and "last year" the end of that
    week (on sunday), month or year. Days and weeks ago are 24 hours each; months and years go
    by the calendar. A local time that a clock change repeats is the first of the two; one that
    it skips moves forward by as much. With `clamp` the future becomes `now`.

    Raises InvalidTime for anything else, and InvalidArgument for an unknown zone.
    """
    zone = _zone(timezone)
    try:
        moment = _read(when, now, zone)
    except (ValueError, OverflowError):
        raise _unreadable(when, parameter) from None
    if moment.timestamp is None:
        return moment
    us = min(moment.timestamp, now) if clamp else moment.timestamp
    if not _FIRST_US <= us <= LAST_US:
        raise _unreadable(when, parameter)
    return Moment(timestamp=us)


def _read(when: When, now: int, zone: tzinfo | None) -> Moment:
    if isinstance(when, str):
        tag = when.strip()
        if tag[:4].casefold() == "tag:":
            return _tag(tag[4:].strip())
        text = _usual(plain(when))
        if not (text.isascii() and text.replace(".", "", 1).isdigit()):
            return Moment(timestamp=_read_text(text, now, zone))
        when = float(text) if "." in text else int(text)
    if isinstance(when, date):
        return Moment(timestamp=_instant(when, zone))
    if isinstance(when, timedelta):
        return Moment(timestamp=now - when // _MICROSECOND)
    return _number(when)


# Parts of a day, which mean their end as a day does, in forms that are read below.
_PARTS_OF_DAY = {
    "this morning": "today 12:00",
    "오늘 아침": "today 12:00",
    "오늘 오전": "today 12:00",
    "this afternoon": "today 18:00",
    "오늘 오후": "today 18:00",
    "this evening": "today 22:00",
    "오늘 저녁": "today 22:00",
    "tonight": "today 23:59",
    "오늘 밤": "today 23:59",
    "yesterday morning": "yesterday 12:00",
    "어제 아침": "yesterday 12:00",
    "어제 오전": "yesterday 12:00",
    "yesterday afternoon": "yesterday 18:00",
    "어제 오후": "yesterday 18:00",
    "yesterday evening": "yesterday 22:00",
    "어제 저녁": "yesterday 22:00",
    "last night": "today 00:00",
    "어젯밤": "today 00:00",
    "어제 밤": "today 00:00",
    "지난밤": "today 00:00",
    "간밤": "today 00:00",
}
_SLASHED = re.compile(r"(\d{4})[/.](\d{1,2})[/.](\d{1,2})\b", re.ASCII)
_VERSION = re.compile(r"v(?:ersion)? ?(\d{1,9})", re.ASCII)


def _usual(text: str) -> str:
    """Return a text in a form that is read below: v9, 2026/11/15 and parts of a day are others."""
    version = _VERSION.fullmatch(text)
    if version:
        return version[1]
    dashed = _SLASHED.sub(lambda day: f"{day[1]}-{day[2]:0>2}-{day[3]:0>2}", text)
    return _PARTS_OF_DAY.get(dashed, dashed)


def _tag(name: str) -> Moment:
    if not name:
        raise ValueError("a tag without a name")
    return Moment(tag=name)


def _number(when: object) -> Moment:
    if isinstance(when, float) and when.is_integer():
        when = int(when)
    if isinstance(when, bool) or not isinstance(when, (int, float)) or not 0 <= when <= LAST_US:
        raise ValueError("neither a version nor a time")
    for least, unit in _UNITS_US:
        if when >= least:
            return Moment(timestamp=round(when * unit))
    if isinstance(when, float):
        raise ValueError("a part of a version")
    return Moment(version=when)


def _read_text(text: str, now: int, zone: tzinfo | None) -> int:
    match = re.fullmatch(_ISO, text, re.ASCII)
    if match:
        return _instant(_iso_value(match), zone)
    local = (EPOCH + now * _MICROSECOND).astimezone(zone).replace(tzinfo=None)
    reading = read(text, local)
    if not isinstance(reading, Span):
        return _instant(reading, zone)
    start = now
    if reading.months:
        start = _instant(months_before(local, reading.months), zone)
    return start - reading.us


def _iso_value(match: re.Match[str]) -> datetime | date:
    day = date(int(match["year"]), int(match["month"]), int(match["day"]))
    if match["hour"] is None:
        return day
    microsecond = int((match["fraction"] or "")[:6].ljust(6, "0"))
    at = time(int(match["hour"]), int(match["minute"]), int(match["second"] or 0), microsecond)
    return datetime.combine(day, at, tzinfo=_offset_zone(match["offset"]))


def _offset_zone(offset: str | None) -> tzinfo | None:
    if offset is None:
        return None
    if offset[0] not in "+-":
        return UTC
    hours, minutes = int(offset[1:3]), int(offset[3:].lstrip(":") or 0)
    if minutes > 59:
        raise ValueError(offset)
    span = timedelta(hours=hours, minutes=minutes)
    return fixed_zone(-span if offset[0] == "-" else span)


def _instant(value: datetime | date, zone: tzinfo | None) -> int:
    if not isinstance(value, datetime):
        return _end_of_day(value, zone)
    offset = value.utcoffset()
    if offset is None:
        offset = _local_offset(value, zone)
    # Subtracted last: near the ends of the calendar the UTC date need not exist.
    return (value.replace(tzinfo=None) - _NAIVE_EPOCH - offset) // _MICROSECOND


def _end_of_day(day: date, zone: tzinfo | None) -> int:
    """Return the microsecond before the next day begins.

    Not 23:59:59.999999: where clocks go back at midnight that comes twice.
    """
    if day == date.max:
        return _instant(datetime.combine(day, time.max), zone)
    return _instant(datetime.combine(day + timedelta(1), time.min), zone) - 1


def _local_offset(value: datetime, zone: tzinfo | None) -> timedelta:
    if zone is not None:
        return value.replace(tzinfo=zone).utcoffset() or timedelta(0)
    second = value.replace(microsecond=0)
    try:
        # Not `astimezone`: before Python 3.12 it moves skipped times back instead of forward.
        utc = second.timestamp()
    except (OverflowError, ValueError, OSError):
        # Systems know their zone for some years only; the nearest leap year has every date.
        second = second.replace(year=1972 if value.year < 1972 else 2036)
        utc = second.timestamp()
    return second - _NAIVE_EPOCH - timedelta(seconds=utc)


def _zone(name: str | None) -> tzinfo | None:
    if name is None:
        return None
    if name == "UTC":
        return UTC
    # Slow to load, and most stores use the system's zone.
    from zoneinfo import ZoneInfo  # noqa: PLC0415

    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError, TypeError):
        raise InvalidArgument(
            f"There is no time zone {name!r} on this system.",
            hint='Use an IANA name such as "Asia/Seoul", "Europe/Berlin" or "UTC".',
            parameter="timezone",
        ) from None


def _unreadable(when: object, parameter: str) -> InvalidTime:
    return InvalidTime(f"Cannot read {quoted(when)} as a time.", hint=_FORMS, parameter=parameter)
