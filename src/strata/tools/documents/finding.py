"""find and get_document_graph: which documents there are, and what connects them."""

from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from strata.base import limits
from strata.base.errors import InvalidArgument
from strata.tools.declare import HIDDEN, camel
from strata.tools.documents.group import (
    DocumentId,
    HiddenAsOf,
    core,
    in_tool_words,
    time_of,
    workspace_for,
)
from strata.tools.session import Call, moment

if TYPE_CHECKING:
    from strata.documents import Filters as Wanted
    from strata.documents import FoundDocuments, FoundItem, Request
    from strata.documents import PlaceInfo as Known

Status = Literal["draft", "published", "template", "trashed"]
ScopeType = Literal["all", "space", "document", "folder", "folders", "spaces"]


class FindScope(msgspec.Struct, frozen=True):
    """Where to look; a space, a document and a folder need their id."""

    type: ScopeType
    id: str | None = None


class FindFilters(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """What to leave out; those that do not fit the intent are refused."""

    status: list[Status] | None = None
    owner: Annotated[str | None, 'User ID, email or "me"'] = None
    created_after: str | None = None
    created_before: str | None = None
    updated_after: str | None = None
    updated_before: str | None = None
    include_shared: bool | None = None
    direction: Annotated[Literal["in", "out", "both"] | None, "Of links, for related"] = None
    since_days: Annotated[int | None, "For recent; default 7"] = None
    token_budget: Annotated[int | None, HIDDEN] = None


class FoundEntry(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, rename="camel"):
    """Something that was found: the same members for every intent."""

    id: str
    type: Annotated[str, HIDDEN]
    title: str
    snippet: str = ""
    # Whether the snippet is the whole text, so that there is nothing more to read.
    complete: Annotated[bool, HIDDEN] = False
    score: Annotated[float | UnsetType, HIDDEN] = UNSET
    relevance: Annotated[float | UnsetType, HIDDEN] = UNSET
    source: Annotated[str | UnsetType, HIDDEN] = UNSET
    chunk_id: str | UnsetType = UNSET
    heading_path: tuple[str, ...] = ()
    more: Annotated[int, HIDDEN] = 0
    document_id: Annotated[str | None | UnsetType, HIDDEN] = None
    direction: Annotated[str | None, HIDDEN] = None
    folder_id: Annotated[str | None | UnsetType, HIDDEN] = None
    folder_name: Annotated[str | None, HIDDEN] = None
    owner: Annotated[str | None | UnsetType, HIDDEN] = None
    owner_name: Annotated[str | None, HIDDEN] = None
    status: Annotated[str | None, HIDDEN] = None
    role: Annotated[str | None, HIDDEN] = None
    created: Annotated[str | UnsetType, HIDDEN] = UNSET
    updated: Annotated[str | UnsetType, HIDDEN] = UNSET
    version: Annotated[int | None | UnsetType, HIDDEN] = None
    tokens: Annotated[int | None, HIDDEN] = None
    documents: Annotated[int | None, HIDDEN] = None
    audience: Annotated[str | None, HIDDEN] = None


class Finds(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, rename="camel"):
    """What was found, best or newest first; `hints` say how to find more."""

    items: list[FoundEntry]
    total: Annotated[int | UnsetType, HIDDEN] = UNSET
    next_token: str | UnsetType = UNSET
    mode: Annotated[str | UnsetType, HIDDEN] = UNSET
    hints: Annotated[tuple[str, ...], HIDDEN] = ()
    # What comes nearest to a question that nothing answers.
    nearest: Annotated[str, HIDDEN] = ""
    info: Annotated[dict[str, Any] | UnsetType, HIDDEN] = UNSET
    as_of: Annotated[str | UnsetType, HIDDEN] = UNSET


@core.reads(example={"intent": "search", "query": "release plan", "scope": {"type": "all"}})
def find(
    call: Call,
    *,
    intent: Annotated[Literal["search", "list", "recent", "related", "info"], "Kind of search"],
    scope: Annotated[
        FindScope | None, 'An object, e.g. {"type":"folder","id":"folder_…"}; default all'
    ] = None,
    query: Annotated[str | None, "For search; list, recent: words of titles"] = None,
    filters: Annotated[FindFilters | None, "Narrower"] = None,
    limit: Annotated[int, Meta(description="Most items", ge=1, le=limits.FIND_ITEMS_MAX)] = 10,
    next_token: Annotated[str | None, "From the answer before"] = None,
    token_budget: Annotated[int | None, "Of each snippet"] = None,
    as_of: HiddenAsOf = None,
) -> Finds:
    """Find documents, folders and spaces: whenever you have no ID yet.

    search: by words and meaning, needs query. list: all in the scope; scope type folders or
    spaces lists those. recent: newest changes. related: like or linked to the document in scope.
    info: facts about the scope. Then read_document. Nothing found: widen the scope first.
    """
    _refuse_without_effect(
        intent,
        scope or FindScope("all"),
        filters or FindFilters(),
        query=query,
        token_budget=token_budget,
        next_token=next_token,
    )
    here = workspace_for(call, as_of)
    request = _request(
        intent=intent,
        scope=scope or FindScope("all"),
        query=query,
        filters=filters or FindFilters(),
        limit=limit,
        next_token=next_token,
        token_budget=token_budget,
    )
    return _finds(here.documents.find(request), moment(here))


def _refuse_without_effect(
    intent: str, scope: FindScope, filters: FindFilters, **given: Any
) -> None:
    """Raise InvalidArgument for what the intent cannot use."""
    unused = {
        "search": ("direction", "since_days"),
        "list": ("token_budget", "direction", "since_days"),
        "recent": ("token_budget", "direction"),
        "related": ("query", "since_days"),
        "info": ("query", "token_budget", "next_token", *FindFilters.__struct_fields__),
    }[intent]
    if intent == "list" and scope.type in ("folders", "spaces"):
        unused = ("token_budget", *FindFilters.__struct_fields__)
    asked = _members(filters) | {name: one for name, one in given.items() if one is not None}
    for name in unused:
        if asked.get(name) is not None:
            raise InvalidArgument(
                f"{camel(name)} has no effect with the intent {intent!r}, so it is refused.",
                hint=f"Leave {camel(name)} out.",
                parameter=camel(name),
            )
    if scope.id is not None and scope.type in ("all", "folders", "spaces"):
        raise InvalidArgument(
            f"The scope {scope.type!r} takes no id.",
            hint="Leave the id out.",
            parameter="scope",
        )


def _request(
    *, scope: FindScope, filters: FindFilters, token_budget: int | None, **asked: Any
) -> "Request":
    from strata.documents import Request  # noqa: PLC0415  (not before the first reply)
    from strata.documents import Scope as Place  # noqa: PLC0415

    budget = filters.token_budget if token_budget is None else token_budget
    given = {} if budget is None else {"token_budget": budget}
    return Request(scope=Place(scope.type, scope.id), filters=_filters(filters), **given, **asked)


def _filters(filters: FindFilters) -> "Wanted":
    from strata.documents import Filters as Wanted  # noqa: PLC0415  (not before the first reply)

    given = _members(filters)
    del given["token_budget"]
    if filters.status is not None:
        given["status"] = tuple(filters.status)
    return Wanted(**{name: value for name, value in given.items() if value is not None})


def _finds(found: "FoundDocuments", as_of: str | UnsetType) -> Finds:
    return Finds(
        items=[_hit(item) for item in found.items],
        total=UNSET if found.total is None else found.total,
        next_token=found.next_token or UNSET,
        mode=found.mode or UNSET,
        hints=tuple(map(in_tool_words, found.hints)),
        nearest=found.nearest,
        info=UNSET if found.info is None else _info(found.info),
        as_of=as_of,
    )


# What only `info` tells: finding needs no more than what leads to reading.
_OF_INFO = ("owner", "folder_id", "created", "version")


def _hit(item: "FoundItem") -> FoundEntry:
    """Return something that was found, with what helps to choose among several."""
    from strata.documents import tokens  # noqa: PLC0415  (not before the first reply)

    whole = item.tokens is not None and item.snippet and "…" not in item.snippet
    is_complete = bool(whole) and tokens(item.snippet) >= (item.tokens or 0)
    return msgspec.structs.replace(
        _entry(item),
        **dict.fromkeys(_OF_INFO, UNSET),
        complete=is_complete,
        more=0 if is_complete else item.more,
        document_id=UNSET if item.document_id == item.id else item.document_id,
    )


def _entry(item: "FoundItem") -> FoundEntry:
    members = _members(item)
    members |= {
        "created": time_of(item.created),
        "updated": time_of(item.updated),
        "score": UNSET if item.score is None else round(item.score, 4),
        "relevance": UNSET if item.relevance is None else item.relevance,
        "chunk_id": item.chunk_id or UNSET,
    }
    return FoundEntry(**members)


# Any: members of the structs of another floor, which have the same names here.
def _members(struct: msgspec.Struct) -> dict[str, Any]:
    return {name: getattr(struct, name) for name in struct.__struct_fields__}


class InfoAnswer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, rename="camel"):
    """What is known of a document, a folder, a Space or the workspace."""

    item: FoundEntry
    documents: int
    by_status: dict[str, int] = {}
    folders: int = 0
    spaces: int = 0
    sections: int = 0
    links_in: int = 0
    links_out: int = 0
    unresolved_links: int = 0
    headings: tuple[str, ...] = ()


def _info(info: "Known") -> dict[str, Any]:
    members = _members(info)
    members["item"] = _entry(info.item)
    return msgspec.to_builtins(InfoAnswer(**members))


class NodeAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A document, and how many links away it is; none where it is only alike in meaning."""

    id: str
    title: str
    depth: Annotated[int | None, HIDDEN]
    status: Annotated[str, HIDDEN]
    updated: Annotated[str, HIDDEN]


class EdgeAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A connection: links of a type, or likeness (`semantic`)."""

    source: str
    target: str
    type: Annotated[str, HIDDEN]
    weight: Annotated[float, HIDDEN]


class Surroundings(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, rename="camel"):
    """Documents around one, nearest first, and what connects them."""

    nodes: list[NodeAnswer]
    edges: list[EdgeAnswer]
    truncated: bool = False
    unresolved_links: Annotated[int, HIDDEN] = 0
    as_of: Annotated[str | UnsetType, HIDDEN] = UNSET


@core.reads(example={"documentId": "doc_01JABCDEFGHJKMNPQRSTVWXYZ0", "depth": 2})
def get_document_graph(
    call: Call,
    *,
    document_id: DocumentId,
    depth: Annotated[int, Meta(description="Steps", ge=1, le=limits.DOCUMENT_GRAPH_DEPTH_MAX)] = 2,
    max_nodes: Annotated[
        int, Meta(description="Most documents", ge=1, le=limits.DOCUMENT_GRAPH_NODES_MAX)
    ] = 50,
    as_of: HiddenAsOf = None,
) -> Surroundings:
    """Show what a document links to and what links to it, step by step.

    Edges are links, or semantic (likeness); depth counts links. For a ranked list: find with
    intent related.
    """
    here = workspace_for(call, as_of)
    found = here.documents.graph(document_id, depth=depth, max_nodes=max_nodes)
    return Surroundings(
        nodes=[
            NodeAnswer(
                id=one.id,
                title=one.title,
                depth=one.depth,
                status=one.status,
                updated=str(time_of(one.updated)),
            )
            for one in found.nodes
        ],
        edges=[
            EdgeAnswer(
                source=one.source, target=one.target, type=one.type, weight=round(one.weight, 4)
            )
            for one in found.edges
        ],
        truncated=found.is_cut,
        unresolved_links=found.unresolved,
        as_of=moment(here),
    )
