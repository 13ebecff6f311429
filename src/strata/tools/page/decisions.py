"""Decisions as a page shows them: topics, a timeline, and a graph."""

from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import Meta

from strata.base import limits
from strata.tools.page.group import Limit, PageAnswer, Who, iso, page, writers
from strata.tools.session import Call

if TYPE_CHECKING:
    from strata.decisions import Decisions, Link, Memory, Topic
    from strata.workspace import Workspace

# What a line shows of a memory that is only named.
_SHORT_CHARACTERS = 200
_LINKS_MAX = 20
# The relationship of an insight that repeats how a decision turned out.
_OUTCOME_OF = "outcome_of"
OfTopic = Annotated[str | None, "Only this topic"]
Status = Literal["open", "overdue", "disputed"]


class MemoryName(PageAnswer, frozen=True):
    """A memory that is named beside another one, by the beginning of its text."""

    id: str
    type: str
    topic: str | None
    text: str


class DecisionLink(PageAnswer, frozen=True):
    """What a decision is tied to; the word reads from it to the other, or the other way round."""

    relationship: str
    type: str
    is_outgoing: bool
    is_suggestion: bool
    other: MemoryName


class DecisionHead(PageAnswer, frozen=True):
    """A decision in a line."""

    id: str
    topic: str | None
    decision: str
    confidence: float
    outcome: str | None
    # It holds, and has had no outcome for longer than one should wait.
    is_overdue: bool
    made: str


class DecisionEntry(DecisionHead, frozen=True):
    """A decision whole, with what became of it and what it is tied to."""

    reasoning: str
    outcome_reason: str | None
    limitation: str | None
    judged: str | None
    who: Who
    superseded_by: list[MemoryName]
    supersedes: list[MemoryName]
    links: list[DecisionLink]


class TopicLine(PageAnswer, frozen=True):
    """A topic: how many decisions there were, and those that hold; two are a conflict."""

    topic: str
    decisions: int
    # Older ones were not counted.
    is_more: bool
    current: list[DecisionHead]
    changed: str


class TopicsPage(PageAnswer, frozen=True):
    """The topics, the one with the newest decision first; a page may end early."""

    topics: list[TopicLine]
    next: str | None


@page.reads(needs="decisions", example={"query": "auth"})
def topics(
    call: Call,
    *,
    query: Annotated[str, "Part of the topic's name"] = "",
    status: Annotated[Status | None, "Only topics with such a decision"] = None,
    cursor: Annotated[str | None, "Go on here: `next` of the answer before"] = None,
    limit: Limit = 100,
) -> TopicsPage:
    """List the topics of decisions, newest first, with what holds of each."""
    decisions = call.db.decisions
    found = decisions.topics(query, status=status, after=cursor, limit=limit)
    return TopicsPage(topics=[_topic_line(decisions, one) for one in found], next=found.next)


def _topic_line(decisions: "Decisions", topic: "Topic") -> TopicLine:
    return TopicLine(
        topic=topic.name,
        decisions=topic.decisions,
        is_more=topic.more,
        current=[_head(decisions, decisions.require(id_)) for id_ in topic.current],
        changed=iso(topic.newest * 1000),
    )


def _head(decisions: "Decisions", memory: "Memory") -> DecisionHead:
    return DecisionHead(
        id=memory.id,
        topic=memory.topic,
        decision=memory.content[:_SHORT_CHARACTERS],
        confidence=memory.confidence,
        outcome=memory.outcome,
        is_overdue=decisions.is_overdue(memory),
        made=iso(memory.created_at * 1000),
    )


class DecisionsPage(PageAnswer, frozen=True):
    """Decisions, newest first, of a topic or of all."""

    topic: str | None
    decisions: list[DecisionEntry]
    next: str | None
    # What the id names, where that is no decision: an insight or a checkpoint.
    note: MemoryName | None
    # Topics that may have been meant, where there is none of this name.
    near_topics: list[str]


@page.reads(
    name="decisions",
    needs="decisions",
    example={"topic": "auth"},
)
def listed_decisions(
    call: Call,
    *,
    topic: OfTopic = None,
    id: Annotated[str | None, "The topic of this decision"] = None,
    cursor: Annotated[str | None, "Go on here: `next` of the answer before"] = None,
    limit: Limit = 50,
) -> DecisionsPage:
    """Show decisions whole, newest first: of a topic, of the topic of one of them, or of all."""
    db = call.db
    named = None if id is None else db.decisions.require(id)
    if named is not None:
        topic = named.topic
    found = db.decisions.recent(limit=limit, types=("decision",), topic=topic, before=cursor)
    is_unknown = topic is not None and not found and cursor is None
    return DecisionsPage(
        topic=found[0].topic if found and topic is not None else topic,
        decisions=[_entry(db, one) for one in found],
        next=found.next,
        note=None if named is None or named.type == "decision" else _name(named, None),
        near_topics=list(db.decisions.on_topic(topic).near_topics) if is_unknown and topic else [],
    )


def _entry(db: "Workspace", memory: "Memory") -> DecisionEntry:
    decisions, metadata = db.decisions, memory.metadata
    first = decisions.versions(memory.id)[-1]
    links = [link for link in decisions.links(memory.id) if not link.is_only_in_time]
    replaced = [link.to_id for link in links if link.supersedes and link.from_id == memory.id]
    judged = metadata.get("outcome_at")
    return DecisionEntry(
        id=memory.id,
        topic=memory.topic,
        decision=memory.content,
        reasoning=memory.reasoning,
        confidence=memory.confidence,
        outcome=memory.outcome,
        outcome_reason=memory.outcome_reason,
        limitation=metadata.get("limitation"),
        judged=iso(judged * 1000) if isinstance(judged, int) else None,
        made=iso(memory.created_at * 1000),
        who=writers(db, [first])[first],
        is_overdue=decisions.is_overdue(memory),
        superseded_by=_names(decisions, decisions.superseded_by(memory.id)),
        supersedes=_names(decisions, replaced),
        links=_links(decisions, memory, links),
    )


def _names(decisions: "Decisions", ids: list[str]) -> list[MemoryName]:
    return [_name(one) for id_ in ids if (one := decisions.get(id_)) is not None]


def _name(memory: "Memory", most: int | None = _SHORT_CHARACTERS) -> MemoryName:
    return MemoryName(
        id=memory.id, type=memory.type, topic=memory.topic, text=memory.content[:most]
    )


def _links(decisions: "Decisions", memory: "Memory", links: "list[Link]") -> list[DecisionLink]:
    found: list[DecisionLink] = []
    for link in links:
        first, second = link.reads
        other = decisions.get(second if first == memory.id else first)
        if other is not None and not link.supersedes and link.relationship != _OUTCOME_OF:
            found.append(
                DecisionLink(
                    relationship=link.relationship,
                    type=link.link_type,
                    is_outgoing=first == memory.id,
                    is_suggestion=link.is_suggestion,
                    other=_name(other),
                )
            )
    return found[:_LINKS_MAX]


class GraphNode(DecisionHead, frozen=True):
    """A memory in a graph; `type` tells insights from decisions."""

    type: str
    is_superseded: bool


class GraphEdge(PageAnswer, frozen=True):
    """A link between two nodes, from the newer or dependent one to the other."""

    source: str
    target: str
    type: str
    relationship: str
    is_superseding: bool


class DecisionGraph(PageAnswer, frozen=True):
    """Decisions and the links between them; `more` if there are others than these."""

    nodes: list[GraphNode]
    edges: list[GraphEdge]
    more: bool


@page.reads(needs="decisions", example={"topic": "auth"})
def decision_graph(
    call: Call,
    *,
    topic: OfTopic = None,
    limit: Annotated[
        int, Meta(description="Most nodes", ge=1, le=limits.GRAPH_NODES_MAX)
    ] = limits.GRAPH_NODES_MAX,
) -> DecisionGraph:
    """Show decisions as a graph: the newest of all, or those of a topic and what they lead to."""
    decisions = call.db.decisions
    newest = decisions.recent(limit=limit, types=("decision",), topic=topic)
    known = {memory.id: memory for memory in newest}
    more = newest.more
    if topic is not None:
        near = _around(decisions, list(known))
        room = limit - len(known)
        more = more or len(near) > room
        known |= {memory.id: memory for memory in near[:room]}
    links = {link.id: link for id_ in known for link in decisions.links(id_, suggestions=False)}
    edges = [
        GraphEdge(
            source=link.from_id,
            target=link.to_id,
            type=link.link_type,
            relationship=link.relationship,
            is_superseding=link.supersedes,
        )
        for link in links.values()
        if not link.is_only_in_time and {link.from_id, link.to_id} <= known.keys()
    ]
    replaced = {edge.target for edge in edges if edge.is_superseding}
    nodes = [_node(decisions, memory, replaced) for memory in known.values()]
    return DecisionGraph(nodes=nodes, edges=edges, more=more)


def _around(decisions: "Decisions", ids: list[str]) -> "list[Memory]":
    """Return what the links of some decisions lead to, the nearest first."""
    reached = {step.id: step for id_ in ids for step in decisions.walk(id_, depth=1)}
    found = [decisions.get(id_) for id_ in reached if id_ not in ids]
    return [one for one in found if one is not None and one.outcome_of is None]


def _node(decisions: "Decisions", memory: "Memory", replaced: set[str]) -> GraphNode:
    head = _head(decisions, memory)
    return GraphNode(
        id=head.id,
        type=memory.type,
        topic=head.topic,
        decision=head.decision,
        confidence=head.confidence,
        outcome=head.outcome if memory.type == "decision" else None,
        is_overdue=head.is_overdue,
        made=head.made,
        is_superseded=memory.id in replaced or bool(decisions.superseded_by(memory.id)),
    )
