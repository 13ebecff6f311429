"""From when until when something holds, when to look at it again, and where it comes from.

Facts say it by tags, `until:2026-05-03`; decisions by members of the same names. Both are read
here, so that both mean the same.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple, cast

from strata.base import clock
from strata.base.checks import check_many, check_text
from strata.base.errors import InvalidArgument, InvalidTime

TIMES = ("since", "until", "review_by")
SOURCE = "source"
_DATE = re.compile(r"\d{4}-\d\d-\d\d")


class Validity(NamedTuple):
    """What is said about when something holds: dates or times as they were given."""

    since: str | None = None
    until: str | None = None
    review_by: str | None = None
    sources: tuple[str, ...] = ()

    @property
    def marks(self) -> tuple[str, ...]:
        """The tags that say so."""
        times = ((name, getattr(self, name)) for name in TIMES)
        said = [f"{name}:{when}" for name, when in times if when is not None]
        return (*said, *(f"{SOURCE}:{source}" for source in self.sources))


def check_validity(
    *,
    since: str | None = None,
    until: str | None = None,
    review_by: str | None = None,
    sources: Iterable[str] = (),
) -> Validity:
    """Return what was said, or raise InvalidTime or InvalidArgument."""
    given = {"since": since, "until": until, "review_by": review_by}
    for name, when in given.items():
        if when is not None and _moment(when, now=0, zone="UTC") is None:
            raise InvalidTime(
                f"{when!r} is neither a date nor a time.",
                hint="Use 2026-05-03, or 2026-05-03T18:00:00Z.",
                parameter=name,
            )
    named = tuple(check_text(one, name="sources") for one in check_many(sources, name="sources"))
    if not all(one.strip() for one in named):
        raise InvalidArgument("A source is empty.", parameter="sources")
    return Validity(since, until, review_by, named)


def read_tags(tags: Iterable[str]) -> Validity:
    """Return what tags say; a tag whose date cannot be read is one like any other."""
    told: dict[str, str] = {}
    sources: list[str] = []
    for tag in tags:
        name, colon, rest = tag.partition(":")
        if colon and name == SOURCE and rest:
            sources.append(rest)
        elif colon and name in TIMES and _moment(rest, now=0, zone="UTC") is not None:
            told.setdefault(name, rest)
    return Validity(*(told.get(name) for name in TIMES), sources=tuple(sources))


def read_members(members: Mapping[str, object]) -> Validity:
    """Return what the members of a decision say."""
    times = (members.get(name) for name in TIMES)
    sources = members.get("sources")
    named = cast("Sequence[object]", sources) if isinstance(sources, (list, tuple)) else ()
    return Validity(
        *(when if isinstance(when, str) else None for when in times),
        sources=tuple(str(one) for one in named),
    )


def has_expired(found: Validity, *, now: int, zone: str | None) -> bool:
    """Tell whether something no longer holds. A day ends with its last moment."""
    end = None if found.until is None else _moment(found.until, now=now, zone=zone)
    return end is not None and end < now


def caveat_of(found: Validity, *, now: int, zone: str | None) -> str:
    """Say that something has expired, does not hold yet, or should have been looked at again."""
    if has_expired(found, now=now, zone=zone):
        return f"expired {found.until}"
    begin = None if found.since is None else _begin(found.since, now=now, zone=zone)
    if begin is not None and begin > now:
        return f"holds from {found.since}"
    due = None if found.review_by is None else _moment(found.review_by, now=now, zone=zone)
    return f"review was due {found.review_by}" if due is not None and due < now else ""


def _begin(when: str, *, now: int, zone: str | None) -> int | None:
    """Return the first moment of a day, or a time."""
    is_day = _DATE.fullmatch(when.strip()) is not None
    return _moment(f"{when.strip()} 00:00" if is_day else when, now=now, zone=zone)


def _moment(when: object, *, now: int, zone: str | None) -> int | None:
    if not isinstance(when, str) or not _DATE.match(when):
        return None
    with suppress(InvalidTime):
        return clock.parse_time(when, now=now, timezone=zone, clamp=False).timestamp
    return None
