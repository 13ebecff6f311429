"""What the operations of pages have in common: names, times, and who did something."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Annotated

import msgspec
from msgspec import Meta

from strata.base import clock
from strata.base.errors import NotAllowed
from strata.tools.declare import ToolGroup

if TYPE_CHECKING:
    from strata.access import Grant
    from strata.store import Signature
    from strata.tools.session import Call
    from strata.workspace import Workspace

# The branch and the past moment come with the request, for every operation in the same way.
page = ToolGroup("page", pattern="page_{}", case="camel", shared=())
TOOL_GROUPS = (page,)

Limit = Annotated[int, Meta(description="Most entries", ge=1, le=1000)]


class Who(msgspec.Struct, frozen=True):
    """Who did something: a person by name, the agent they used, and the agent's task.

    `label` is the name of an author that is no user: it may be a person or a program.
    """

    person: str | None = None
    agent: str | None = None
    task: str | None = None
    label: str | None = None


class PageAnswer(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """What a page is answered: every member is always there."""


_BROWSER = "browser:"


def browser_of(call: "Call") -> str | None:
    """Return the id of the browser that calls; None for a caller that is no browser."""
    grant = call.session.grant
    principal = "" if grant is None else grant.principal
    return principal.removeprefix(_BROWSER) if principal.startswith(_BROWSER) else None


def require_person(call: "Call") -> None:
    """Raise NotAllowed for a caller that has only a token.

    What opens the workspace to others, or to a user for longer, is for a user who signed in by a
    code: a token, which may be an agent's, must not make another one.
    """
    from strata.access import EVERYTHING  # noqa: PLC0415  (seldom needed)

    if call.session.grant in (None, EVERYTHING):
        return
    browser = browser_of(call)
    known = next((one for one in call.anywhere.sign_ins.list() if one.id == browser), None)
    if known is None or known.token is not None:
        raise NotAllowed(
            "This is for a user who has signed in with a code, not with a token.",
            hint="`strata user login` shows a code to sign in with.",
        )


def manages(here: "Workspace") -> bool:
    """Tell whether a user manages the workspace: its owner, and admins of all of it."""
    whole = next((team for team in here.teams.list() if team.parent is None), None)
    is_admin = whole is not None and here.rights.team_roles().get(whole.id) == "admin"
    return here.rights.user.is_owner or is_admin


def require_owner(here: "Workspace", what: str) -> None:
    """Raise NotAllowed for everybody but the owner of the workspace."""
    if not here.rights.user.is_owner:
        raise NotAllowed(f"Only the owner of the workspace may {what}.", need="owner")


def iso(microseconds: int) -> str:
    """Return a time as pages read it."""
    return clock.iso(microseconds)


def permits(grant: "Grant | None", group: str) -> bool:
    """Tell whether a caller may use a group; one who has the store itself may use all."""
    return grant is None or grant.permits(group)


def writers(db: "Workspace", versions: Iterable[int]) -> dict[int, Who]:
    """Return who wrote each of some versions, by the commit that it came with."""
    wanted = list(versions)
    signed = db.authors(wanted)
    return {version: who_signed(db, signed.get(version)) for version in wanted}


def who_signed(db: "Workspace", by: "Signature | None") -> Who:
    """Return who signed a commit; of one that is gone, no author is known.

    A commit without any name is made with the file itself, which is the owner's.
    """
    if by is None:
        return Who()
    if by.person is not None:
        return Who(person=by.name or by.person, agent=by.agent, task=by.task)
    if by.agent is None:
        return Who(person=db.users.owner().name, task=by.task)
    return Who(label=by.agent, task=by.task)


def who_wrote(
    names: Mapping[str, str], author: str, agent: str | None = None, *, task: str | None = None
) -> Who:
    """Return who wrote something, by the id of a user; other authors are called by their label."""
    name = names.get(author)
    return Who(person=name, agent=agent, task=task, label=author if name is None else None)
