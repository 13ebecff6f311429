"""Reading and spelling times; now is always sunday, 15 November 2026, 18:14 in Seoul."""

import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any
from unicodedata import normalize

import pytest

from strata.base import time_words
from strata.base.clock import Moment, iso, now_us, parse_time
from strata.base.errors import InvalidArgument, InvalidTime

SEOUL = timezone(timedelta(hours=9))
NOW = 1_794_734_053_123_456  # 2026-11-15T09:14:13.123456Z


def read(when: Any, *, zone: str | None = "Asia/Seoul", now: int = NOW, clamp: bool = True) -> int:
    moment = parse_time(when, now=now, timezone=zone, clamp=clamp)
    assert moment.timestamp is not None
    return moment.timestamp


def in_seoul(text: str) -> int:
    """Turn `2026-11-14 15:00` (in Seoul) into microseconds by another way than the parser's."""
    day = datetime.fromisoformat(text).replace(tzinfo=SEOUL)
    return (day - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)


def end_of(day: str) -> int:
    return in_seoul(f"{day} 23:59:59.999999")


# ---------------------------------------------------------------- spelling


@pytest.mark.parametrize(
    ("us", "text"),
    [
        (0, "1970-01-01T00:00:00.000000Z"),
        (-1, "1969-12-31T23:59:59.999999Z"),
        (1_794_733_200_000_000, "2026-11-15T09:00:00.000000Z"),
        (NOW, "2026-11-15T09:14:13.123456Z"),
        (-62_135_596_800_000_000, "0001-01-01T00:00:00.000000Z"),
        (253_402_300_799_999_999, "9999-12-31T23:59:59.999999Z"),
    ],
)
def test_a_time_is_spelled_with_six_digits_and_z(us: int, text: str) -> None:
    assert iso(us) == text


@pytest.mark.parametrize("us", [-62_135_596_800_000_001, 253_402_300_800_000_000])
def test_a_time_outside_the_calendar_cannot_be_spelled(us: int) -> None:
    with pytest.raises(OverflowError):
        iso(us)


def test_now_is_the_system_clock_in_microseconds() -> None:
    before = time.time_ns()
    now = now_us()
    assert before // 1000 <= now <= time.time_ns() // 1000


# ---------------------------------------------------------------- numbers and objects


@pytest.mark.parametrize(
    ("when", "moment"),
    [
        (0, Moment(version=0)),
        (42, Moment(version=42)),
        ("42", Moment(version=42)),
        (" ４２ ", Moment(version=42)),
        (42.0, Moment(version=42)),
        (10**9 - 1, Moment(version=10**9 - 1)),
        (10**9, Moment(timestamp=10**15)),
        ("1000000000", Moment(timestamp=10**15)),
        (10**12 - 1, Moment(timestamp=NOW)),
        (10**12, Moment(timestamp=10**15)),
        ("1000000000000", Moment(timestamp=10**15)),
        (10**15, Moment(timestamp=10**15)),
        (1e15, Moment(timestamp=10**15)),
        (1_234_567_890.25, Moment(timestamp=1_234_567_890_250_000)),
        ("1234567890.25", Moment(timestamp=1_234_567_890_250_000)),
        (1_234_567_890_123.5, Moment(timestamp=1_234_567_890_123_500)),
        (timedelta(hours=1), Moment(timestamp=NOW - 3_600_000_000)),
        (-timedelta(hours=1), Moment(timestamp=NOW)),
        ("20261101", Moment(version=20261101)),
        ("tag:v1.0", Moment(tag="v1.0")),
        (" TAG: 릴리스 2 ", Moment(tag="릴리스 2")),
        ("tag:" + "긴" * 100, Moment(tag="긴" * 100)),
    ],
)
def test_numbers_are_versions_until_ten_to_the_nine_and_then_times_by_their_size(
    when: Any, moment: Moment
) -> None:
    assert parse_time(when, now=NOW) == moment


@pytest.mark.parametrize(
    "when",
    [
        -1,
        "-1",
        True,
        False,
        1.5,
        float("nan"),
        float("inf"),
        -1e15,
        253_402_300_800_000_000,
        10**18,
        pytest.param(10**5000, id="more digits than Python prints"),
        "9" * 40,
        None,
        [],
        {"at": 1},
        b"now",
    ],
)
def test_bad_numbers_and_other_objects_are_refused(when: Any) -> None:
    with pytest.raises(InvalidTime):
        parse_time(when, now=NOW)


def test_a_datetime_counts_in_its_own_zone_or_else_in_the_given_one() -> None:
    assert read(datetime(2026, 11, 1, 9, tzinfo=UTC)) == in_seoul("2026-11-01 18:00")
    assert read(datetime(2026, 11, 1, 9)) == in_seoul("2026-11-01 09:00")  # noqa: DTZ001
    assert read(date(2026, 11, 1)) == end_of("2026-11-01")


# ---------------------------------------------------------------- ISO 8601


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-11-01T09:00:00Z", "2026-11-01 18:00"),
        ("2026-11-01t09:00:00z", "2026-11-01 18:00"),
        ("2026-11-01 09:00:00 UTC", "2026-11-01 18:00"),
        ("2026-11-01T09:00:00+09:00", "2026-11-01 09:00"),
        ("2026-11-01T09:00:00+0900", "2026-11-01 09:00"),
        ("2026-11-01T09:00:00+09", "2026-11-01 09:00"),
        ("2026-11-01T09:00:00 -05:30", "2026-11-01 23:30"),
        ("2026-11-01T09:00Z", "2026-11-01 18:00"),
        ("2026-11-01T09:00", "2026-11-01 09:00"),
        ("2026-11-01 09:00", "2026-11-01 09:00"),
        ("2026-11-01  09:00:05", "2026-11-01 09:00:05"),
        ("2026-11-01T09:00:00.1", "2026-11-01 09:00:00.1"),
        ("2026-11-01T09:00:00,000123", "2026-11-01 09:00:00.000123"),
        ("2026-11-01T09:00:00.123456789Z", "2026-11-01 18:00:00.123456"),
        ("20261101T090000Z", "2026-11-01 18:00"),
        ("20261101T0900", "2026-11-01 09:00"),
        ("２０２６-１１-０１ ０９：００", "2026-11-01 09:00"),
        ("1969-12-31 23:59:59", "1969-12-31 23:59:59"),
        ("2026-11-01", "2026-11-01 23:59:59.999999"),
        ("2024-02-29", "2024-02-29 23:59:59.999999"),
    ],
)
def test_iso_8601_is_read_in_its_usual_variants(text: str, expected: str) -> None:
    assert read(text) == in_seoul(expected)


@pytest.mark.parametrize(
    "text",
    [
        "2026-02-29",
        "2026-13-01",
        "2026-11-31T00:00",
        "2026-11-01T24:00",
        "2026-11-01T09:60",
        "2026-11-01T09:00:60",
        "2026-11-01T09:00+24:00",
        "2026-11-01T09:00+09:60",
        "2026-11-01T9",
        "2026-11-01T09:00:00.1234567890Z",
        "2026-11-01T",
        "2026-1101",
        "2026-11",
        "2026-W45-7",
        "0000-01-01",
        "12026-11-01",
        "11-01-26",
        "11/01/2026",
        "2026-11-01Z",
    ],
)
def test_dates_that_do_not_exist_or_are_ambiguous_are_refused(text: str) -> None:
    with pytest.raises(InvalidTime, match=text[:10]):
        read(text)


# ---------------------------------------------------------------- words


@pytest.mark.parametrize(
    ("text", "ago"),
    [
        ("1h ago", timedelta(hours=1)),
        ("1 H AGO", timedelta(hours=1)),
        ("2 days ago", timedelta(days=2)),
        ("90m ago", timedelta(minutes=90)),
        ("1h30m ago", timedelta(minutes=90)),
        ("1 hour and 30 minutes ago", timedelta(minutes=90)),
        ("1.5 hours ago", timedelta(minutes=90)),
        ("half an hour ago", timedelta(minutes=30)),
        ("an hour ago", timedelta(hours=1)),
        ("a week ago", timedelta(weeks=1)),
        ("5 minutes ago", timedelta(minutes=5)),
        ("10s ago", timedelta(seconds=10)),
        ("0.000001 s ago", timedelta(microseconds=1)),
        ("0 days ago", timedelta(0)),
        ("1시간 전", timedelta(hours=1)),
        ("１시간 전", timedelta(hours=1)),
        ("1시간전", timedelta(hours=1)),
        ("한 시간 반 전", timedelta(minutes=90)),
        ("30분 전", timedelta(minutes=30)),
        ("2일 전", timedelta(days=2)),
        ("하루 전", timedelta(days=1)),
        ("이틀전", timedelta(days=2)),
        ("일주일 전", timedelta(weeks=1)),
        ("3주 전", timedelta(weeks=3)),
        ("열두 시간 전", timedelta(hours=12)),
        ("1시간 20분 30초 이전", timedelta(hours=1, minutes=20, seconds=30)),
        (normalize("NFD", "한 시간 전"), timedelta(hours=1)),
        ("1時間前", timedelta(hours=1)),
        ("２週間前", timedelta(weeks=2)),
        ("三日前", timedelta(days=3)),
        ("1小时前", timedelta(hours=1)),
        ("半小时前", timedelta(minutes=30)),
        ("两个星期之前", timedelta(weeks=2)),
        ("5分钟前", timedelta(minutes=5)),
        ("now", timedelta(0)),
        ("  Just Now ", timedelta(0)),
        ("지금", timedelta(0)),
        ("방금", timedelta(0)),
        ("今", timedelta(0)),
        ("现在", timedelta(0)),
    ],
)
def test_spans_ago_are_exact(text: str, ago: timedelta) -> None:
    assert read(text) == NOW - ago // timedelta(microseconds=1)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("3 months ago", "2026-08-15 18:14:13.123456"),
        ("1 year ago", "2025-11-15 18:14:13.123456"),
        ("1.5 years ago", "2025-05-15 18:14:13.123456"),
        ("1 year 2 months 3 days ago", "2025-09-12 18:14:13.123456"),
        ("두 달 전", "2026-09-15 18:14:13.123456"),
        ("석달 전", "2026-08-15 18:14:13.123456"),
        ("12개월 전", "2025-11-15 18:14:13.123456"),
        ("1년 전", "2025-11-15 18:14:13.123456"),
        ("반년 전", "2026-05-15 18:14:13.123456"),
        ("1か月前", "2026-10-15 18:14:13.123456"),
        ("两个月前", "2026-09-15 18:14:13.123456"),
        ("2000 years ago", "0026-11-15 18:14:13.123456"),
    ],
)
def test_months_and_years_ago_go_by_the_calendar(text: str, expected: str) -> None:
    # Seoul kept another offset two thousand years ago; a fixed one compares all of them.
    assert read(text, zone="Etc/GMT-9") == in_seoul(expected)


@pytest.mark.parametrize(
    ("now", "text", "expected"),
    [
        ("2026-03-31 12:00", "1 month ago", "2026-02-28 12:00"),
        ("2024-03-31 12:00", "1 month ago", "2024-02-29 12:00"),
        ("2024-02-29 12:00", "1 year ago", "2023-02-28 12:00"),
        ("2024-02-29 12:00", "4 years ago", "2020-02-29 12:00"),
        ("2026-01-31 12:00", "1 month ago", "2025-12-31 12:00"),
        ("2026-01-31 12:00", "2 months ago", "2025-11-30 12:00"),
    ],
)
def test_a_day_that_the_month_lacks_becomes_its_last(now: str, text: str, expected: str) -> None:
    assert read(text, now=in_seoul(now)) == in_seoul(expected)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("yesterday", "2026-11-14"),
        ("어제", "2026-11-14"),
        ("昨日", "2026-11-14"),
        ("昨天", "2026-11-14"),
        ("the day before yesterday", "2026-11-13"),
        ("그저께", "2026-11-13"),
        ("一昨日", "2026-11-13"),
        ("前天", "2026-11-13"),
        ("last friday", "2026-11-13"),
        ("지난 금요일", "2026-11-13"),
        ("last sunday", "2026-11-08"),
        ("friday", "2026-11-13"),
        ("Fri", "2026-11-13"),
        ("금요일", "2026-11-13"),
        ("monday", "2026-11-09"),
        ("지난주 금요일", "2026-11-06"),
        ("friday last week", "2026-11-06"),
        ("先週の金曜日", "2026-11-06"),
        ("上周五", "2026-11-06"),
        ("이번 주 월요일", "2026-11-09"),
        ("지지난주 월요일", "2026-10-26"),
        ("last week", "2026-11-08"),
        ("지난주", "2026-11-08"),
        ("last month", "2026-10-31"),
        ("지난달", "2026-10-31"),
        ("先月", "2026-10-31"),
        ("上个月", "2026-10-31"),
        ("last year", "2025-12-31"),
        ("작년", "2025-12-31"),
        ("2026년 11월 1일", "2026-11-01"),
        ("2026年11月1日", "2026-11-01"),
        ("11월 1일", "2026-11-01"),
        ("11월 16일", "2025-11-16"),
        ("2월 29일", "2024-02-29"),
        ("Nov 1", "2026-11-01"),
        ("1 November 2026", "2026-11-01"),
        ("dec 24, 2025", "2025-12-24"),
    ],
)
def test_a_day_alone_is_its_last_microsecond(text: str, day: str) -> None:
    assert read(text) == end_of(day)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("yesterday 14:30", "2026-11-14 14:30"),
        ("yesterday at 2:30 pm", "2026-11-14 14:30"),
        ("2:30 p.m. yesterday", "2026-11-14 14:30"),
        ("today 9am", "2026-11-15 09:00"),
        ("12am today", "2026-11-15 00:00"),
        ("12pm today", "2026-11-15 12:00"),
        ("last friday 12:00", "2026-11-13 12:00"),
        ("noon on friday", "2026-11-13 12:00"),
        ("noon", "2026-11-15 12:00"),
        ("midnight", "2026-11-15 00:00"),
        ("14:30", "2026-11-15 14:30"),
        ("18:14:13.123456", "2026-11-15 18:14:13.123456"),
        ("18:14:13.123457", "2026-11-14 18:14:13.123457"),
        ("23:00", "2026-11-14 23:00"),
        ("sunday 23:00", "2026-11-08 23:00"),
        ("어제 오후 3시", "2026-11-14 15:00"),
        ("어제오후3시", "2026-11-14 15:00"),
        ("어제 오후 세 시 반", "2026-11-14 15:30"),
        ("어제 오전 12시", "2026-11-14 00:00"),
        ("어제 14:30", "2026-11-14 14:30"),
        ("어제 오후 2:30", "2026-11-14 14:30"),
        ("그저께 새벽 2시", "2026-11-13 02:00"),
        ("지난주 금요일 12:00", "2026-11-06 12:00"),
        ("지난 금요일에 정오", "2026-11-13 12:00"),
        ("11월 1일 오후 2시 30분", "2026-11-01 14:30"),
        ("11월 1일 14시 30분 5초", "2026-11-01 14:30:05"),
        ("2025년 12월 31일 자정", "2025-12-31 00:00"),
        ("2026-11-01 오후 2시", "2026-11-01 14:00"),
        ("2026-11-01 9am", "2026-11-01 09:00"),
        ("昨日の午後3時半", "2026-11-14 15:30"),
        ("昨天下午3点", "2026-11-14 15:00"),
        ("nov 1 9 pm", "2026-11-01 21:00"),
    ],
)
def test_a_clock_time_is_put_on_its_day(text: str, expected: str) -> None:
    assert read(text) == in_seoul(expected)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "in the past",
        "soon",
        "ago",
        "1h",
        "30분",
        "1일",
        "-1h ago",
        "1 h ago ago",
        "1 2 hours ago",
        "twenty hours ago",
        "二十分前",
        "half a month ago",
        "1.5 months ago",
        "3000 years ago",
        "999999999999999999 days ago",
        "last",
        "last day",
        "this friday",
        "last friday of october",
        "last month 12:00",
        "上周天",
        "yesterday today",
        "yesterday 25:00",
        "yesterday 14:60",
        "yesterday 13pm",
        "15:00 pm",
        "오후 13시",
        "2시 60분",
        "2월 30일",
        "13월 1일",
        "0월 1일",
        "11월 0일",
        "26년 11월 1일",
        "nov 31",
        "어제쯤",
        "hourago",
        "am",
        "tag:",
        "tag:   ",
        "now " * 26,
        pytest.param("x" * 10_000, id="far too long"),
        "\x00",
        "\ud800",
    ],
)
def test_anything_else_is_refused_with_the_forms_that_are_taken(text: str) -> None:
    with pytest.raises(InvalidTime) as caught:
        read(text)
    assert repr(text)[:80] in caught.value.message
    assert '"1h ago"' in (caught.value.hint or "")
    assert caught.value.details["parameter"] == "time"
    assert len(caught.value.message) < 120


def test_the_error_names_the_parameter_that_the_caller_knows() -> None:
    with pytest.raises(InvalidTime) as caught:
        parse_time("soon", now=NOW, parameter="as_of")
    assert caught.value.details["parameter"] == "as_of"


@pytest.mark.parametrize(
    ("text", "later"),
    [
        ("today", end_of("2026-11-15")),
        ("sunday", end_of("2026-11-15")),
        ("11월 15일", end_of("2026-11-15")),
        ("내일 9시", in_seoul("2026-11-16 09:00")),
        ("today 23:00", in_seoul("2026-11-15 23:00")),
        ("this week", end_of("2026-11-15")),
        ("올해", end_of("2026-12-31")),
        ("2027-01-01", end_of("2027-01-01")),
        (NOW + 1, NOW + 1),
    ],
)
def test_the_future_becomes_now_unless_it_is_wanted(text: Any, later: int) -> None:
    assert read(text) == NOW
    assert read(text, clamp=False) == later


@pytest.mark.parametrize("zone", ["America/New_York", "Asia/Seoul", "UTC", None])
def test_the_last_day_of_the_calendar_means_now(zone: str | None) -> None:
    assert read("9999-12-31", zone=zone) == NOW


def test_a_time_before_the_first_year_in_utc_is_refused() -> None:
    assert read("0001-01-01T00:00:00Z", clamp=False) == -62_135_596_800_000_000
    with pytest.raises(InvalidTime):
        read("0001-01-01T00:00:00+09:00")
    with pytest.raises(InvalidTime):
        read("9999-12-31T23:00:00-05:00", clamp=False)


def test_every_word_is_spelled_as_plain_text_and_only_once() -> None:
    words = [word for _, _, rows in time_words._ROWS for row in rows for word in row.split()]
    assert len(words) == len(set(words))
    assert [word for word in words if time_words.plain(word) != word] == []


# ---------------------------------------------------------------- zones


@pytest.mark.parametrize(
    ("zone", "text", "expected"),
    [
        # Skipped by the clock: 02:30 does not exist that night, and becomes 03:30.
        ("America/New_York", "2026-03-08 02:30", "2026-03-08T07:30:00.000000Z"),
        # Repeated by the clock: the first 01:30 is meant.
        ("America/New_York", "2026-11-01 01:30", "2026-11-01T05:30:00.000000Z"),
        # Clocks that change at midnight: the day ends when the next one begins.
        ("America/Sao_Paulo", "2018-02-17", "2018-02-18T02:59:59.999999Z"),
        ("America/Sao_Paulo", "2018-11-03", "2018-11-04T02:59:59.999999Z"),
        ("Asia/Kathmandu", "2026-11-01", "2026-11-01T18:14:59.999999Z"),
        ("UTC", "2026-11-01 09:00", "2026-11-01T09:00:00.000000Z"),
    ],
)
def test_clock_changes_are_decided_the_same_way_everywhere(
    zone: str, text: str, expected: str
) -> None:
    assert iso(read(text, zone=zone)) == expected


def test_a_day_ago_is_24_hours_but_a_month_ago_keeps_the_hour_on_the_wall() -> None:
    noon = read("2026-03-08 12:00", zone="America/New_York")
    day_ago = read("1 day ago", zone="America/New_York", now=noon)
    month_ago = read("1 month ago", zone="America/New_York", now=noon)
    assert iso(day_ago) == "2026-03-07T16:00:00.000000Z"
    assert iso(month_ago) == "2026-02-08T17:00:00.000000Z"


def test_a_month_ago_on_a_repeated_hour_is_the_first_of_the_two() -> None:
    now = read("2026-12-01 01:30", zone="America/New_York", clamp=False)
    month_ago = read("1 month ago", zone="America/New_York", now=now)
    assert iso(month_ago) == "2026-11-01T05:30:00.000000Z"


@pytest.mark.parametrize(
    "zone", ["Asia/Atlantis", "", "../../etc/passwd", "Asia", "a\x00b", "한국"]
)
def test_an_unknown_zone_is_the_fault_of_that_parameter(zone: str) -> None:
    with pytest.raises(InvalidArgument) as caught:
        parse_time("now", now=NOW, timezone=zone)
    assert not isinstance(caught.value, InvalidTime)
    assert caught.value.details["parameter"] == "timezone"


@pytest.fixture
def system_zone(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    if not hasattr(time, "tzset"):
        pytest.skip("this system cannot change its zone for one process")
    yield monkeypatch
    monkeypatch.undo()
    time.tzset()


@pytest.mark.parametrize(
    ("zone", "text"),
    [
        ("Asia/Seoul", "어제"),
        ("Asia/Seoul", "2026-11-01 09:00"),
        ("Asia/Seoul", "3 months ago"),
        ("America/New_York", "2026-03-08 02:30"),
        ("America/New_York", "2026-11-01 01:30"),
        ("America/New_York", "2026-11-01"),
        ("America/New_York", "last friday 12:00"),
        ("America/New_York", "1871-01-01 12:00"),
        ("Australia/Lord_Howe", "2026-10-04 02:15"),
        ("Australia/Lord_Howe", "2026-04-05 01:45:00.000001"),
    ],
)
def test_without_a_zone_the_one_of_the_system_counts(
    system_zone: pytest.MonkeyPatch, zone: str, text: str
) -> None:
    system_zone.setenv("TZ", zone)
    time.tzset()
    assert read(text, zone=None) == read(text, zone=zone)


@pytest.mark.parametrize(
    ("zone", "text", "expected"),
    [
        ("Asia/Seoul", "9999-12-31 12:00", "9999-12-31T03:00:00.000000Z"),
        ("America/New_York", "9999-12-31 12:00", "9999-12-31T17:00:00.000000Z"),
        ("America/New_York", "0001-01-01 12:00", "0001-01-01T17:00:00.000000Z"),
    ],
)
def test_where_the_system_does_not_know_its_zone_the_nearest_year_counts(
    system_zone: pytest.MonkeyPatch, zone: str, text: str, expected: str
) -> None:
    system_zone.setenv("TZ", zone)
    time.tzset()
    assert read("9999-12-31", zone=None) == NOW
    assert iso(read(text, zone=None, clamp=False)) == expected


def test_importing_the_clock_does_not_load_the_zones() -> None:
    code = "import sys, strata.base.clock; print('zoneinfo' in sys.modules)"
    answer = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, timeout=60, check=True
    )
    assert answer.stdout.strip() == b"False"


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("this morning", "2026-11-15 12:00"),
        ("오늘 아침", "2026-11-15 12:00"),
        ("last night", "2026-11-15 00:00"),
        ("어젯밤", "2026-11-15 00:00"),
        ("어제 오후", "2026-11-14 18:00"),
        ("Yesterday evening", "2026-11-14 22:00"),
        ("2026/11/14 09:30", "2026-11-14 09:30"),
        ("2026.1.5 09:30", "2026-01-05 09:30"),
    ],
)
def test_parts_of_a_day_and_other_spellings_of_dates_are_read(text: str, meant: str) -> None:
    assert read(text) == in_seoul(meant)


def test_a_version_may_be_spelled_with_a_v() -> None:
    for text in ("v9", "V9", "version 9"):
        assert parse_time(text, now=NOW).version == 9
    with pytest.raises(InvalidTime):
        parse_time("v9x", now=NOW)
