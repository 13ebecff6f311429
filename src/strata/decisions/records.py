"""Memories: decisions, checkpoints, insights and contexts, as they lie in the store."""

import os
import re
import unicodedata
from typing import Any, Literal, TypeAlias, cast

from strata.base.results import TimedResult
from strata.base.values import Json, encode
from strata.store import PROPOSALS, Record, StagedChange, check_key, damaged, value_of

SPACE = "decisions"
MEMORY = "memory"
# Branches whose names begin so hold what a foreign file says, and nothing else: no process links or
# prunes there.
IMPORTS = "import/"
# What the names of all branches begin with that no process links or prunes on.
UNTENDED = (IMPORTS, PROPOSALS)

Type: TypeAlias = Literal["decision", "checkpoint", "insight", "context"]
TYPES: tuple[Type, ...] = ("decision", "checkpoint", "insight", "context")
Outcome: TypeAlias = Literal["SUCCESS", "FAILED", "PARTIAL"]
OUTCOMES: tuple[Outcome, ...] = ("SUCCESS", "FAILED", "PARTIAL")
# The members of `metadata` that together say how a decision turned out.
VERDICT = ("outcome", "outcome_at", "failure_reason", "outcome_reason", "limitation")
# Each type's shape of `metadata`; older ones are read as the newest, and never rewritten.
SCHEMA_VERSION = 1


class Memory(TimedResult, frozen=True, kw_only=True):
    """Something worth remembering. Times are milliseconds; `version` is the store's number."""

    TIME = "created_at"
    TIME_UNIT_US = 1000

    id: str
    type: Type
    content: str
    topic: str | None = None
    metadata: dict[str, Any]
    created_at: int
    updated_at: int
    version: int = 0

    @property
    def reasoning(self) -> str:
        """Why a decision was made."""
        return str(self.metadata.get("reasoning") or "")

    @property
    def confidence(self) -> float:
        """How sure one was."""
        found = self.metadata.get("confidence")
        return float(found) if isinstance(found, (int, float)) else 0.5

    @property
    def outcome(self) -> str | None:
        """How a decision turned out, if that is known."""
        found = self.metadata.get("outcome")
        return found if isinstance(found, str) else None

    @property
    def outcome_reason(self) -> str | None:
        """Why a decision turned out so, if that was said."""
        found = self.metadata.get("failure_reason") or self.metadata.get("outcome_reason")
        return str(found) if found else None

    @property
    def trouble(self) -> str:
        """What went wrong with a decision, in words; empty if nothing did."""
        # An insight about an outcome has that outcome too, and holds all the same.
        if self.type != "decision" or self.outcome not in ("FAILED", "PARTIAL"):
            return ""
        reason = self.outcome_reason or self.metadata.get("limitation")
        return f"{self.outcome}: {reason}" if reason else self.outcome

    @property
    def outcome_of(self) -> str | None:
        """The decision whose outcome an insight tells."""
        is_outcome = self.metadata.get("category") == "outcome"
        return self.metadata.get("source") if is_outcome else None


def new_id(type_: Type, now_ms: int) -> str:
    """Return an id that tells the type and sorts by time within it."""
    return f"{type_}_{now_ms:013d}_{os.urandom(4).hex()}"


def topic_key(topic: str) -> str:
    """Return a topic so that spellings which mean the same are equal."""
    plain = unicodedata.normalize("NFKC", topic).casefold().strip()
    return re.sub(r"[\s_\-]+", "_", plain)


def change_of(memory: Memory, *, alias: str | None = None) -> StagedChange:
    """Return the change that puts a memory into the store."""
    value: dict[str, Json] = {
        "type": memory.type,
        "topic": memory.topic,
        "content": memory.content,
        "metadata": memory.metadata,
        "created_at": memory.created_at,
        "updated_at": memory.updated_at,
    }
    attributes = [("type", memory.type), ("created", as_attribute(memory.created_at))]
    if memory.topic is not None:
        attributes.append(("topic", topic_key(memory.topic)))
    alias = alias or cast("str | None", memory.metadata.get("alias"))
    if alias is not None:
        attributes.append(("alias", alias))
    return StagedChange(
        SPACE, MEMORY, check_key(memory.id), encode(value), attributes=tuple(attributes)
    )


def is_newer_verdict(source: Json, target: Json) -> bool | None:
    """Tell whether a merge keeps the source's form of a memory; None where the two disagree.

    Two branches that came to the same verdict differ only in when they did. The last time stays.
    """
    theirs, ours = cast("dict[str, Any]", source), cast("dict[str, Any]", target)
    if _without_times(theirs) != _without_times(ours):
        return None
    return int(theirs["updated_at"]) > int(ours["updated_at"])


def _without_times(memory: dict[str, Any]) -> dict[str, Any]:
    metadata: dict[str, Any] = {**(memory.get("metadata") or {}), "outcome_at": None}
    return {**memory, "metadata": metadata, "updated_at": None}


def as_attribute(ms: int) -> str:
    """Spell a time so that texts sort as times do."""
    return f"{max(ms, 0):015d}"


def memory_of(key: str, record: Record) -> Memory:
    """Return a memory as the store has it; raise DamagedStore for what is none."""
    value = value_of(record)
    try:
        found = cast("dict[str, Any]", value)
        return Memory(
            id=key,
            type=found["type"],
            topic=found.get("topic"),
            content=found["content"],
            metadata=found.get("metadata") or {},
            created_at=found["created_at"],
            updated_at=found["updated_at"],
            version=record[0],
        )
    except (KeyError, TypeError) as error:
        raise damaged(record[0]) from error
