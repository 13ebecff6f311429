"""How much is remembered: counts by type, outcome, topic and link."""

from collections import Counter

from strata.base.results import Result
from strata.decisions.links import CREATORS, LINK_TYPES, Link
from strata.decisions.records import OUTCOMES, TYPES, Memory, topic_key

PENDING = "PENDING"


class Topic(Result, frozen=True):
    """A topic: how many decisions there were, which are current, when the last was made.

    With `more`, it has older ones that were not counted.
    """

    name: str
    decisions: int
    current: tuple[str, ...]
    newest: int
    more: bool = False

    @property
    def has_conflict(self) -> bool:
        """Whether two decisions both claim to be the present one."""
        return len(self.current) > 1


class Stats(Result, frozen=True, kw_only=True):
    """Counts of everything on a branch; a decision without an outcome counts as PENDING."""

    memories: int
    types: dict[str, int]
    outcomes: dict[str, int]
    links: int
    link_types: dict[str, int]
    link_creators: dict[str, int]
    suggestions: int
    topics: tuple[Topic, ...]

    @property
    def conflicts(self) -> tuple[Topic, ...]:
        """The topics with more than one current decision."""
        return tuple(topic for topic in self.topics if topic.has_conflict)


def count(memories: list[Memory], links: list[Link]) -> Stats:
    """Count memories and the links between them."""
    decisions = [memory for memory in memories if memory.type == "decision"]
    followed = [link for link in links if not link.is_suggestion]
    outcomes = Counter(memory.outcome or PENDING for memory in decisions)
    return Stats(
        memories=len(memories),
        types=_counts(TYPES, Counter(memory.type for memory in memories)),
        outcomes=_counts((*OUTCOMES, PENDING), outcomes),
        links=len(followed),
        link_types=_counts(LINK_TYPES, Counter(link.link_type for link in followed)),
        link_creators=_counts(CREATORS, Counter(link.created_by for link in followed)),
        suggestions=len(links) - len(followed),
        topics=tuple(_topics(decisions, _replaced(memories, followed))),
    )


def _counts(names: tuple[str, ...], counted: Counter[str]) -> dict[str, int]:
    return {name: counted[name] for name in names}


def _replaced(memories: list[Memory], links: list[Link]) -> set[str]:
    """Return what a live memory replaces."""
    known = {memory.id for memory in memories}
    return {link.to_id for link in links if link.supersedes and link.from_id in known}


def _topics(decisions: list[Memory], replaced: set[str]) -> list[Topic]:
    grouped: dict[str, list[Memory]] = {}
    for memory in sorted(decisions, key=lambda one: (one.created_at, one.version)):
        if memory.topic is not None:
            grouped.setdefault(topic_key(memory.topic), []).append(memory)
    found = [_topic(group, replaced) for group in grouped.values()]
    return sorted(found, key=lambda topic: (-topic.newest, topic.name))


def _topic(group: list[Memory], replaced: set[str]) -> Topic:
    current = tuple(memory.id for memory in group if memory.id not in replaced)
    return Topic(group[-1].topic or "", len(group), current, group[-1].created_at)
