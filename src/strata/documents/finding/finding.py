"""Finding documents as a user may see them: search, list, recent, related, info, graph."""

from collections.abc import Callable, Iterable, Iterator

from msgspec.structs import replace

from strata.access import Permissions
from strata.documents.finding import listing
from strata.documents.finding.graph import DocumentGraph, graph
from strata.documents.finding.info import info
from strata.documents.finding.links import BrokenLink, DocumentLinks
from strata.documents.finding.narrowing import (
    NarrowedDocuments,
    NarrowingRule,
    filter_rules,
    has_title,
    is_recent,
    narrowed,
    scope_rules,
)
from strata.documents.finding.paging import Pager
from strata.documents.finding.readable import ReadableDocuments, VisibleDocumentsCache
from strata.documents.finding.related import related_documents
from strata.documents.finding.request import (
    Filters,
    FoundDocuments,
    FoundItem,
    Request,
    Scope,
    check_request,
)
from strata.documents.finding.search_advice import broadening
from strata.documents.finding.searching import SearchRequest, search_documents, search_inside
from strata.documents.finding.tables import (
    DocumentRow,
    DocumentRows,
    TableRequest,
    rows_of,
    table_of,
)
from strata.search import Search
from strata.store import Snapshot


class DocumentFinder:
    """Finds documents on a branch, now or as of a time, for one user. Cheap to make."""

    def __init__(
        self,
        snapshot: Snapshot,
        rights: Permissions,
        search: Search,
        *,
        cache: VisibleDocumentsCache,
    ) -> None:
        self._snapshot = snapshot
        self._rights = rights
        self._search = search
        self._cache = cache

    def find(self, request: Request) -> FoundDocuments:
        """Return what was asked for, a page of it; nothing found comes with what to do next."""
        check_request(request)
        with self._snapshot.store.connection().together(self._search.reads()):
            return self._find(request)

    def _find(self, request: Request) -> FoundDocuments:
        readable = self._readable()
        pager = Pager(self._snapshot, readable.rights.user.id, request)
        asking = SearchRequest(readable, request, pager)
        if request.intent == "list" and request.scope.type in ("folders", "spaces"):
            lists = {"folders": listing.list_folders, "spaces": listing.list_spaces}
            return lists[request.scope.type](asking)
        rules = self._rules(asking)
        wants_trash = "trashed" in request.filters.status or request.intent == "info"
        where = narrowed(readable, rules, with_trash=wants_trash)
        found = self._answer(asking, where)
        if found.items or found.info is not None or request.next_token is not None:
            return found
        hints = broadening(readable, request, where, rules=rules, anywhere=self._anywhere(request))
        return replace(found, hints=tuple(hints))

    def findable(self) -> frozenset[str]:
        """Return the ids of the documents that a search may show."""
        return self._readable().seen.findable

    def table(self, request: TableRequest) -> DocumentRows:
        """Return rows of a table of the documents in one place."""
        return table_of(self._readable(), request)

    def rows(self, items: Iterable[FoundItem]) -> list[DocumentRow]:
        """Return documents that were found as rows of a table."""
        readable = self._readable()
        return rows_of(readable, [(item.id, item) for item in items])

    def graph(self, document: str, *, depth: int = 2, max_nodes: int = 50) -> DocumentGraph:
        """Return the documents around one, and how they are connected."""
        return graph(self._readable(), self._search, document, depth=depth, max_nodes=max_nodes)

    def broken_links(self) -> Iterator[BrokenLink]:
        """Yield the [[links]] that lead nowhere, those of documents that changed last first."""
        readable = self._readable()
        links = DocumentLinks(readable)
        for document in readable.seen.entries:
            if document in readable.seen.findable:
                yield from links.broken(document)

    def _readable(self) -> ReadableDocuments:
        return ReadableDocuments(self._snapshot, self._rights, self._cache)

    def _rules(self, asking: SearchRequest) -> list[NarrowingRule]:
        readable, request, pager = asking
        rules = list(scope_rules(readable, request))
        if request.intent == "info":
            return rules
        now = pager.page.now
        rules += filter_rules(readable, request.filters, now=now)
        if request.query and request.intent in ("list", "recent"):
            rules.append(has_title(request.query))
        return [*rules, is_recent(request.filters, now)] if request.intent == "recent" else rules

    def _answer(self, asking: SearchRequest, where: NarrowedDocuments) -> FoundDocuments:
        request = asking.request
        document = request.scope.id if request.scope.type == "document" else None
        if request.intent == "info":
            return info(asking, where)
        if request.intent == "list":
            return listing.list_documents(asking, where)
        if request.intent == "recent":
            return listing.recent_documents(asking, where)
        if request.intent == "related":
            return related_documents(asking, self._search, document or "", where=where)
        if document is not None:
            return search_inside(asking, self._search, document)
        return search_documents(asking, self._search, where)

    def _anywhere(self, request: Request) -> Callable[[], FoundDocuments] | None:
        if request.intent != "search":
            return None
        wider = replace(request, scope=Scope(), filters=Filters(), limit=2, token_budget=1)

        def ask() -> FoundDocuments:
            asking = SearchRequest(self._readable(), wider, Pager(self._snapshot, "", wider))
            return search_documents(asking, self._search, narrowed(asking.readable, []))

        return ask
