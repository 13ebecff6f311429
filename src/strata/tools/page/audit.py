"""The audit log: every change of users, teams, tokens, folders and shares."""

from typing import TYPE_CHECKING, Annotated, Any

from strata.base.errors import StrataError
from strata.base.values import Json
from strata.tools.page.group import Limit, PageAnswer, iso, page
from strata.tools.session import Call

if TYPE_CHECKING:
    from strata.workspace import Workspace


class AuditLine(PageAnswer, frozen=True):
    """A change: who made it, what it was, and of what."""

    number: int
    time: str
    who: str
    action: str
    subject: str
    # What the subject is called, as far as the caller sees it: a user, team, folder, Space or text.
    subject_name: str | None
    details: dict[str, Any]


class AuditPage(PageAnswer, frozen=True):
    """Changes, newest first; `next` is what to send as `before` for earlier ones."""

    entries: list[AuditLine]
    next: int | None


@page.reads(example={"limit": 20})
def audit(
    call: Call,
    *,
    before: Annotated[int | None, "Only entries before this number"] = None,
    person_id: Annotated[str | None, "Only what this user did: id or email"] = None,
    action: Annotated[str | None, "Only this action, or its first part, such as token"] = None,
    since: Annotated[str | None, "Only from this time on"] = None,
    until: Annotated[str | None, "Only before this time"] = None,
    limit: Limit = 50,
) -> AuditPage:
    """List changes of users, teams, tokens, folders and shares; for the owner and admins."""
    here = call.anywhere
    rights = here.rights
    places = (*rights.teams(), *rights.folders(), *rights.spaces())
    names = {one.id: one.name for one in places} | here.users.names()
    found = here.audit.list(
        limit,
        before=before,
        user=None if person_id is None else here.users.require(person_id).id,
        action=action,
        since=None if since is None else here.time_of(since),
        until=None if until is None else here.time_of(until),
    )
    lines = [
        AuditLine(
            number=one.number,
            time=iso(one.timestamp),
            who=names.get(one.user, one.user),
            action=one.action,
            subject=one.subject,
            subject_name=names.get(one.subject) or _title(here, one.subject),
            details={name: _named(value, names) for name, value in one.details.items()},
        )
        for one in found
    ]
    return AuditPage(entries=lines, next=found.next)


def _title(here: "Workspace", subject: str) -> str | None:
    """Return the title of a document that the caller may read."""
    if not subject.startswith("doc_"):
        return None
    try:
        return here.documents.get(subject).title or None
    except StrataError:  # erased, on another branch, or not for this user
        return None


def _named(value: Json, names: dict[str, str]) -> Json:
    """Return the name of a user, a team or a place instead of its id."""
    return names.get(value, value) if isinstance(value, str) else value
