"""Links between memories: what they mean, how sure they are, and how that fades."""

from hashlib import blake2b
from math import exp
from typing import Any, Literal, TypeAlias, cast

import msgspec

from strata.base import limits
from strata.base.memo import remembered
from strata.base.results import TimedResult
from strata.base.values import Json, encode
from strata.decisions.records import MEMORY, SPACE, is_newer_verdict, topic_key
from strata.store import Record, StagedChange, damaged, value_of

LINK = "link"

LinkType: TypeAlias = Literal["evolution", "implementation", "association", "temporal"]
LINK_TYPES: tuple[LinkType, ...] = ("evolution", "implementation", "association", "temporal")
Creator: TypeAlias = Literal["user", "llm", "system"]
CREATORS: tuple[Creator, ...] = ("user", "llm", "system")

# How fast confidence fades, per day. What a decision grew out of does not fade.
DECAY: dict[LinkType, float] = {
    "evolution": 0.0,
    "implementation": 0.02,
    "association": 0.05,
    "temporal": 0.1,
}
# The only words that retire the older end of a link. A word that merely contains one of them, or
# means something like it ("depends_on_version", "rollback_plan_for"), retires nothing.
_REPLACING = frozenset({"supersede", "supersedes", "replace", "replaces"})
_REPLACED = frozenset({"superseded_by", "replaced_by"})


class Link(TimedResult, frozen=True, kw_only=True, gc=False):
    """A typed edge, from the newer or dependent memory to the other.

    `confidence` is as it was when the link was made; `faded` tells it as of a time. A suggestion
    is not followed unless that was asked for.
    """

    TIME = "created_at"
    TIME_UNIT_US = 1000

    id: str
    from_id: str
    to_id: str
    link_type: LinkType
    confidence: float
    created_by: Creator
    created_at: int
    metadata: dict[str, Any] = msgspec.field(default_factory=dict[str, Any])
    is_suggestion: bool = False
    version: int = 0

    @property
    def relationship(self) -> str:
        """The word that its author used for it."""
        return str(self.metadata.get("original_relationship") or self.link_type)

    @property
    def reads(self) -> tuple[str, str]:
        """The ends in the order in which the word reads: "replaced by" goes from old to new."""
        is_turned = self.metadata.get("turned")
        return (self.to_id, self.from_id) if is_turned else (self.from_id, self.to_id)

    @property
    def is_only_in_time(self) -> bool:
        """Whether it only says that two memories were saved one after the other."""
        return self.link_type == "temporal" and self.created_by == "system"

    @property
    def supersedes(self) -> bool:
        """Whether the older end is replaced by the newer one."""
        is_evolution = self.link_type == "evolution" and not self.is_suggestion
        return is_evolution and not self.metadata.get("grows") and is_replacing(self.relationship)

    def faded(self, now_ms: int) -> float:
        """Return the confidence as of a time."""
        days = max(now_ms - self.created_at, 0) / limits.DAY_MS
        return self.confidence * exp(-DECAY[self.link_type] * days)


@remembered(1_024)
def is_replacing(word: str) -> bool:
    """Tell whether a whole relationship says that one end replaces the other."""
    plain = topic_key(word)
    return plain in _REPLACING or plain in _REPLACED


def is_better(one: Json, other: Json) -> bool:
    """Tell which of two forms of the same link two branches keep: the surer, then the older one."""
    return _weight(one) > _weight(other)


def _weight(link: Json) -> tuple[bool, float, int]:
    found = cast("dict[str, Any]", link)
    is_sure = not found.get("suggestion", False)
    return is_sure, float(found["confidence"]), -int(found["created_at"])


# How a merge joins what both branches have; see Store.rivals.
RIVALS = {LINK: is_better, MEMORY: is_newer_verdict}


def link_id(from_id: str, to_id: str, *, link_type: str, relationship: str) -> str:
    """Return the id of a link: the same one on every branch that adds it."""
    text = f"{from_id}\0{to_id}\0{link_type}\0{relationship}"
    data = text.encode("utf-8", "surrogatepass")
    return f"link_{blake2b(data, digest_size=12).hexdigest()}"


def new_link(
    from_id: str,
    to_id: str,
    link_type: LinkType,
    *,
    confidence: float,
    created_by: Creator,
    created_at: int,
    relationship: str | None = None,
    is_suggestion: bool = False,
    **metadata: Json,
) -> Link:
    """Make a link; what is known of it beside its type goes to its metadata."""
    word = relationship or link_type
    kept = {"original_relationship": word} | {
        name: value for name, value in metadata.items() if value is not None
    }
    return Link(
        id=link_id(from_id, to_id, link_type=link_type, relationship=word),
        from_id=from_id,
        to_id=to_id,
        link_type=link_type,
        confidence=confidence,
        created_by=created_by,
        created_at=created_at,
        metadata=kept,
        is_suggestion=is_suggestion,
    )


def change_of(link: Link) -> StagedChange:
    """Return the change that puts a link into the store."""
    value: dict[str, Json] = {
        "from": link.from_id,
        "to": link.to_id,
        "type": link.link_type,
        "confidence": link.confidence,
        "by": link.created_by,
        "created_at": link.created_at,
        "metadata": link.metadata,
    }
    if link.is_suggestion:
        value["suggestion"] = True
    ends = (("from", link.from_id), ("to", link.to_id))
    return StagedChange(SPACE, LINK, link.id, encode(value), attributes=ends)


def link_of(key: str, record: Record) -> Link:
    """Return a link as the store has it; raise DamagedStore for what is none."""
    value = value_of(record)
    try:
        found = cast("dict[str, Any]", value)
        return Link(
            id=key,
            from_id=found["from"],
            to_id=found["to"],
            link_type=found["type"],
            confidence=found["confidence"],
            created_by=found["by"],
            created_at=found["created_at"],
            metadata=found.get("metadata") or {},
            is_suggestion=found.get("suggestion", False),
            version=record[0],
        )
    except (KeyError, TypeError) as error:
        raise damaged(record[0]) from error
