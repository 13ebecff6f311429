"""What happened on a branch since a version: the news for whoever resumes work."""

from collections.abc import Iterable
from typing import Any, cast

import msgspec

from strata.base import limits
from strata.decisions.links import LINK, Link
from strata.decisions.records import MEMORY, Memory
from strata.decisions.shelf import Shelf
from strata.store import EVENT, UNGUARDED, Point, ShownChange, Snapshot, changes_since

# Kinds of values that are kept under a key.
_FACTS = frozenset({"kv", "json", "state"})


class News(msgspec.Struct, frozen=True, kw_only=True):
    """Counts of what was written, and the newest decisions and keys among it.

    `is_partial` means that there was more than is looked through.
    """

    decisions: int = 0
    superseded: int = 0
    judged: int = 0
    insights: int = 0
    facts: int = 0
    events: int = 0
    memories: tuple[Memory, ...] = ()
    keys: tuple[str, ...] = ()
    is_partial: bool = False


def news_after(snapshot: Snapshot, version: int) -> News:
    """Return what was written after a version and can be seen in a snapshot."""
    shelf = Shelf(snapshot)
    point = Point(snapshot.current_branch(), snapshot.bound)
    most = limits.NEWS_CHANGES_MAX
    changes = changes_since(snapshot.store, point, after=version, limit=most, sight=UNGUARDED)
    memories = [change for change in changes if change.kind == MEMORY]
    saved = [change for change in memories if change.action == "added"]
    judged = [change for change in memories if _is_verdict(change)]
    keys = _newest(change.key for change in changes if change.kind in _FACTS)
    told = _newest(change.key for change in [*saved, *judged] if _type(change) == "decision")
    found = [memory for id_ in told if (memory := shelf.get(id_)) is not None]
    return News(
        decisions=sum(_type(change) == "decision" for change in saved),
        insights=sum(_type(change) == "insight" for change in saved),
        judged=len({change.key for change in judged}),
        superseded=len({link.to_id for link in _links(shelf, changes) if link.supersedes}),
        facts=len(keys), events=sum(change.kind == EVENT for change in changes),
        memories=tuple(sorted(found, key=lambda memory: -memory.version))[: limits.NEWS_NAMED_MAX],
        keys=tuple(keys[: limits.NEWS_NAMED_MAX]), is_partial=len(changes) == most,
    )  # fmt: skip


def _newest(keys: Iterable[str]) -> list[str]:
    """Return each key once, the one written last in front."""
    return list(dict.fromkeys(reversed(list(keys))))


def _links(shelf: Shelf, changes: list[ShownChange]) -> list[Link]:
    made = (change.key for change in changes if change.kind == LINK and change.action == "added")
    return [link for id_ in made if (link := shelf.link(id_)) is not None]


def _type(change: ShownChange) -> object:
    return _members(change.after).get("type")


def _is_verdict(change: ShownChange) -> bool:
    """Tell whether a change says how a decision turned out."""
    return change.action == "modified" and _outcome(change.after) != _outcome(change.before)


def _outcome(value: object) -> object:
    return _members(_members(value).get("metadata")).get("outcome")


def _members(value: object) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}
