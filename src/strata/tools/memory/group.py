"""What the eight tools have in common."""

from typing import TYPE_CHECKING, Annotated

from msgspec import UNSET, Meta, UnsetType

from strata.base.errors import InvalidArgument
from strata.tools.declare import ToolGroup, When

if TYPE_CHECKING:
    from strata.workspace import Workspace, WorkspaceTransaction

memory = ToolGroup(
    "memory",
    pattern="strata_{}",
    # What is needed most comes first.
    order=[
        f"strata_{name}"
        for name in ("store", "recall", "search", "forget", "log", "branch", "history", "status")
    ],
)
TOOL_GROUPS = (memory,)

Key = Annotated[str | None, "Name of the fact"]
Keys = Annotated[list[str] | None, "Several names"]
Namespace = Annotated[str | None, "Group of names"]
AsOf = Annotated[When | None, 'Past time: ISO 8601, "2h ago", "last friday 12:00", version']
Limit = Annotated[int, Meta(description="Most entries", le=1000)]


def one_of(**given: object) -> str:
    """Return the name of the one argument that was given; raise InvalidArgument otherwise."""
    found = [name for name, value in given.items() if value is not None]
    if len(found) == 1:
        return found[0]
    names = ", ".join(given)
    problem = f"{' and '.join(found)} were given." if found else "Nothing was named."
    raise InvalidArgument(
        problem, hint=f"Give exactly one of {names}.", parameter=(found or list(given))[0]
    )


def refuse_beside(asked: str, *, hint: str | None = None, **given: object) -> None:
    """Raise InvalidArgument for a parameter that would have no effect beside another."""
    for name, value in given.items():
        if value is not None and value is not UNSET:
            raise InvalidArgument(
                f"{name} has no effect beside {asked}, so it is refused.",
                hint=hint or f"Leave {name} out.",
                parameter=name,
            )


def moment(here: "Workspace | WorkspaceTransaction") -> str | UnsetType:
    """Return the past instant that a view shows, or nothing for the present."""
    instant = getattr(here, "as_of", None)
    if instant is None:
        return UNSET
    said = "" if instant.warning is None else f" ({instant.warning})"
    return f"{instant.iso_time}{said}"
