"""The audit log: every change of users, teams, tokens, folders and shares."""

from typing import Annotated, Any

from strata.base.values import Json
from strata.tools.page.group import Limit, PageAnswer, iso, page
from strata.tools.session import Call


class AuditLine(PageAnswer, frozen=True):
    """A change: who made it, what it was, and of what."""

    number: int
    time: str
    who: str
    action: str
    subject: str
    # What the subject is called, if it is a user.
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
    names = here.users.names()
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
            subject_name=names.get(one.subject),
            details={name: _named(value, names) for name, value in one.details.items()},
        )
        for one in found
    ]
    return AuditPage(entries=lines, next=found.next)


def _named(value: Json, names: dict[str, str]) -> Json:
    """Return the name of a user in place of the id."""
    return names.get(value, value) if isinstance(value, str) else value
