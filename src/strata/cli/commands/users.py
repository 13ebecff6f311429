"""Users of a workspace, and the browsers they have signed in with."""

from typing import Annotated

import strata
from strata.access import Browser, User
from strata.base.clock import iso
from strata.cli.command import Output, Spelling, group
from strata.cli.output import local_time, plural, with_times
from strata.cli.show.tables import facts, table
from strata.cli.show.text import one_line
from strata.workspace import Workspace

user = group(
    "user",
    """Add, list and remove the users of a workspace.

    Alone it lists them. Commands act for the workspace's owner, who is there from the
    beginning; a client of `strata serve` acts for the user of its token.

        strata user add ann@example.com --name Ann
        strata user
    """,
    takes="user",
    alone="list",
)


@user.writes("add", anywhere=True, creates=True)
def add(
    db: Workspace,
    email: Annotated[str, "The email that they are known by."],
    *,
    name: Annotated[str | None, "What they are called; without, what is before the @."] = None,
) -> Output:
    """Add a user, with a folder of their own.

    What was shared with the email before is theirs at once. They see nothing else until they
    are in a team (`strata team member`) or something is shared with them.

        strata user add ann@example.com --name Ann
        strata user add 소연@예시.한국
    """
    made = db.users.add(email, name)
    return Output(with_times(made), f"added {one_line(made.name)} ({made.id})")


@user.reads("list", anywhere=True)
def list_users(db: Workspace) -> Output:
    """List everybody, the owner first.

    Those who were removed are not listed; `strata audit` tells of them.

        strata user add ann@example.com
        strata user list
    """
    found = db.users.list()
    rows = [
        (one.id, one.email, one_line(one.name), "owner" if one.is_owner else "") for one in found
    ]
    lines = table(("ID", "EMAIL", "NAME", ""), rows)
    return Output({"users": [with_times(one) for one in found]}, lines)


@user.reads("show", anywhere=True)
def show(db: Workspace, who: Annotated[str, "Their email or id, or owner."]) -> Output:
    """Show a user: their teams, and how many documents they can read.

    The documents are counted, never named: an admin of users need not read them.

        strata user add ann@example.com
        strata user show ann@example.com
    """
    found = db.users.require(who)
    names = {team.id: team.name for team in db.teams.list()}
    teams = [
        {"team": member.team, "name": names[member.team], "role": member.role}
        for member in db.teams.memberships(found.id)
    ]
    count = len(db.as_user(found.id).rights.visible())
    roles = [f"{one_line(one['name'])} ({one['role']})" for one in teams]
    lines = facts(
        [
            ("id", found.id),
            ("email", found.email),
            ("name", one_line(found.name)),
            ("added", local_time(found.created)),
            ("teams", ", ".join(roles) or "none"),
            ("can read", f"{count:,} documents"),
        ]
    )
    return Output({**with_times(found), "teams": teams, "documents": count}, lines)


@user.writes("rename", anywhere=True)
def rename(
    db: Workspace,
    who: Annotated[str, "Their email or id, or owner."],
    name: Annotated[str | None, "What they are called from now on."] = None,
    *,
    email: Annotated[str | None, "The email that they are known by from now on."] = None,
) -> Output:
    """Change a user's name or email.

    Tokens of an outside issuer name users by their email, so this decides which user they act for.

        strata user add ann@example.com
        strata user rename ann@example.com "김소연"
        strata user rename owner --email me@example.com
    """
    if name is None and email is None:
        raise strata.InvalidArgument(
            "There is neither a name nor an email to change.",
            hint="`strata user rename WHO NAME`, or --email EMAIL.",
            parameter="name",
        )
    found = db.users.rename(who, name, email=email)
    return Output(with_times(found), f"{one_line(found.name)} <{found.email}>")


@user.writes("remove", anywhere=True)
def remove(
    db: Workspace,
    who: Annotated[str, "Their email or id."],
    *,
    give_to: Annotated[
        str | None, "Who gets the documents and Spaces of their own.", Spelling("WHO")
    ] = None,
) -> Output:
    """Remove a user; their tokens open nothing any more.

    Without --give-to they must have no documents of their own. What they wrote stays, and
    history goes on naming them.

        strata user add ann@example.com
        strata user remove ann@example.com --give-to owner
    """
    gone = db.users.remove(who, give_to=give_to)
    return Output(with_times(gone), f"removed {one_line(gone.name)} ({gone.id})")


@user.writes("login", anywhere=True, creates=True)
def login(
    db: Workspace,
    who: Annotated[str | None, "Who signs in, by email or id; without, you."] = None,
) -> Output:
    """Show a code to sign in with at the pages of `strata serve`.

    It is good for ten minutes and once. The browser that signs in with it stays signed in for
    30 days after its last use. Never send it in a link: addresses are kept in many places.

        strata user login
        strata user add ann@example.com
        strata user login ann@example.com
    """
    code = db.sign_ins.create_code(who)
    holder = db.users.require(code.user)
    server = db.settings.get("public_url") or db.serving.uploads().servers.find()
    url = f"{str(server).rstrip('/')}/sign-in" if server else None
    where = f"open {url}" if url else "start `strata serve`, open its page"
    return Output(
        {"code": code.secret, "user": holder.id, "expires": iso(code.expires), "url": url},
        code.secret,
        notes=[f"{where} and enter the code within 10 minutes, as {one_line(holder.name)}"],
    )


@user.reads("browsers", anywhere=True)
def browsers(db: Workspace) -> Output:
    """List the browsers that are signed in, those used last first.

    An admin of the workspace sees everybody's, others their own. One that signed in by a token
    is signed out when the token ends.

        strata user login
        strata user browsers
    """
    found = db.sign_ins.list()
    people = {holder.id: holder for holder in db.users.list()}
    rows = [
        (
            one.id,
            one_line(one.label),
            people[one.user].email,
            "code" if one.token is None else f"token {one_line(one.token.label)}",
            local_time(one.last_used),
            local_time(one.expires),
        )
        for one in found
    ]
    return Output(
        {"browsers": [_browser(one, people[one.user]) for one in found]},
        table(("ID", "BROWSER", "FOR", "BY", "LAST USED", "UNTIL"), rows),
        empty="no browser is signed in; `strata user login` shows a code for one",
    )


def _browser(one: Browser, holder: User) -> dict[str, object]:
    return {
        "id": one.id,
        "label": one.label,
        "user": one.user,
        "email": holder.email,
        "token": one.token and one.token.id,
        "created": iso(one.created),
        "last_used": iso(one.last_used),
        "expires": iso(one.expires),
    }


@user.writes("logout", anywhere=True)
def logout(
    db: Workspace, who: Annotated[str, "The user to sign out: email, id, or owner."]
) -> Output:
    """Sign a user out of every browser.

    It counts at once, also for pages that are open. Codes that were shown and not used are
    good for nothing any more; tokens stay good.

        strata user add ann@example.com
        strata user logout ann@example.com
    """
    holder = db.users.require(who)
    count = db.sign_ins.close_all(holder.id)
    line = f"signed {one_line(holder.name)} out of {plural(count, 'browser')}"
    return Output({"user": holder.id, "browsers": count}, line)
