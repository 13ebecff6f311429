"""The topics of a branch, a page at a time: a large log of decisions costs no more."""

import itertools
from collections.abc import Callable, Collection

from strata.base import limits
from strata.base.page import ResultPage
from strata.decisions.counting import Topic
from strata.decisions.reader import MemoryReader
from strata.decisions.records import Memory, topic_key

Fits = Callable[[Topic], bool]

# So many memories or names are looked at together where a statement takes a round trip.
_AT_ONCE = 100


def newest_topics(
    reader: MemoryReader, fits: Fits, *, before: str | None, limit: int
) -> ResultPage[Topic, str]:
    """Return topics, the one with the newest decision first, those with one before a memory."""
    last = None if before is None else reader.require(before)
    at_once = min(limit, _AT_ONCE)
    looked = itertools.islice(
        reader.newest(before=last, at_once=at_once), limits.TOPIC_MEMORIES_LOOKED_AT
    )
    found: list[Topic] = []
    seen = set[str]()
    number = 0
    for group in reader.grouped(looked, at_once=at_once):
        number += len(group)
        fitting = _first_of(reader, group, seen, fits=fits)[: limit - len(found)]
        found += [topic for _memory, topic in fitting]
        last = group[-1]
        if len(found) == limit:
            last = fitting[-1][0]
            break
    is_more = len(found) == limit or number == limits.TOPIC_MEMORIES_LOOKED_AT
    return ResultPage(
        found,
        next=last.id if is_more and last is not None else None,
        onward=lambda before: newest_topics(reader, fits, before=before, limit=limit),
    )


def _first_of(
    reader: MemoryReader, group: list[Memory], seen: set[str], *, fits: Fits
) -> list[tuple[Memory, Topic]]:
    """Return the topics of which a group has the newest decision, each with that decision."""
    first: dict[str, Memory] = {}
    for memory in group:
        if memory.type == "decision" and memory.topic is not None:
            key = topic_key(memory.topic)
            if key not in seen:
                first[key] = memory
                seen.add(key)
    with reader.by_one_look():
        topics = _topics_of(reader, first)
        # A topic with a newer decision was on a page before this one.
        return [
            (first[key], topic)
            for key, topic in topics.items()
            if topic.newest == first[key].created_at and fits(topic)
        ]


def topics_called(
    reader: MemoryReader, part: str, fits: Fits, *, after: str | None, limit: int
) -> ResultPage[Topic, str]:
    """Return topics with a part in their name, of names behind one, the newest decision first."""
    names = reader.topics(after=after or "", limit=limits.TOPIC_NAMES_LOOKED_AT)
    wanted = topic_key(part)
    called = (name for name in names if wanted in name)
    found: dict[str, Topic] = {}
    for group in reader.grouped(called, at_once=min(limit, _AT_ONCE)):
        with reader.by_one_look():
            topics = _topics_of(reader, group)
            fitting = [name for name, topic in topics.items() if fits(topic)]
        found |= {name: topics[name] for name in fitting[: limit - len(found)]}
        if len(found) == limit:
            break
    end = names[-1] if names else ""
    last = next(reversed(found)) if len(found) == limit else end
    is_more = last != end or len(names) == limits.TOPIC_NAMES_LOOKED_AT
    return ResultPage(
        sorted(found.values(), key=lambda topic: (-topic.newest, topic.name)),
        next=last if is_more else None,
        onward=lambda after: topics_called(reader, part, fits, after=after, limit=limit),
    )


def _topics_of(reader: MemoryReader, names: Collection[str]) -> dict[str, Topic]:
    """Return topics by what was written last on them, but those where that is no decision."""
    written = reader.latest_of_each(names, limits.TOPIC_COUNTED + 1)
    decided = {name: _decisions(memories) for name, memories in written.items()}
    replaced = reader.replaced(itertools.chain.from_iterable(decided.values()))
    return {
        name: _topic(decisions, replaced, more=len(written[name]) > limits.TOPIC_COUNTED)
        for name, decisions in decided.items()
        if decisions
    }


def _decisions(memories: list[Memory]) -> list[Memory]:
    """Return the decisions among those that count, oldest first."""
    found = [one for one in memories[: limits.TOPIC_COUNTED] if one.type == "decision"]
    return sorted(found, key=lambda one: (one.created_at, one.version))


def _topic(decisions: list[Memory], replaced: set[str], *, more: bool) -> Topic:
    current = tuple(one.id for one in decisions if one.id not in replaced)
    newest = decisions[-1]
    return Topic(newest.topic or "", len(decisions), current, newest.created_at, more)
