"""What becomes of a decision: its outcome, and the decision that replaces it."""

import msgspec

from strata.base import limits
from strata.base.errors import Conflict, InvalidArgument
from strata.base.results import Result
from strata.base.values import Json
from strata.decisions.links import Creator
from strata.decisions.reader import MemoryReader, stage
from strata.decisions.records import OUTCOMES, VERDICT, Memory, Outcome
from strata.decisions.saving import Draft, SavedMemory, WantedLink, check_field, save
from strata.store import Transaction

# Words that people use for an outcome, beside its name.
_WORDS: dict[str, Outcome] = {
    "SUCCESS": "SUCCESS",
    "SUCCEEDED": "SUCCESS",
    "성공": "SUCCESS",
    "FAILED": "FAILED",
    "FAILURE": "FAILED",
    "FAIL": "FAILED",
    "실패": "FAILED",
    "PARTIAL": "PARTIAL",
    "PARTIALLY": "PARTIAL",
    "부분": "PARTIAL",
}
_OUTCOME_OF = "outcome_of"
_VERDICTS = {"SUCCESS": "worked", "FAILED": "failed", "PARTIAL": "worked in part"}


class RecordedOutcome(Result, frozen=True):
    """A decision with its outcome, and the insight that lets searches find the reason.

    `is_unchanged` means that the same was known before: nothing was written.
    """

    memory: Memory
    insight: Memory
    is_unchanged: bool = False


def check_outcome(outcome: object) -> Outcome:
    """Return an outcome in its one spelling."""
    found = _WORDS.get(str(outcome).strip().upper())
    if found is None:
        raise InvalidArgument(
            f"{str(outcome)[:40]!r} is no outcome.",
            hint=f"Use {', '.join(OUTCOMES)}.",
            parameter="outcome",
        )
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
) -> RecordedOutcome:
    """Stage a decision's outcome and the insight beside it."""
    if outcome == "FAILED" and not (reason or "").strip():
        raise InvalidArgument(
            "A failure needs its reason.",
            hint="Say why it failed: that is what others look for.",
            parameter="reason",
        )
    most = limits.REASONING_CHARACTERS_MAX
    for name, text in (("reason", reason), ("limitation", limitation)):
        if text is not None:
            check_field(text, name=name, most=most)
    now_ms = max(now_ms, transaction.time // 1000, decision.updated_at)
    before = decision.metadata
    # A verdict is one thing: another outcome does not keep the reason of the one before.
    known = decision.outcome_reason if decision.outcome == outcome else None
    reason, limitation = reason or known, limitation or before.get("limitation")
    insight = _insight_of(MemoryReader(transaction), decision, outcome)
    is_known = (outcome, reason, limitation) == (decision.outcome, known, before.get("limitation"))
    if is_known and insight is not None:
        return RecordedOutcome(decision, insight, is_unchanged=True)
    verdict = {
        "outcome": outcome,
        "outcome_at": now_ms,
        "limitation": limitation,
        "failure_reason" if outcome == "FAILED" else "outcome_reason": reason,
    }
    others = {name: value for name, value in before.items() if name not in VERDICT}
    told = {name: value for name, value in verdict.items() if value}
    judged = msgspec.structs.replace(decision, metadata=others | told, updated_at=now_ms)
    stage(transaction, judged)
    content = _outcome_sentence(decision, outcome, reason=reason, limitation=limitation)
    if insight is not None:
        # Another reason for the same outcome corrects its insight.
        corrected = msgspec.structs.replace(insight, content=content, updated_at=now_ms)
        stage(transaction, corrected)
        return RecordedOutcome(judged, corrected)
    draft = Draft(
        type="insight",
        content=content,
        topic=decision.topic,
        by=by,
        links_in_time=False,
        metadata={"category": "outcome", "outcome": outcome, "source": decision.id},
        links=(WantedLink(decision.id, _OUTCOME_OF),),
    )
    return RecordedOutcome(judged, save(transaction, draft, now_ms=now_ms).memory)


def _insight_of(reader: MemoryReader, decision: Memory, outcome: Outcome) -> Memory | None:
    """Return the insight that tells this outcome of a decision."""
    for link in reader.links_of(decision.id, end="to"):
        insight = reader.get(link.from_id) if link.relationship == _OUTCOME_OF else None
        if insight is not None and insight.metadata.get("outcome") == outcome:
            return insight
    return None


def _outcome_sentence(
    decision: Memory, outcome: Outcome, *, reason: str | None, limitation: str | None
) -> str:
    """Say in a sentence what came of a decision."""
    about = f"{decision.topic}: " if decision.topic else ""
    parts = [f"{about}“{decision.content}” {_VERDICTS[outcome]}."]
    if reason:
        parts.append(f"Reason: {reason}")
    if limitation:
        parts.append(f"Limitation: {limitation}")
    return " ".join(parts)


def the_decision(reader: MemoryReader, *, id_: str | None, topic: str | None) -> Memory:
    """Return the decision that an id, or a topic's present state, means."""
    if (id_ is None) == (topic is None):
        raise InvalidArgument("Give either an id or a topic.", parameter="id")
    if id_ is not None:
        found = reader.require(id_)
        if found.type != "decision":
            raise InvalidArgument(f"{id_!r} is no decision but {found.type}.", parameter="id")
        return found
    assert topic is not None
    heads = reader.require_heads(topic)
    if len(heads) > 1:
        ids = [head.id for head in heads]
        raise Conflict(
            f"{topic!r} has {len(heads)} current decisions.",
            hint=f"Name one of them by its id: {', '.join(ids)}.",
            ids=ids,
        )
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
) -> SavedMemory:
    """Stage a decision that replaces another."""
    metadata: dict[str, Json] = {
        "reasoning": reasoning,
        "confidence": confidence,
        "outcome": None,
    }
    draft = Draft(
        type="decision",
        content=decision,
        topic=old.topic,
        metadata=metadata,
        by=by,
        supersedes=old.id,
    )
    return save(transaction, draft, now_ms=now_ms)
