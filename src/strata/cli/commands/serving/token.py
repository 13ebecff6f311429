"""Tokens: what a client needs to use `strata serve`."""

from typing import Any

import click

import strata
from strata.access import Token
from strata.base.clock import iso, now_us
from strata.cli.decorated import command, group
from strata.cli.output import answer, local_time
from strata.cli.session import Invocation, say
from strata.cli.show.tables import table
from strata.cli.show.text import one_line
from strata.tools import GROUPS


@group(
    "token",
    examples="""
    strata token create laptop
    strata token
    """,
)
def token(session: Invocation) -> None:
    """Make and revoke the tokens that clients of `strata serve` need.

    Alone it lists them. Of a token only a hash is kept, so that it cannot be shown again.
    """
    _list(session)


@command(
    "create",
    group=token,
    examples="""
    strata token create laptop
    strata token create 대시보드 --groups memory --read-only --expires 90d
    strata user add ann@example.com
    strata token create ann-laptop --user ann@example.com --suggest-only
    """,
)
@click.argument("label", required=False, help="What it is for, such as the client's name.")
@click.option("--groups", metavar="NAMES",
              help="The tool groups it may use; a user's without: documents.")  # fmt: skip
@click.option("--read-only", is_flag=True, help="Let it read and never write.")
@click.option("--expires", metavar="LENGTH", help='How long it is good: "90d", "12h".')
@click.option("--user", metavar="WHO", help="Whom it acts for, by email or id; without, the owner.")
@click.option("--suggest-only", is_flag=True, help="Turn its edits of documents into suggestions.")
def create(
    session: Invocation,
    *,
    label: str | None,
    groups: str | None,
    # Whatever else decides what the token may do.
    **rights: Any,  # Any: the keywords of db.tokens.create, as click read them
) -> None:
    """Make a token, and show it this once.

    A client sends it as `Authorization: Bearer TOKEN`. It works at once, also with a server
    that is running already. Of documents it sees what its user may see.
    """
    chosen = _known_groups(groups or "")
    with session.writing(create=True, anywhere=True) as db:
        made = db.tokens.create(label, groups=chosen, **rights)
        answer(session, {"secret": made.secret, **_told(made.token)}, [made.secret])
        if not session.json:
            say(f"{one_line(made.token.label)}: {_rights(made.token)}; it is not shown again")


def _known_groups(text: str) -> list[str]:
    """Read names of groups; one that does not exist would make a token that opens nothing."""
    names = text.replace(",", " ").split()
    odd = [name for name in names if name not in GROUPS and name != "all"]
    if odd:
        raise strata.InvalidArgument(
            f"There is no tool group {odd[0]!r}.",
            hint=f"There are {', '.join(GROUPS)}, and all.",
            parameter="groups",
        )
    return names


@command(
    "list",
    group=token,
    examples="""
    strata token create laptop
    strata token list
    """,
)
def list_tokens(session: Invocation) -> None:
    """List the tokens: what they may do, and when they were used.

    Revoked and expired ones are listed too. When a token was used is noted once a minute.
    """
    _list(session)


def _list(session: Invocation) -> None:
    with session.reading(anywhere=True) as db:
        found = db.tokens.list()
        people = {None: "owner", **db.people.names()}
        rows = [
            (one.id, one_line(one.label), people.get(one.user, ""), _rights(one), _state(one),
             local_time(one.last_used) if one.last_used else "never")
            for one in found
        ]  # fmt: skip
        lines = table(("ID", "LABEL", "FOR", "MAY", "STATE", "LAST USED"), rows)
        answer(
            session, {"tokens": [_told(one) for one in found]}, lines,
            empty="no tokens; `strata token create` makes one",
        )  # fmt: skip


@command(
    "revoke",
    group=token,
    examples="""
    strata token create laptop
    strata token revoke laptop
    """,
)
@click.argument("name", help="The token's label or id.")
def revoke(session: Invocation, *, name: str) -> None:
    """Let a token open nothing any more.

    It counts from the next request on, also for servers that are running. The token stays
    in the list, as revoked.
    """
    with session.writing(anywhere=True) as db:
        gone = db.tokens.revoke(name)
        answer(session, _told(gone), [f"revoked {one_line(gone.label)} ({gone.id})"])


def _told(one: Token) -> dict[str, object]:
    """Return a token for --json, with its times spelled out."""
    times = {name: getattr(one, name) for name in ("created", "expires", "last_used", "revoked")}
    return {
        "id": one.id,
        "label": one.label,
        "groups": list(one.groups),
        "read_only": one.read_only,
        "suggest_only": one.suggest_only,
        "user": one.user,
        "state": _state(one),
        **{name: None if us is None else iso(us) for name, us in times.items()},
    }


def _rights(one: Token) -> str:
    groups = ", ".join(one.groups) or "every group"
    limit = ", suggesting" if one.suggest_only and not one.read_only else ""
    return f"{'read' if one.read_only else 'use'} {groups}{limit}"


def _state(one: Token) -> str:
    if one.revoked is not None:
        return "revoked"
    if not one.is_good(now_us()):
        return "expired"
    return "good" if one.expires is None else f"good until {iso(one.expires)[:10]}"
