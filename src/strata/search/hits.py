"""A version of the store as a search shows it."""

from collections.abc import Mapping
from datetime import datetime
from typing import TypeAlias

from strata.base.values import Json
from strata.search.query import Hit
from strata.search.snippets import snippet
from strata.search.text import TURN, text_of_value, turn_name, type_of
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
    event = type_of(record[4]) if kind == EVENT and record[4] else ""
    part = snippet(text_of_value(kind, value, event), terms or {}, finder=finder)
    return Hit(
        key=_name_of(kind, key),
        namespace=space,
        kind=kind,
        value=value,
        score=round(score, 4),
        rank=rank,
        snippet=part.text,
        marks=part.marks,
        version=record[0],
        timestamp=_time_of(kind, record, value),
        tags=tuple(meta_of(record).get("tags", ())),
        event=event,
        relevance=round(relevance, 4),
    )


def text_of_hit(hit: Hit) -> str:
    """Return the whole text that a hit's snippet is part of."""
    return text_of_value(hit.kind, hit.value, hit.event)


def _name_of(kind: str, key: str) -> str:
    """Return what a user calls something: an event by its number, a turn as it is cited."""
    if kind == EVENT:
        return str(int(key))
    return turn_name(key) if kind == TURN else key


def _time_of(kind: str, record: Record, value: Json) -> int:
    """Return when something was written; when an event happened, and a turn was said."""
    if kind == EVENT:
        return event_time(record)
    if kind == TURN and isinstance(value, dict):
        return turn_time(value) or record[1]
    return record[1]


def turn_time(turn: dict[str, Json]) -> int | None:
    """Return when a turn was said, in microseconds; None where it does not say."""
    try:
        return round(datetime.fromisoformat(str(turn.get("time"))).timestamp() * 1_000_000)
    except (ValueError, OverflowError):
        return None
