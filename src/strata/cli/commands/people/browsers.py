"""Signing in by a browser: codes for it, and which browsers are signed in."""

import click

import strata
from strata.access import Browser, Person
from strata.base.clock import iso
from strata.cli.command import command
from strata.cli.commands.people.users import user
from strata.cli.output import answer, local_time, plural
from strata.cli.session import Invocation, say
from strata.cli.show.tables import table
from strata.cli.show.text import one_line


@command(
    "login",
    group=user,
    takes="user",
    examples="""
    strata user login
    strata user add ann@example.com
    strata user login ann@example.com
    """,
)
@click.argument("who", required=False, help="Who signs in, by email or id; without, you.")
def login(session: Invocation, *, who: str | None) -> None:
    """Show a code to sign in with at the pages of `strata serve`.

    It is good for ten minutes and once. The browser that signs in with it stays signed in for
    30 days after its last use. Never send it in a link: addresses are kept in many places.
    """
    with session.writing(create=True, anywhere=True) as db:
        code = db.sign_ins.create_code(who)
        person, url = db.people.require(code.person), _address(db)
        value = {"code": code.secret, "user": person.id, "expires": iso(code.expires), "url": url}
        answer(session, value, [code.secret])
        if not session.json:
            where = f"open {url}" if url else "start `strata serve`, open its page"
            say(f"{where} and enter the code within 10 minutes, as {one_line(person.name)}")


def _address(db: strata.Workspace) -> str | None:
    """Return where a server of this store lets people sign in."""
    found = db.settings.get("public_url") or db.serving.uploads().servers.find()
    return f"{str(found).rstrip('/')}/sign-in" if found else None


@command(
    "browsers",
    group=user,
    takes="user",
    examples="""
    strata user login
    strata user browsers
    """,
)
def browsers(session: Invocation) -> None:
    """List the browsers that are signed in, those used last first.

    An admin of the workspace sees everybody's, others their own. One that signed in by a token
    is signed out when the token ends.
    """
    with session.reading(anywhere=True) as db:
        found = db.sign_ins.list()
        people = {person.id: person for person in db.people.list()}
        rows = [
            (one.id, one_line(one.label), people[one.person].email, _through(one),
             local_time(session, one.last_used), local_time(session, one.expires))
            for one in found
        ]  # fmt: skip
        answer(
            session,
            {"browsers": [_told(one, people[one.person]) for one in found]},
            table(("ID", "BROWSER", "FOR", "BY", "LAST USED", "UNTIL"), rows),
            empty="no browser is signed in; `strata user login` shows a code for one",
        )


def _through(one: Browser) -> str:
    return "code" if one.token is None else f"token {one_line(one.token.label)}"


def _told(one: Browser, person: Person) -> dict[str, object]:
    """Return a browser for --json, with its times spelled out."""
    return {
        "id": one.id,
        "label": one.label,
        "user": one.person,
        "email": person.email,
        "token": one.token and one.token.id,
        "created": iso(one.created),
        "last_used": iso(one.last_used),
        "expires": iso(one.expires),
    }


@command(
    "logout",
    group=user,
    takes="user",
    examples="""
    strata user add ann@example.com
    strata user logout ann@example.com
    """,
)
@click.argument("who", help="Whom to sign out, by email or id, or owner.")
def logout(session: Invocation, *, who: str) -> None:
    """Sign somebody out of every browser.

    It counts at once, also for pages that are open. Codes that were shown and not used are
    good for nothing any more; tokens stay good.
    """
    with session.writing(anywhere=True) as db:
        person = db.people.require(who)
        count = db.sign_ins.close_all(person.id)
        line = f"signed {one_line(person.name)} out of {plural(count, 'browser')}"
        answer(session, {"user": person.id, "browsers": count}, [line])
