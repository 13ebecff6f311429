"""The audit log: who changed what about people, places and shares."""

import click
import msgspec

from strata.cli.command import command
from strata.cli.output import answer, local_time
from strata.cli.session import Invocation
from strata.cli.show.tables import table
from strata.cli.show.text import one_line


@command(
    "audit",
    takes="user",
    examples="""
    strata user add ann@example.com
    strata audit
    strata audit --by owner --limit 5
    """,
)
@click.option("--by", "who", metavar="WHO", help="Only what this user did: an email or id.")
@click.option("--of", "subject", metavar="ID", help="Only what was done to this id.")
@click.option("--limit", type=click.IntRange(1, 10_000), default=50, show_default=True,
              help="How many at most.")  # fmt: skip
@click.option("--before", type=int, metavar="NUMBER", help="Go on before this entry.")
def audit(
    session: Invocation, *, who: str | None, subject: str | None, limit: int, before: int | None
) -> None:
    """List who changed what about people, teams, folders and shares.

    The newest comes first. The log is only ever added to, and it is part of a backup, not of
    a branch or a bundle.
    """
    with session.reading(anywhere=True) as db:
        person = None if who is None else db.people.require(who).id
        found = db.audit.list(limit, before=before, person=person, subject=subject)
        names = db.people.names()
        rows = [
            (
                str(one.number),
                local_time(session, one.timestamp),
                one_line(names.get(one.person, one.person)),
                one.action,
                one.subject,
                one_line(msgspec.json.encode(one.details).decode()),
            )
            for one in found
        ]
        lines = table(("", "TIME", "BY", "WHAT", "OF", "DETAILS"), rows, right=("",))
        answer(session, {"entries": found}, lines, empty="nothing has been changed yet")
