"""Events: what happened, appended for good, numbered and chained by hash."""

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial
from itertools import pairwise
from typing import Any, Literal

import msgspec

from strata.base import clock, limits
from strata.base.checks import check_many, check_number, is_text
from strata.base.errors import InvalidArgument, InvalidTime
from strata.base.page import ResultPage, cut_page
from strata.base.results import Result, TimedResult
from strata.base.values import Json, decode
from strata.memory.keyed import check_count, check_page
from strata.store import (
    DELETED,
    ERASED,
    EVENT,
    TRIMMED,
    EventOrigin,
    Record,
    View,
    count_events,
    event_change,
    event_key,
    event_notes,
    event_time,
    last_event,
    plain,
    read_json,
    state_of,
)


class Event(TimedResult, frozen=True, gc=False):
    """Something that happened.

    `timestamp` is when it happened, `recorded_at` when it came into this log: later for an event
    that a merge or an import brought, or that was appended with a time of its own. `origin` tells
    where a merged event was first written.
    """

    sequence: int
    type: str
    payload: Any
    version: int
    timestamp: int
    hash: str
    origin: EventOrigin | None = None
    state: str = "live"
    recorded_at: int = 0


class EventType(Result, frozen=True):
    """A type of event: how many a log has, when the newest was recorded, and how many each day.

    With `more`, it has older ones that were not counted.
    """

    type: str
    count: int
    newest: int
    days: tuple[int, ...]
    more: bool = False


class Events:
    """An append-only log in each space. Reached as `db.events`."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._space = view.space

    def append(self, type: str, payload: Json, *, time: clock.When | None = None) -> Event:
        """Append an event; it can never be changed or taken out of its place.

        `time` is when it happened, if not now, in any form that `db.at` reads; the future is now.

        >>> db.events.append("deploy", {"환경": "운영"}).sequence
        1
        >>> db.events.append("incident", {}, time="2026-01-02T09:00:00Z").time.isoformat()
        '2026-01-02T09:00:00+00:00'
        """
        return self.append_many([(type, payload, time)])[0]

    def append_many(
        self, events: "Iterable[tuple[str, Json] | tuple[str, Json, clock.When | None]]"
    ) -> "list[Event]":
        """Append several events in one commit, each with its type, payload and perhaps its time.

        >>> [e.sequence for e in db.events.append_many([("a", {"n": 1}), ("b", {"n": 2})])]
        [1, 2]
        """
        wanted = [
            (check_type(type_), *self._view.encoded(payload), self._time(*time))
            for type_, payload, *time in check_many(events, name="events")
        ]
        check_count(len(wanted))
        with self._view.writing("append") as transaction:
            sequence, previous = last_event(transaction, self._space)
            appended: list[Event] = []
            for type_, payload, data, time in wanted:
                sequence += 1
                change = event_change(
                    self._space, data, type_=type_, sequence=sequence, previous=previous, time=time
                )
                previous = decode(change.meta or b"")["hash"]
                number, written = transaction.stage(change)
                happened = written if time is None else time
                event = Event(sequence, type_, payload, number, happened, previous)
                appended.append(msgspec.structs.replace(event, recorded_at=written))
        return appended

    def _time(self, when: clock.When | None = None) -> int | None:
        """Return when an event happened, in microseconds; None for now."""
        if when is None:
            return None
        store = self._view.store
        moment = clock.parse_time(when, now=store.clock(), timezone=store.zone(), parameter="time")
        if moment.timestamp is None:
            raise InvalidTime(
                f"{when!r} is not the time of an event.",
                hint='Use ISO 8601, a date, "2h ago" or POSIX seconds.',
                parameter="time",
            )
        return moment.timestamp

    def get(self, sequence: int) -> Event | None:
        """Return the event of that number, or None.

        >>> _ = db.events.append("note", {"text": "first"})
        >>> db.events.get(1).payload
        {'text': 'first'}
        """
        check_number(sequence, name="sequence")
        record = self._view.snapshot.get(self._space, EVENT, event_key(sequence))
        if record is None or record[2] & DELETED:
            return None
        return as_event(record, sequence)

    def list(
        self,
        type: str | None = None,
        *,
        after: int = 0,
        limit: int = 100,
        order: Literal["sequence", "time"] = "sequence",
        since: clock.When | None = None,
        until: clock.When | None = None,
    ) -> "ResultPage[Event, int]":
        """Return events behind number `after`, of one type or all, at most `limit`.

        With `since` and `until`, those that happened in that time, whenever they were recorded.

        `more` of the result tells whether there are others, `next` is what to pass as `after` to
        get them, and `all()` yields them.

        Merged events are where they were appended; `order="time"` sorts the page by when
        they happened.

        >>> _ = db.events.append_many([("a", {}), ("b", {}), ("a", {})])
        >>> [event.sequence for event in db.events.list("a")]
        [1, 3]
        """
        check_page(limit)
        check_number(after, name="after", least=0)
        if order not in ("sequence", "time"):
            raise InvalidArgument(
                f"{order!r} is no order of events.",
                hint="Use sequence or time.",
                parameter="order",
            )
        read = self._all if type is None else partial(self._of_type, type)
        found = (
            read(after, limit + 1)
            if since is None and until is None
            else self._happened(read, after, limit + 1, between=(since, until))
        )
        page = cut_page(
            found,
            limit,
            lambda event: event.sequence,
            onward=lambda after: self.list(
                type, after=after, limit=limit, order=order, since=since, until=until
            ),
        )
        if order == "time":
            page.sort(key=lambda event: event.timestamp)
        return page

    def _happened(
        self,
        read: "Callable[[int, int], list[Event]]",
        after: int,
        limit: int,
        *,
        between: "tuple[clock.When | None, clock.When | None]",
    ) -> "list[Event]":
        """Return events of a time; the clock of those that appended them may have gone back."""
        first, last = (self._time(when) for when in between)
        first = 0 if first is None else first
        # What was recorded before a time has happened before it.
        upto, _hash = last_event(self._view.snapshot, self._space)
        after = max(after, *self._recorded_before([first], upto))
        found: list[Event] = []
        while len(found) < limit and (part := read(after, limits.PAGE_ITEMS_MAX)):
            found += [
                event
                for event in part
                if event.timestamp >= first and (last is None or event.timestamp <= last)
            ]
            after = part[-1].sequence
        return found[:limit]

    def _all(self, after: int, limit: int) -> "list[Event]":
        # An erased event keeps its place in the log.
        items = self._view.snapshot.items(
            self._space,
            EVENT,
            after=event_key(after) if after else None,
            limit=limit,
            hidden=DELETED,
        )
        return [as_event(record, int(key)) for key, record in items]

    def _of_type(self, type_: str, after: int, limit: int) -> "list[Event]":
        low = event_key(after) if after else ""
        place, attribute = (self._space, EVENT), ("type", check_type(type_))
        return self._read(
            self._view.snapshot.oldest_with(place, attribute, after=low, limit=limit)
            if after <= last_event(self._view.snapshot, self._space)[0]
            else []
        )

    def _read(self, keys: Iterable[str]) -> "list[Event]":
        wanted, snapshot = list(keys), self._view.snapshot
        with snapshot.ahead((self._space, EVENT, key) for key in wanted):
            records = [(key, snapshot.get(self._space, EVENT, key)) for key in wanted]
        return [as_event(record, int(key)) for key, record in records if record is not None]

    def newest(
        self,
        type: str | None = None,
        *,
        before: int | None = None,
        until: clock.When | None = None,
        limit: int = 100,
    ) -> "ResultPage[Event, int]":
        """Return events, those recorded last first, of one type or all, at most `limit`.

        With `before`, those with lower numbers; with `until`, those recorded by that time. `more`
        of the result tells whether there are others, `next` is what to pass as `before` to get
        them, and `all()` yields them.

        >>> _ = db.events.append_many([("a", {}), ("b", {}), ("a", {})])
        >>> [event.sequence for event in db.events.newest("a")]
        [3, 1]
        """
        check_page(limit)
        upto, _hash = last_event(self._view.snapshot, self._space)
        if before is not None:
            check_number(before, name="before")
            upto = min(upto, before - 1)
        moment = self._time(until)
        if moment is not None:
            upto = min(upto, *self._recorded_before([moment + 1], upto))
        read = self._down if type is None else partial(self._down_of_type, type)
        return cut_page(
            read(upto, limit + 1),
            limit,
            lambda event: event.sequence,
            onward=lambda before: self.newest(type, before=before, limit=limit),
        )

    def _recorded_before(self, moments: "Sequence[int]", upto: int) -> "list[int]":
        """Return how many of the first `upto` events were recorded before each of some moments.

        Numbers and times of recording grow together, so each step halves what is left for all.
        """
        found = [0] * len(moments)
        spans = [(at, 0, upto) for at in range(len(moments) if upto else 0)]
        while spans:
            times = self._recorded({(low + high) // 2 + 1 for _at, low, high in spans})
            left: list[tuple[int, int, int]] = []
            for at, low, high in spans:
                middle = (low + high) // 2
                is_before = times[middle + 1] < moments[at]
                first, last = (middle + 1, high) if is_before else (low, middle)
                if first < last:
                    left.append((at, first, last))
                else:
                    found[at] = first
            spans = left
        return found

    def _recorded(self, sequences: "Collection[int]") -> "dict[int, int]":
        """Return when events were recorded, by their numbers."""
        snapshot, times = self._view.snapshot, dict[int, int]()
        with snapshot.ahead((self._space, EVENT, event_key(one)) for one in sequences):
            for sequence in sequences:
                record = snapshot.get(self._space, EVENT, event_key(sequence))
                assert record is not None, "numbers have no gap"
                times[sequence] = record[1]
        return times

    def _down(self, upto: int, limit: int) -> "list[Event]":
        found: list[Event] = []
        while upto and len(found) < limit:
            after = max(upto - limit, 0)
            part = (event for event in self._all(after, limit) if event.sequence <= upto)
            found += reversed(list(part))
            upto = after
        return found[:limit]

    def _down_of_type(self, type_: str, upto: int, limit: int) -> "list[Event]":
        attribute = ("type", check_type(type_))
        if upto == 0:
            return []
        return self._read(
            self._view.snapshot.newest_with(
                (self._space, EVENT), attribute, upto=event_key(upto), limit=limit
            )
        )

    def types(self, *, days: int = 30, utc_offset_min: int = 0) -> "list[EventType]":
        """Return the types of events, that of the newest event first, with counts of each day.

        `days` are the last ones, today included and last; an event counts on the day on which it
        was recorded. `utc_offset_min` tells by how many minutes days begin before those of UTC.
        The newest 10,000 events of the log are counted; `more` tells that a type has older ones.

        >>> _ = db.events.append_many([("a", {}), ("배포", {}), ("a", {})])
        >>> [(one.type, one.count, one.days) for one in db.events.types(days=2)]
        [('a', 2, (0, 2)), ('배포', 1, (0, 1))]
        """
        check_number(days, name="days", most=limits.PAGE_ITEMS_MAX)
        snapshot, space = self._view.snapshot, self._space
        upto, _hash = last_event(snapshot, space)
        starts = self._midnights(days, utc_offset_min)
        edges = [event_key(before + 1) for before in self._recorded_before(starts, upto)]
        uncounted = max(upto - limits.EVENTS_COUNTED, 0)
        oldest = event_key(uncounted) if uncounted else ""
        found: list[tuple[str, EventType]] = []
        names = snapshot.attribute_values(space, EVENT, "type", limit=limits.EVENT_TYPES_MAX)
        for type_ in names:
            place, attribute = (space, EVENT), ("type", type_)
            older = snapshot.newest_with(place, attribute, upto=oldest, limit=1) if oldest else []
            keys = snapshot.newest_with(place, attribute, after=oldest)[::-1]
            if keys or older:
                places = [*(bisect_left(keys, edge) for edge in edges), len(keys)]
                counts = tuple(end - start for start, end in pairwise(places))
                last = keys[-1] if keys else older[0]
                newest = self._recorded([int(last)])[int(last)]
                found.append((last, EventType(type_, len(keys), newest, counts, bool(older))))
        return [one for _key, one in sorted(found, reverse=True)]

    def _midnights(self, days: int, utc_offset_min: int) -> "list[int]":
        """Return when the last days began, today included and last."""
        day, offset = limits.DAY_MS * 1000, utc_offset_min * 60_000_000
        instant = self._view.instant
        now = self._view.store.clock() if instant is None else instant.timestamp
        today = (now + offset) // day * day - offset
        return [today - ago * day for ago in reversed(range(days))]

    def count(self) -> int:
        """Return how many events there are; also `len(db.events)`.

        >>> _ = db.events.append("a", {})
        >>> db.events.count(), len(db.events)
        (1, 1)
        """
        return count_events(self._view.snapshot, self._space)

    def __len__(self) -> int:
        return self.count()

    def __bool__(self) -> bool:
        return True  # an empty log is still a log


def as_event(record: Record, sequence: int) -> Event:
    """Return the public form of an event."""
    number, written, flags, _data, _meta = record
    notes = event_notes(record)
    gone = flags & (ERASED | TRIMMED)
    payload = None if gone else read_json(plain(record), number)
    return Event(
        sequence,
        notes.type,
        payload,
        number,
        event_time(record),
        notes.hash,
        notes.origin,
        state_of(flags),
        written,
    )


def check_type(type_: object) -> str:
    """Return an event's type or raise InvalidArgument."""
    name = str(type_)
    if is_text(type_) and 0 < len(name) <= limits.NAME_CHARACTERS_MAX and "\0" not in name:
        return name
    raise InvalidArgument(
        f"{type_!r} cannot be the type of an event.",
        hint=f"Use text of 1 to {limits.NAME_CHARACTERS_MAX} characters.",
        parameter="type",
    )
