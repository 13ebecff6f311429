"""Saving a memory: the record, what it replaces and what it is linked to, as one commit."""

from collections.abc import Iterable, Sequence

import msgspec

from strata.base import limits
from strata.base.checks import check_text
from strata.base.errors import InvalidArgument, LimitExceeded
from strata.base.values import Json
from strata.decisions.links import Creator, Link, LinkType, new_link
from strata.decisions.mapping import map_relationship
from strata.decisions.records import SCHEMA_VERSION, Memory, Type, new_id
from strata.decisions.shelf import Shelf, stage
from strata.store import Transaction

# How sure a link is that somebody named: by a parameter of its own, or in a list.
NAMED, LISTED = 1.0, 0.8
# Saves of the same millisecond, and of those that follow it closely, are put in a row.
_CROWDED_MS = 1_000
# What may stand for a predecessor when there shall be none.
NOTHING = "none"


class WantedLink(msgspec.Struct, frozen=True):
    """A link as the caller words it; `link_type` is found from the word unless given."""

    to_id: str
    relationship: str
    link_type: LinkType | None = None
    reason: str | None = None


class Draft(msgspec.Struct, frozen=True, kw_only=True):
    """A memory that is about to be saved, and what it is to be linked to."""

    type: Type
    content: str
    topic: str | None = None
    metadata: dict[str, Json] = {}
    supersedes: str | None = None
    implements: str | None = None
    links: Sequence[WantedLink] = ()
    by: Creator = "user"
    replaces_topic: bool = False
    links_in_time: bool = True


class Saved(msgspec.Struct, frozen=True, kw_only=True):
    """What a save made: the memory, its links, and what it replaced."""

    memory: Memory
    links: tuple[Link, ...]
    superseded: tuple[str, ...] = ()


def save(transaction: Transaction, draft: Draft, *, now_ms: int) -> Saved:
    """Stage a memory with everything that belongs to it; unknown targets stage nothing."""
    shelf = Shelf(transaction)
    now_ms = _after_the_newest(shelf, now_ms)
    metadata = {"schema_version": SCHEMA_VERSION, **draft.metadata}
    memory = Memory(
        id=new_id(draft.type, now_ms), type=draft.type, content=draft.content, topic=draft.topic,
        metadata=metadata, created_at=now_ms, updated_at=now_ms,
    )  # fmt: skip
    before = _predecessors(shelf, draft)
    made = [
        _link(memory, old, "evolution", by=draft.by, relationship="supersedes") for old in before
    ]
    if draft.implements is not None:
        target = shelf.require(draft.implements).id
        made.append(_link(memory, target, "implementation", by=draft.by, relationship="implements"))
    made += _wanted(shelf, memory, draft)
    if draft.links_in_time:
        known = {link.to_id for link in made}
        made += temporal_links(shelf, memory, known=known)
    unique = tuple({link.id: link for link in made}.values())
    stage(transaction, memory, unique)
    return Saved(memory=memory, links=unique, superseded=tuple(before))


def _after_the_newest(shelf: Shelf, now_ms: int) -> int:
    """Return a time of its own for a memory, so that what is newest is never in doubt."""
    newest = next(shelf.newest(least_ms=now_ms, below_ms=now_ms + _CROWDED_MS), None)
    return now_ms if newest is None else newest.created_at + 1


def _predecessors(shelf: Shelf, draft: Draft) -> list[str]:
    """Return the decisions that this one replaces: the named one, else its topic's heads."""
    if draft.supersedes is not None and draft.supersedes.casefold() != NOTHING:
        return [shelf.require(draft.supersedes).id]
    if draft.supersedes is None and draft.replaces_topic and draft.topic is not None:
        return [memory.id for memory in shelf.heads(draft.topic)]
    return []


def _link(memory: Memory, to_id: str, type_: LinkType, *, by: Creator, relationship: str) -> Link:
    return new_link(
        memory.id, to_id, type_, confidence=NAMED, created_by=by, created_at=memory.created_at,
        relationship=relationship,
    )  # fmt: skip


def _wanted(shelf: Shelf, memory: Memory, draft: Draft) -> list[Link]:
    if len(draft.links) > limits.LINKS_MAX:
        raise LimitExceeded(
            f"One save may name {limits.LINKS_MAX} links; {len(draft.links)} were given.",
            hint="Keep the most important ones.", limit=limits.LINKS_MAX, size=len(draft.links),
        )  # fmt: skip
    return [
        worded_link(memory.id, shelf.require(wanted.to_id).id, wanted, now_ms=memory.created_at,
                    by=draft.by)
        for wanted in draft.links
    ]  # fmt: skip


def worded_link(from_id: str, to_id: str, wanted: WantedLink, *, now_ms: int, by: Creator) -> Link:
    """Return the link that a word means; a passive word has its ends the other way round.

    `turned` in its metadata tells so: the word then reads from the second end to the first.
    """
    word = check_text(wanted.relationship, name="relationship").strip()
    if not word:
        raise InvalidArgument("A link needs a relationship.", parameter="relationship")
    mapped = map_relationship(word)
    type_ = wanted.link_type or mapped.link_type
    ends = (to_id, from_id) if mapped.is_passive else (from_id, to_id)
    if ends[0] == ends[1]:
        raise InvalidArgument("A memory cannot be linked to itself.", parameter="links")
    return new_link(
        *ends, type_, confidence=LISTED, created_by=by, created_at=now_ms, relationship=word,
        reason=wanted.reason, mapping=None if wanted.link_type else mapped.how,
        grows=(type_ == "evolution" and mapped.grows) or None, turned=mapped.is_passive or None,
    )  # fmt: skip


def temporal_links(shelf: Shelf, memory: Memory, *, known: Iterable[str]) -> list[Link]:
    """Return links to what was saved shortly before, nearest first."""
    taken = set(known)
    least = memory.created_at - limits.TEMPORAL_WINDOW_MS
    made: list[Link] = []
    for other in shelf.newest(least_ms=least, below_ms=memory.created_at + 1):
        if len(made) == limits.TEMPORAL_LINKS_MAX:
            break
        if other.id != memory.id and other.id not in taken:
            age = (memory.created_at - other.created_at) / limits.TEMPORAL_WINDOW_MS
            made.append(
                new_link(
                    memory.id, other.id, "temporal", confidence=round(0.3 + 0.2 * (1 - age), 4),
                    created_by="system", created_at=memory.created_at,
                )
            )  # fmt: skip
    return made


def check_field(text: object, *, name: str, most: int, empty: bool = False) -> str:
    """Return a field's text, or say what is wrong with it."""
    found = check_text(text, name=name)
    if not found.strip() and not empty:
        raise InvalidArgument(f"The {name} is empty.", parameter=name)
    if len(found) > most:
        raise LimitExceeded(
            f"The {name} has {len(found):,} characters; the limit is {most:,}.",
            hint="Say it shorter, and keep long text in a document.", parameter=name,
            limit=most, size=len(found),
        )  # fmt: skip
    return found


def check_confidence(confidence: object) -> float:
    """Return a confidence between 0 and 1."""
    if isinstance(confidence, bool) or not isinstance(confidence, (int, float)):
        raise InvalidArgument("The confidence must be a number.", parameter="confidence")
    if not 0 <= confidence <= 1:
        raise InvalidArgument(
            f"The confidence is {confidence}; it lies between 0 and 1.", parameter="confidence"
        )
    return float(confidence)
