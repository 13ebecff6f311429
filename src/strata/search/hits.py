"""A version of the store as a search shows it."""

from collections.abc import Mapping
from typing import TypeAlias

from strata.search.query import Hit
from strata.search.snippets import snippet
from strata.search.text import text_of_value, type_of
from strata.search.tokens import Finder
from strata.store import EVENT, Record, event_time, meta_of, value_of

# The space, the kind and the key of something.
Place: TypeAlias = tuple[str, str, str]


def hit_of(
    record: Record,
    place: Place,
    terms: Mapping[str, float] | None = None,
    *,
    finder: Finder | None = None,
    score: float = 0.0,
    rank: int = 0,
    relevance: float = 0.0,
) -> Hit:
    """Return what a record holds, with the part of its text that has most of the terms."""
    space, kind, key = place
    value = value_of(record)
    part = snippet(text_of_value(kind, value, record[4]), terms or {}, finder=finder)
    return Hit(
        key=str(int(key)) if kind == EVENT else key,
        namespace=space,
        kind=kind,
        value=value,
        score=round(score, 4),
        rank=rank,
        snippet=part.text,
        marks=part.marks,
        version=record[0],
        timestamp=event_time(record) if kind == EVENT else record[1],
        tags=tuple(meta_of(record).get("tags", ())),
        event=type_of(record[4] or b"{}") if kind == EVENT else "",
        relevance=round(relevance, 4),
    )
