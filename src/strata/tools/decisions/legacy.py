"""The four tools of MAMA 1.0 whose names are no longer listed: they answer as they did.

Its other three, save_decision, save_checkpoint and load_checkpoint, are tools of today.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from msgspec import UNSET, Meta, UnsetType

from strata.base import limits
from strata.base.counts import plural
from strata.base.errors import InvalidArgument
from strata.tools.budget import cut
from strata.tools.decisions.group import share
from strata.tools.decisions.save import NO_OUTCOME
from strata.tools.declare import ToolGroup
from strata.tools.session import Call

if TYPE_CHECKING:
    from strata.decisions import Decisions, Memory, RankedMemory

# Names come in the letter case that 1.0 had; either is taken.
legacy = ToolGroup("legacy", case="camel")
TOOL_GROUPS = (legacy,)

_SUGGESTIONS = 5
# Days after which a decision counts half as recent, as 1.0 had it.
_SCALE_DAYS, _DECAY = 7.0, 0.5


class TopicMarkdown(msgspec.Struct, frozen=True, kw_only=True):
    """A topic's decisions as Markdown."""

    success: bool
    history: str
    message: str


@legacy.reads(instead="search_by_topic", example={"topic": "auth"})
def recall_decision(
    call: Call, *, topic: Annotated[str, "Topic of the decisions"]
) -> TopicMarkdown:
    """Show the history of the decisions on a topic."""
    decisions = call.db.decisions
    found = decisions.on_topic(topic)
    if not found.chain:
        near = f" Near topics: {', '.join(found.near_topics)}." if found.near_topics else ""
        told = f"There is no decision on {topic!r}.{near}"
        return TopicMarkdown(success=True, history="", message=told)
    newest = found.chain[::-1]
    told = f"{len(newest)} on {topic!r}, newest first."
    return TopicMarkdown(success=True, history=_markdown(decisions, newest), message=told)


class Suggestions(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What was decided about something as Markdown; none where there is nothing."""

    success: bool
    suggestions: str | UnsetType = UNSET
    message: str


@legacy.reads(instead="search_by_context", example={"userQuestion": "How do users log in?"})
def suggest_decision(
    call: Call,
    *,
    user_question: Annotated[str, "What is asked"],
    recency_weight: Annotated[float, Meta(description="Weight of recency", ge=0, le=1)] = 0.3,
    recency_scale: Annotated[float, Meta(description="Days of the decay", ge=0.01)] = _SCALE_DAYS,
    recency_decay: Annotated[
        float, Meta(description="What is left after them", ge=0.01, le=1)
    ] = _DECAY,
    disable_recency: Annotated[bool, "Go by relevance alone"] = False,
) -> Suggestions:
    """Suggest past decisions that bear on a question."""
    decisions = call.db.decisions
    found = decisions.search(user_question, limit=2 * _SUGGESTIONS, types=("decision",))
    weight = 0.0 if disable_recency else recency_weight
    left = _by_age(call, scale=recency_scale, decay=recency_decay)
    best = max((one.score for one in found), default=1.0) or 1.0

    def worth(one: "RankedMemory") -> float:
        return (1 - weight) * one.score / best + weight * left(one.memory)

    chosen = sorted(found, key=worth, reverse=True)[:_SUGGESTIONS]
    if not chosen:
        return Suggestions(success=True, message="No past decision bears on this question.")
    text = _markdown(decisions, [one.memory for one in chosen])
    return Suggestions(success=True, suggestions=text, message=f"{len(chosen)} may bear on it.")


def _by_age(call: Call, *, scale: float, decay: float) -> Any:
    """Return what tells how recent a memory is: one now, `decay` after `scale` days."""
    now_ms = call.db.time_of("now") // 1000

    def left(memory: "Memory") -> float:
        days = max(now_ms - memory.created_at, 0) / limits.DAY_MS
        return decay ** ((days / scale) ** 2)

    return left


class Listing(msgspec.Struct, frozen=True, kw_only=True):
    """Decisions as Markdown."""

    success: bool
    list: str
    message: str


@legacy.reads(instead="search_recent", example={"limit": 20})
def list_decisions(
    call: Call,
    *,
    limit: Annotated[int, Meta(description="Most decisions", ge=1, le=100)] = 20,
) -> Listing:
    """List the newest decisions."""
    decisions = call.db.decisions
    found = decisions.recent(limit=limit, types=("decision",))
    count = plural(len(found), "decision")
    told = f"{count}, newest first." if found else "There are no decisions yet."
    return Listing(success=True, list=_markdown(decisions, found), message=told)


class Updated(msgspec.Struct, frozen=True, kw_only=True):
    """A decision's outcome."""

    success: bool
    decision_id: str
    outcome: str
    message: str


@legacy.writes(
    instead="evolve_outcome",
    example={"decisionId": "decision_1794758770184_42347b50", "outcome": "SUCCESS"},
)
def update_outcome(
    call: Call,
    *,
    decision_id: Annotated[str | None, "Id of the decision"] = None,
    topic: Annotated[str | None, "Or its topic"] = None,
    outcome: Annotated[str, "SUCCESS, FAILED or PARTIAL"],
    failure_reason: Annotated[str | None, "Why; needed for FAILED"] = None,
    limitation: Annotated[str | None, "What it does not do"] = None,
) -> Updated:
    """Record how a decision turned out."""
    if outcome.strip().lower() in NO_OUTCOME:
        return _left_open(call, outcome, id_=decision_id, topic=topic)
    judged = call.db.decisions.outcome(
        outcome,
        id=decision_id,
        topic=topic,
        reason=failure_reason,
        limitation=limitation,
        by=call.session.creator,
    )
    memory = judged.memory
    found = memory.outcome or ""
    told = f"The outcome of {memory.id} is {found}."
    return Updated(success=True, decision_id=memory.id, outcome=found, message=told)


def _left_open(call: Call, word: str, *, id_: str | None, topic: str | None) -> Updated:
    """Answer one of 1.0's words that name no outcome: the decision stays as it is."""
    decisions = call.db.decisions
    if (id_ is None) == (topic is None):
        raise InvalidArgument("Give either decisionId or topic.", parameter="decisionId")
    memory = decisions.require(id_) if id_ is not None else decisions.current(topic or "")[-1]
    known = memory.outcome or "pending"
    told = f"{word!r} is no outcome of its own: {memory.id} stays {known}."
    return Updated(success=True, decision_id=memory.id, outcome=known, message=told)


def _markdown(decisions: "Decisions", memories: "Sequence[Memory]") -> str:
    """Return memories as Markdown that can be read in one answer, ids included."""
    most = share(len(memories), limits.ANSWER_TOKENS_MAX)
    return "\n\n".join(_paragraph(decisions, memory, most) for memory in memories)


def _paragraph(decisions: "Decisions", memory: "Memory", most: int) -> str:
    state = "superseded" if decisions.superseded_by(memory.id) else "current"
    told = [state, *([memory.outcome] if memory.outcome else []), memory.iso_time[:10]]
    lines = [f"### {memory.topic or memory.type} ({', '.join(told)})", cut(memory.content, most)]
    if memory.reasoning:
        lines.append(f"Why: {cut(memory.reasoning, most)}")
    reason = memory.metadata.get("failure_reason") or memory.metadata.get("limitation")
    if reason:
        lines.append(f"But: {cut(str(reason), most)}")
    return "\n".join([*lines, f"id: {memory.id}"])
