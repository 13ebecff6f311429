"""What happened, as a page shows it: the log backwards, and how much there was each day."""

from typing import TYPE_CHECKING, Annotated

from msgspec import Meta

from strata.base.errors import NotFound
from strata.base.values import Json
from strata.tools.budget import as_text
from strata.tools.page.group import Limit, PageAnswer, Who, iso, page, writers
from strata.tools.page.memory import NamespaceLine, namespaces_of
from strata.tools.session import Call

if TYPE_CHECKING:
    from strata.memory import Event
    from strata.workspace import Workspace

# What a line shows of a payload.
_SHORT_CHARACTERS = 300
Namespace = Annotated[str | None, "Group of names; default: current"]


class EventLine(PageAnswer, frozen=True):
    """An event as a line: `value` is the beginning of its text."""

    sequence: int
    type: str
    value: str
    is_whole: bool
    when: str | None
    # When it came into the log: later for what was merged, imported or told afterwards.
    recorded: str | None
    # live, or erased by a purge
    state: str
    who: Who


class EventsPage(PageAnswer, frozen=True):
    """Events, those recorded last first."""

    namespace: str
    events: list[EventLine]
    next: str | None


@page.reads(needs="memory", example={"type": "deploy"})
def events(
    call: Call,
    *,
    namespace: Namespace = None,
    type: Annotated[str | None, "Only events of this type"] = None,
    until: Annotated[str | None, "Only what was recorded by this time"] = None,
    cursor: Annotated[str | None, "Go on here: `next` of the answer before"] = None,
    limit: Limit = 100,
) -> EventsPage:
    """Show events, those recorded last first, all or of one type, from now or a time backwards."""
    here = _within(call, namespace)
    before = int(cursor) if cursor and cursor.isdecimal() else None
    found = here.events.newest(type, before=before, until=until, limit=limit)
    authors = writers(here, (event.version for event in found))
    return EventsPage(
        namespace=here.space_name,
        events=[_line(event, authors[event.version]) for event in found],
        next=None if found.next is None else str(found.next),
    )


def _within(call: Call, namespace: str | None) -> "Workspace":
    return call.db if namespace is None else call.db.space(namespace)


def _line(event: "Event", by: Who) -> EventLine:
    text = "" if event.payload is None else as_text(event.payload)
    return EventLine(
        sequence=event.sequence,
        type=event.type,
        value=text[:_SHORT_CHARACTERS],
        is_whole=len(text) <= _SHORT_CHARACTERS,
        when=iso(event.timestamp),
        recorded=iso(event.recorded_at),
        state=event.state,
        who=by,
    )


class EventWhole(EventLine, frozen=True):
    """An event with all of its payload."""

    namespace: str
    payload: Json
    version: int
    hash: str


@page.reads(needs="memory", example={"sequence": 1})
def event(
    call: Call,
    *,
    sequence: Annotated[int, Meta(description="Number of the event", ge=1)],
    namespace: Namespace = None,
) -> EventWhole:
    """Show one event whole."""
    here = _within(call, namespace)
    found = here.events.get(sequence)
    if found is None:
        raise NotFound(f"There is no event {sequence} in the namespace {here.space_name!r}.")
    line = _line(found, writers(here, [found.version])[found.version])
    return EventWhole(
        sequence=line.sequence,
        type=line.type,
        value=line.value,
        is_whole=line.is_whole,
        when=line.when,
        recorded=line.recorded,
        state=line.state,
        who=line.who,
        namespace=here.space_name,
        payload=found.payload,
        version=found.version,
        hash=found.hash,
    )


class EventTypeLine(PageAnswer, frozen=True):
    """A type of event: how many there are, and how many were recorded on each day, today last."""

    type: str
    count: int
    # Older ones were not counted.
    is_more: bool
    changed: str
    days: list[int]


class EventTypesPage(PageAnswer, frozen=True):
    """The types of events, the one of the newest event first."""

    namespace: str
    namespaces: list[NamespaceLine]
    types: list[EventTypeLine]
    total: int


@page.reads(needs="memory", example={"days": 30})
def event_types(
    call: Call,
    *,
    namespace: Namespace = None,
    days: Annotated[int, Meta(description="How many days to count", ge=1, le=366)] = 30,
    utc_offset_min: Annotated[
        int,
        Meta(description="Minutes by which days begin before those of UTC", ge=-1440, le=1440),
    ] = 0,
) -> EventTypesPage:
    """List the types of events with how many were recorded each day."""
    here = _within(call, namespace)
    found = here.events.types(days=days, utc_offset_min=utc_offset_min)
    return EventTypesPage(
        namespace=here.space_name,
        namespaces=namespaces_of(call.db),
        types=[
            EventTypeLine(
                type=one.type,
                count=one.count,
                is_more=one.more,
                changed=iso(one.newest),
                days=list(one.days),
            )
            for one in found
        ],
        total=here.events.count(),
    )
