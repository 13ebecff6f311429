"""Search: by topic, by what it is about, by time."""

from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from msgspec import UNSET, Meta, UnsetType

from strata.tools.decisions.results import ShownMemory, brief, listed, share, shown_all
from strata.tools.decisions.surface import AsOf, Limit, Topic, Types, decisions, moment, named, seen
from strata.tools.declare import HIDDEN
from strata.tools.session import Call

if TYPE_CHECKING:
    from strata.decisions import Decisions, Ranked, TopicHistory
    from strata.workspace import Workspace

_CONFLICT = "Two decisions are current. save_decision on the topic replaces them all."

Offset = Annotated[int, "Results to skip", HIDDEN]


class Chain(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A topic's decisions, oldest first; `current` has the ids of those that hold."""

    topic: str
    chain: tuple[ShownMemory, ...]
    current: tuple[str, ...]
    conflict: Annotated[bool, HIDDEN] = False
    related: Annotated[tuple[ShownMemory, ...], HIDDEN] = ()
    near_topics: tuple[str, ...] = ()
    hint: Annotated[str | UnsetType, HIDDEN] = UNSET
    branch: Annotated[str, HIDDEN]
    as_of: Annotated[str | UnsetType, HIDDEN] = UNSET


@decisions.reads(**named("search", "by_topic"), example={"topic": "auth"})
def by_topic(call: Call, *, topic: Topic, as_of: AsOf = None) -> Chain:
    """See how the decisions on an exact topic evolved, oldest first, with outcomes.

    Also tells which one is current. Topic unknown: search_by_context.
    """
    here = seen(call, as_of)
    room = here.decisions
    found = room.on_topic(topic)
    return Chain(
        topic=found.topic, chain=tuple(_chain(room, found)), current=found.heads,
        conflict=found.has_conflict, near_topics=found.near_topics, hint=_hint(found),
        related=tuple(_related(room, one) for one in found.related),
        branch=call.branch, as_of=moment(here),
    )  # fmt: skip


def _chain(room: "Decisions", found: "TopicHistory") -> list[ShownMemory]:
    return shown_all(room, found.chain)


def _hint(found: "TopicHistory") -> str | UnsetType:
    if found.has_conflict:
        return _CONFLICT
    if found.chain:
        return UNSET
    near = "near_topics" if found.near_topics else "search_recent for topics of late"
    return f"Nothing on this topic: try search_by_context, or {near}."


class Matches(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Memories, best or newest first; one with superseded_by no longer holds."""

    results: list[ShownMemory]
    branch: Annotated[str, HIDDEN]
    as_of: Annotated[str | UnsetType, HIDDEN] = UNSET


def _go_on(arguments: dict[str, Any], kept: list[Any]) -> dict[str, Any]:
    return arguments | {"offset": int(arguments.get("offset") or 0) + len(kept)}


@decisions.reads(**named("search", "by_context"), example={"query": "how do users log in?"})
def by_context(
    call: Call,
    *,
    query: Annotated[str, "A question or keywords, any language"],
    limit: Limit = 5,
    types: Types = None,
    min_confidence: Annotated[float, Meta(description="Of decisions", ge=0, le=1)] = 0.0,
    as_of: AsOf = None,
) -> Matches:
    """Find decisions, insights and checkpoints by what they are about.

    Use it before deciding, and when asked why something is so. Replaced decisions come too, marked
    superseded_by. Known id: load_context. Facts and events: strata_search.
    """
    here = seen(call, as_of)
    room = here.decisions
    found = room.search(query, limit=limit, types=types or (), min_confidence=min_confidence)
    most = share(len(found))
    results = [_found(room, one, most) for one in found]
    return Matches(results=results, branch=call.branch, as_of=moment(here))


@decisions.reads(**named("search", "recent"), resume=_go_on, example={"limit": 5})
def recent(
    call: Call,
    *,
    limit: Limit = 5,
    types: Types = None,
    since: Annotated[str | None, "Not older than this time"] = None,
    as_of: AsOf = None,
    offset: Offset = 0,
) -> Matches:
    """List what was saved last, newest first.

    For "what did we decide this week?". To resume work use load_checkpoint.
    """
    here = seen(call, as_of)
    room = here.decisions
    since_ms = 0 if since is None else _first_ms(here, since)
    found = room.recent(limit=offset + limit + 1, types=types or (), since_ms=since_ms)[offset:]
    return Matches(results=shown_all(room, found), branch=call.branch, as_of=moment(here))


def _first_ms(here: "Workspace", since: str) -> int:
    from strata.workspace import first_moment  # noqa: PLC0415  (not before the first reply)

    return here.time_of(first_moment(since)) // 1000


def _found(room: "Decisions", one: "Ranked", most: int) -> ShownMemory:
    """Return a memory with how well it fits, and the one that led to it."""
    return msgspec.structs.replace(
        listed(room, one.memory, most), score=round(one.score, 3), via=one.via or UNSET
    )


def _related(room: "Decisions", one: "Ranked") -> ShownMemory:
    """Return a memory in a few words, with the word of the link that led to it."""
    return msgspec.structs.replace(brief(room, one.memory), relationship=one.via or UNSET)
