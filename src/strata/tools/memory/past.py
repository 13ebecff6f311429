"""strata_log and strata_history: what happened, and what was there before."""

from typing import TYPE_CHECKING, Annotated, Any, cast

import msgspec
from msgspec import UNSET, UnsetType

from strata.base import clock
from strata.base.errors import InvalidArgument
from strata.base.values import Json
from strata.tools.declare import HIDDEN, AllowSecrets, When
from strata.tools.memory.group import (
    AsOf,
    Key,
    Limit,
    Namespace,
    memory,
    moment,
    refuse_beside,
)
from strata.tools.session import Call

if TYPE_CHECKING:
    from strata.memory import Event, Version
    from strata.store import Commit
    from strata.workspace import CitedSource, Workspace, WorkspaceTransaction

MEMORY, LINK = "memory", "link"
# What is kept of each memory for the store's own use.
_INTERNAL = frozenset({"schema_version", "outcome_at", "v1", "alias"})


def readable(kind: str, value: Json) -> Json:
    """Return a value as a reader wants it: a memory without what only the store needs."""
    if kind != MEMORY or not isinstance(value, dict):
        return value
    metadata: dict[str, Any] = value.get("metadata") or {}
    told = {name: item for name, item in metadata.items() if name not in _INTERNAL and item}
    topic = {"topic": value["topic"]} if value.get("topic") else {}
    head = {"type": value.get("type"), **topic, "content": value.get("content")}
    made = value.get("created_at")
    return head | told | ({"timestamp": clock.iso(made * 1000)} if isinstance(made, int) else {})


def differing(kind: str, sides: dict[str, Json]) -> dict[str, Json]:
    """Return the sides of a conflict: of a memory only what differs, and what it is about."""
    values = list(sides.values())
    if kind != MEMORY or not all(isinstance(value, dict) for value in values):
        return sides
    records = {name: cast("dict[str, Json]", value) for name, value in sides.items()}
    names = {name for record in records.values() for name in record}
    same = {
        name for name in names if len({repr(record.get(name)) for record in records.values()}) == 1
    }
    return {
        side: {name: item for name, item in record.items() if name not in same}
        for side, record in records.items()
    }


# Means events of every type.
EVERY = "*"


class LogAnswer(msgspec.Struct, frozen=True, omit_defaults=True):
    """An event's place in the log; `recorded` is when it was written, if that is later."""

    event: str
    sequence: int
    timestamp: str
    version: int
    branch: str
    recorded: Annotated[str | UnsetType, HIDDEN] = UNSET


@memory.writes(example={"event": "deploy", "data": {"build": 8841, "to": "production"}})
def log(
    call: Call,
    *,
    event: Annotated[str, 'Type of event, e.g. "deploy", "observation"'],
    data: Annotated[Json, "Text or object"],
    time: Annotated[When | None, "When it happened; default now", HIDDEN] = None,
    allow_secrets: AllowSecrets = False,
) -> LogAnswer:
    """Record that something happened, append-only.

    For actions, observations, results. For a fact that may change use strata_store.
    """
    here = call.target.allowing_secrets() if allow_secrets else call.target
    made = here.events.append(event, data, time=time)
    return LogAnswer(
        made.type, made.sequence, made.iso_time, made.version, call.branch, _recorded(made)
    )


def _recorded(event: "Event") -> str | UnsetType:
    """Return when an event was written, where it happened before."""
    return UNSET if event.recorded_at == event.timestamp else clock.iso(event.recorded_at)


class History(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Old values of a key, events, changes, or the time that is covered."""

    key: str | UnsetType = UNSET
    versions: list[Any] | UnsetType = UNSET
    events: list[Any] | UnsetType = UNSET
    changes: list[Any] | UnsetType = UNSET
    oldest: str | None | UnsetType = UNSET
    latest: str | None | UnsetType = UNSET
    origin: Annotated[dict[str, Any] | UnsetType, HIDDEN] = UNSET
    branch: str
    as_of: Annotated[str | UnsetType, HIDDEN] = UNSET


def _older(arguments: dict[str, Any], kept: list[Any]) -> dict[str, Any]:
    """Return the arguments that go on where the list was cut."""
    if arguments.get("event") is not None:
        return arguments | {"after": kept[-1]["sequence"]}
    if arguments.get("key") is not None:
        return arguments | {"as_of": kept[-1]["version"] - 1}
    return arguments | {"after": kept[-1]["version"]}


@memory.reads(example={"key": "deploy/target"}, resume=_older)
def history(
    call: Call,
    *,
    key: Key = None,
    namespace: Namespace = None,
    event: Annotated[str | None, 'Read events of this type; "*": all'] = None,
    after: Annotated[int | None, "After this version; of events: sequence"] = None,
    as_of: AsOf = None,
    limit: Limit = 100,
    # Not listed, since the list is at its limit; the description names it.
    why: Annotated[bool, "Who wrote key, from which sources", HIDDEN] = False,
) -> History:
    """See how a key changed, read events, or list changes.

    key: old values, newest first; why: origin. event: events, oldest first. after alone: all
    changes. Nothing: the time range of as_of.
    """
    if key is not None and event is not None:
        raise InvalidArgument("Give key or event, not both.", parameter="event")
    if why:
        return _origin(call, key, namespace=namespace, as_of=as_of, after=after)
    here = call.within(namespace, as_of)
    if key is not None:
        held = _of_key(here, key, after=after, limit=limit)
        return History(key=key, versions=held, branch=call.branch, as_of=moment(here))
    if event is not None:
        wanted = None if event == EVERY else event
        events = [
            _event(one) for one in here.events.list(wanted, after=after or 0, limit=limit + 1)
        ]
        return History(events=events, branch=call.branch, as_of=moment(here))
    if after is None:
        hint = "Alone the tool tells the time range of the branch: add key, event or after."
        refuse_beside("no other parameter", hint=hint, namespace=namespace, as_of=as_of)
        covered = call.db.time_range()
        oldest, latest = _time(covered.oldest), _time(covered.latest)
        return History(oldest=oldest, latest=latest, branch=call.branch)
    db = call.db if as_of is None else call.db.at(as_of)
    return _changes(db, after, limit=limit, namespace=namespace)


def _origin(
    call: Call,
    key: str | None,
    *,
    namespace: str | None,
    as_of: str | float | None,
    after: int | None,
) -> History:
    """Return where a fact or a decision comes from: of a decision, key is its id or its topic."""
    if key is None:
        raise InvalidArgument(
            "why needs a key.", hint="Give the fact, or a decision's id or topic.", parameter="key"
        )
    refuse_beside("why", after=after)
    here = call.db if as_of is None else call.db.at(as_of)
    found = (here if namespace is None else here.space(namespace)).why(key)
    told: dict[str, Any] = {
        "value": found.value,
        **_written(found.commit),
        "sources": [_source(one) for one in found.sources],
        "replaces": list(found.replaces),
        "replaced_by": list(found.replaced_by),
        "earlier": [{"value": one.value, **_written(one.commit)} for one in found.earlier],
        **{name: getattr(found, name) for name in ("since", "until", "review_by", "caveat")},
    }
    origin = {name: value for name, value in told.items() if value or name == "value"}
    return History(key=found.key, origin=origin, branch=call.branch, as_of=moment(here))


def _written(commit: "Commit") -> dict[str, Any]:
    """Return who made a commit, when and where."""
    told = {
        "version": commit.version,
        "timestamp": commit.iso_time,
        "actor": commit.actor,
        "user": commit.person_name,
        "task": commit.task,
        "message": commit.message,
        "branch": commit.branch,
    }
    return {name: value for name, value in told.items() if value is not None}


def _source(source: "CitedSource") -> dict[str, Any]:
    turns = [
        {
            "source": turn.citation,
            "speaker": turn.speaker,
            "timestamp": turn.iso_time,
            "text": turn.text,
        }
        for turn in source.turns
    ]
    told = {"source": source.source, "kind": source.kind, "title": source.title, "turns": turns}
    return {name: value for name, value in told.items() if value}


def _of_key(
    here: "Workspace | WorkspaceTransaction", key: str, *, after: int | None, limit: int
) -> list[Json]:
    """Return what a key held, newest first; with `after`, only what was written later."""
    found = here.facts.history(key, limit=limit + 1)
    return [_version(held) for held in found if after is None or held.version > after]


def _version(held: "Version") -> Json:
    found: dict[str, Json] = {
        "value": held.value,
        "version": held.version,
        "timestamp": held.iso_time,
    }
    if held.tags:
        found["tags"] = list(held.tags)
    return found if held.state == "live" else found | {"state": held.state}


def _event(event: "Event") -> Json:
    found: dict[str, Json] = {
        "sequence": event.sequence,
        "event": event.type,
        "data": event.payload,
        "timestamp": event.iso_time,
        "version": event.version,
    }
    recorded = _recorded(event)
    return found if isinstance(recorded, UnsetType) else found | {"recorded": recorded}


def _changes(db: "Workspace", after: int, *, limit: int, namespace: str | None) -> History:
    """Return what was written after a version, perhaps in one namespace only."""
    found: list[Json] = []
    while len(found) <= limit:
        page = db.changes(after, limit=limit + 1)
        found += [
            {
                "version": change.version,
                "key": change.key,
                "namespace": change.space,
                "kind": change.kind,
                "action": change.action,
                "value": readable(change.kind, change.after),
                **({"event": change.event_type} if change.event_type is not None else {}),
            }
            for change in page
            if namespace in (None, change.space) and change.kind != LINK
        ]
        if len(page) <= limit:
            break
        after = page[-1].version
    return History(changes=found[: limit + 1], branch=db.branch, as_of=moment(db))


def _time(us: int | None) -> str | None:
    return None if us is None else clock.iso(us)
