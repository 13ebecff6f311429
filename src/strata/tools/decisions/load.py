"""load_* and search_*: where work stopped, what surrounds a memory, and finding memories."""

from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from msgspec import UNSET, Meta, UnsetType

from strata.base import limits
from strata.base.errors import InvalidArgument
from strata.tools.budget import as_text, cut, skip_listed, tokens
from strata.tools.decisions.group import (
    BRIEF_TOKENS,
    FILES_TOKENS,
    AsOf,
    Limit,
    MemoryAnswer,
    MemoryTie,
    MentionedMemory,
    OfTopic,
    Topic,
    Types,
    brief,
    decisions,
    files_that_fit,
    listed,
    memory_answer,
    memory_answers,
    named,
    share,
    texts_of,
    tie,
    workspace_at,
)
from strata.tools.declare import HIDDEN
from strata.tools.session import Call, moment

if TYPE_CHECKING:
    from strata.decisions import ChangedFact, Decisions, Memory, News, RankedMemory, TopicHistory
    from strata.workspace import Workspace

# How much of an answer a checkpoint's or a memory's own text may take.
_TEXT_TOKENS = 2_500
# How many decisions of a chain and how many neighbours are shown beside a memory.
_CHAIN_MAX, _NEIGHBOURS_MAX = 5, 10
# What is shown of a value that changed, and how many decisions without an outcome are named.
_VALUE_TOKENS, _PENDING_NAMED = 30, 5


class NamedDecision(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A decision in a few words; `caveat` says that it was replaced, or failed."""

    id: str
    topic: str
    decision: str
    caveat: str = ""


class WrittenKey(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A key that was written, its value now, or the beginning of a long one."""

    key: str
    namespace: str = "default"
    value: Any | UnsetType = UNSET
    deleted: bool = False
    version: int


class Since(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What happened on the branch after a checkpoint; `more`: the counts are too low."""

    decisions: int = 0
    superseded: int = 0
    judged: int = 0
    insights: int = 0
    facts: int = 0
    events: int = 0
    memories: tuple[NamedDecision, ...] = ()
    keys: tuple[WrittenKey, ...] = ()
    more: bool = False


class PendingDecisions(msgspec.Struct, frozen=True, kw_only=True):
    """Decisions without a recorded outcome; the newest are named."""

    decisions: int
    newest: tuple[MentionedMemory, ...]


class DisputedTopic(msgspec.Struct, frozen=True):
    """A topic with several current decisions."""

    topic: str
    ids: tuple[str, ...]


class CheckpointAnswer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Where work stopped, the news since, and what is open.

    `success` and `message` are for clients of MAMA 1.0: they come with the group `legacy` alone,
    and where there is no checkpoint.
    """

    found: bool
    id: str | UnsetType = UNSET
    summary: str | UnsetType = UNSET
    open_files: list[str] | UnsetType = UNSET
    next_steps: str | UnsetType = UNSET
    timestamp: str | UnsetType = UNSET
    since: dict[str, Any] | UnsetType = UNSET
    without_outcome: Annotated[PendingDecisions | UnsetType, HIDDEN] = UNSET
    conflicts: Annotated[tuple[DisputedTopic, ...], HIDDEN] = ()
    status: Annotated[str | UnsetType, HIDDEN] = UNSET
    version: Annotated[int | UnsetType, HIDDEN] = UNSET
    branch: Annotated[str, HIDDEN]
    as_of: Annotated[str | UnsetType, HIDDEN] = UNSET
    truncated: Annotated[bool, HIDDEN] = False
    next: Annotated[dict[str, Any] | UnsetType, HIDDEN] = UNSET
    success: Annotated[bool | UnsetType, HIDDEN] = UNSET
    message: Annotated[str | UnsetType, HIDDEN] = UNSET


@decisions.reads(**named("load", "checkpoint"))
def checkpoint(
    call: Call,
    *,
    id: Annotated[str | None, "Default: the newest active one"] = None,
    as_of: AsOf = None,
) -> CheckpointAnswer:
    """Resume work: the last checkpoint, its next steps, and what changed since.

    Use it when the user continues earlier work ("where were we?"). One decision: load_context.
    """
    here = workspace_at(call, as_of)
    decisions = here.decisions
    memory = decisions.last_checkpoint() if id is None else _required(decisions, id, "checkpoint")
    if memory is None:
        told = "There is no active checkpoint on this branch. search_recent shows what there is."
        return CheckpointAnswer(
            found=False, branch=call.branch, as_of=moment(here), success=True, message=told
        )
    return _resumed(call, here, memory)


def _resumed(call: Call, here: "Workspace", memory: "Memory") -> CheckpointAnswer:
    metadata, decisions = memory.metadata, here.decisions
    whole = (memory.content, str(metadata.get("next_steps") or ""))
    files: list[str] = metadata.get("open_files") or []
    summary, steps = (cut(text, _TEXT_TOKENS) for text in whole)
    shown_files = files_that_fit(files, FILES_TOKENS)
    is_cut = (summary, steps) != whole or shown_files != files
    is_active = metadata.get("status") in (None, "active")
    digest = decisions.digest(memory)
    assert digest is not None, "there is a checkpoint"
    pending = [
        MentionedMemory(one.id, one.topic or UNSET) for one in digest.pending[:_PENDING_NAMED]
    ]
    found = CheckpointAnswer(
        found=True,
        id=memory.id,
        summary=summary,
        open_files=shown_files,
        next_steps=steps,
        timestamp=memory.iso_time,
        since=msgspec.to_builtins(_since(decisions, digest.news)),
        without_outcome=(
            PendingDecisions(decisions=len(digest.pending), newest=tuple(pending))
            if pending
            else UNSET
        ),
        conflicts=tuple(DisputedTopic(*entry) for entry in digest.conflicts),
        status=UNSET if is_active else str(metadata["status"]),
        version=memory.version,
        branch=call.branch,
        as_of=moment(here),
        truncated=is_cut,
        next=_whole(memory, call, 0) if is_cut else UNSET,
    )
    if "legacy" not in call.session.exposure.groups:
        return found
    told = f"The checkpoint of {memory.iso_time}."
    return msgspec.structs.replace(found, success=True, message=told)


def _since(decisions: "Decisions", news: "News") -> Since:
    return Since(
        decisions=news.decisions,
        superseded=news.superseded,
        judged=news.judged,
        insights=news.insights,
        facts=news.facts,
        events=news.events,
        keys=tuple(_written(fact) for fact in news.changed),
        memories=tuple(_named(decisions, one) for one in news.memories),
        more=news.is_partial,
    )


def _named(decisions: "Decisions", memory: "Memory") -> NamedDecision:
    return NamedDecision(
        id=memory.id,
        topic=memory.topic or "",
        decision=cut(memory.content, BRIEF_TOKENS),
        caveat=cut(decisions.caveat(memory), BRIEF_TOKENS),
    )


def _written(fact: "ChangedFact") -> WrittenKey:
    if fact.is_deleted:
        return WrittenKey(key=fact.key, namespace=fact.space, deleted=True, version=fact.version)
    is_short = tokens(fact.value) <= _VALUE_TOKENS
    value = fact.value if is_short else cut(as_text(fact.value), _VALUE_TOKENS) + "…"
    return WrittenKey(key=fact.key, namespace=fact.space, value=value, version=fact.version)


def _whole(memory: "Memory", call: Call, offset: int) -> dict[str, Any]:
    """Return the call that reads a memory's texts from a character on."""
    arguments = {"id": memory.id, "branch": call.branch, "offset": offset}
    return {"tool": "load_context", "arguments": arguments}


class Neighbour(msgspec.Struct, frozen=True, kw_only=True):
    """A memory that links lead to, and the last link on the way."""

    memory: MemoryAnswer
    depth: int
    link: MemoryTie


class ContextAnswer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A memory, its chain oldest first, and what is linked to it, nearest first."""

    memory: MemoryAnswer
    chain: Annotated[tuple[MemoryAnswer, ...], HIDDEN] = ()
    related: Annotated[tuple[Neighbour, ...], HIDDEN] = ()
    more_related: Annotated[int, HIDDEN] = 0
    conflict: Annotated[tuple[str, ...], HIDDEN] = ()
    text: Annotated[str | UnsetType, HIDDEN] = UNSET
    branch: Annotated[str, HIDDEN]
    as_of: Annotated[str | UnsetType, HIDDEN] = UNSET
    truncated: Annotated[bool, HIDDEN] = False
    next: Annotated[dict[str, Any] | UnsetType, HIDDEN] = UNSET


@decisions.reads(**named("load", "context"), example={"topic": "auth", "depth": 2})
def context(
    call: Call,
    *,
    id: Annotated[str | None, "Id of any memory"] = None,
    topic: OfTopic = None,
    depth: Annotated[int, Meta(description="Steps along links", ge=1, le=5)] = 2,
    as_of: AsOf = None,
    offset: Annotated[int | None, "Read its texts from this character on", HIDDEN] = None,
) -> ContextAnswer:
    """Get one known memory whole, with its chain and what it is linked to.

    Id unknown: search_by_context. All decisions on a topic: search_by_topic.
    """
    here = workspace_at(call, as_of)
    decisions = here.decisions
    memory, conflict = _meant(decisions, id, topic)
    if offset is not None:
        return _read_on(call, decisions, memory, offset=offset)
    around = _around(call, decisions, memory, depth=depth)
    return msgspec.structs.replace(around, conflict=conflict, as_of=moment(here))


def _meant(
    decisions: "Decisions", id_: str | None, topic: str | None
) -> "tuple[Memory, tuple[str, ...]]":
    """Return the memory that an id, or a topic's present state, means; and rivals of it."""
    if (id_ is None) == (topic is None):
        raise InvalidArgument("Give either an id or a topic.", parameter="id")
    if id_ is not None:
        return _required(decisions, id_), ()
    assert topic is not None
    heads = decisions.current(topic)
    return heads[-1], tuple(head.id for head in heads) if len(heads) > 1 else ()


def _required(decisions: "Decisions", id_: str, type_: str | None = None) -> "Memory":
    memory = decisions.require(id_)
    if type_ is not None and memory.type != type_:
        raise InvalidArgument(
            f"{id_!r} is no {type_} but {memory.type}.",
            hint="load_context reads any memory.",
            parameter="id",
        )
    return memory


def _around(call: Call, decisions: "Decisions", memory: "Memory", *, depth: int) -> ContextAnswer:
    own = memory_answer(decisions, memory, _TEXT_TOKENS)
    chain = [one for one in decisions.evolution(memory.id) if one.id != memory.id][-_CHAIN_MAX:]
    told = {memory.id, *(one.id for one in chain)}
    near = [
        (one, step)
        for step in decisions.walk(memory.id, depth=depth)
        if (one := decisions.get(step.id)) is not None and not {one.id, one.outcome_of} & told
    ]
    related = [
        Neighbour(
            memory=brief(decisions, one), depth=step.depth, link=tie(decisions, step.link, one.id)
        )
        for one, step in near[:_NEIGHBOURS_MAX]
    ]
    return ContextAnswer(
        memory=own,
        chain=tuple(brief(decisions, one) for one in chain),
        branch=call.branch,
        related=tuple(related),
        more_related=len(near) - len(related),
        truncated=own.text_truncated,
        next=_whole(memory, call, 0) if own.text_truncated else UNSET,
    )


def _read_on(call: Call, decisions: "Decisions", memory: "Memory", *, offset: int) -> ContextAnswer:
    """Return what fits of a memory's texts from a character on."""
    files: list[str] = memory.metadata.get("open_files") or []
    parts = [f"{name}: {text}" for name, text in texts_of(memory).items()]
    parts += [f"open_files: {' '.join(files)}"] if files else []
    whole = "\n\n".join(parts)
    part = cut(whole[offset:], limits.ANSWER_TOKENS_MAX - 500)
    end = offset + len(part)
    is_cut = end < len(whole)
    return ContextAnswer(
        memory=brief(decisions, memory),
        text=part,
        branch=call.branch,
        truncated=is_cut,
        next=_whole(memory, call, end) if is_cut else UNSET,
    )


_CONFLICT = "Two decisions are current. save_decision on the topic replaces them all."

Offset = Annotated[int, "Results to skip", HIDDEN]


class Chain(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A topic's decisions, oldest first; `current` has the ids of those that hold."""

    topic: str
    chain: tuple[MemoryAnswer, ...]
    current: tuple[str, ...]
    conflict: Annotated[bool, HIDDEN] = False
    related: Annotated[tuple[MemoryAnswer, ...], HIDDEN] = ()
    near_topics: tuple[str, ...] = ()
    hint: Annotated[str | UnsetType, HIDDEN] = UNSET
    branch: Annotated[str, HIDDEN]
    as_of: Annotated[str | UnsetType, HIDDEN] = UNSET


@decisions.reads(**named("search", "by_topic"), example={"topic": "auth"})
def by_topic(call: Call, *, topic: Topic, as_of: AsOf = None) -> Chain:
    """See how the decisions on an exact topic evolved, oldest first, with outcomes.

    Also tells which one is current. Topic unknown: search_by_context.
    """
    here = workspace_at(call, as_of)
    decisions = here.decisions
    found = decisions.on_topic(topic)
    return Chain(
        topic=found.topic,
        chain=tuple(memory_answers(decisions, found.chain)),
        current=found.heads,
        conflict=found.has_conflict,
        near_topics=found.near_topics,
        hint=_hint(found),
        related=tuple(_related(decisions, one) for one in found.related),
        branch=call.branch,
        as_of=moment(here),
    )


def _hint(found: "TopicHistory") -> str | UnsetType:
    if found.has_conflict:
        return _CONFLICT
    if found.chain:
        return UNSET
    near = "near_topics" if found.near_topics else "search_recent for topics of late"
    return f"Nothing on this topic: try search_by_context, or {near}."


class Matches(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Memories, best or newest first; one with superseded_by no longer holds."""

    results: list[MemoryAnswer]
    branch: Annotated[str, HIDDEN]
    as_of: Annotated[str | UnsetType, HIDDEN] = UNSET


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
    here = workspace_at(call, as_of)
    decisions = here.decisions
    found = decisions.search(query, limit=limit, types=types or (), min_confidence=min_confidence)
    most = share(len(found))
    results = [_found(decisions, one, most) for one in found]
    return Matches(results=results, branch=call.branch, as_of=moment(here))


@decisions.reads(**named("search", "recent"), resume=skip_listed, example={"limit": 5})
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
    here = workspace_at(call, as_of)
    decisions = here.decisions
    since_ms = 0 if since is None else _first_ms(here, since)
    found = decisions.recent(limit=offset + limit + 1, types=types or (), since_ms=since_ms)[
        offset:
    ]
    return Matches(results=memory_answers(decisions, found), branch=call.branch, as_of=moment(here))


def _first_ms(here: "Workspace", since: str) -> int:
    from strata.workspace import first_moment  # noqa: PLC0415  (not before the first reply)

    return here.time_of(first_moment(since)) // 1000


def _found(decisions: "Decisions", one: "RankedMemory", most: int) -> MemoryAnswer:
    """Return a memory with how well it fits, and the one that led to it."""
    return msgspec.structs.replace(
        listed(decisions, one.memory, most), score=round(one.score, 3), via=one.via or UNSET
    )


def _related(decisions: "Decisions", one: "RankedMemory") -> MemoryAnswer:
    """Return a memory in a few words, with the word of the link that led to it."""
    return msgspec.structs.replace(brief(decisions, one.memory), relationship=one.via or UNSET)
