"""What agents remember, as a page shows it: a tree of names, a table, a fact with its past."""

from contextlib import suppress
from typing import TYPE_CHECKING, Annotated

from msgspec import Meta

from strata.base import limits
from strata.base.errors import KeyNotFound, NotFound
from strata.base.values import Json
from strata.tools.budget import as_text
from strata.tools.page.group import Limit, PageAnswer, Who, iso, page, writers
from strata.tools.session import Call

if TYPE_CHECKING:
    from strata.memory import Fact, Version
    from strata.upkeep import Purge
    from strata.workspace import Workspace

# What a line of a table, or of a fact's past, shows of a value.
_SHORT_CHARACTERS = 300
_PAST_CHARACTERS = 20_000
# What a fact may be kept as.
_KINDS = ("kv", "json", "state")
Namespace = Annotated[str | None, "Group of names; default: current"]


class NamespaceLine(PageAnswer, frozen=True):
    """A group of names, and how many facts and events are in it."""

    name: str
    facts: int
    events: int


class FolderLine(PageAnswer, frozen=True):
    """One level of the tree of names; `prefix` ends with "/"."""

    name: str
    prefix: str
    count: int


class FactLine(PageAnswer, frozen=True):
    """A fact as a line of a table: `value` is the beginning of its text."""

    key: str
    namespace: str
    kind: str
    value: str
    is_whole: bool
    is_json: bool
    tags: tuple[str, ...]
    version: int
    changed: str
    who: Who


class MemoryPage(PageAnswer, frozen=True):
    """A namespace: the level of its tree below a prefix, and facts whose names begin so."""

    namespace: str
    namespaces: list[NamespaceLine]
    prefix: str
    folders: list[FolderLine]
    # What to send as `foldersCursor` and `cursor` for what follows; null at the end.
    folders_next: str | None
    facts: list[FactLine]
    next: str | None
    total: int
    # There are more names than a filter looks at.
    is_cut: bool


@page.reads(needs="memory", example={"prefix": "api/"})
def memory(
    call: Call,
    *,
    namespace: Namespace = None,
    prefix: Annotated[str, "Names that begin so"] = "",
    query: Annotated[str, "Only facts with this part in their name"] = "",
    cursor: Annotated[str | None, "Go on here: `next` of the answer before"] = None,
    offset: Annotated[int, "Facts to skip, for a jump in a long table"] = 0,
    folders_cursor: Annotated[str | None, "Go on here: `foldersNext` of the answer before"] = None,
    limit: Limit = 100,
) -> MemoryPage:
    """Show a namespace: the folders below a prefix with their counts, and the facts in order.

    Nothing is cut by tokens. For one fact with its past: page_fact. By words: page_find.
    """
    db = call.db
    here = db if namespace is None else db.space(namespace)
    places = here.facts.places(prefix, limit=limit, after=folders_cursor)
    facts = here.facts.items(prefix, containing=query, limit=limit, after=cursor, offset=offset)
    authors = writers(here, (fact.held.version for fact in facts))
    return MemoryPage(
        namespace=here.space_name,
        namespaces=namespaces_of(db),
        prefix=prefix,
        folders=[
            FolderLine(name=one.prefix[len(prefix) : -1], prefix=one.prefix, count=one.names)
            for one in places
            if one.prefix.endswith("/") and one.prefix != prefix
        ],
        folders_next=places.next,
        facts=[_line(fact, authors[fact.held.version]) for fact in facts],
        next=facts.next,
        total=here.facts.count(prefix, containing=query),
        is_cut=bool(query) and here.facts.count(prefix) > limits.NAMES_LOOKED_AT,
    )


def namespaces_of(db: "Workspace") -> list[NamespaceLine]:
    """Return the groups of names of a branch, with what is in each."""
    spaces = ((name, db.space(name)) for name in db.spaces.list())
    return [
        NamespaceLine(
            name=name,
            facts=sum(kind.count() for kind in (space.kv, space.json, space.state)),
            events=space.events.count(),
        )
        for name, space in spaces
    ]


def _line(fact: "Fact", by: Who) -> FactLine:
    value = fact.held.value
    text = as_text(value)
    return FactLine(
        key=fact.key,
        namespace=fact.space,
        kind=fact.kind,
        value=text[:_SHORT_CHARACTERS],
        is_whole=len(text) <= _SHORT_CHARACTERS,
        is_json=not isinstance(value, str),
        tags=fact.held.tags,
        version=fact.held.version,
        changed=iso(fact.held.timestamp),
        who=by,
    )


class FactVersion(PageAnswer, frozen=True):
    """One value that a fact had. One that is too long for a list is null, with `is_long`."""

    version: int
    value: Json
    is_long: bool
    is_deleted: bool
    # live, deleted, trimmed by retention, or erased by a purge
    state: str
    tags: tuple[str, ...]
    changed: str
    who: Who


class FactPage(PageAnswer, frozen=True):
    """A fact with its past, newest first."""

    key: str
    namespace: str
    # kv, json or state; null for a fact that is deleted
    kind: str | None
    value: Json
    tags: tuple[str, ...]
    version: int
    changed: str
    who: Who
    history: list[FactVersion]
    # Whether there were values before these.
    more: bool


@page.reads(needs="memory", example={"key": "deploy/target"})
def fact(
    call: Call,
    *,
    key: Annotated[str, "Name of the fact"],
    namespace: Namespace = None,
    limit: Annotated[int, Meta(description="Most past values", ge=1, le=1000)] = 50,
) -> FactPage:
    """Show a fact whole, with what it was before, when, and who wrote it.

    A deleted fact has its past still; one that never was is not found.
    """
    here = call.db if namespace is None else call.db.space(namespace)
    past = here.facts.history(key, limit=limit + 1)
    if not past:
        raise _missing_fact(here, key)
    found, kept = here.facts.recall(key), past[:limit]
    authors = writers(here, (one.version for one in kept))
    newest = kept[0]
    return FactPage(
        key=key,
        namespace=here.space_name,
        kind=None if found is None else found.kind,
        value=None if found is None else found.held.value,
        tags=newest.tags,
        version=newest.version,
        changed=iso(newest.timestamp),
        who=authors[newest.version],
        history=[_past(one, authors[one.version]) for one in kept],
        more=len(past) > limit,
    )


def _past(one: "Version", by: Who) -> FactVersion:
    is_long = len(as_text(one.value)) > _PAST_CHARACTERS
    return FactVersion(
        version=one.version,
        value=None if is_long else one.value,
        is_long=is_long,
        is_deleted=one.state == "deleted",
        state=one.state,
        tags=one.tags,
        changed=iso(one.timestamp),
        who=by,
    )


class PurgedFact(PageAnswer, frozen=True):
    """How many values were erased; not complete while a reader keeps old pages of the file."""

    versions: int
    is_complete: bool


@page.writes(needs="memory", destructive=True, example={"key": "deploy/target"})
def purge(
    call: Call, *, key: Annotated[str, "Name of the fact"], namespace: Namespace = None
) -> PurgedFact:
    """Erase every value that a fact ever had, on every branch, from the file itself.

    There is no way back. Only the owner of the store may.
    """
    here = call.db if namespace is None else call.db.space(namespace)
    erased: list[Purge] = []
    for kind in _KINDS:
        with suppress(NotFound):
            erased.append(here.purge(key, kind=kind))
    if not erased:
        raise _missing_fact(here, key)
    return PurgedFact(
        versions=sum(one.versions for one in erased),
        is_complete=all(one.is_complete for one in erased),
    )


def _missing_fact(here: "Workspace", key: str) -> KeyNotFound:
    return KeyNotFound(
        f"Nothing was ever kept under {key[:200]!r} in the namespace {here.space_name!r}.",
        key=key[:200],
    )
