"""Category search: the tool of the memory group, with everything that can be said to it."""

from typing import TYPE_CHECKING, Annotated, Any, Literal

from msgspec import Meta, Struct

from strata.base import limits
from strata.base.errors import InvalidArgument
from strata.base.values import Json
from strata.tools.budget import cut, tokens
from strata.tools.declare import ToolGroup, When
from strata.tools.developer.shapes import AsOf
from strata.tools.session import Call

if TYPE_CHECKING:
    from strata.search import Hit

search_tools = ToolGroup("developer", pattern="strata_{}")

Kind = Literal["kv", "json", "state", "event", "document"]


class SearchPeriod(Struct, frozen=True):
    """Between which times something was written."""

    start: Annotated[When | None, "Written at or after"] = None
    end: Annotated[When | None, "Written at or before"] = None


class SearchHit(Struct, frozen=True, omit_defaults=True):
    """One thing that was found; `entity` names it, `primitive` is its kind."""

    key: str
    namespace: str
    kind: str
    value: Json
    score: float
    relevance: float
    rank: int
    snippet: str
    entity: str
    primitive: str
    version: int
    timestamp: int
    tags: tuple[str, ...] = ()
    value_truncated: bool = False


class SearchResults(Struct, frozen=True, omit_defaults=True):
    """What was found, best first; `notes` say what could not be done as wished."""

    results: list[SearchHit]
    mode: str
    notes: tuple[str, ...] = ()
    known: bool = True
    nearest: str = ""


@search_tools.reads(example={"query": "how do we deploy?", "k": 5, "primitives": ["kv", "event"]})
def search(
    call: Call,
    *,
    query: Annotated[str, "What to look for, in your own words, any language"],
    k: Annotated[int, Meta(description="Most results", ge=1, le=limits.SEARCH_RESULTS_MAX)] = 10,
    primitives: Annotated[list[Kind] | None, "Only these kinds of things"] = None,
    time_range: Annotated[SearchPeriod | None, "Only what was written between two times"] = None,
    mode: Annotated[
        Literal["keyword", "hybrid"] | None, "By words alone, or by words and meaning"
    ] = None,
    expand: Annotated[bool, "Ask the configured model for other wordings of the query"] = False,
    rerank: Annotated[bool, "Let the configured model put the best hits in order"] = False,
    strict: Annotated[bool, "False: the nearest, relevant or not"] = True,
    tags: Annotated[list[str] | None, "All of these labels"] = None,
    namespace: Annotated[str | None, "Only this space; left out, all of them"] = None,
    kinds: Annotated[list[Kind] | None, "The same as primitives"] = None,
    since: Annotated[When | None, "Written at or after; the same as time_range.start"] = None,
    until: Annotated[When | None, "Written at or before; the same as time_range.end"] = None,
    as_of: AsOf = None,
    space: Annotated[str | None, "The same as namespace"] = None,
) -> SearchResults:
    """Find stored things by meaning and words.

    Looks through facts, documents, cells and events of all spaces. Use it whenever the exact key is
    not known. `expand` and `rerank` need strata_configure_model. For your own vectors use
    strata_vector_search.
    """
    between = time_range or SearchPeriod()
    only = _either(namespace=namespace, space=space)
    here = call.db if as_of is None else call.db.at(as_of)
    answer = here.search(
        query,
        k,
        spaces=None if only is None else [only],
        kinds=call.searched(_either(primitives=primitives, kinds=kinds)),
        tags=tags or (),
        since=_either(time_range=between.start, since=since),
        until=_either(time_range=between.end, until=until),
        mode=mode or "auto",
        expand=expand,
        rerank=rerank,
        strict=strict,
    )
    # The values of all hits together are to leave room for their snippets.
    most = limits.ANSWER_TOKENS_MAX // 2 // max(len(answer), 1)
    found = [_hit(hit, most) for hit in answer]
    return SearchResults(found, answer.mode, answer.notes, answer.known, answer.nearest)


# Any: whatever type the two names of one parameter have.
def _either(**given: Any) -> Any:
    """Return what was given under either name; raise InvalidArgument for both."""
    found = {name: value for name, value in given.items() if value is not None}
    if len(found) > 1:
        one, other = found
        raise InvalidArgument(
            f"{one} and {other} say the same, and both were given.",
            hint=f"Leave {other} out.",
            parameter=other,
        )
    return next(iter(found.values()), None)


def _hit(hit: "Hit", most: int) -> SearchHit:
    is_long = tokens(hit.value) > max(most, limits.ANSWER_VALUE_TOKENS_MAX // 10)
    value = hit.value
    if is_long:
        value = cut(hit.value, most) if isinstance(hit.value, str) else hit.snippet
    return SearchHit(
        key=hit.key,
        namespace=hit.namespace,
        kind=hit.kind,
        value=value,
        score=hit.score,
        relevance=hit.relevance,
        rank=hit.rank,
        snippet=hit.snippet,
        entity=hit.entity,
        primitive=hit.kind,
        version=hit.version,
        timestamp=hit.timestamp,
        tags=hit.tags,
        value_truncated=is_long,
    )
