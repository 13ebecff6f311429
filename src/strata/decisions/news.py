"""What happened on a branch since a checkpoint: the digest for a user or an agent that resumes."""

from collections.abc import Iterable
from itertools import islice
from typing import Any, cast

from strata.base import limits
from strata.base.results import Result
from strata.base.values import Json
from strata.decisions.reader import MemoryReader
from strata.decisions.records import MEMORY, Memory, topic_key
from strata.store import EVENT, UNGUARDED, Point, ShownChange, Snapshot, changes_since

# Kinds of values that are kept under a key.
_FACTS = frozenset({"kv", "json", "state"})


class ChangedFact(Result, frozen=True, kw_only=True):
    """A key that was written, and what it holds now: None where it was deleted."""

    key: str
    space: str
    value: Json
    version: int
    is_deleted: bool = False


class News(Result, frozen=True, kw_only=True):
    """Counts of what was written, and the newest decisions and keys among it.

    Memories count by their own time, so what was imported later is no news. `is_partial` means
    that there was more than is looked through.
    """

    decisions: int = 0
    superseded: int = 0
    judged: int = 0
    insights: int = 0
    facts: int = 0
    events: int = 0
    memories: tuple[Memory, ...] = ()
    changed: tuple[ChangedFact, ...] = ()
    is_partial: bool = False


class Digest(Result, frozen=True, kw_only=True):
    """Where work stopped: the checkpoint, the news since, and what is still open.

    `pending` are older current decisions without an outcome, `conflicts` the topics with several
    current decisions and their ids: among the newest memories only.
    """

    checkpoint: Memory
    news: News
    pending: tuple[Memory, ...] = ()
    conflicts: tuple[tuple[str, tuple[str, ...]], ...] = ()


def digest_of(snapshot: Snapshot, checkpoint: Memory) -> Digest:
    """Return what to know before going on from a checkpoint."""
    reader = MemoryReader(snapshot)
    looked_at = islice(reader.newest(), limits.DIGEST_MEMORIES_LOOKED_AT)
    decisions = [memory for memory in looked_at if memory.type == "decision"]
    replaced = reader.replaced(decisions)
    current = [memory for memory in decisions if memory.id not in replaced]
    topics: dict[str, list[Memory]] = {}
    for memory in current:
        topics.setdefault(topic_key(memory.topic or memory.id), []).append(memory)
    return Digest(
        checkpoint=checkpoint,
        news=news_after(snapshot, checkpoint),
        pending=tuple(
            memory
            for memory in current
            if memory.outcome is None and memory.created_at <= checkpoint.created_at
        ),
        conflicts=tuple(
            (heads[0].topic or "", tuple(head.id for head in heads))
            for heads in topics.values()
            if len(heads) > 1
        ),
    )


def news_after(snapshot: Snapshot, checkpoint: Memory) -> News:
    """Return what happened after a checkpoint and can be seen in a snapshot."""
    reader, most = MemoryReader(snapshot), limits.NEWS_CHANGES_MAX
    moment = checkpoint.created_at
    saved = list(islice(reader.newest(least_ms=moment + 1), most))
    point = Point(snapshot.current_branch(), snapshot.bound)
    changes = changes_since(
        snapshot.store, point, after=checkpoint.version, limit=most, visibility=UNGUARDED
    )
    judged = _judged(reader, changes, moment)
    decisions = [memory for memory in saved if memory.type == "decision"]
    facts = _facts(changes)
    told = {memory.id: memory for memory in (*judged, *decisions)}
    newest = sorted(told.values(), key=lambda memory: -memory.updated_at)
    return News(
        decisions=len(decisions),
        insights=sum(memory.type == "insight" for memory in saved),
        judged=len(judged),
        superseded=len(_replaced(reader, decisions)),
        facts=len(facts),
        events=sum(change.kind == EVENT for change in changes),
        memories=tuple(newest[: limits.NEWS_NAMED_MAX]),
        changed=tuple(facts[: limits.NEWS_NAMED_MAX]),
        is_partial=most in (len(changes), len(saved)),
    )


def _facts(changes: Iterable[ShownChange]) -> list[ChangedFact]:
    """Return each key once with its last value, the one written last in front."""
    written = (change for change in reversed(list(changes)) if change.kind in _FACTS)
    found: dict[tuple[str, str], ChangedFact] = {}
    for change in written:
        fact = ChangedFact(
            key=change.key,
            space=change.space,
            value=change.after,
            version=change.version,
            is_deleted=change.action == "removed",
        )
        found.setdefault((change.space, change.key), fact)
    return list(found.values())


def _judged(reader: MemoryReader, changes: Iterable[ShownChange], moment: int) -> list[Memory]:
    """Return the decisions whose outcome was told after a moment."""
    ids = dict.fromkeys(
        change.key for change in changes if change.kind == MEMORY and _is_verdict(change)
    )
    found = (memory for id_ in ids if (memory := reader.get(id_)) is not None)
    return [memory for memory in found if (memory.metadata.get("outcome_at") or 0) > moment]


def _replaced(reader: MemoryReader, decisions: Iterable[Memory]) -> set[str]:
    links = (link for one in decisions for link in reader.links_of(one.id, end="from"))
    return {link.to_id for link in links if link.supersedes}


def _is_verdict(change: ShownChange) -> bool:
    """Tell whether a change says how a decision turned out."""
    return change.action == "modified" and _outcome(change.after) != _outcome(change.before)


def _outcome(value: object) -> object:
    return _members(_members(value).get("metadata")).get("outcome")


def _members(value: object) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}
