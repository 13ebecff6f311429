"""The topics of a branch, a page at a time: a large log of decisions costs no more."""

import itertools
from collections.abc import Callable, Iterator

from strata.base import limits
from strata.base.page import ResultPage
from strata.decisions.counting import Topic
from strata.decisions.reader import MemoryReader
from strata.decisions.records import Memory, topic_key

Fits = Callable[[Topic], bool]


def newest_topics(
    reader: MemoryReader, fits: Fits, *, before: str | None, limit: int
) -> ResultPage[Topic, str]:
    """Return topics, the one with the newest decision first, those with one before a memory."""
    last = None if before is None else reader.require(before)
    looked = itertools.islice(reader.newest(before=last), limits.TOPIC_MEMORIES_LOOKED_AT)
    found: list[Topic] = []
    seen = set[str]()
    number, memory = 0, last
    for memory in looked:
        number += 1
        if memory.type != "decision" or memory.topic is None or topic_key(memory.topic) in seen:
            continue
        seen.add(topic_key(memory.topic))
        topic = _topic_of(reader, memory.topic)
        # A topic with a newer decision was on a page before this one.
        is_first = topic is not None and topic.newest == memory.created_at
        if topic is not None and is_first and fits(topic):
            found.append(topic)
            if len(found) == limit:
                break
    is_more = len(found) == limit or number == limits.TOPIC_MEMORIES_LOOKED_AT
    return ResultPage(
        found,
        next=memory.id if is_more and memory is not None else None,
        onward=lambda before: newest_topics(reader, fits, before=before, limit=limit),
    )


def topics_called(
    reader: MemoryReader, part: str, fits: Fits, *, after: str | None, limit: int
) -> ResultPage[Topic, str]:
    """Return topics with a part in their name, of names behind one, the newest decision first."""
    names = reader.topics(after=after or "", limit=limits.TOPIC_NAMES_LOOKED_AT)
    wanted = topic_key(part)
    found: list[Topic] = []
    name = ""
    for name in names:
        if wanted in name and (topic := _topic_of(reader, name)) is not None and fits(topic):
            found.append(topic)
            if len(found) == limit:
                break
    is_more = len(found) == limit or len(names) == limits.TOPIC_NAMES_LOOKED_AT
    return ResultPage(
        sorted(found, key=lambda topic: (-topic.newest, topic.name)),
        next=name if is_more and name != names[-1] else None,
        onward=lambda after: topics_called(reader, part, fits, after=after, limit=limit),
    )


def _topic_of(reader: MemoryReader, name: str) -> Topic | None:
    """Return a topic by what was written last on it; None where that is no decision."""
    written = reader.latest_of(name, limits.TOPIC_COUNTED + 1)
    decisions = sorted(_decisions(written), key=lambda one: (one.created_at, one.version))
    if not decisions:
        return None
    replaced = reader.replaced(decisions)
    current = tuple(one.id for one in decisions if one.id not in replaced)
    newest = decisions[-1]
    more = len(written) > limits.TOPIC_COUNTED
    return Topic(newest.topic or "", len(decisions), current, newest.created_at, more)


def _decisions(memories: list[Memory]) -> Iterator[Memory]:
    return (memory for memory in memories[: limits.TOPIC_COUNTED] if memory.type == "decision")
