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
    from strata.search import Answer, Hit
    from strata.workspace import Workspace

Kind = Literal["kv", "json", "state", "event"]


class Found(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing that was found; `strata_recall` gives a value that was cut."""

    key: str
    namespace: str
    kind: str
    value: Any
    score: float
    snippet: str
    version: int
    timestamp: str
    # The type of an event, whose key is its sequence number.
    event: Annotated[str | UnsetType, HIDDEN] = UNSET
    tags: tuple[str, ...] = ()
    value_truncated: Annotated[bool, HIDDEN] = False


class Results(msgspec.Struct, frozen=True, omit_defaults=True):
    """What was found, best first."""

    results: list[Found]
    as_of: Annotated[str | UnsetType, HIDDEN] = UNSET
    notes: Annotated[tuple[str, ...], HIDDEN] = ()


def _fewer(arguments: dict[str, Any], kept: list[Any]) -> dict[str, Any]:
    """Return the arguments of a question that asks for fewer: the best were shown."""
    return arguments | {"k": len(kept)}


@memory.reads(example={"query": "how do we deploy?", "k": 5}, resume=_fewer)
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
    kinds: Annotated[list[Kind] | None, "Only these kinds"] = None,
) -> Results:
    """Find stored facts and events by meaning and words.

    Use it before answering about the project, and when the exact key is not known.
    """
    here = call.db if as_of is None else call.db.at(as_of)
    answer = here.search(
        query, k, namespaces=None if namespace is None else [namespace], kinds=kinds,
        tags=tags or (), since=since, until=until,
    )  # fmt: skip
    if not answer.hits and tags:
        return _tagged(here if namespace is None else here.space(namespace), tags, k)
    return results_of(answer, moment(here))


def _tagged(here: "Workspace", tags: list[str], k: int) -> Results:
    """Return what carries the tags, newest first, where no word of the query matched."""
    held = [(key, here.kv.get(key)) for key in here.kv.list(tags=tags, limit=1000)]
    known = [(key, version) for key, version in held if version is not None]
    known.sort(key=lambda pair: -pair[1].version)
    found = [
        Found(
            key=key, namespace=here.space_name, kind="kv", value=_short(version.value),
            score=0.0, snippet="", version=version.version, timestamp=version.time,
            tags=version.tags,
        )
        for key, version in known[:k]
    ]  # fmt: skip
    notes = ("Nothing matches the words; these carry the tags, newest first.",) if found else ()
    return Results(found, moment(here), notes)


def _short(value: Any) -> Any:
    most = limits.ANSWER_VALUE_TOKENS_MAX // 4
    return value if tokens(value) <= most else cut(as_text(value), most)


def results_of(answer: "Answer", as_of: str | UnsetType) -> Results:
    """Return an answer with values short enough to be read together."""
    return Results([_found(hit) for hit in answer], as_of, answer.notes)


def _found(hit: "Hit") -> Found:
    is_long = tokens(hit.value) > limits.ANSWER_VALUE_TOKENS_MAX // 4
    value = hit.snippet if is_long else hit.value
    if is_long and isinstance(hit.value, str):
        value = cut(hit.value, limits.ANSWER_VALUE_TOKENS_MAX // 4)
    return Found(
        key=hit.key, namespace=hit.namespace, kind=hit.kind, value=value,
        score=round(hit.score, 4), snippet=hit.snippet, version=hit.version, timestamp=hit.time,
        event=hit.event or UNSET, tags=hit.tags,
        value_truncated=is_long,
    )  # fmt: skip
