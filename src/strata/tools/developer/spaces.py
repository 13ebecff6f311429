"""Category space: separate sets of keys on one branch."""

from typing import Annotated

from msgspec import Struct

from strata.tools.declare import ToolGroup
from strata.tools.session import Call

space_tools = ToolGroup("developer", pattern="strata_space_{}", shared=("branch",))

Name = Annotated[str, "Name of the space"]


class SpaceSwitched(Struct, frozen=True):
    """The space that later calls of this session use."""

    switched: bool
    space: str


@space_tools.reads(name="list", lists="results", example={})
def list_(call: Call) -> list[str]:
    """List the spaces of the branch.

    Answers {results}; `default` is always there.
    """
    return call.target.spaces.list()


@space_tools.writes(idempotent=True, example={"space": "notes"})
def create(call: Call, *, space: Name) -> None:
    """Make an empty space.

    Seldom needed: a space also appears with its first value. One that exists is left as it is.
    """
    call.target.spaces.create(space)


@space_tools.reads(example={"space": "notes"})
def exists(call: Call, *, space: Name) -> bool:
    """Tell whether a space exists.

    Answers {result}.
    """
    return call.target.spaces.exists(space)


@space_tools.writes(destructive=True, example={"space": "notes", "force": True})
def delete(
    call: Call,
    *,
    space: Name,
    force: Annotated[bool, "Delete it with everything in it"] = False,
) -> None:
    """Delete a space.

    One that holds keys needs `force`; `default` cannot be deleted. History keeps the values.
    """
    call.target.spaces.delete(space, force=force)


@space_tools.writes(idempotent=True, sets_session=True, shared=(), example={"space": "notes"})
def switch(call: Call, *, space: Name) -> SpaceSwitched:
    """Use another space in later calls of this session.

    It need not exist yet. For one call alone pass `space` to that call instead.
    """
    there = call.anywhere.space(space)  # which refuses what is no name
    call.session.state.space = there.space_name
    return SpaceSwitched(switched=True, space=space)
