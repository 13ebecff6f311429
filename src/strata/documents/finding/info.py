"""What is known of a document, a folder, a Space or the workspace. Counts are of what one sees."""

from collections import Counter

import msgspec

from strata.documents.finding.links import DocumentLinks
from strata.documents.finding.narrowing import NarrowedDocuments
from strata.documents.finding.readable import ReadableDocuments
from strata.documents.finding.request import FoundDocuments, FoundItem, PlaceInfo
from strata.documents.finding.searching import SearchRequest
from strata.documents.records import SECTION, SPACE
from strata.store import GONE, TRIMMED, value_of


class _Section(msgspec.Struct):
    path: list[str]


def info(asking: SearchRequest, where: NarrowedDocuments) -> FoundDocuments:
    """Return what is known of what the scope names; `where` is all of it, trash included."""
    readable, scope = asking.readable, asking.request.scope
    if scope.type == "document" and scope.id is not None:
        return FoundDocuments(info=_of_document(readable, scope.id))
    statuses = Counter(readable.status(entry) for entry in where.entries)
    item = _place(readable, asking)
    is_all = item.type == "workspace"
    return FoundDocuments(
        info=PlaceInfo(
            item=item,
            documents=sum(statuses.values()) - statuses["trashed"],
            by_status={str(name): count for name, count in sorted(statuses.items())},
            folders=len(readable.folders) if is_all else 0,
            spaces=len(readable.rights.spaces()) if is_all else 0,
        )
    )


def _place(readable: ReadableDocuments, asking: SearchRequest) -> FoundItem:
    scope = asking.request.scope
    if scope.type == "folder" and scope.id is not None:
        return readable.place_item(
            readable.rights.folder(scope.id), "folder", readable.in_folder(scope.id)
        )
    if scope.type == "space" and scope.id is not None:
        return readable.place_item(
            readable.rights.space(scope.id), "space", readable.in_space(scope.id)
        )
    return FoundItem(
        id="workspace",
        type="workspace",
        title="workspace",
        source="list",
        documents=len(readable.seen.findable),
    )


def _of_document(readable: ReadableDocuments, document: str) -> PlaceInfo:
    entry = readable.require(document)
    links = DocumentLinks(readable)
    out, lost = links.out(document)
    records = readable.snapshot.items(SPACE, SECTION, f"{document}/", hidden=GONE | TRIMMED)
    paths = [msgspec.convert(value_of(record), _Section).path for _key, record in records]
    return PlaceInfo(
        item=readable.item(entry, "list"),
        documents=1,
        sections=len(paths),
        links_out=len({link.target for link in out}),
        unresolved_links=len(lost),
        links_in=len({link.source for link in links.into(document)}),
        headings=tuple(dict.fromkeys(" > ".join(path) for path in paths if path)),
    )
