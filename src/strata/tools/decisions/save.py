"""save_* and evolve_*: writing decisions, checkpoints and insights, and what became of them."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Literal

import msgspec
from msgspec import UNSET, UnsetType

from strata.tools.decisions.group import (
    Confidence,
    LinkRequest,
    Links,
    MentionedMemory,
    OfTopic,
    Topic,
    decisions,
    decisions_for,
    named,
)
from strata.tools.declare import HIDDEN, AllowSecrets
from strata.tools.session import Call

if TYPE_CHECKING:
    from strata.decisions import SavedMemory, WantedLink

# Outcomes of MAMA 1.0 that say nothing: links say what was replaced.
NO_OUTCOME = frozenset({"pending", "superseded", ""})
_DECIDERS = {"user_decision": "user", "assistant_insight": "assistant"}
_TWO_HEADS = "The topic has several current decisions. save_decision on it replaces them all."


Supersedes = Annotated[
    str | None, 'Id it replaces; default: the current one of its topic; "none": nothing'
]


class RequestedLink(msgspec.Struct, frozen=True):
    """A link that the save asked for, and the type that its word means."""

    to_id: str
    relationship: str
    type: str


class SaveAnswer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a save made; `unchanged`: the same was saved before, nothing was written.

    `success`, `message` and `recall_command` are for clients of MAMA 1.0: they come with the
    group `legacy` alone.
    """

    id: str
    topic: Annotated[str | UnsetType, HIDDEN] = UNSET
    version: int
    branch: str
    superseded: tuple[str, ...]
    unchanged: Annotated[bool, HIDDEN] = False
    links: Annotated[tuple[RequestedLink, ...], HIDDEN] = ()
    similar: Annotated[tuple[MentionedMemory, ...], HIDDEN] = ()
    conflict: Annotated[tuple[str, ...], HIDDEN] = ()
    hint: Annotated[str | UnsetType, HIDDEN] = UNSET
    success: Annotated[bool | UnsetType, HIDDEN] = UNSET
    message: Annotated[str | UnsetType, HIDDEN] = UNSET
    recall_command: Annotated[str | UnsetType, HIDDEN] = UNSET


@decisions.writes(
    **named("save", "decision"),
    example={"topic": "auth", "decision": "Use JWT", "reasoning": "The mobile app needs tokens"},
)
def decision(
    call: Call,
    *,
    topic: Topic,
    decision: Annotated[str, "What was decided"],
    reasoning: Annotated[str, "Why, and what was rejected"],
    confidence: Confidence = 0.7,
    supersedes: Supersedes = None,
    implements: Annotated[str | None, "Id it carries out"] = None,
    links: Links = None,
    type: Annotated[
        Literal["user_decision", "assistant_insight"] | None, "Who decided", HIDDEN
    ] = None,
    outcome: Annotated[str | None, "SUCCESS, FAILED or PARTIAL, if already known", HIDDEN] = None,
    allow_secrets: AllowSecrets = False,
) -> SaveAnswer:
    """Record a choice and why it was made: technology, design, policy.

    The same topic again replaces its current decision. Not for the end of a session
    (save_checkpoint), lessons (save_insight) or how a choice turned out (evolve_outcome).
    """
    known = None if (outcome or "").strip().lower() in NO_OUTCOME else outcome
    saved = decisions_for(call, allow_secrets=allow_secrets).save(
        topic,
        decision,
        reasoning,
        confidence=confidence,
        supersedes=supersedes,
        implements=implements,
        links=wanted_links(links),
        outcome=known,
        decided_by=_DECIDERS.get(type or ""),
        by=call.session.creator,
    )
    return save_answer(call, saved)


@decisions.writes(
    **named("save", "checkpoint"),
    example={"summary": "Search works; tests are missing", "next_steps": "Write the tests"},
)
def checkpoint(
    call: Call,
    *,
    summary: Annotated[str, "What was done, what is open"],
    open_files: Annotated[list[str] | str | None, "Files in work"] = None,
    next_steps: Annotated[str | list[str], "What to do next"] = "",
    status: Annotated[Literal["active", "archived"], "archived: not loaded"] = "active",
    allow_secrets: AllowSecrets = False,
) -> SaveAnswer:
    """Record where work stopped, to resume it later with load_checkpoint.

    At the end of a session or before a break. For one choice use save_decision.
    """
    saved = decisions_for(call, allow_secrets=allow_secrets).checkpoint(
        summary,
        open_files=_files(open_files),
        status=status,
        next_steps=next_steps if isinstance(next_steps, str) else "\n".join(next_steps),
        by=call.session.creator,
    )
    return save_answer(call, saved)


@decisions.writes(
    **named("save", "insight"),
    example={"insight": "Caches hid the slow query", "category": "performance"},
)
def insight(
    call: Call,
    *,
    insight: Annotated[str, "The lesson"],
    category: Annotated[str | None, "E.g. performance"] = None,
    tags: Annotated[list[str] | None, "Labels"] = None,
    source: Annotated[str | None, "Where it comes from"] = None,
    topic: Annotated[str | None, "Topic it belongs to"] = None,
    links: Links = None,
    allow_secrets: AllowSecrets = False,
) -> SaveAnswer:
    """Record a lesson learned or an observation, without a choice in it.

    A choice: save_decision. How one turned out: evolve_outcome. A fact: strata_store.
    """
    saved = decisions_for(call, allow_secrets=allow_secrets).insight(
        insight,
        category=category,
        tags=tags or (),
        source=source,
        topic=topic,
        links=wanted_links(links),
        by=call.session.creator,
    )
    return save_answer(call, saved)


def _files(given: list[str] | str | None) -> list[str]:
    """Return files one by one: a text may name several, divided by commas or lines."""
    if given is None or isinstance(given, list):
        return given or []
    return [file for part in given.splitlines() for file in map(str.strip, part.split(",")) if file]


def wanted_links(links: list[LinkRequest] | None) -> "list[WantedLink]":
    """Return links as the package expects them."""
    from strata.decisions import WantedLink  # noqa: PLC0415  (not before the first reply)

    return [
        WantedLink(link.to_id, link.relationship, link.link_type, link.reason)
        for link in links or ()
    ]


def save_answer(call: Call, saved: "SavedMemory") -> SaveAnswer:
    """Return what a save made, what it is like, and whether its topic is now ambiguous."""
    decisions, memory = call.db.decisions, saved.memory
    heads = decisions.heads(memory.topic) if memory.type == "decision" and memory.topic else []
    is_split = len(heads) > 1
    made = SaveAnswer(
        id=memory.id,
        version=memory.version,
        branch=call.branch,
        superseded=saved.superseded,
        unchanged=saved.is_unchanged,
        links=tuple(_requested(saved)),
        similar=tuple(
            MentionedMemory(one.memory.id, one.memory.topic or UNSET)
            for one in decisions.similar(memory.id)
        ),
        conflict=tuple(head.id for head in heads) if is_split else (),
        hint=_TWO_HEADS if is_split else UNSET,
        topic=memory.topic or UNSET,
    )
    if "legacy" not in call.session.exposure.groups:
        return made
    return msgspec.structs.replace(
        made,
        success=True,
        message=f"Saved the {memory.type} {memory.id}.",
        recall_command=f'recall_decision(topic="{memory.topic}")' if memory.topic else UNSET,
    )


def _requested(saved: "SavedMemory") -> Iterator[RequestedLink]:
    """Yield the links that were asked for: neither those in time nor what `superseded` names."""
    for link in saved.links:
        is_named = link.link_type != "temporal" or link.created_by != "system"
        if is_named and link.to_id not in saved.superseded:
            other = link.from_id if link.to_id == saved.memory.id else link.to_id
            yield RequestedLink(other, link.relationship, link.link_type)


_FAILED = "evolve_supersede records what is done instead."

DecisionId = Annotated[str | None, "Id of the decision"]


class Verdict(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A decision's outcome, and the insight that lets searches find the reason."""

    id: str
    version: int
    branch: str
    outcome: str
    insight: str
    topic: Annotated[str | UnsetType, HIDDEN] = UNSET
    unchanged: Annotated[bool, HIDDEN] = False
    hint: Annotated[str | UnsetType, HIDDEN] = UNSET


@decisions.writes(
    **named("evolve", "outcome"),
    idempotent=False,
    example={"topic": "auth", "outcome": "FAILED", "reason": "Tokens leaked into logs"},
)
def outcome(
    call: Call,
    *,
    outcome: Annotated[str, "SUCCESS, FAILED or PARTIAL"],
    id: DecisionId = None,
    topic: OfTopic = None,
    reason: Annotated[str | None, "Why; needed for FAILED"] = None,
    limitation: Annotated[str | None, "What it does not do"] = None,
    allow_secrets: AllowSecrets = False,
) -> Verdict:
    """Record how a decision turned out: it worked, failed, or worked in part.

    Give id, or topic for its current decision. Also keeps an insight, so that searches find the
    reason. To decide something else instead use evolve_supersede.
    """
    judged = decisions_for(call, allow_secrets=allow_secrets).outcome(
        outcome,
        id=id,
        topic=topic,
        reason=reason,
        limitation=limitation,
        by=call.session.creator,
    )
    memory = judged.memory
    return Verdict(
        id=memory.id,
        version=memory.version,
        branch=call.branch,
        outcome=memory.outcome or "",
        insight=judged.insight.id,
        topic=memory.topic or UNSET,
        unchanged=judged.is_unchanged,
        hint=_FAILED if memory.outcome == "FAILED" else UNSET,
    )


@decisions.writes(
    **named("evolve", "supersede"),
    example={"topic": "auth", "decision": "Use sessions", "reasoning": "Tokens leaked"},
)
def supersede(
    call: Call,
    *,
    decision: Annotated[str, "What is decided now"],
    reasoning: Annotated[str, "Why it changed"],
    id: DecisionId = None,
    topic: OfTopic = None,
    confidence: Confidence = 0.7,
    allow_secrets: AllowSecrets = False,
) -> SaveAnswer:
    """Replace an existing decision by a new one; the old one stays in the chain.

    Give id, or topic for its current decision; fails where there is none (save_decision).
    """
    saved = decisions_for(call, allow_secrets=allow_secrets).supersede(
        decision, reasoning, id=id, topic=topic, confidence=confidence, by=call.session.creator
    )
    return save_answer(call, saved)
