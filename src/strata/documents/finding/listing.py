"""Enumerating: documents from the newest to the oldest, recent changes, folders and Spaces."""

from collections.abc import Callable, Sequence
from itertools import islice

from strata.documents.finding.catalogue import CatalogueEntry
from strata.documents.finding.narrowing import NarrowedDocuments, is_named
from strata.documents.finding.readable import ReadableDocuments
from strata.documents.finding.request import FoundDocuments, FoundItem, Source
from strata.documents.finding.searching import SearchRequest


def list_documents(asking: SearchRequest, where: NarrowedDocuments) -> FoundDocuments:
    """Return documents, those made last first."""
    readable, request, pager = asking
    after = pager.page.after
    rest = (entry for entry in where.entries if not after or entry.id < after)
    page = list(islice(rest, request.limit + 1))
    items = _items(readable, page[: request.limit], "list")
    token = pager.behind_id(items[-1].id) if len(page) > request.limit else None
    return FoundDocuments(items=items, total=len(where.entries), next_token=token)


def recent_documents(asking: SearchRequest, where: NarrowedDocuments) -> FoundDocuments:
    """Return documents, those changed last first."""
    readable, request, pager = asking
    newest = sorted(where.entries, key=lambda entry: (-entry.updated, entry.id))
    rest = (entry for entry in newest if not pager.was_listed(entry.id))
    page = list(islice(rest, request.limit + 1))
    items = _items(readable, page[: request.limit], "recent")
    token = pager.behind(items, has_more=len(page) > request.limit)
    return FoundDocuments(items=items, total=len(where.entries), next_token=token)


def _items(
    readable: ReadableDocuments, page: Sequence[CatalogueEntry], source: Source
) -> tuple[FoundItem, ...]:
    with readable.ahead(entry.id for entry in page):
        return tuple(readable.item(entry, source) for entry in page)


def list_folders(asking: SearchRequest) -> FoundDocuments:
    """Return the folders that one sees, each with who sees what lies there."""
    readable, query = asking.readable, asking.request.query or ""
    folders = readable.folders
    return _places(
        asking,
        sorted(id_ for id_, one in folders.items() if is_named(one.name, query)),
        lambda id_: readable.place_item(folders[id_], "folder", readable.in_folder(id_)),
    )


def list_spaces(asking: SearchRequest) -> FoundDocuments:
    """Return the Spaces that one sees."""
    readable, query = asking.readable, asking.request.query or ""
    spaces = {space.id: space for space in readable.rights.spaces()}
    return _places(
        asking,
        sorted(id_ for id_, one in spaces.items() if is_named(one.name, query)),
        lambda id_: readable.place_item(spaces[id_], "space", readable.in_space(id_)),
    )


def _places(
    asking: SearchRequest, ids: Sequence[str], shown: Callable[[str], FoundItem]
) -> FoundDocuments:
    """Return a page of places, oldest first: their ids never move."""
    _readable, request, pager = asking
    page = [id_ for id_ in ids if id_ > pager.page.after][: request.limit + 1]
    items = tuple(map(shown, page[: request.limit]))
    token = pager.behind_id(items[-1].id) if len(page) > request.limit else None
    return FoundDocuments(items=items, total=len(ids), next_token=token)
