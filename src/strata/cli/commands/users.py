"""Users and teams of a workspace, their browsers, and the log of what was changed about them."""

from typing import Annotated

import msgspec

import strata
from strata.access import Browser, Team, User
from strata.base import limits
from strata.base.clock import iso
from strata.base.counts import plural
from strata.cli.command import Output, Spelling, group, reads
from strata.cli.output import local_time, with_times
from strata.cli.show.links import table_of_links
from strata.cli.show.text import facts, one_line, table
from strata.cli.words import LinkDays, LinkRole, LinkUses, NewUsers
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
def add_user(
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
    return _changed(db.users.add(email, name), "added")


@user.reads("list", anywhere=True)
def list_users(db: Workspace) -> Output:
    """List everybody, the owner first.

    Those who were removed are not listed; `strata audit` tells of them.

        strata user add ann@example.com
        strata user list
    """
    found = db.users.list()
    rows = [(one.id, one.email, one.name, "owner" if one.is_owner else "") for one in found]
    lines = table(("ID", "EMAIL", "NAME", ""), rows)
    return Output({"users": [with_times(one) for one in found]}, lines)


@user.reads("show", anywhere=True)
def show_user(db: Workspace, who: Annotated[str, "Their email or id, or owner."]) -> Output:
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
            ("can read", plural(count, "document")),
        ]
    )
    return Output({**with_times(found), "teams": teams, "documents": count}, lines)


@user.writes("rename", anywhere=True)
def rename_user(
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
def remove_user(
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
    return _changed(db.users.remove(who, give_to=give_to), "removed")


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
            one.label,
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
    members = with_times(one, "created", "last_used", "expires")
    return {**members, "email": holder.email, "token": one.token and one.token.id}


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


TeamName = Annotated[str, "Its name or id.", Spelling("TEAM")]

team = group(
    "team",
    """Make teams and manage their members.

    Alone it lists them as a tree, whose root is the workspace. The role of a user in a team
    counts for everything below it: its teams, their folders, the documents in those.

        strata team add 디자인
        strata team
    """,
    takes="user",
    alone="list",
)


@team.writes("add", anywhere=True, creates=True)
def add_team(
    db: Workspace,
    name: Annotated[str, "What it is called."],
    *,
    under: Annotated[
        str | None, "The team it is a part of; without, the workspace.", Spelling("TEAM")
    ] = None,
) -> Output:
    """Make a team, which is a part of another one.

    It has no members of its own yet; those of the teams above are in it.

        strata team add 디자인
        strata team add Type --under 디자인
    """
    return _changed(db.teams.add(name, under), "made team")


@team.reads("list", anywhere=True)
def list_teams(db: Workspace) -> Output:
    """List the teams as a tree.

    Each is below the one that it is a part of.

        strata team add 디자인
        strata team list
    """
    found = db.teams.list()
    tops = [one for one in found if one.parent not in {other.id for other in found}]
    rows = [row for top in tops for row in _tree(found, top, 0)]
    return Output({"teams": [with_times(one) for one in found]}, table(("ID", "TEAM"), rows))


def _tree(teams: list[Team], top: Team, depth: int) -> list[tuple[str, str]]:
    below = [row for one in teams if one.parent == top.id for row in _tree(teams, one, depth + 1)]
    return [(top.id, "  " * depth + one_line(top.name)), *below]


@team.writes("rename", anywhere=True)
def rename_team(
    db: Workspace, which: TeamName, name: Annotated[str, "What it is called from now on."]
) -> Output:
    """Give a team another name.

    Members, folders and Spaces stay as they are.

        strata team add 디자인
        strata team rename 디자인 Studio
    """
    return _changed(db.teams.rename(which, name))


@team.writes("move", anywhere=True)
def move(
    db: Workspace,
    which: TeamName,
    *,
    under: Annotated[str, "The team it becomes a part of.", Spelling("TEAM")],
) -> Output:
    """Make a team a part of another one.

    The members of the teams above see its documents from then on; those of the teams that
    were above it before do not any more.

        strata team add 디자인
        strata team add Type
        strata team move Type --under 디자인
    """
    found = db.teams.move(which, under)
    return Output(with_times(found), f"moved {one_line(found.name)} under {one_line(under)}")


@team.writes("remove", anywhere=True)
def remove_team(db: Workspace, which: TeamName) -> Output:
    """Remove a team that has no teams, folders or Spaces any more.

    Its members stay users of the workspace.

        strata team add 디자인
        strata team remove 디자인
    """
    return _changed(db.teams.remove(which), "removed team")


def _changed(one: User | Team, done: str = "") -> Output:
    return Output(with_times(one), f"{done} {one_line(one.name)} ({one.id})".lstrip())


@team.writes("invite", anywhere=True)
def invite(
    db: Workspace,
    which: TeamName,
    *,
    role: LinkRole = "viewer",
    days: LinkDays = limits.SHARE_LINK_DAYS,
    uses: LinkUses = 1,
    new_users: NewUsers = False,
) -> Output:
    """Make a link that lets others into a team.

    It prints the address below that of the server; the store keeps only a hash of it, so that it
    is not shown again. Who joined by it stays when it ends.

        strata team add 디자인
        strata team invite 디자인 --role editor --days 3 --uses 5
        strata team links 디자인
    """
    place = db.teams.require(which).id
    made = db.share_links.invite(place, role, days=days, uses=uses, newcomers=new_users)
    return Output({"link": made.link, "path": made.path}, made.path)


@team.reads("links", anywhere=True)
def links(db: Workspace, which: TeamName) -> Output:
    """List the links that let others into a team, ended ones too.

    Their addresses are not kept.

        strata team add 디자인
        strata team invite 디자인 --uses 5
        strata team links 디자인
    """
    return table_of_links(db.share_links.of(db.teams.require(which).id), "this team")


@team.writes("unlink", anywhere=True)
def unlink(
    db: Workspace,
    link: Annotated[str, "Its id, which `strata team links` lists.", Spelling("LINK")],
) -> Output:
    """Take a link back that lets others into a team.

    Who joined by it stays.

        strata team add 디자인
        strata team invite 디자인
        strata team unlink $(strata team links 디자인 --json | jq -r .links[0].id)
    """
    gone = db.share_links.revoke(link)
    return Output({"link": gone}, f"{gone.id} is taken back")


@team.writes("member", anywhere=True)
def member(
    db: Workspace,
    which: TeamName,
    who: Annotated[str | None, "The email or id of a user."] = None,
    *,
    role: Annotated[str | None, "What they are: viewer, commenter, editor or admin."] = None,
    remove: Annotated[bool, "Take them out of the team."] = False,
) -> Output:
    """List the members of a team, or set the role of a user in it.

    With a user and --role they become a member, or another kind of one; with --remove they
    are none any more. The workspace's owner stays an admin of all of it.

        strata user add ann@example.com
        strata team member workspace ann@example.com --role viewer
        strata team member workspace
        strata team member workspace ann@example.com --remove
    """
    if who is None and role is None and not remove:
        found = db.teams.members(which)
        rows = [(one.email, one.name, one.role) for one in found]
        none = "no members of its own; those of the teams above are in it too"
        return Output({"members": found}, table(("EMAIL", "NAME", "ROLE"), rows), empty=none)
    if who is None or (role is None) != remove:
        raise strata.InvalidArgument(
            "A change of members takes a user and either --role or --remove.",
            hint="`strata team member TEAM EMAIL --role editor`.",
            parameter="who",
        )
    if role is None:
        db.teams.remove_member(which, who)
        return Output({"team": which, "user": who, "removed": True}, f"removed {who}")
    made = db.teams.set_member(which, who, role)
    return Output(made, f"{one_line(made.name)} is {made.role} of {one_line(which)}")


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
            one.number,
            local_time(one.timestamp),
            names.get(one.user, one.user),
            one.action,
            one.subject,
            msgspec.json.encode(one.details).decode(),
        )
        for one in found
    ]
    lines = table(("", "TIME", "BY", "WHAT", "OF", "DETAILS"), rows, right=("",))
    return Output({"entries": found}, lines, empty="nothing has been changed yet")
