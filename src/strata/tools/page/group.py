"""What the operations of pages have in common: names, times, and who did something."""

from typing import TYPE_CHECKING, Annotated

import msgspec
from msgspec import Meta

from strata.base import clock
from strata.tools.declare import ToolGroup

if TYPE_CHECKING:
    from strata.access import Grant

# The branch and the past moment come with the request, for every operation in the same way.
page = ToolGroup("page", pattern="page_{}", case="camel", shared=())
TOOL_GROUPS = (page,)

Limit = Annotated[int, Meta(description="Most entries", ge=1, le=1000)]


class Who(msgspec.Struct, frozen=True):
    """Who did something: a person by name, the agent they used, and the agent's task."""

    person: str | None = None
    agent: str | None = None
    task: str | None = None


class PageAnswer(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """What a page is answered: every member is always there."""


def iso(microseconds: int) -> str:
    """Return a time as pages read it."""
    return clock.iso(microseconds)


def permits(grant: "Grant | None", group: str) -> bool:
    """Tell whether a caller may use a group; one who has the store itself may use all."""
    return grant is None or grant.permits(group)
