"""What the tools of decisions have in common: names, where they look, how memories are shown."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from strata.tools.budget import cut, tokens
from strata.tools.declare import HIDDEN, ToolGroup
from strata.tools.session import Call

if TYPE_CHECKING:
    from strata.decisions import Decisions, Link, Memory
    from strata.workspace import Workspace

decisions = ToolGroup(
    "decisions",
    order=(
        "save_decision",
        "save_checkpoint",
        "save_insight",
        "load_checkpoint",
        "load_context",
        "search_by_topic",
        "search_by_context",
        "search_recent",
        "evolve_outcome",
        "evolve_supersede",
    ),
)
TOOL_GROUPS = (decisions,)

Type = Literal["decision", "checkpoint", "insight", "context"]
AsOf = Annotated[str | None, 'Past time: "2h ago", ISO 8601, a version']
Topic = Annotated[str, "Short name of the question, e.g. auth_strategy"]
OfTopic = Annotated[str | None, "Or its topic"]
Types = Annotated[list[Type] | None, "Only these types"]
Limit = Annotated[int, Meta(description="Most results", ge=1, le=50)]
Confidence = Annotated[float, Meta(description="How sure", ge=0, le=1)]


class LinkRequest(msgspec.Struct, frozen=True):
    """A link as a caller words it."""

    to_id: str
    relationship: str
    link_type: Literal["evolution", "implementation", "association", "temporal"] | None = None
    reason: str | None = None


Links = Annotated[list[LinkRequest] | None, 'Ties to known ids, e.g. relationship "motivated_by"']


def named(verb: str, noun: str) -> dict[str, Any]:
    """Return the names of a tool: the listed one, and the two that it answers to as well."""
    return {"name": f"{verb}_{noun}", "aliases": (f"{verb}/{noun}", f"{verb}.{noun}")}


def workspace_at(call: Call, as_of: str | None) -> "Workspace":
    """Return the store as it is on the call's branch, or as it was."""
    return call.db if as_of is None else call.db.at(as_of)


def decisions_for(call: Call, *, allow_secrets: bool) -> "Decisions":
    """Return the decisions to write to; secrets are refused there unless allowed."""
    return (call.db.allowing_secrets() if allow_secrets else call.db).decisions


# What a memory takes in an answer beside its texts; the least and the most tokens of a text.
_FRAME, _LEAST, _MOST = 50, 24, 700
# What memories may take together in the answer of a search: about 300 tokens where their texts are
# short, some more where they are long. load_context reads each of them whole.
LIST_TOKENS = 400
# The confidence of a decision that was saved without one; lists leave it out.
USUAL_CONFIDENCE = 0.7
# The list of files of a checkpoint that is shown whole.
FILES_TOKENS = 1_000
# The text of a memory that is only named beside others.
BRIEF_TOKENS = 30
_PLAIN = ("outcome", "category", "tags", "source", "status", "decided_by")


class MemoryAnswer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
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
    open_files: Annotated[list[str] | UnsetType, HIDDEN] = UNSET
    status: Annotated[str | UnsetType, HIDDEN] = UNSET
    decided_by: Annotated[str | UnsetType, HIDDEN] = UNSET
    superseded_by: tuple[str, ...] = ()
    timestamp: Annotated[str, HIDDEN]
    text_truncated: Annotated[bool, HIDDEN] = False
    # How it was found, where that was not by its own words.
    score: Annotated[float | UnsetType, HIDDEN] = UNSET
    relationship: Annotated[str | UnsetType, HIDDEN] = UNSET
    via: Annotated[str | UnsetType, HIDDEN] = UNSET


class MentionedMemory(msgspec.Struct, frozen=True, omit_defaults=True):
    """A memory that is only mentioned; load_context shows it."""

    id: str
    topic: str | UnsetType = UNSET


class MemoryTie(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The link to a memory; `from_id` or `to_id` is its other end, confidence what is left of it.

    The relationship reads from `from_id` to the memory, or from the memory to `to_id`.
    """

    from_id: Annotated[str | UnsetType, HIDDEN] = UNSET
    to_id: Annotated[str | UnsetType, HIDDEN] = UNSET
    type: str
    relationship: str
    confidence: float
    reason: Annotated[str | UnsetType, HIDDEN] = UNSET


def memory_answer(
    decisions: "Decisions", memory: "Memory", most: int | None = None
) -> MemoryAnswer:
    """Return a memory for an answer, each of its texts cut to so many tokens."""
    whole = texts_of(memory)
    kept = {name: text if most is None else cut(text, most) for name, text in whole.items()}
    metadata = memory.metadata
    plain: dict[str, Any] = {name: metadata[name] for name in _PLAIN if metadata.get(name)}
    files: list[str] = metadata.get("open_files") or []
    shown_files = files_that_fit(files, FILES_TOKENS if most is None else max(most, BRIEF_TOKENS))
    if memory.type == "decision":
        plain["confidence"] = memory.confidence
    return MemoryAnswer(
        id=memory.id,
        type=memory.type,
        topic=memory.topic or UNSET,
        timestamp=f"{memory.iso_time[:16]}Z",
        open_files=shown_files or UNSET,
        superseded_by=tuple(decisions.superseded_by(memory.id)),
        text_truncated=(kept, shown_files) != (whole, files),
        **{"content": "", **kept},
        **plain,
    )


def brief(decisions: "Decisions", memory: "Memory") -> MemoryAnswer:
    """Return a memory in a few words, to be named beside others."""
    return msgspec.structs.replace(
        memory_answer(decisions, memory, BRIEF_TOKENS),
        reasoning=UNSET,
        confidence=UNSET,
        limitation=UNSET,
        source=UNSET,
        tags=UNSET,
    )


def files_that_fit(files: list[str], budget: int) -> list[str]:
    """Return the first of some files, as many as so many tokens hold."""
    kept: list[str] = []
    for file in files:
        budget -= tokens(file) + 1
        if budget < 0:
            break
        kept.append(file)
    return kept


def listed(decisions: "Decisions", memory: "Memory", most: int) -> MemoryAnswer:
    """Return a memory as one of several: without what goes without saying."""
    found = memory_answer(decisions, memory, most)
    if memory.outcome_of is not None:  # its text names the decision
        return msgspec.structs.replace(found, source=UNSET, category=UNSET, outcome=UNSET)
    is_usual = memory.confidence == USUAL_CONFIDENCE
    return msgspec.structs.replace(found, confidence=UNSET) if is_usual else found


def memory_answers(decisions: "Decisions", memories: "Sequence[Memory]") -> list[MemoryAnswer]:
    """Return memories so short that they can be read in one answer."""
    most = share(len(memories))
    return [listed(decisions, memory, most) for memory in memories]


def share(count: int, budget: int = LIST_TOKENS) -> int:
    """Return how long a text may be where so many memories, of two texts each, are shown."""
    return max(_LEAST, min(_MOST, (budget // max(count, 1) - _FRAME) // 2))


def texts_of(memory: "Memory") -> dict[str, str]:
    """Return the texts of a memory that may be long, by their names in answers."""
    metadata = memory.metadata
    found: dict[str, Any] = {
        "content": memory.content,
        "reasoning": metadata.get("reasoning"),
        "outcome_reason": memory.outcome_reason,
        "limitation": metadata.get("limitation"),
        "next_steps": metadata.get("next_steps"),
    }
    return {name: str(text) for name, text in found.items() if text}


def tie(decisions: "Decisions", link: "Link", here: str) -> MemoryTie:
    """Return a link as workspace_at from one of its ends."""
    first, second = link.reads
    return MemoryTie(
        type=link.link_type,
        relationship=link.relationship,
        confidence=round(decisions.faded(link), 3),
        from_id=first if second == here else UNSET,
        to_id=second if first == here else UNSET,
        reason=link.metadata.get("reason") or UNSET,
    )
