"""Scope and filters: which documents a question is about, and what was left out by what."""

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from strata.base.clock import When, parse_time
from strata.base.errors import InvalidArgument
from strata.documents.finding.catalogue import CatalogueEntry
from strata.documents.finding.readable import ReadableDocuments
from strata.documents.finding.request import Filters, Request, Status

Keeps: TypeAlias = Callable[[CatalogueEntry], bool]

_DAY_US = 86_400_000_000


class NarrowingRule(NamedTuple):
    """One thing that leaves documents out: what it is called, and which ones it keeps."""

    name: str
    keeps: Keeps


class NarrowedDocuments(NamedTuple):
    """The documents that are left, newest first, and how many each rule left of those before."""

    entries: Sequence[CatalogueEntry]
    steps: list[tuple[str, int]]
    # The same as ids. Where nothing was narrowed it is always the same object.
    ids: frozenset[str]


def narrowed(
    readable: ReadableDocuments, rules: Sequence[NarrowingRule], *, with_trash: bool = False
) -> NarrowedDocuments:
    """Return what is left of what one sees; what is in the trash only if asked for."""
    seen = readable.seen
    everything = with_trash or len(seen.findable) == len(seen.entries)
    left: list[CatalogueEntry] = [
        entry for entry in seen.entries.values() if everything or not entry.card.trashed
    ]
    if not rules and not with_trash:
        return NarrowedDocuments(left, [], seen.findable)
    steps: list[tuple[str, int]] = []
    for rule in rules:
        left = [entry for entry in left if rule.keeps(entry)]
        steps.append((rule.name, len(left)))
    return NarrowedDocuments(left, steps, frozenset(entry.id for entry in left))


def scope_rules(readable: ReadableDocuments, request: Request) -> Iterator[NarrowingRule]:
    """Yield what the scope leaves out; raise NotFound for a place that one does not see."""
    scope = request.scope
    if scope.type == "folder" and scope.id is not None:
        inside = [readable.rights.folder(scope.id).id]
        for folder in inside:  # grows while it is walked
            inside += [id_ for id_, one in readable.folders.items() if one.parent == folder]
        found = frozenset[str]().union(*map(readable.in_folder, inside))
        yield NarrowingRule("scope", _is_in(found))
    if scope.type == "space" and scope.id is not None:
        yield NarrowingRule("scope", _is_in(readable.in_space(readable.rights.space(scope.id).id)))
    if scope.type == "shared":
        yield NarrowingRule("scope", _is_in(readable.shared))


def filter_rules(
    readable: ReadableDocuments, filters: Filters, *, now: int
) -> Iterator[NarrowingRule]:
    """Yield what each filter leaves out, in the order in which they are applied."""
    if filters.status:
        yield NarrowingRule("status", _has_status(readable, filters.status))
    if filters.owner is not None:
        yield NarrowingRule("owner", _is_in(readable.owned_by(filters.owner)))
    if not filters.include_shared:
        yield NarrowingRule("include_shared", _is_not_only_shared(readable))
    yield from _times(filters, now)


def has_title(query: str) -> NarrowingRule:
    """Return what keeps documents whose title has all words of a query."""

    def keeps(entry: CatalogueEntry) -> bool:
        return is_named(entry.card.title, query)

    return NarrowingRule("query", keeps)


def is_named(name: str, query: str) -> bool:
    """Tell whether a name has all words of a query, in whatever case and order."""
    plain = name.casefold()
    return all(word in plain for word in query.casefold().split())


def is_recent(filters: Filters, now: int) -> NarrowingRule:
    """Return what keeps the changes of the last days."""
    since = now - filters.since_days * _DAY_US
    return NarrowingRule("since_days", _is_from(_updated, since))


def _has_status(readable: ReadableDocuments, wanted: Collection[Status]) -> Keeps:
    return lambda entry: readable.status(entry) in wanted


def _is_in(ids: Collection[str]) -> Keeps:
    return lambda entry: entry.id in ids


def _is_not_only_shared(readable: ReadableDocuments) -> Keeps:
    """Return what keeps documents whose folder one sees."""
    inside = frozenset[str]().union(*map(readable.in_folder, readable.folders))
    return _is_in(inside)


def _times(filters: Filters, now: int) -> Iterator[NarrowingRule]:
    bounds = (
        ("created_after", filters.created_after, _created, False),
        ("created_before", filters.created_before, _created, True),
        ("updated_after", filters.updated_after, _updated, False),
        ("updated_before", filters.updated_before, _updated, True),
    )
    for name, when, time_of, ends in bounds:
        if when is not None:
            moment = _moment(when, now, name=name, ends=ends)
            yield NarrowingRule(
                name, _is_until(time_of, moment) if ends else _is_from(time_of, moment)
            )


def _created(entry: CatalogueEntry) -> int:
    return entry.card.created


def _updated(entry: CatalogueEntry) -> int:
    return entry.updated


def _is_from(time_of: Callable[[CatalogueEntry], int], moment: int) -> Keeps:
    return lambda entry: time_of(entry) >= moment


def _is_until(time_of: Callable[[CatalogueEntry], int], moment: int) -> Keeps:
    return lambda entry: time_of(entry) <= moment


def _moment(when: When, now: int, *, name: str, ends: bool) -> int:
    """Return a time; a day alone is its first moment, or its last one where it `ends` a span."""
    if isinstance(when, str) and not ends:
        when = _first_moment(when)
    found = parse_time(when, now=now, clamp=False, parameter=name).timestamp
    if found is None:
        raise InvalidArgument(
            f"{name} has to be a time.",
            hint='Use ISO 8601, a date, or words such as "2 days ago".',
            parameter=name,
        )
    return found


def _first_moment(when: str) -> str:
    """Let a day alone mean its first moment."""
    is_day = len(when.strip()) == len("2026-11-15") and when.count("-") == 2
    return f"{when.strip()} 00:00" if is_day else when
