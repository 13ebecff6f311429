"""Searching documents by words and by meaning: one item a document, or the places in one.

A document is in an answer once, by its section that answers best; `more` counts the
others, and a search in the scope of the document shows them. Titles are searched like texts, and
a question that is a title has the document of that title as its first answer.
"""

from itertools import islice
from typing import NamedTuple

from strata.documents.finding.excerpts import Excerpt, beginning, excerpt
from strata.documents.finding.links import DocumentLinks
from strata.documents.finding.narrowing import NarrowedDocuments
from strata.documents.finding.paging import Pager
from strata.documents.finding.readable import ReadableDocuments
from strata.documents.finding.request import FoundDocuments, FoundItem, Request, Source
from strata.documents.markdown import normal_title
from strata.documents.records import DOCUMENT, SECTION, SPACE
from strata.search import Part, Query, Ranking, Search

# As much of what came nearest as tells what it is about.
_NEAREST_TOKENS = 20


class SearchRequest(NamedTuple):
    """Who asks what, and which page of the answer is wanted."""

    readable: ReadableDocuments
    request: Request
    pager: Pager


def search_documents(
    asking: SearchRequest, engine: Search, where: NarrowedDocuments
) -> FoundDocuments:
    """Return the documents that answer best."""
    readable, request, pager = asking
    if not where.ids:
        return FoundDocuments(mode="keyword")
    query = _query(asking, (DOCUMENT, SECTION), where.ids)
    ranking = engine.rank(readable.snapshot, query, by_whole=True)
    exact = _of_that_title(readable, request, where.ids)
    # The title comes first, wherever the words have put it.
    parts = {part.whole: part for part in ranking.parts}
    order = dict.fromkeys([*exact, *parts])
    new = list(islice((one for one in order if not pager.was_listed(one)), request.limit + 1))
    shown = new[: request.limit]
    passages = {id_: parts[id_].passage for id_ in shown if id_ in parts}
    with readable.ahead(shown, engine.reads_of_parts(passages.values())):
        places = {id_: engine.part(passage) for id_, passage in passages.items()}
        sections = ((SPACE, *place) for place in places.values() if place[0] == SECTION)
        with readable.snapshot.ahead(sections):
            items = tuple(
                _document(
                    asking,
                    ranking,
                    places.get(id_),
                    id_=id_,
                    part=parts.get(id_),
                    is_exact=id_ in exact,
                )
                for id_ in shown
            )
    token = pager.behind(items, has_more=len(new) > request.limit)
    nearest = "" if items else _nearest(asking, engine, ranking)
    return FoundDocuments(items=items, mode=ranking.mode, next_token=token, nearest=nearest)


def search_inside(asking: SearchRequest, engine: Search, document: str) -> FoundDocuments:
    """Return the places in one document that answer best."""
    readable, request, pager = asking
    entry = readable.require(document)
    query = _query(asking, (SECTION,), frozenset({document}))
    ranking = engine.rank(readable.snapshot, query, by_whole=False)
    found: list[FoundItem] = []
    for part in ranking.parts:
        key = engine.part(part.version)[1]
        shown = excerpt(readable.snapshot, key, terms=ranking.terms, budget=request.token_budget)
        if shown.chunk_id is None or pager.was_listed(shown.chunk_id):
            continue
        found.append(
            FoundItem(
                id=shown.chunk_id,
                type="section",
                document_id=document,
                score=part.score,
                relevance=part.relevance,
                title=shown.heading_path[-1] if shown.heading_path else entry.card.title,
                source=_source(part),
                updated=entry.updated,
                version=entry.version,
                **shown._asdict(),
            )
        )
    items = tuple(found[: request.limit])
    token = pager.behind(items, has_more=len(found) > request.limit)
    nearest = "" if items else _nearest(asking, engine, ranking)
    return FoundDocuments(items=items, mode=ranking.mode, next_token=token, nearest=nearest)


def _query(asking: SearchRequest, kinds: tuple[str, ...], ids: frozenset[str]) -> Query:
    """Ask for one more than the pages up to this one hold, to know whether there is another."""
    k = asking.pager.listed_before + asking.request.limit + 1
    request = asking.request
    return Query(request.query or "", k, (SPACE,), kinds, among=ids, strict=request.strict)


def _of_that_title(readable: ReadableDocuments, request: Request, ids: frozenset[str]) -> list[str]:
    """Return the documents whose title, or else alias, is the question."""
    found = DocumentLinks(readable, ids).named(normal_title(request.query or ""))
    return sorted(found, key=lambda id_: -readable.seen.entries[id_].updated)


def _document(
    asking: SearchRequest,
    ranking: Ranking,
    place: tuple[str, str] | None,
    *,
    id_: str,
    part: Part | None,
    is_exact: bool,
) -> FoundItem:
    readable, budget = asking.readable, asking.request.token_budget
    kind = place[0] if place else ""
    if place is None or part is None:
        shown = beginning(readable.snapshot, id_, budget=budget)
    else:
        shown = _excerpt_of(readable, ranking, place, part=part, budget=budget)
    score, relevance = (0.0, 0.0) if part is None else (part.score, part.relevance)
    if is_exact:
        score, relevance = max([score, *(best.score for best in ranking.parts[:1])]), 1.0
    source = "title" if part is None or is_exact else _source(part)
    # Only a title is shown by another part than the one that was found, if it has one.
    is_title = part is not None and (kind == DOCUMENT or part.passage != part.version)
    if is_title and source == "keyword":
        source = "title"
    more = 0 if part is None else part.others
    entry = readable.seen.entries[id_]
    told = {"score": score, "relevance": relevance, "more": more}
    return readable.item(entry, source, **told, **shown._asdict())


def _excerpt_of(
    readable: ReadableDocuments,
    ranking: Ranking,
    place: tuple[str, str],
    *,
    part: Part,
    budget: int,
) -> Excerpt:
    """Return what to show of the passage that a part is shown by; `place` is its kind and key."""
    kind, key = place
    if kind == SECTION:
        return excerpt(readable.snapshot, key, terms=ranking.terms, budget=budget)
    return beginning(readable.snapshot, part.whole, budget=budget)


def _nearest(asking: SearchRequest, engine: Search, ranking: Ranking) -> str:
    """Return in a line what came nearest to a question that nothing answers."""
    part, readable = ranking.nearest, asking.readable
    if part is None:
        return ""
    place = engine.part(part.passage)
    shown = _excerpt_of(readable, ranking, place, part=part, budget=_NEAREST_TOKENS)
    title = readable.seen.entries[part.whole].card.title
    return " ".join(f"{title}: {shown.snippet}".split())


def _source(part: Part) -> Source:
    if part.by_words and part.by_meaning:
        return "hybrid"
    return "semantic" if part.by_meaning else "keyword"
