"""Category event: what happened, appended for good."""

from typing import TYPE_CHECKING, Annotated, Any

from msgspec import Meta, Struct

from strata.base import limits
from strata.base.errors import InvalidArgument
from strata.base.values import Json
from strata.tools.declare import HIDDEN, ToolGroup, When
from strata.tools.developer.shapes import AsOf
from strata.tools.session import Call

if TYPE_CHECKING:
    from strata.memory import Event

event = ToolGroup("developer", pattern="strata_event_{}", shared=("branch", "space"))


class AppendAnswer(Struct, frozen=True):
    """The number of an event in its log, and the store-wide number of the write."""

    version: int
    store_version: int


class EventAnswer(Struct, frozen=True, omit_defaults=True):
    """An event: its payload, its number in the log, when it happened, its type.

    `store_version` is the store-wide number that `as_of` takes. `recorded_at` is when it came into
    this log, where that was later.
    """

    value: Json
    version: int
    timestamp: int
    event_type: str
    store_version: int
    recorded_at: int | None = None


@event.writes(example={"event_type": "deploy", "payload": {"to": "blue"}})
def append(
    call: Call,
    *,
    event_type: Annotated[str, "What kind of thing happened"],
    payload: Annotated[Json, "Details; must be an object"],
    time: Annotated[When | None, "When it happened, if not now", HIDDEN] = None,
) -> AppendAnswer:
    """Append an event to the log.

    Answers {version}, which for events is the sequence number in the log of the space;
    `store_version` is the store-wide number that `as_of` takes. Events are never changed: for
    something that changes use strata_kv_put.
    """
    if not isinstance(payload, dict):
        raise InvalidArgument(
            "The payload must be an object.",
            hint='Put it into one, such as {"text": …}.',
            parameter="payload",
        )
    found = call.target.events.append(event_type, payload, time=time)
    return AppendAnswer(found.sequence, found.version)


@event.reads(example={"sequence": 1})
def get(
    call: Call,
    *,
    sequence: Annotated[int, Meta(description="Number of the event in its log", ge=1)],
    as_of: AsOf = None,
) -> EventAnswer | None:
    """Read one event by its sequence number.

    Answers {value, version, timestamp} with the payload as value, or {result: null}.
    """
    found = call.at(as_of).events.get(sequence)
    return None if found is None else _event_answer(found)


def _later(arguments: dict[str, Any], shown: list[Any]) -> dict[str, Any]:
    return arguments | {"after_sequence": shown[-1]["version"]}


@event.reads(name="list", lists="events", resume=_later, example={"event_type": "deploy"})
def list_(
    call: Call,
    *,
    event_type: Annotated[str, "Only events of this type"],
    limit: Annotated[int, Meta(description="Events at most", ge=1, le=limits.PAGE_ITEMS_MAX)] = 100,
    after_sequence: Annotated[int, Meta(description="Only events behind this number", ge=0)] = 0,
    since: Annotated[When | None, "Happened at or after", HIDDEN] = None,
    until: Annotated[When | None, "Happened at or before", HIDDEN] = None,
    as_of: AsOf = None,
) -> list[EventAnswer]:
    """List the events of one type, oldest first.

    Answers {events}; for the next page pass the last `version` as after_sequence. To find events
    by what they say use strata_search.
    """
    found = call.at(as_of).events.list(
        event_type, after=after_sequence, limit=limit, since=since, until=until
    )
    return [_event_answer(one) for one in found]


@event.reads(name="len", example={})
def length(call: Call) -> int:
    """Count the events of the log.

    Answers {result} for the current space.
    """
    return call.target.events.count()


def _event_answer(found: "Event") -> EventAnswer:
    is_late = found.recorded_at != found.timestamp
    return EventAnswer(
        found.payload,
        found.sequence,
        found.timestamp,
        found.type,
        found.version,
        found.recorded_at if is_late else None,
    )
