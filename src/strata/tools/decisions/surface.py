"""What the ten tools have in common: their names, and where they look."""

from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from strata.tools.declare import HIDDEN, Surface
from strata.tools.session import Call

if TYPE_CHECKING:
    from strata.decisions import Decisions
    from strata.workspace import Workspace

decisions = Surface("decisions")

Type = Literal["decision", "checkpoint", "insight", "context"]
AsOf = Annotated[str | None, 'Past time: "2h ago", ISO 8601, a version']
Topic = Annotated[str, "Short name of the question, e.g. auth_strategy"]
OfTopic = Annotated[str | None, "Or its topic"]
Types = Annotated[list[Type] | None, "Only these types"]
Limit = Annotated[int, Meta(description="Most results", ge=1, le=50)]
AllowSecrets = Annotated[bool, "Keep it though it looks like a password or key", HIDDEN]
Confidence = Annotated[float, Meta(description="How sure", ge=0, le=1)]


class Wished(msgspec.Struct, frozen=True):
    """A link as a caller words it."""

    to_id: str
    relationship: str
    link_type: Literal["evolution", "implementation", "association", "temporal"] | None = None
    reason: str | None = None


Links = Annotated[list[Wished] | None, 'Ties to known ids, e.g. relationship "motivated_by"']


def named(verb: str, noun: str) -> dict[str, Any]:
    """Return the names of a tool: the listed one, and the two that it answers to as well."""
    return {"name": f"{verb}_{noun}", "aliases": (f"{verb}/{noun}", f"{verb}.{noun}")}


def seen(call: Call, as_of: str | None) -> "Workspace":
    """Return the store as it is on the call's branch, or as it was."""
    return call.db if as_of is None else call.db.at(as_of)


def room_of(call: Call, *, allow_secrets: bool) -> "Decisions":
    """Return the decisions to write to; secrets are refused there unless allowed."""
    return (call.db.allowing_secrets() if allow_secrets else call.db).decisions


def moment(here: "Workspace") -> str | UnsetType:
    """Return the past instant that a view shows, or nothing for the present."""
    return UNSET if here.as_of is None else here.as_of.iso_time
