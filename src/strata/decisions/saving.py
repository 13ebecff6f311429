"""Saving a memory: the record, what it replaces and what it is linked to, as one commit."""

from collections.abc import Iterable, Sequence
from itertools import islice

import msgspec

from strata.base import limits
from strata.base.checks import check_text
from strata.base.errors import Conflict, InvalidArgument, LimitExceeded
from strata.base.results import Result
from strata.base.values import Json
from strata.decisions.links import Creator, Link, LinkType, is_replacing, new_link
from strata.decisions.reader import MemoryReader, stage
from strata.decisions.records import SCHEMA_VERSION, Memory, Type, new_id, topic_key
from strata.decisions.relationships import map_relationship
from strata.store import Transaction

# The confidence of a link that a user or a model made: by a parameter of its own, or in a list.
NAMED, LISTED = 1.0, 0.8
# Saves of the same millisecond, and of those that follow it closely, are put in a row.
_CROWDED_MS = 60_000
# How much of a decision an error quotes.
_SHOWN_CHARACTERS = 200
# What may be given as a predecessor when there shall be none.
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


class SavedMemory(Result, frozen=True, kw_only=True):
    """What a save made: the memory, its links, and what it replaced.

    `is_unchanged` means that the same was saved before: nothing was written.
    """

    memory: Memory
    links: tuple[Link, ...]
    superseded: tuple[str, ...] = ()
    is_unchanged: bool = False


def save(transaction: Transaction, draft: Draft, *, now_ms: int) -> SavedMemory:
    """Stage a memory with everything that belongs to it; unknown targets stage nothing."""
    if len(draft.links) > limits.LINKS_MAX:
        raise LimitExceeded(
            f"One save may name {limits.LINKS_MAX} links; {len(draft.links)} were given.",
            hint="Keep the most important ones.",
            limit=limits.LINKS_MAX,
            size=len(draft.links),
        )
    reader = MemoryReader(transaction)
    known = _saved_before(reader, draft)
    if known is not None:
        return known
    before = _predecessors(reader, draft)
    now_ms = _time_of(transaction, before, now_ms=now_ms)
    metadata = {"schema_version": SCHEMA_VERSION, **draft.metadata}
    memory = Memory(
        id=new_id(draft.type, now_ms),
        type=draft.type,
        content=draft.content,
        topic=draft.topic,
        metadata=metadata,
        created_at=now_ms,
        updated_at=now_ms,
    )
    made = [
        _link(memory, old.id, "evolution", by=draft.by, relationship="supersedes") for old in before
    ]
    made += _named_links(reader, memory, draft)
    if draft.links_in_time:
        known_ends = {link.to_id for link in made}
        made += temporal_links(reader, memory, known=known_ends)
    unique = tuple({link.id: link for link in made}.values())
    stage(transaction, memory, unique)
    return SavedMemory(memory=memory, links=unique, superseded=_replaced_by(memory, unique))


def _replaced_by(memory: Memory, links: Iterable[Link]) -> tuple[str, ...]:
    replaced = (link.to_id for link in links if link.supersedes and link.from_id == memory.id)
    return tuple(dict.fromkeys(replaced))


def _saved_before(reader: MemoryReader, draft: Draft) -> SavedMemory | None:
    """Return what an equal save made before: a client that got no answer asks again."""
    for memory in _candidates(reader, draft):
        metadata = {
            name: value for name, value in memory.metadata.items() if name != "schema_version"
        }
        if (memory.type, memory.content, metadata) != (draft.type, draft.content, draft.metadata):
            continue
        if topic_key(memory.topic or "") != topic_key(draft.topic or ""):
            continue
        if memory.id in {draft.implements, *(wanted.to_id for wanted in draft.links)}:
            continue
        wanted = _named_links(reader, memory, draft)
        own = reader.links_of(memory.id, end="from")
        replaced = _replaced_by(memory, own)
        is_replacing = _named(draft.supersedes) in (None, memory.id, *replaced)
        if is_replacing and all(reader.link(link.id) is not None for link in wanted):
            return SavedMemory(
                memory=memory, links=(*own, *wanted), superseded=replaced, is_unchanged=True
            )
    return None


def _candidates(reader: MemoryReader, draft: Draft) -> list[Memory]:
    """Return the memories that an equal save may have made and that still hold."""
    if draft.type == "decision":
        heads = reader.heads(draft.topic or "")
        # Several heads are a conflict, which a save on the topic settles.
        return heads if len(heads) == 1 or draft.supersedes is not None else []
    # A checkpoint is saved again after any other save.
    most = 1 if draft.type == "checkpoint" else limits.REPEATED_SAVES_LOOKED_AT
    return list(islice(reader.newest(), most))


def _time_of(transaction: Transaction, before: Iterable[Memory], *, now_ms: int) -> int:
    """Return a time of its own for a memory, so that what is newest is never in doubt.

    A clock that was set back does not put it before what was saved or replaced earlier.
    """
    reader = MemoryReader(transaction)
    least = max([now_ms, transaction.time // 1000, *(old.created_at + 1 for old in before)])
    newest = next(reader.newest(least_ms=least, below_ms=least + _CROWDED_MS), None)
    return least if newest is None else newest.created_at + 1


def _named(supersedes: str | None) -> str | None:
    """Return the id that `supersedes` names, if it names one."""
    return None if supersedes is None or supersedes.casefold() == NOTHING else supersedes


def _predecessors(reader: MemoryReader, draft: Draft) -> list[Memory]:
    """Return the decisions that this one replaces: the named one, else its topic's heads."""
    named = _named(draft.supersedes)
    if named is not None:
        old = reader.require(named)
        refuse_replaced(reader, old)
        return [old]
    if draft.supersedes is None and draft.replaces_topic and draft.topic is not None:
        return reader.heads(draft.topic)
    return []


def refuse_replaced(reader: MemoryReader, old: Memory) -> None:
    """Refuse to replace what is replaced already: the topic would have two current decisions."""
    heads = reader.successors(old)
    if heads:
        names = " and ".join(head.id for head in heads)
        raise Conflict(
            f"{old.id} was already replaced by {names}. Nothing was changed.",
            hint="Read the current decision, and replace that one if it should change.",
            ids=[head.id for head in heads],
            current=[
                {"id": head.id, "topic": head.topic, "decision": head.content[:_SHOWN_CHARACTERS]}
                for head in heads
            ],
        )


def _link(memory: Memory, to_id: str, type_: LinkType, *, by: Creator, relationship: str) -> Link:
    return new_link(
        memory.id,
        to_id,
        type_,
        confidence=NAMED,
        created_by=by,
        created_at=memory.created_at,
        relationship=relationship,
    )


def _named_links(reader: MemoryReader, memory: Memory, draft: Draft) -> list[Link]:
    """Return the links that the caller asked for, apart from what the memory replaces."""
    made: list[Link] = []
    if draft.implements is not None:
        target = reader.require(draft.implements).id
        made.append(_link(memory, target, "implementation", by=draft.by, relationship="implements"))
    for wanted in draft.links:
        target = reader.require(wanted.to_id)
        # A new memory may replace an older one of its topic, and is never born replaced.
        is_active = not map_relationship(wanted.relationship).is_passive
        made.append(
            worded_link(
                memory.id,
                target.id,
                wanted,
                now_ms=memory.created_at,
                by=draft.by,
                may_replace=is_active and _are_of_one_topic(memory, target),
            )
        )
    return made


def _are_of_one_topic(memory: Memory, target: Memory) -> bool:
    """Tell whether two memories are decisions on the same topic."""
    if {memory.type, target.type} != {"decision"} or memory.topic is None or target.topic is None:
        return False
    return topic_key(memory.topic) == topic_key(target.topic)


def worded_link(
    from_id: str,
    to_id: str,
    wanted: WantedLink,
    *,
    now_ms: int,
    by: Creator,
    may_replace: bool,
) -> Link:
    """Return the link that a word means; a passive word has its ends the other way round.

    `turned` in its metadata tells so: the word then reads from the second end to the first. An
    evolution leaves its older end valid unless the whole word says otherwise ("replaces") and
    `may_replace` allows it.
    """
    word = check_text(wanted.relationship, name="relationship").strip()
    if not word:
        raise InvalidArgument("A link needs a relationship.", parameter="relationship")
    mapped = map_relationship(word)
    type_ = wanted.link_type or mapped.link_type
    ends = (to_id, from_id) if mapped.is_passive else (from_id, to_id)
    if ends[0] == ends[1]:
        raise InvalidArgument("A memory cannot be linked to itself.", parameter="links")
    grows = type_ == "evolution" and not (may_replace and is_replacing(word))
    return new_link(
        *ends,
        type_,
        confidence=LISTED,
        created_by=by,
        created_at=now_ms,
        relationship=word,
        reason=wanted.reason,
        mapping=None if wanted.link_type else mapped.how,
        grows=grows or None,
        turned=mapped.is_passive or None,
    )


def temporal_links(reader: MemoryReader, memory: Memory, *, known: Iterable[str]) -> list[Link]:
    """Return links to what was saved shortly before, nearest first."""
    taken = set(known)
    least = memory.created_at - limits.TEMPORAL_WINDOW_MS
    made: list[Link] = []
    for other in reader.newest(least_ms=least, below_ms=memory.created_at + 1):
        if len(made) == limits.TEMPORAL_LINKS_MAX:
            break
        if other.id != memory.id and other.id not in taken:
            age = (memory.created_at - other.created_at) / limits.TEMPORAL_WINDOW_MS
            made.append(
                new_link(
                    memory.id,
                    other.id,
                    "temporal",
                    confidence=round(0.3 + 0.2 * (1 - age), 4),
                    created_by="system",
                    created_at=memory.created_at,
                )
            )
    return made


def check_field(text: object, *, name: str, most: int, empty: bool = False) -> str:
    """Return a field's text, or say what is wrong with it."""
    found = check_text(text, name=name)
    if not found.strip() and not empty:
        raise InvalidArgument(f"The {name} is empty.", parameter=name)
    if len(found) > most:
        raise LimitExceeded(
            f"The {name} has {len(found):,} characters; the limit is {most:,}.",
            hint="Say it shorter, and keep long text in a document.",
            parameter=name,
            limit=most,
            size=len(found),
        )
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
