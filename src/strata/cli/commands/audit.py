"""The audit log: which user changed what about people, places and shares."""

from typing import Annotated

import msgspec

from strata.cli.command import Output, Spelling, reads
from strata.cli.output import local_time
from strata.cli.show.tables import table
from strata.cli.show.text import one_line
from strata.workspace import Workspace


@reads("audit", takes="user", anywhere=True)
def audit(
    db: Workspace,
    *,
    who: Annotated[
        str | None, "Only what this user did: an email or id.", Spelling("WHO", "--by")
    ] = None,
    subject: Annotated[str | None, "Only what was done to this id.", Spelling("ID", "--of")] = None,
    limit: Annotated[int, "How many at most.", msgspec.Meta(ge=1, le=10_000)] = 50,
    before: Annotated[int | None, "Go on before this entry.", Spelling("NUMBER")] = None,
) -> Output:
    """List changes of users, teams, folders and shares.

    The newest comes first. The log is only ever added to, and it is part of a backup, not of
    a branch or a bundle.

        strata user add ann@example.com
        strata audit
        strata audit --by owner --limit 5
    """
    user = None if who is None else db.users.require(who).id
    found = db.audit.list(limit, before=before, user=user, subject=subject)
    names = db.users.names()
    rows = [
        (
            str(one.number),
            local_time(one.timestamp),
            one_line(names.get(one.user, one.user)),
            one.action,
            one.subject,
            one_line(msgspec.json.encode(one.details).decode()),
        )
        for one in found
    ]
    lines = table(("", "TIME", "BY", "WHAT", "OF", "DETAILS"), rows, right=("",))
    return Output({"entries": found}, lines, empty="nothing has been changed yet")
