"""Search: what is known about something."""

from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from strata.base import limits
from strata.tools.budget import as_text, cut, tokens
from strata.tools.declare import HIDDEN, When
from strata.tools.memory.surface import AsOf, memory, moment
from strata.tools.session import Call

if TYPE_CHECKING:
    from strata.search import Hit
    from strata.workspace import Workspace

Kind = Literal["kv", "json", "state", "event", "memory"]
# The namespace of what says none; answers leave it out.
DEFAULT_SPACE = "default"


# What a text takes in an answer at most; `strata_recall` gives the whole of it.
_TEXT_TOKENS = 120
_CAVEAT_TOKENS = 40


class FoundFact(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One thing that was found: its value, or a snippet of one that is long.

    `strata_recall` reads the whole of a fact, and tells how to read the other kinds.
    """

    key: str
    kind: str
    namespace: Annotated[str, HIDDEN] = DEFAULT_SPACE
    value: Any | UnsetType = UNSET
    snippet: str | UnsetType = UNSET
    score: float
    timestamp: str
    version: Annotated[int, HIDDEN]
    # The type of an event, whose key is its sequence number; the topic of a decision.
    event: Annotated[str | UnsetType, HIDDEN] = UNSET
    topic: Annotated[str | UnsetType, HIDDEN] = UNSET
    # That a decision was replaced, or failed.
    caveat: Annotated[str | UnsetType, HIDDEN] = UNSET
    tags: tuple[str, ...] = ()


class Results(msgspec.Struct, frozen=True, omit_defaults=True):
    """What was found, best first."""

    results: list[FoundFact]
    as_of: Annotated[str | UnsetType, HIDDEN] = UNSET
    notes: Annotated[tuple[str, ...], HIDDEN] = ()
    # Texts that are found by their words only, until their vectors are made.
    pending: Annotated[int, HIDDEN] = 0


def _go_on(arguments: dict[str, Any], kept: list[Any]) -> dict[str, Any] | None:
    """Return the arguments of the next page; None behind the last one that can be had."""
    offset = int(arguments.get("offset") or 0) + len(kept)
    return arguments | {"offset": offset} if offset < limits.SEARCH_RESULTS_MAX else None


@memory.reads(example={"query": "how do we deploy?", "k": 5}, resume=_go_on)
def search(
    call: Call,
    *,
    query: Annotated[str, "What to look for, any language"],
    k: Annotated[int, Meta(description="Most results", ge=1, le=50)] = 10,
    tags: Annotated[list[str] | None, "All of these labels"] = None,
    namespace: Annotated[str | None, "Default: all"] = None,
    as_of: AsOf = None,
    since: Annotated[When | None, "Written since"] = None,
    until: Annotated[When | None, "Written until"] = None,
    kinds: Annotated[list[Kind] | None, "memory: decisions"] = None,
    offset: Annotated[
        int, Meta(description="Results to skip", le=limits.SEARCH_RESULTS_MAX), HIDDEN
    ] = 0,
) -> Results:
    """Find stored facts, events and decisions by meaning and words.

    Use it before answering about the project, and when the exact key is not known.
    """
    here = call.db if as_of is None else call.db.at(as_of)
    # One more than is shown tells whether there is another page.
    wanted = min(offset + k + 1, limits.SEARCH_RESULTS_MAX)
    answer = here.search(
        query, wanted, spaces=None if namespace is None else [namespace], kinds=kinds,
        tags=tags or (), since=since, until=until,
    )  # fmt: skip
    if not answer.hits and tags:
        room = here if namespace is None else here.space(namespace)
        return _tagged(room, tags, offset=offset, k=k)
    found = [_found(here, hit) for hit in answer.hits[offset:]]
    # Counted anew, because texts of documents that the caller may not see are not the caller's.
    pending = here.embeddings.status().pending if answer.pending else 0
    return Results(found, moment(here), answer.notes, pending)


def _tagged(here: "Workspace", tags: list[str], *, offset: int, k: int) -> Results:
    """Return what carries the tags, newest first, where no word of the query matched."""
    held = [(key, here.kv.get(key)) for key in here.kv.list(tags=tags, limit=1000)]
    known = [(key, version) for key, version in held if version is not None]
    known.sort(key=lambda pair: -pair[1].version)
    found = [
        FoundFact(
            key=key, kind="kv", namespace=here.space_name, **_shown(version.value, None),
            score=0.0, timestamp=version.iso_time, version=version.version, tags=version.tags,
        )
        for key, version in known[offset : offset + k + 1]
    ]  # fmt: skip
    notes = ("Nothing matches the words; these carry the tags, newest first.",) if found else ()
    return Results(found, moment(here), notes)


def _found(here: "Workspace", hit: "Hit") -> FoundFact:
    memory = here.decisions.get(hit.key) if hit.kind == "memory" else None
    if memory is None:
        return FoundFact(
            key=hit.key, kind=hit.kind, namespace=hit.namespace, **_shown(hit.value, hit.snippet),
            score=round(hit.score, 4), timestamp=hit.iso_time, version=hit.version,
            event=hit.event or UNSET, tags=hit.tags,
        )  # fmt: skip
    # Its text is what was found, with the time at which it was decided; load_context shows more.
    return FoundFact(
        key=hit.key, kind=hit.kind, **_shown(memory.content, hit.snippet),
        score=round(hit.score, 4), timestamp=f"{memory.iso_time[:19]}Z", version=hit.version,
        topic=memory.topic or UNSET,
        caveat=cut(here.decisions.caveat(memory), _CAVEAT_TOKENS) or UNSET, tags=hit.tags,
    )  # fmt: skip


def _shown(value: Any, snippet: str | None) -> dict[str, Any]:
    """Return a value that is short enough to be read beside others, else a part of it."""
    if tokens(value) <= _TEXT_TOKENS:
        return {"value": value}
    return {"snippet": snippet or cut(as_text(value), _TEXT_TOKENS)}
