"""What belongs to a document: by links from it and to it, and by what it means."""

from itertools import islice

from strata.base import limits
from strata.documents.finding.excerpts import beginning, excerpt
from strata.documents.finding.links import DocumentLink, DocumentLinks, by_document
from strata.documents.finding.narrowing import NarrowedDocuments
from strata.documents.finding.readable import ReadableDocuments
from strata.documents.finding.request import Direction, FoundDocuments, FoundItem
from strata.documents.finding.searching import SearchRequest
from strata.documents.records import DOCUMENT, SECTION, SPACE
from strata.search import Query, Search, reciprocal

# Cosines between texts that have nothing to do with each other stay below this, by three
# standard deviations, with every model that comes with Strata.
NEAR_MIN = 0.3


def related_documents(
    asking: SearchRequest, engine: Search, document: str, *, where: NarrowedDocuments
) -> FoundDocuments:
    """Return what is related to a document, best first.

    Neighbours by meaning are among them unless links of one direction are asked for.
    """
    readable, request, pager = asking
    readable.require(document)
    links, direction = DocumentLinks(readable), request.filters.direction
    out = by_document(links.out(document)[0], "target") if direction != "in" else {}
    into = by_document(links.into(document), "source") if direction != "out" else {}
    near = neighbours(readable, engine, document) if direction == "both" else {}
    order = [
        id_
        for id_ in reciprocal([list(out), list(into), list(near)])
        if id_ in where.ids and not pager.was_listed(id_)
    ]
    page = list(islice(order, request.limit))
    items = tuple(
        _item(asking, id_, out=out.get(id_), into=into.get(id_), near=near.get(id_)) for id_ in page
    )
    token = pager.behind(items, has_more=len(order) > len(page))
    return FoundDocuments(items=items, next_token=token)


def neighbours(
    readable: ReadableDocuments, engine: Search, document: str, *, most: int = limits.NEIGHBOURS_MAX
) -> dict[str, float]:
    """Return the documents nearest by meaning, each with its cosine; none without vectors."""
    among = readable.seen.findable
    if document not in among:
        among = among | {document}
    query = Query("", most, (SPACE,), (DOCUMENT, SECTION), among=among)
    near = engine.like(readable.snapshot, query, document)
    return {id_: round(cosine, 4) for id_, cosine in near if cosine >= NEAR_MIN}


def _item(
    asking: SearchRequest,
    id_: str,
    *,
    out: list[DocumentLink] | None,
    into: list[DocumentLink] | None,
    near: float | None,
) -> FoundItem:
    readable, budget = asking.readable, asking.request.token_budget
    if into:
        shown = excerpt(readable.snapshot, f"{id_}/{into[0].chunk}", budget=budget)
    else:
        shown = beginning(readable.snapshot, id_, budget=budget)
    is_linked = bool(out or into)
    direction: Direction | None = None
    if is_linked:
        direction = "both" if out and into else "out" if out else "in"
    source = "semantic" if not is_linked else "link" if near is None else "hybrid"
    entry = readable.seen.entries[id_]
    return readable.item(entry, source, score=near, direction=direction, **shown._asdict())
