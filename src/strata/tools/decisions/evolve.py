"""Evolve: how a decision turned out, and what replaces it."""

from typing import Annotated

import msgspec
from msgspec import UNSET, UnsetType

from strata.tools.decisions.save import SaveAnswer, kept
from strata.tools.decisions.surface import (
    AllowSecrets,
    Confidence,
    OfTopic,
    decisions,
    named,
    room_of,
)
from strata.tools.declare import HIDDEN
from strata.tools.session import Call

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
    judged = room_of(call, allow_secrets=allow_secrets).outcome(
        outcome, id=id, topic=topic, reason=reason, limitation=limitation,
        by=call.session.creator,
    )  # fmt: skip
    memory = judged.memory
    return Verdict(
        id=memory.id, version=memory.version, branch=call.branch, outcome=memory.outcome or "",
        insight=judged.insight.id, topic=memory.topic or UNSET, unchanged=judged.is_unchanged,
        hint=_FAILED if memory.outcome == "FAILED" else UNSET,
    )  # fmt: skip


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
    saved = room_of(call, allow_secrets=allow_secrets).supersede(
        decision, reasoning, id=id, topic=topic, confidence=confidence, by=call.session.creator
    )
    return kept(call, saved)
