"""What the tokens of `time_words` mean together: spans, days and clock times.

The letters of the tokens spelled together are the form of a text. Tables say which forms there
are and what their values are called, so a new form is one line. Everything here is wall time of
one place: zones belong to `clock`.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime, time, timedelta
from typing import NamedTuple

from strata.base.time_words import DAY, HOUR, MINUTE, ONE, SECOND, TimeToken, scan


class Span(NamedTuple):
    """A length of time: calendar months, whose length depends on when, and microseconds."""

    months: int
    us: int


def read(text: str, now: datetime) -> Span | datetime | date:
    """Read plain text as a span before now, a wall time, or a whole day.

    A weekday, a date without its year and a time without its day are the latest that is not
    in the future; a day counts from its first moment. Raises ValueError for anything else.
    """
    tokens = scan(text)
    form = _form(tokens)
    if form == "X":
        return Span(0, 0)
    if form.endswith("A"):
        return _add_up(tokens[:-1])
    if form in _PERIODS:
        reader, names = _PERIODS[form]
        return reader(now.date(), **_arguments(tokens, names))
    return _read_day_and_clock(tokens, now)


def read_span(text: str) -> Span:
    """Read plain text such as `1h 30m` or `2시간 반`; digits alone are seconds.

    Raises ValueError for anything else.
    """
    tokens = scan(text)
    if text[:1].isdigit() and _form(tokens) in ("#", "."):
        tokens.append(TimeToken("S", 0))
    return _add_up(tokens)


def months_before(moment: datetime, months: int) -> datetime:
    """Go back by calendar months; a day that the month lacks becomes its last one.

    Raises ValueError outside the years 1 to 9999.
    """
    year, month = divmod(moment.year * 12 + moment.month - 1 - months, 12)
    day = min(moment.day, _days_in(year, month + 1))
    return moment.replace(year=year, month=month + 1, day=day, fold=0)


def _form(tokens: Sequence[TimeToken]) -> str:
    return "".join(token.kind for token in tokens)


def _arguments(tokens: Sequence[TimeToken], names: str) -> dict[str, int]:
    """Name the values of a form; capital letters are marks and have none."""
    values = [token.value for token in tokens if not token.kind.isupper()]
    return dict(zip(names.split(), values, strict=True))


# ---------------------------------------------------------------- spans

_SPAN = r"(?:(?:[#.]|f#?)[YMWDHNS]f?)+"
_AMOUNT = r"(f?)([#.]?)([YMWDHNS])(f?)"
_UNITS_US = {"W": 7 * DAY, "D": DAY, "H": HOUR, "N": MINUTE, "S": SECOND}
_UNITS_MONTHS = {"Y": 12, "M": 1}


def _add_up(tokens: Sequence[TimeToken]) -> Span:
    form = _form(tokens)
    if not re.fullmatch(_SPAN, form):
        raise ValueError(form)
    months = us = 0
    for match in re.finditer(_AMOUNT, form):
        amount, unit = _amount(match, tokens), match[3]
        months += amount * _UNITS_MONTHS.get(unit, 0)
        us += amount * _UNITS_US.get(unit, 0)
    if months % ONE:
        raise ValueError("a part of a month has no length")
    return Span(months // ONE, us // ONE)


def _amount(match: re.Match[str], tokens: Sequence[TimeToken]) -> int:
    half_before, number, _, half_after = match.groups()
    amount = ONE
    if number:
        amount = tokens[match.start(2)].value * (ONE if number == "#" else 1)
    return amount // (2 if half_before else 1) + (ONE // 2 if half_after else 0)


# ---------------------------------------------------------------- days


def _relative_day(today: date, *, days: int) -> list[date]:
    return [today + timedelta(days)]


def _latest_days(today: date) -> list[date]:
    return [today, today - timedelta(1)]


def _latest_weekday(today: date, *, weekday: int) -> list[date]:
    latest = today - timedelta((today.weekday() - weekday) % 7)
    return [latest, latest - timedelta(7)]


def _last_weekday(today: date, *, which: int, weekday: int) -> list[date]:
    if which != -1:
        raise ValueError("only last friday, not this friday")
    return [today - timedelta((today.weekday() - weekday - 1) % 7 + 1)]


def _weekday_of_week(today: date, *, which: int, weekday: int) -> list[date]:
    return [today + timedelta(7 * which + weekday - today.weekday())]


def _dated(_today: date, *, year: int, month: int, day: int) -> list[date]:
    if year < 1000:
        raise ValueError("a year of two digits has no century")
    return [date(year, month, day)]


def _latest_dated(today: date, *, month: int, day: int) -> list[date]:
    # Leap days are at most eight years apart.
    years = range(today.year, today.year - 9, -1)
    return [date(year, month, day) for year in years if day <= _days_in(year, month)]


def _end_of_week(today: date, *, which: int) -> date:
    return today + timedelta(7 * which + 6 - today.weekday())


def _end_of_month(today: date, *, which: int) -> date:
    year, month = divmod(today.year * 12 + today.month - 1 + which, 12)
    return date(year, month + 1, _days_in(year, month + 1))


def _end_of_year(today: date, *, which: int) -> date:
    return date(today.year + which, 12, 31)


def _days_in(year: int, month: int) -> int:
    if month == 12:
        return 31
    return (date(year, month + 1, 1) - date(year, month, 1)).days


_PERIODS: dict[str, tuple[Callable[..., date], str]] = {
    "lW": (_end_of_week, "which"),
    "lM": (_end_of_month, "which"),
    "lY": (_end_of_year, "which"),
}
# A reader lists the days a form can mean, latest first.
_DAYS: dict[str, tuple[Callable[..., list[date]], str]] = {
    "": (_latest_days, ""),
    "d": (_relative_day, "days"),
    "w": (_latest_weekday, "weekday"),
    "lw": (_last_weekday, "which weekday"),
    "lWw": (_weekday_of_week, "which weekday"),
    "wlW": (_weekday_of_week, "weekday which"),
    "ym#": (_dated, "year month day"),
    "#Y#O#D": (_dated, "year month day"),
    "m##": (_dated, "month day year"),
    "#m#": (_dated, "day month year"),
    "#O#D": (_latest_dated, "month day"),
    "m#": (_latest_dated, "month day"),
    "#m": (_latest_dated, "day month"),
}
_CLOCKS = {
    "c": "us",
    "cp": "us pm",
    "pc": "pm us",
    "t": "us",
    "#p": "hour pm",
    "#K": "hour",
    "#Kf": "hour minute",
    "#K#N": "hour minute",
    "#K#N#S": "hour minute second",
    "p#K": "pm hour",
    "p#Kf": "pm hour minute",
    "p#K#N": "pm hour minute",
    "p#K#N#S": "pm hour minute second",
}


def _read_day_and_clock(tokens: Sequence[TimeToken], now: datetime) -> datetime | date:
    if not tokens:
        raise ValueError("nothing to read")
    for day, clock in _cuts(tokens):
        if _form(day) in _DAYS and _form(clock) in _CLOCKS:
            at = _time_of_day(**_arguments(clock, _CLOCKS[_form(clock)]))
            return datetime.combine(_latest(day, now, at), at)
    if _form(tokens) in _DAYS:
        return _latest(tokens, now, time.min)
    raise ValueError(_form(tokens))


def _cuts(tokens: Sequence[TimeToken]) -> Iterator[tuple[Sequence[TimeToken], Sequence[TimeToken]]]:
    """Try every cut into a day and a clock time, in both orders."""
    for cut in range(len(tokens) + 1):
        yield tokens[:cut], tokens[cut:]
        yield tokens[cut:], tokens[:cut]


def _latest(day: Sequence[TimeToken], now: datetime, at: time) -> date:
    reader, names = _DAYS[_form(day)]
    days = reader(now.date(), **_arguments(day, names))
    if not days:
        raise ValueError("no such day")
    return next((each for each in days if datetime.combine(each, at) <= now), days[-1])


def _time_of_day(
    *, us: int = 0, hour: int = 0, minute: int = 0, second: int = 0, pm: int | None = None
) -> time:
    hour += us // HOUR
    minute += us % HOUR // MINUTE
    second += us % MINUTE // SECOND
    if pm is not None:
        if hour > 12:
            raise ValueError("noon and midnight are twelve hours apart")
        hour = hour % 12 + 12 * pm
    return time(hour, minute, second, us % SECOND)
