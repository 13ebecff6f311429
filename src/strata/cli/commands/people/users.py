"""Users: the people of a workspace."""

import click

import strata
from strata.access import Person
from strata.base.clock import iso
from strata.cli.command import command, group
from strata.cli.output import answer, local_time
from strata.cli.session import Invocation
from strata.cli.show.tables import facts, table
from strata.cli.show.text import one_line


@group(
    "user",
    takes="user",
    examples="""
    strata user add ann@example.com --name Ann
    strata user
    """,
)
def user(session: Invocation) -> None:
    """Add, list and remove the people of a workspace.

    Alone it lists them. Commands act for the workspace's owner, who is there from the
    beginning; a client of `strata serve` acts for the user of its token.
    """
    _list(session)


@command(
    "add",
    group=user,
    takes="user",
    examples="""
    strata user add ann@example.com --name Ann
    strata user add 소연@예시.한국
    """,
)
@click.argument("email", help="The email that they are known by.")
@click.option("--name", help="What they are called; without, what stands before the @.")
def add(session: Invocation, *, email: str, name: str | None) -> None:
    """Add somebody, with a folder of their own.

    What was shared with the email before is theirs at once. They see nothing else until they
    are in a team (`strata team member`) or something is shared with them.
    """
    session.rehearse(lambda db: db.people.add(email, name), anywhere=True)
    with session.writing(create=True, anywhere=True) as db:
        made = db.people.add(email, name)
        answer(session, _told(made), [f"added {one_line(made.name)} ({made.id})"])


@command(
    "list",
    group=user,
    takes="user",
    examples="""
    strata user add ann@example.com
    strata user list
    """,
)
def list_users(session: Invocation) -> None:
    """List everybody, the owner first.

    Those who were removed are not listed; `strata audit` tells of them.
    """
    _list(session)


def _list(session: Invocation) -> None:
    with session.reading(anywhere=True) as db:
        found = db.people.list()
        rows = [
            (one.id, one.email, one_line(one.name), "owner" if one.is_owner else "")
            for one in found
        ]
        answer(
            session,
            {"users": [_told(one) for one in found]},
            table(("ID", "EMAIL", "NAME", ""), rows),
        )


@command(
    "show",
    group=user,
    takes="user",
    examples="""
    strata user add ann@example.com
    strata user show ann@example.com
    """,
)
@click.argument("who", help="Their email or id, or owner.")
def show(session: Invocation, *, who: str) -> None:
    """Show somebody: their teams, and how many documents they can read.

    The documents are counted, never named: whoever manages people need not read them.
    """
    with session.reading(anywhere=True) as db:
        found = db.people.require(who)
        names = {team.id: team.name for team in db.teams.list()}
        teams = [
            {"team": member.team, "name": names[member.team], "role": member.role}
            for member in db.teams.memberships(found.id)
        ]
        count = len(db.as_user(found.id).rights.visible())
        lines = facts(
            [
                ("id", found.id),
                ("email", found.email),
                ("name", one_line(found.name)),
                ("added", local_time(session, found.created)),
                (
                    "teams",
                    ", ".join(f"{one_line(t['name'])} ({t['role']})" for t in teams) or "none",
                ),
                ("can read", f"{count:,} documents"),
            ]
        )
        answer(session, {**_told(found), "teams": teams, "documents": count}, lines)


@command(
    "rename",
    group=user,
    takes="user",
    examples="""
    strata user add ann@example.com
    strata user rename ann@example.com "김소연"
    strata user rename owner --email me@example.com
    """,
)
@click.argument("who", help="Their email or id, or owner.")
@click.argument("name", required=False, help="What they are called from now on.")
@click.option("--email", help="The email that they are known by from now on.")
def rename(session: Invocation, *, who: str, name: str | None, email: str | None) -> None:
    """Change somebody's name or email.

    An outside issuer's tokens name people by their email, so this says whom they act for.
    """
    if name is None and email is None:
        raise strata.InvalidArgument(
            "There is neither a name nor an email to change.",
            hint="`strata user rename WHO NAME`, or --email EMAIL.",
            parameter="name",
        )
    with session.writing(anywhere=True) as db:
        found = db.people.rename(who, name, email=email)
        answer(session, _told(found), [f"{one_line(found.name)} <{found.email}>"])


@command(
    "remove",
    group=user,
    takes="user",
    examples="""
    strata user add ann@example.com
    strata user remove ann@example.com --give-to owner
    """,
)
@click.argument("who", help="Their email or id.")
@click.option("--give-to", metavar="WHO", help="Who gets the documents and Spaces of their own.")
def remove(session: Invocation, *, who: str, give_to: str | None) -> None:
    """Remove somebody; their tokens open nothing any more.

    Without --give-to they must have no documents of their own. What they wrote stays, and
    history goes on naming them.
    """
    with session.writing(anywhere=True) as db:
        gone = db.people.remove(who, give_to=give_to)
        answer(session, _told(gone), [f"removed {one_line(gone.name)} ({gone.id})"])


def _told(one: Person) -> dict[str, object]:
    """Return a person for --json, with the time spelled out."""
    return {
        "id": one.id,
        "email": one.email,
        "name": one.name,
        "is_owner": one.is_owner,
        "created": iso(one.created),
    }
