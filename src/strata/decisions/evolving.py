"""What becomes of a decision: its outcome, and the decision that replaces it."""

import msgspec

from strata.base import limits
from strata.base.errors import Conflict, InvalidArgument, NotFound
from strata.base.values import Json
from strata.decisions.links import Creator
from strata.decisions.records import OUTCOMES, Memory, Outcome
from strata.decisions.saving import Draft, Saved, WantedLink, check_field, save
from strata.decisions.shelf import Shelf, stage
from strata.store import Transaction

# Words that people use for an outcome, beside its name.
_WORDS: dict[str, Outcome] = {
    "SUCCESS": "SUCCESS", "SUCCEEDED": "SUCCESS", "성공": "SUCCESS",
    "FAILED": "FAILED", "FAILURE": "FAILED", "FAIL": "FAILED", "실패": "FAILED",
    "PARTIAL": "PARTIAL", "PARTIALLY": "PARTIAL", "부분": "PARTIAL",
}  # fmt: skip
_VERDICTS = {"SUCCESS": "worked", "FAILED": "failed", "PARTIAL": "worked in part"}


class Judged(msgspec.Struct, frozen=True):
    """A decision with its outcome, and the insight that lets searches find the reason."""

    memory: Memory
    insight: Memory


def check_outcome(outcome: object) -> Outcome:
    """Return an outcome in its one spelling."""
    found = _WORDS.get(str(outcome).strip().upper())
    if found is None:
        raise InvalidArgument(
            f"{str(outcome)[:40]!r} is no outcome.", hint=f"Use {', '.join(OUTCOMES)}.",
            parameter="outcome",
        )  # fmt: skip
    return found


def judge(
    transaction: Transaction,
    decision: Memory,
    outcome: Outcome,
    *,
    reason: str | None,
    limitation: str | None,
    now_ms: int,
    by: Creator,
) -> Judged:
    """Stage a decision's outcome and the insight beside it."""
    if outcome == "FAILED" and not (reason or "").strip():
        raise InvalidArgument(
            "A failure needs its reason.", hint="Say why it failed: that is what others look for.",
            parameter="reason",
        )  # fmt: skip
    most = limits.REASONING_CHARACTERS_MAX
    for name, text in (("reason", reason), ("limitation", limitation)):
        if text is not None:
            check_field(text, name=name, most=most)
    told: dict[str, Json] = {
        "outcome": outcome, "outcome_at": now_ms,
        "failure_reason": reason if outcome == "FAILED" else None,
        "outcome_reason": reason if outcome != "FAILED" else None, "limitation": limitation,
    }  # fmt: skip
    metadata = {**decision.metadata, **{name: text for name, text in told.items() if text}}
    judged = msgspec.structs.replace(decision, metadata=metadata, updated_at=now_ms)
    stage(transaction, judged)
    draft = Draft(
        type="insight", content=_told(decision, outcome, reason=reason, limitation=limitation),
        topic=decision.topic, by=by, links_in_time=False,
        metadata={"category": "outcome", "outcome": outcome, "source": decision.id},
        links=(WantedLink(decision.id, "outcome_of"),),
    )  # fmt: skip
    return Judged(judged, save(transaction, draft, now_ms=now_ms).memory)


def _told(decision: Memory, outcome: Outcome, *, reason: str | None, limitation: str | None) -> str:
    """Say in a sentence what came of a decision."""
    about = f"{decision.topic}: " if decision.topic else ""
    parts = [f"{about}“{decision.content}” {_VERDICTS[outcome]}."]
    if reason:
        parts.append(f"Reason: {reason}")
    if limitation:
        parts.append(f"Limitation: {limitation}")
    return " ".join(parts)


def the_decision(shelf: Shelf, *, id_: str | None, topic: str | None) -> Memory:
    """Return the decision that an id, or a topic's present state, means."""
    if (id_ is None) == (topic is None):
        raise InvalidArgument("Give either an id or a topic.", parameter="id")
    if id_ is not None:
        found = shelf.require(id_)
        if found.type != "decision":
            raise InvalidArgument(f"{id_!r} is no decision but {found.type}.", parameter="id")
        return found
    assert topic is not None
    heads = shelf.heads(topic)
    if not heads:
        raise NotFound(
            f"There is no decision on {topic!r} on this branch.",
            hint="search_by_context finds decisions by what they are about.", topic=topic,
        )  # fmt: skip
    if len(heads) > 1:
        raise Conflict(
            f"{topic!r} has {len(heads)} current decisions.", hint="Name one of them by its id.",
            ids=[head.id for head in heads],
        )  # fmt: skip
    return heads[0]


def replace(
    transaction: Transaction,
    old: Memory,
    *,
    decision: str,
    reasoning: str,
    confidence: float,
    now_ms: int,
    by: Creator,
) -> Saved:
    """Stage a decision that replaces another."""
    metadata: dict[str, Json] = {
        "reasoning": reasoning, "confidence": confidence, "outcome": None,
    }  # fmt: skip
    draft = Draft(
        type="decision", content=decision, topic=old.topic, metadata=metadata, by=by,
        supersedes=old.id,
    )  # fmt: skip
    return save(transaction, draft, now_ms=now_ms)
