"""What can be asked for, and what an answer looks like."""

from typing import Literal, TypeAlias, get_args

import msgspec

from strata.base import limits
from strata.base.checks import check_number
from strata.base.clock import When
from strata.base.errors import InvalidArgument
from strata.base.results import Result
from strata.search import check_query

Intent: TypeAlias = Literal["search", "list", "recent", "related", "info"]
ScopeType: TypeAlias = Literal["all", "space", "document", "folder", "folders", "spaces", "shared"]
Status: TypeAlias = Literal["draft", "published", "template", "trashed"]
Direction: TypeAlias = Literal["in", "out", "both"]
Type: TypeAlias = Literal["document", "section", "folder", "space", "workspace"]
Source: TypeAlias = Literal["keyword", "semantic", "hybrid", "title", "link", "recent", "list"]

_WITH_ID = ("space", "document", "folder")
_LISTS = ("folders", "spaces")


class Scope(msgspec.Struct, frozen=True):
    """Where to look; a space, a document and a folder are named by their ids.

    `shared` is what reaches the user by a share alone.
    """

    type: ScopeType = "all"
    id: str | None = None


class Filters(msgspec.Struct, frozen=True, kw_only=True):
    """What to leave out. Times may be written in any form that the clock reads.

    Without a status everything counts that is not in the trash. `owner` is a user's id, an
    email, or "me". Without `include_shared`, what reaches one only by a share is left out.
    `direction` is that of links, for related documents; `since_days` is for recent ones.
    """

    status: tuple[Status, ...] = ()
    owner: str | None = None
    created_after: When | None = None
    created_before: When | None = None
    updated_after: When | None = None
    updated_before: When | None = None
    include_shared: bool = True
    direction: Direction = "both"
    since_days: int = 7


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """One question. `next_token` is that of the answer before, to go on behind it.

    A `strict` search has no items where none is relevant.
    """

    intent: Intent = "search"
    scope: Scope = Scope()
    query: str | None = None
    filters: Filters = Filters()
    limit: int = 10
    token_budget: int = limits.FIND_SNIPPET_TOKENS
    next_token: str | None = None
    strict: bool = True


class FoundItem(Result, frozen=True, kw_only=True, omit_defaults=True):
    """One thing that was found: the same shape for every intent. Times are microseconds.

    `source` tells how it was found. Scores can be compared within one answer only; `relevance`
    means the same in every store: how likely, from 0 to 1, it has to do with the question. `more`
    counts other places in the same document that have the words, its title among them. `tokens` is
    about what reading all of it takes. `audience` says of a folder or a Space who sees what lies
    there.
    """

    id: str
    type: Type
    title: str
    source: Source
    snippet: str = ""
    score: float | None = None
    relevance: float | None = None
    chunk_id: str | None = None
    heading_path: tuple[str, ...] = ()
    more: int = 0
    document_id: str | None = None
    direction: Direction | None = None
    folder_id: str | None = None
    folder_name: str | None = None
    owner: str | None = None
    owner_name: str | None = None
    status: Status | None = None
    role: str | None = None
    created: int | None = None
    updated: int | None = None
    version: int | None = None
    tokens: int | None = None
    documents: int | None = None
    audience: str | None = None


class FoundDocuments(Result, frozen=True, kw_only=True, omit_defaults=True):
    """An answer. `total` counts all there is, where that is known; `hints` say how to find more.

    `nearest` names what came nearest to a question that nothing answers. `info` is what was asked
    for by that intent.
    """

    items: tuple[FoundItem, ...] = ()
    total: int | None = None
    next_token: str | None = None
    mode: Literal["keyword", "semantic", "hybrid"] | None = None
    hints: tuple[str, ...] = ()
    nearest: str = ""
    info: "PlaceInfo | None" = None


class PlaceInfo(Result, frozen=True, kw_only=True, omit_defaults=True):
    """What is known of a document, a folder, a Space or the workspace: as far as one sees it."""

    item: FoundItem
    documents: int = 0
    by_status: dict[str, int] = msgspec.field(default_factory=dict)
    folders: int = 0
    spaces: int = 0
    sections: int = 0
    links_in: int = 0
    links_out: int = 0
    unresolved_links: int = 0
    headings: tuple[str, ...] = ()


def check_request(request: Request) -> Request:
    """Return a request that can be answered, or raise InvalidArgument and say what to send."""
    _check_choice(request.intent, get_args(Intent), name="intent")
    _check_choice(request.scope.type, get_args(ScopeType), name="scope.type")
    _check_choice(request.filters.direction, get_args(Direction), name="filters.direction")
    for status in request.filters.status:
        _check_choice(status, get_args(Status), name="filters.status")
    check_number(request.limit, name="limit", most=limits.FIND_ITEMS_MAX)
    check_number(request.token_budget, name="token_budget", most=limits.FIND_SNIPPET_TOKENS_MAX)
    check_number(request.filters.since_days, name="since_days", most=limits.FIND_DAYS_MAX)
    _check_scope(request)
    if request.intent == "search":
        check_query(request.query or "", 1, "auto")
    return request


def _check_scope(request: Request) -> None:
    scope, intent = request.scope, request.intent
    if scope.type in _WITH_ID and not scope.id:
        raise InvalidArgument(
            f"The scope {scope.type!r} needs an id.",
            hint=f'Use `Scope("{scope.type}", "…")`, or `Scope()`.',
            parameter="scope.id",
        )
    if intent == "related" and scope.type != "document":
        raise InvalidArgument(
            "What is related to what? The scope has to be a document.",
            hint='Use the scope `Scope("document", "doc_…")`.',
            parameter="scope",
        )
    if scope.type in _LISTS and intent not in ("list", "info"):
        raise InvalidArgument(
            f"The scope {scope.type!r} can be listed, not used for {intent!r}.",
            hint='Use the intent "list", or the scope `Scope()`.',
            parameter="scope",
        )
    if scope.type == "document" and intent in ("list", "recent"):
        raise InvalidArgument(
            f"The intent {intent!r} needs more than one document to choose from.",
            hint='Use the scope `Scope()`, or the intent "info" for this document.',
            parameter="scope",
        )


def _check_choice(value: object, choices: tuple[str, ...], *, name: str) -> None:
    if value not in choices:
        raise InvalidArgument(
            f"{name} cannot be {value!r}.", hint=f"Use {', '.join(choices)}.", parameter=name
        )
