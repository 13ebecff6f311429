"""Memories and links in answers: whole, or so short that many can be read together."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from msgspec import UNSET, UnsetType

from strata.base import limits
from strata.tools.budget import cut
from strata.tools.declare import HIDDEN

if TYPE_CHECKING:
    from strata.decisions import Decisions, Link, Memory

# What a memory takes in an answer beside its texts; the least and the most tokens of a text.
_FRAME, _LEAST, _MOST = 70, 30, 700
_PLAIN = ("outcome", "category", "tags", "source", "status", "decided_by")


class Shown(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A memory; load_context shows the texts whole that were cut."""

    id: str
    type: str
    topic: Annotated[str | UnsetType, HIDDEN] = UNSET
    content: str
    reasoning: Annotated[str | UnsetType, HIDDEN] = UNSET
    confidence: Annotated[float | UnsetType, HIDDEN] = UNSET
    outcome: str | UnsetType = UNSET
    outcome_reason: Annotated[str | UnsetType, HIDDEN] = UNSET
    limitation: Annotated[str | UnsetType, HIDDEN] = UNSET
    category: Annotated[str | UnsetType, HIDDEN] = UNSET
    tags: Annotated[list[str] | UnsetType, HIDDEN] = UNSET
    source: Annotated[str | UnsetType, HIDDEN] = UNSET
    next_steps: Annotated[str | UnsetType, HIDDEN] = UNSET
    status: Annotated[str | UnsetType, HIDDEN] = UNSET
    decided_by: Annotated[str | UnsetType, HIDDEN] = UNSET
    superseded_by: tuple[str, ...] = ()
    timestamp: Annotated[str, HIDDEN]
    version: Annotated[int, HIDDEN]
    text_truncated: Annotated[bool, HIDDEN] = False
    # How it was found, where that was not by its own words.
    score: Annotated[float | UnsetType, HIDDEN] = UNSET
    relationship: Annotated[str | UnsetType, HIDDEN] = UNSET
    via: Annotated[str | UnsetType, HIDDEN] = UNSET


class Tie(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A link; its confidence is the faded one."""

    from_id: str
    to_id: str
    type: str
    relationship: str
    confidence: float
    by: Annotated[str, HIDDEN]
    reason: Annotated[str | UnsetType, HIDDEN] = UNSET
    mapping: Annotated[str | UnsetType, HIDDEN] = UNSET


def shown(room: "Decisions", memory: "Memory", most: int | None = None) -> Shown:
    """Return a memory for an answer, each of its texts cut to so many tokens."""
    whole = texts_of(memory)
    kept = {name: text if most is None else cut(text, most) for name, text in whole.items()}
    metadata = memory.metadata
    plain: dict[str, Any] = {name: metadata[name] for name in _PLAIN if metadata.get(name)}
    if memory.type == "decision":
        plain["confidence"] = memory.confidence
    return Shown(
        id=memory.id, type=memory.type, topic=memory.topic or UNSET, timestamp=memory.time,
        version=memory.version, superseded_by=tuple(room.superseded_by(memory.id)),
        text_truncated=kept != whole, **{"content": "", **kept}, **plain,
    )  # fmt: skip


def shown_all(room: "Decisions", memories: "Sequence[Memory]") -> list[Shown]:
    """Return memories so short that they can be read in one answer."""
    most = share(len(memories))
    return [shown(room, memory, most) for memory in memories]


def share(count: int, budget: int = limits.ANSWER_TOKENS_MAX) -> int:
    """Return how long a text may be where so many memories, of two texts each, are shown."""
    return max(_LEAST, min(_MOST, (budget // max(count, 1) - _FRAME) // 2))


def texts_of(memory: "Memory") -> dict[str, str]:
    """Return the texts of a memory that may be long, by their names in answers."""
    metadata = memory.metadata
    found: dict[str, Any] = {
        "content": memory.content, "reasoning": metadata.get("reasoning"),
        "outcome_reason": metadata.get("failure_reason") or metadata.get("outcome_reason"),
        "limitation": metadata.get("limitation"), "next_steps": metadata.get("next_steps"),
    }  # fmt: skip
    return {name: str(text) for name, text in found.items() if text}


def tie(room: "Decisions", link: "Link") -> Tie:
    """Return a link for an answer."""
    metadata = link.metadata
    return Tie(
        from_id=link.from_id, to_id=link.to_id, type=link.link_type, by=link.created_by,
        relationship=link.relationship, confidence=round(room.faded(link), 3),
        reason=metadata.get("reason") or UNSET, mapping=metadata.get("mapping") or UNSET,
    )  # fmt: skip
