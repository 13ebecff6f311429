"""What was changed last, of everything that the user may see."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from strata.base.values import Json
from strata.tools.page.group import Limit, PageAnswer, Who, iso, page, permits, writers
from strata.tools.session import Call

if TYPE_CHECKING:
    from strata.search import Hit
    from strata.workspace import Workspace

# How a kind of value is called on pages.
KINDS = {"kv": "fact", "json": "fact", "state": "fact", "memory": "decision"}


class RecentLine(PageAnswer, frozen=True):
    """Something that was changed; `id` is what the address of its screen needs."""

    kind: str
    id: str
    title: str
    # The folder of a document, the namespace of a fact or an event, the topic of a decision.
    place: str
    changed: str
    who: Who


class RecentList(PageAnswer, frozen=True):
    """What was changed last, newest first."""

    items: list[RecentLine]


@page.reads(example={"limit": 10})
def recent(call: Call, *, limit: Limit = 20) -> RecentList:
    """List what was changed last: documents, facts, events and decisions.

    A user who may see documents only is shown those.
    """
    return RecentList(items=recent_lines(call, limit))


def recent_lines(call: Call, limit: int) -> list[RecentLine]:
    """Return what was changed last, as far as the caller may see it."""
    here, grant = call.db, call.session.grant
    found: list[tuple[int, int, RecentLine]] = []
    if permits(grant, "core"):
        found += _documents(here, limit)
    if permits(grant, "memory"):
        found += _others(here, limit)
    newest = sorted(found, key=lambda one: -one[0])[:limit]
    authors = writers(here, (version for _time, version, _line in newest))
    return [
        RecentLine(
            kind=line.kind,
            id=line.id,
            title=line.title,
            place=line.place,
            changed=line.changed,
            who=authors[version],
        )
        for _time, version, line in newest
    ]


def _documents(here: "Workspace", limit: int) -> Iterator[tuple[int, int, RecentLine]]:
    from strata.documents import Filters, Request  # noqa: PLC0415  (not before it is needed)

    filters = Filters(since_days=3650)
    for item in here.documents.find(Request(intent="recent", filters=filters, limit=limit)).items:
        time = item.updated or 0
        line = RecentLine(
            kind="document",
            id=item.id,
            title=item.title,
            place=item.folder_name or "",
            changed=iso(time),
            who=Who(),
        )
        yield time, item.version or 0, line


def _others(here: "Workspace", limit: int) -> Iterator[tuple[int, int, RecentLine]]:
    for hit in here.glance(limit=limit):
        if hit.kind != "document":
            line = RecentLine(
                kind=KINDS.get(hit.kind, hit.kind),
                id=id_of(hit),
                title=title_of(hit),
                place=place_of(hit),
                changed=iso(hit.timestamp),
                who=Who(),
            )
            yield hit.timestamp, hit.version, line


def id_of(hit: "Hit") -> str:
    """Return what the address of a hit's screen needs: a fact has its namespace before it."""
    is_alone = hit.kind in ("document", "memory")
    return hit.key if is_alone else f"{hit.namespace}/{hit.key}"


def title_of(hit: "Hit") -> str:
    """Return what a hit is called."""
    if hit.kind == "document":
        return _member(hit.value, "title")
    if hit.kind == "memory":
        return _member(hit.value, "topic") or hit.snippet
    return hit.event or hit.key


def place_of(hit: "Hit") -> str:
    """Return where a hit is: a section of its document, a topic, or a namespace."""
    if hit.kind == "document":
        section = _member(hit.value, "section")
        # The first heading of a document is often its title.
        return "" if section == _member(hit.value, "title") else section
    return _member(hit.value, "topic") if hit.kind == "memory" else hit.namespace


def _member(value: Json, name: str) -> str:
    return str(value.get(name) or "") if isinstance(value, dict) else ""
