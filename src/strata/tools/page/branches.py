"""Branches as a page lists them: how old, by whom, and how far from where they came."""

from typing import TYPE_CHECKING, Annotated

from strata.base import limits
from strata.tools.page.group import Limit, PageAnswer, Who, iso, page, writers
from strata.tools.session import Call

if TYPE_CHECKING:
    from strata.store import Branch
    from strata.workspace import Workspace

_MAIN = "default"


class BranchLine(PageAnswer, frozen=True):
    """A branch; `ahead` and `behind` count commits against the one it came from."""

    name: str
    is_default: bool
    is_deleted: bool
    # The branch that it was forked from.
    came_from: str | None
    made: str
    changed: str
    # Who changed something on it last.
    who: Who
    version: int
    ahead: int
    behind: int


class BranchList(PageAnswer, frozen=True):
    """The branches, those changed last first."""

    branches: list[BranchLine]
    total: int
    # `ahead` and `behind` are not counted further: this many means "so many or more".
    counted_to: int


@page.reads(example={"query": "가지"})
def branches(
    call: Call,
    *,
    query: Annotated[str, "Part of the name"] = "",
    deleted: Annotated[bool, "Those that can still be brought back"] = False,
    limit: Limit = 100,
) -> BranchList:
    """List branches with age, author, and how many commits each is ahead and behind.

    A caller who may see documents only is shown the branches on which some of theirs changed.
    """
    here, grant = call.anywhere, call.session.grant
    named = [
        one
        for one in here.branches.list(deleted=deleted)
        if query.casefold() in one.name.casefold()
    ]
    newest = sorted(named, key=lambda one: -one.updated_at)
    if grant is not None and grant.is_for_documents:
        newest = [one for one in newest if one.name == _MAIN or _line(here, one).ahead]
    lines = [_line(here, one) for one in newest[:limit]]
    return BranchList(branches=lines, total=len(newest), counted_to=limits.DISTANCE_MAX)


def _line(here: "Workspace", branch: "Branch") -> BranchLine:
    is_deleted = branch.status == "deleted"
    newest = None if is_deleted else here.branches.last_change(branch.name)
    parent = branch.parent if branch.parent and here.branches.exists(branch.parent) else _MAIN
    apart = None if is_deleted else here.branches.distance(branch.name, parent)
    return BranchLine(
        name=branch.name,
        is_default=branch.name == _MAIN,
        is_deleted=is_deleted,
        came_from=branch.parent,
        made=iso(branch.created_at),
        changed=iso(branch.updated_at),
        who=Who() if newest is None else writers(here, [newest.version])[newest.version],
        version=branch.version,
        ahead=0 if apart is None else apart.ahead,
        behind=0 if apart is None else apart.behind,
    )
