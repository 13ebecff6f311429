"""Search as the workspace offers it: times, branches and filters turned into a query."""

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from msgspec.structs import replace

from strata.base import clock, limits
from strata.base.checks import check_many
from strata.base.errors import InvalidArgument, StrataError
from strata.base.values import Json
from strata.memory import Filter, check_tags, compile_filter, reads_of_replaced
from strata.search import (
    SEARCHABLE,
    TURN,
    Answer,
    Hit,
    Mode,
    Query,
    Search,
    check_query,
    settled,
    turn_time,
    whole_of,
)
from strata.store import GUARDED, View, check_name
from strata.workspace.advice import RERANKED, Advisor, fused, ranked, required
from strata.workspace.standing import Standing

if TYPE_CHECKING:
    from strata.documents import Documents

# How many more hits are looked at where some have expired, and how many of these are named.
_FURTHER, _EXPIRED_SHOWN = 20, 3
# Where documents lie. Their package is loaded only where there are some.
_DOCUMENTS, _DOCUMENT, _SECTION = "documents", "document", "section"


def as_query(
    text: str,
    *,
    k: int,
    namespaces: Iterable[str] | None,
    kinds: Iterable[str] | None,
    tags: Iterable[str],
    since: int | None,
    until: int | None,
    mode: Mode,
    filter: Iterable[Filter] | None,
    strict: bool,
) -> Query:
    """Check what was asked, and return it as search understands it."""
    check_query(text, k, mode)
    wanted, passes = _kinds(kinds), compile_filter(filter)
    if wanted == (TURN,):
        # Long after it was said, a conversation is taken in: what counts is when it was said.
        passes, since, until = _spoken_between(since, until, passes), None, None
    return Query(
        text,
        k,
        _names(namespaces),
        wanted,
        check_tags(tags),
        since,
        until,
        mode,
        passes,
        strict=strict,
        is_judged=True,
    )


def _spoken_between(
    since: int | None, until: int | None, passes: Callable[[Json], bool] | None
) -> Callable[[Json], bool] | None:
    """Return what lets turns pass that were said in a time, besides another condition."""
    if since is None and until is None:
        return passes

    def fits(turn: Json) -> bool:
        said = turn_time(turn) if isinstance(turn, dict) else None
        is_within = said is not None and (since or 0) <= said <= (until or said)
        return is_within and (passes is None or passes(turn))

    return fits


class ViewSearch:
    """Searches what a view shows, with a language model's help where that was wished for."""

    def __init__(
        self,
        view: View,
        search: Search,
        *,
        advisor: Callable[[], Advisor | None],
        documents: "Callable[[], Documents]",
        standing: Standing,
    ) -> None:
        self._snapshot = view.snapshot
        self._search = search
        self._advisor = advisor
        self._documents = documents
        self._standing = standing

    def find(self, query: Query, *, expand: bool, rerank: bool, expired: bool = False) -> Answer:
        """Return what answers the query best; notes say which wish could not be met."""
        reads = chain(self._search.reads(), reads_of_replaced(self._snapshot))
        with self._snapshot.store.connection().together(reads):
            answer = self._find(query, expand=expand, rerank=rerank, expired=expired)
        left_out = self._standing.expired
        if left_out and len(answer.hits) + len(left_out) >= query.k:
            # What has expired took places of what holds.
            wider = replace(query, k=min(query.k + _FURTHER, limits.SEARCH_RESULTS_MAX))
            answer = self._find(wider, expand=expand, rerank=rerank, expired=expired)
            answer = replace(answer, hits=answer.hits[: query.k])
        if left_out and not expired:
            answer = replace(answer, notes=(*answer.notes, _expired_note(left_out)))
        return answer

    def _find(self, query: Query, *, expand: bool, rerank: bool, expired: bool) -> Answer:
        documents = self._documents() if self._may_find_documents(query) else None
        if documents is not None:
            kinds = (*query.kinds, _SECTION) if query.kinds else ()
            query = replace(query, among=documents.findable(), kinds=kinds)
        answer = self._answer(query, expand=expand, rerank=rerank)
        hits = answer.hits
        if documents is not None:
            wholes = (
                (_DOCUMENTS, _DOCUMENT, whole_of(hit.key)) for hit in hits if hit.kind in GUARDED
            )
            with self._snapshot.ahead(wholes):
                hits = [documents.as_document(hit) if hit.kind in GUARDED else hit for hit in hits]
        found = self._standing.settled(
            hits, query.k, expired=expired, fits=lambda hit: _fits(hit, query)
        )
        return replace(answer, hits=found)

    def _may_find_documents(self, query: Query) -> bool:
        """Tell whether there are documents, and the query does not leave them out."""
        store = self._snapshot.store
        is_wanted = not query.kinds or _DOCUMENT in query.kinds
        is_inside = not query.namespaces or _DOCUMENTS in query.namespaces
        return (
            is_wanted
            and is_inside
            and store.catalog.keyspace(_DOCUMENTS, _DOCUMENT, store.connection()) is not None
        )

    def _answer(self, query: Query, *, expand: bool, rerank: bool) -> Answer:
        advisor = self._advisor() if expand or rerank else None
        wider = replace(query, k=max(query.k, RERANKED)) if rerank and advisor else query
        # Other wordings may find what this one does not.
        wider = replace(wider, strict=query.strict and not expand)
        answer = self._search.find(self._snapshot, wider)
        if expand:
            answer = _wished("expand", answer, lambda: self._expanded(answer, wider, advisor))
            answer = settled(answer, strict=query.strict)
        if rerank:
            answer = _wished("rerank", answer, lambda: _reordered(answer, query, advisor))
        return replace(answer, hits=ranked(answer.hits, query.k))

    def _expanded(self, answer: Answer, query: Query, advisor: Advisor | None) -> Sequence[Hit]:
        wordings = required(advisor).other_words(query.text)
        others = [self._search.find(self._snapshot, replace(query, text=w)) for w in wordings]
        return fused([answer, *others], query.k)


def _expired_note(keys: Sequence[str]) -> str:
    """Name what was left out, so that it can be read all the same."""
    shown = ", ".join(keys[:_EXPIRED_SHOWN])
    more = f" and {len(keys) - _EXPIRED_SHOWN} more" if len(keys) > _EXPIRED_SHOWN else ""
    return f"Left out because it has expired: {shown}{more}."


def _fits(hit: Hit, query: Query) -> bool:
    """Tell whether a query could have found a hit of the same kind and space as another."""
    return (
        set(query.tags) <= set(hit.tags)
        and (query.since is None or hit.timestamp >= query.since)
        and (query.until is None or hit.timestamp <= query.until)
        and (query.passes is None or query.passes(hit.value))
    )


def _reordered(answer: Answer, query: Query, advisor: Advisor | None) -> Sequence[Hit]:
    return required(advisor).order(query.text, answer.hits)


def _wished(what: str, answer: Answer, hits: Callable[[], Sequence[Hit]]) -> Answer:
    """Return an answer with other hits, or as it is with a note why that could not be done."""
    try:
        return replace(answer, hits=tuple(hits()))
    except StrataError as error:
        return replace(answer, notes=(*answer.notes, f"{what} was ignored: {error}"))


def _names(namespaces: Iterable[str] | None) -> tuple[str, ...]:
    given = check_many(namespaces or (), name="spaces")
    return tuple(sorted({check_name(name, what="space") for name in given}))


def _kinds(kinds: Iterable[str] | None) -> tuple[str, ...]:
    given = tuple(check_many(kinds or (), name="kinds"))
    for kind in given:
        if kind not in SEARCHABLE:
            raise InvalidArgument(
                f"{kind!r} cannot be searched.",
                hint=f"Kinds are {', '.join(sorted(SEARCHABLE))}.",
                parameter="kinds",
            )
    return given


def first_moment(when: clock.When) -> clock.When:
    """Let a day alone mean its first moment: what was written since a day includes it."""
    is_day = isinstance(when, str) and re.fullmatch(r"\s*\d{4}-\d{2}-\d{2}\s*", when)
    return f"{str(when).strip()} 00:00" if is_day else when
