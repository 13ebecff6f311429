"""Load: where the work stands, and a memory with everything around it."""

from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from msgspec import UNSET, Meta, UnsetType

from strata.base import limits
from strata.base.errors import InvalidArgument
from strata.tools.budget import cut, tokens
from strata.tools.decisions.results import Shown, Tie, share, shown, texts_of, tie
from strata.tools.decisions.surface import AsOf, OfTopic, decisions, moment, named, seen
from strata.tools.declare import HIDDEN
from strata.tools.session import Call

if TYPE_CHECKING:
    from strata.decisions import Decisions, Memory, News
    from strata.decisions import Found as Step
    from strata.workspace import Workspace

# How much of an answer a checkpoint's or a memory's own text may take, and its list of files.
_TEXT_TOKENS, _FILES_TOKENS = 2_500, 1_000
# What is shown of a memory beside others, what it takes at least, and how many there may be.
_CHAIN_TOKENS, _NEIGHBOUR_TOKENS = 40, 160
_CHAIN_MAX, _NEIGHBOURS_MAX = 20, 30


class Since(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What happened on the branch after a checkpoint; `more`: the counts are too low."""

    decisions: int
    superseded: int
    judged: int
    insights: int
    facts: int
    events: int
    memories: tuple[Shown, ...] = ()
    keys: tuple[str, ...] = ()
    more: bool = False


class Resumed(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A checkpoint and the news since; `success` and `message` are as MAMA 1.0 had them."""

    found: bool
    id: str | UnsetType = UNSET
    summary: str | UnsetType = UNSET
    open_files: list[str] | UnsetType = UNSET
    next_steps: str | UnsetType = UNSET
    timestamp: str | UnsetType = UNSET
    since: dict[str, Any] | UnsetType = UNSET
    status: Annotated[str | UnsetType, HIDDEN] = UNSET
    version: Annotated[int | UnsetType, HIDDEN] = UNSET
    branch: Annotated[str, HIDDEN]
    as_of: Annotated[str | UnsetType, HIDDEN] = UNSET
    truncated: Annotated[bool, HIDDEN] = False
    next: Annotated[dict[str, Any] | UnsetType, HIDDEN] = UNSET
    success: Annotated[bool, HIDDEN]
    message: Annotated[str, HIDDEN]


@decisions.reads(**named("load", "checkpoint"))
def checkpoint(
    call: Call,
    *,
    id: Annotated[str | None, "Default: the newest active one"] = None,
    as_of: AsOf = None,
) -> Resumed:
    """Resume work: the last checkpoint, its next steps, and what changed since.

    Use it when the user continues earlier work ("where were we?"). One decision: load_context.
    """
    here = seen(call, as_of)
    room = here.decisions
    memory = room.last_checkpoint() if id is None else _required(room, id, "checkpoint")
    if memory is None:
        told = "There is no active checkpoint on this branch. search_recent shows what there is."
        return Resumed(
            found=False, branch=call.branch, as_of=moment(here), success=True, message=told
        )
    return _resumed(call, here, memory)


def _resumed(call: Call, here: "Workspace", memory: "Memory") -> Resumed:
    metadata = memory.metadata
    whole = (memory.content, str(metadata.get("next_steps") or ""))
    files: list[str] = metadata.get("open_files") or []
    summary, steps = (cut(text, _TEXT_TOKENS) for text in whole)
    shown_files = _that_fit(files)
    is_cut = (summary, steps) != whole or shown_files != files
    return Resumed(
        found=True, id=memory.id, summary=summary, open_files=shown_files, next_steps=steps,
        timestamp=memory.time, since=msgspec.to_builtins(_since(here.decisions, memory)),
        status=str(metadata.get("status") or "active"), version=memory.version,
        branch=call.branch, as_of=moment(here), truncated=is_cut,
        next=_whole(memory, call, 0) if is_cut else UNSET,
        success=True, message=f"The checkpoint of {memory.time}.",
    )  # fmt: skip


def _since(room: "Decisions", memory: "Memory") -> Since:
    news: News = room.since(memory.version)
    return Since(
        decisions=news.decisions, superseded=news.superseded, judged=news.judged,
        insights=news.insights, facts=news.facts, events=news.events, keys=news.keys,
        memories=tuple(shown(room, one, _CHAIN_TOKENS) for one in news.memories),
        more=news.is_partial,
    )  # fmt: skip


def _that_fit(files: list[str]) -> list[str]:
    budget, kept = _FILES_TOKENS, list[str]()
    for file in files:
        budget -= tokens(file) + 1
        if budget < 0:
            break
        kept.append(file)
    return kept


def _whole(memory: "Memory", call: Call, offset: int) -> dict[str, Any]:
    """Return the call that reads a memory's texts from a character on."""
    arguments = {"id": memory.id, "branch": call.branch, "offset": offset}
    return {"tool": "load_context", "arguments": arguments}


class Neighbour(msgspec.Struct, frozen=True, kw_only=True):
    """A memory that links lead to, and the last link on the way."""

    memory: Shown
    depth: int
    link: Tie


class Around(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A memory, its chain oldest first, and what is linked to it, nearest first."""

    memory: Shown
    chain: Annotated[tuple[Shown, ...], HIDDEN] = ()
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
) -> Around:
    """Get one known memory whole, with its chain and what it is linked to.

    Id unknown: search_by_context. All decisions on a topic: search_by_topic.
    """
    here = seen(call, as_of)
    room = here.decisions
    memory, conflict = _meant(room, id, topic)
    if offset is not None:
        return _read_on(call, room, memory, offset=offset)
    around = _around(call, room, memory, depth=depth)
    return msgspec.structs.replace(around, conflict=conflict, as_of=moment(here))


def _meant(
    room: "Decisions", id_: str | None, topic: str | None
) -> "tuple[Memory, tuple[str, ...]]":
    """Return the memory that an id, or a topic's present state, means; and rivals of it."""
    if (id_ is None) == (topic is None):
        raise InvalidArgument("Give either an id or a topic.", parameter="id")
    if id_ is not None:
        return _required(room, id_), ()
    assert topic is not None
    heads = room.current(topic)
    return heads[-1], tuple(head.id for head in heads) if len(heads) > 1 else ()


def _required(room: "Decisions", id_: str, type_: str | None = None) -> "Memory":
    memory = room.require(id_)
    if type_ is not None and memory.type != type_:
        raise InvalidArgument(
            f"{id_!r} is no {type_} but {memory.type}.", hint="load_context reads any memory.",
            parameter="id",
        )  # fmt: skip
    return memory


def _around(call: Call, room: "Decisions", memory: "Memory", *, depth: int) -> Around:
    own = shown(room, memory, _TEXT_TOKENS)
    chain = [one for one in room.evolution(memory.id) if one.id != memory.id][-_CHAIN_MAX:]
    links = room.walk(memory.id, depth=depth)
    told = [shown(room, one, _CHAIN_TOKENS) for one in chain]
    rest = limits.ANSWER_TOKENS_MAX - tokens(msgspec.to_builtins((own, told)))
    near = links[: min(_NEIGHBOURS_MAX, max(rest // _NEIGHBOUR_TOKENS, 1))]
    most = share(2 * len(near), rest)
    return Around(
        memory=own, chain=tuple(told), branch=call.branch,
        related=tuple(one for step in near if (one := _neighbour(room, step, most)) is not None),
        more_related=len(links) - len(near),
        truncated=own.text_truncated,
        next=_whole(memory, call, 0) if own.text_truncated else UNSET,
    )  # fmt: skip


def _neighbour(room: "Decisions", step: "Step", most: int) -> Neighbour | None:
    """Return what a link leads to; None where that was erased."""
    memory = room.get(step.id)
    if memory is None:
        return None
    return Neighbour(memory=shown(room, memory, most), depth=step.depth, link=tie(room, step.link))


def _read_on(call: Call, room: "Decisions", memory: "Memory", *, offset: int) -> Around:
    """Return what fits of a memory's texts from a character on."""
    files: list[str] = memory.metadata.get("open_files") or []
    parts = [f"{name}: {text}" for name, text in texts_of(memory).items()]
    parts += [f"open_files: {' '.join(files)}"] if files else []
    whole = "\n\n".join(parts)
    part = cut(whole[offset:], limits.ANSWER_TOKENS_MAX - 500)
    end = offset + len(part)
    is_cut = end < len(whole)
    return Around(
        memory=shown(room, memory, _CHAIN_TOKENS), text=part, branch=call.branch,
        truncated=is_cut, next=_whole(memory, call, end) if is_cut else UNSET,
    )  # fmt: skip
