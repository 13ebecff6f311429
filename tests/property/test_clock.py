"""Times: spelling and reading undo each other, arithmetic holds, order is kept."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strata.base.clock import iso, parse_time
from strata.base.duration import parse_duration
from strata.base.errors import InvalidArgument, InvalidTime

FIRST = -62_135_596_800_000_000
LAST = 253_402_300_799_999_999
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)

TIMES = st.integers(FIRST, LAST)
NOWS = st.integers(0, 4_000_000_000_000_000)  # 1970 to 2096
ZONES = st.sampled_from(
    ["UTC", "Asia/Seoul", "America/New_York", "Europe/Berlin", "Australia/Lord_Howe"]
)
UNITS = {
    "s": 1,
    "seconds": 1,
    "초": 1,
    "秒": 1,
    "m": 60,
    "minutes": 60,
    "분": 60,
    "分钟": 60,
    "h": 3600,
    "hour": 3600,
    "시간": 3600,
    "時間": 3600,
    "d": 86_400,
    "days": 86_400,
    "일": 86_400,
    "天": 86_400,
    "w": 604_800,
    "weeks": 604_800,
    "주": 604_800,
    "週間": 604_800,
}
AGO = st.sampled_from([" ago", " 전", "前"])
WORDS = st.sampled_from(
    "1 2 30 1.5 a an half 반 ago 전 前 h 시간 분 day 일 월 년 시 yesterday 어제 昨日 friday 금요일 "
    "last 지난 week 주 month 달 am pm 오후 14:30 25:00 2026-11-01 noon nov 31 now at , - :".split()
)


def timestamp(text: str, *, now: int, zone: str = "UTC", clamp: bool = True) -> int:
    moment = parse_time(text, now=now, timezone=zone, clamp=clamp)
    assert moment.timestamp is not None
    return moment.timestamp


@given(TIMES)
def test_what_was_spelled_is_read_back(us: int) -> None:
    assert timestamp(iso(us), now=0, clamp=False) == us


@given(TIMES)
def test_the_spelling_is_what_the_standard_library_reads(us: int) -> None:
    text = iso(us)
    assert len(text) == 27
    assert (datetime.fromisoformat(text) - EPOCH) // MICROSECOND == us


@given(TIMES, TIMES)
def test_spellings_sort_as_times_do(a: int, b: int) -> None:
    assert (iso(a) < iso(b)) == (a < b)


@given(
    NOWS, st.integers(-14 * 60, 14 * 60), st.sampled_from(["T", " "]), st.sampled_from([":", ""])
)
def test_an_offset_changes_the_spelling_and_not_the_time(
    us: int, minutes: int, separator: str, colon: str
) -> None:
    local = iso(us + minutes * 60_000_000).replace("T", separator)[:-1]
    sign, (hours, rest) = "-" if minutes < 0 else "+", divmod(abs(minutes), 60)
    offset = f"{sign}{hours:02}{colon}{rest:02}"
    assert timestamp(local + offset, now=0, zone="Asia/Seoul", clamp=False) == us


@given(NOWS, ZONES)
def test_a_time_without_an_offset_is_the_first_with_that_reading(us: int, zone: str) -> None:
    local = (EPOCH + us * MICROSECOND).astimezone(ZoneInfo(zone))
    read = timestamp(local.replace(tzinfo=None).isoformat(), now=0, zone=zone, clamp=False)
    assert read == us if local.fold == 0 else read < us


@given(NOWS, st.integers(0, 10**6), st.sampled_from(sorted(UNITS)), AGO)
def test_a_number_of_units_ago_is_arithmetic(now: int, count: int, unit: str, ago: str) -> None:
    expected = now - count * UNITS[unit] * 1_000_000
    if expected < FIRST:
        with pytest.raises(InvalidTime):
            timestamp(f"{count}{unit}{ago}", now=now)
    else:
        assert timestamp(f"{count}{unit}{ago}", now=now) == expected


@given(NOWS, ZONES, st.integers(0, 1000), st.integers(0, 1000))
def test_more_months_ago_is_earlier(now: int, zone: str, fewer: int, more: int) -> None:
    early = timestamp(f"{fewer + more} months ago", now=now, zone=zone)
    late = timestamp(f"{fewer}달 전", now=now, zone=zone)
    assert early <= late
    days_per_month = 30.436875
    assert abs((late - early) / 86_400e6 - more * days_per_month) < 4


@given(st.datetimes(datetime(1970, 1, 2), datetime(2090, 1, 1)), ZONES)  # noqa: DTZ001
def test_days_follow_each_other_without_gap_or_overlap(moment: datetime, zone: str) -> None:
    local = ZoneInfo(zone)
    day = moment.date()
    end = timestamp(day.isoformat(), now=0, zone=zone, clamp=False)
    assert (EPOCH + end * MICROSECOND).astimezone(local).date() == day
    assert (EPOCH + (end + 1) * MICROSECOND).astimezone(local).date() == day + timedelta(1)


@given(NOWS, ZONES, st.lists(WORDS, min_size=1, max_size=6), st.sampled_from(["", " "]))
def test_words_in_any_order_are_never_in_the_future_and_fail_in_one_way_only(
    now: int, zone: str, words: list[str], blank: str
) -> None:
    try:
        moment = parse_time(blank.join(words), now=now, timezone=zone)
    except InvalidTime:
        return
    if moment.timestamp is not None:
        assert FIRST <= moment.timestamp <= now


@given(st.text(max_size=110), NOWS)
def test_any_text_is_read_or_refused(text: str, now: int) -> None:
    try:
        moment = parse_time(text, now=now, timezone="UTC")
    except InvalidTime:
        return
    given_parts = [moment.version, moment.timestamp, moment.tag]
    assert sum(part is not None for part in given_parts) == 1


@given(NOWS, ZONES, st.integers(0, 6), st.integers(0, 23), st.integers(0, 59))
def test_a_weekday_with_a_time_is_the_latest_one(
    now: int, zone: str, weekday: int, hour: int, minute: int
) -> None:
    name = ("월", "화", "수", "목", "금", "토", "일")[weekday] + "요일"
    us = timestamp(f"{name} {hour:02}:{minute:02}", now=now, zone=zone)
    local = (EPOCH + us * MICROSECOND).astimezone(ZoneInfo(zone))
    if us < now:  # A time that a clock change has skipped is clamped to now.
        assert local.weekday() == weekday
    assert now - us <= 7 * 86_400_000_000 + 3_600_000_000


@given(st.lists(st.tuples(st.integers(0, 1000), st.sampled_from(sorted(UNITS))), min_size=1))
def test_lengths_add_up(parts: list[tuple[int, str]]) -> None:
    text = " ".join(f"{count}{unit}" for count, unit in parts)
    expected = sum(count * UNITS[unit] for count, unit in parts) * 1_000_000
    if expected and len(text) <= 100:
        assert parse_duration(text) == expected
    else:
        with pytest.raises(InvalidArgument):
            parse_duration(text)


@given(st.integers(1, 10**17))
def test_a_timedelta_is_taken_exactly(us: int) -> None:
    assert parse_duration(timedelta(microseconds=us)) == us
