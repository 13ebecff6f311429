"""What opens a store: tokens of clients, and trust in a store that came from elsewhere."""

from typing import Annotated

import click

import strata
from strata.access import Token
from strata.base.clock import iso, now_us
from strata.cli.command import Output, Spelling, command, group
from strata.cli.output import local_time, with_times
from strata.cli.session import Invocation
from strata.cli.show.text import one_line, table
from strata.tools import GROUPS
from strata.workspace import Workspace, drop_trust, trusted_stores

token = group(
    "token",
    """Make and revoke the tokens that clients of `strata serve` need.

    Alone it lists them. Of a token only a hash is kept, so that it cannot be shown again.

        strata token create laptop
        strata token
    """,
    alone="list",
)


@token.writes("create", anywhere=True, creates=True)
def create(
    db: Workspace,
    label: Annotated[str | None, "What it is for, such as the client's name."] = None,
    *,
    groups: Annotated[
        str, "The tool groups it may use; a user's without: documents.", Spelling("NAMES")
    ] = "",
    read_only: Annotated[bool, "Let it read and never write."] = False,
    expires: Annotated[str | None, 'How long it is good: "90d", "12h".', Spelling("LENGTH")] = None,
    user: Annotated[
        str | None, "The user it acts for: email or id; without, the owner.", Spelling("WHO")
    ] = None,
    suggest_only: Annotated[bool, "Turn its edits of documents into suggestions."] = False,
    propose: Annotated[bool, "Let all that it writes wait for `strata review`."] = False,
) -> Output:
    """Make a token, and show it this once.

    A client sends it as `Authorization: Bearer TOKEN`. It works at once, also with a server
    that is running already. Of documents it sees what its user may see.

        strata token create laptop
        strata token create 대시보드 --groups memory --read-only --expires 90d
        strata user add ann@example.com
        strata token create ann-laptop --user ann@example.com --suggest-only
        strata token create claude --propose
    """
    made = db.tokens.create(
        label,
        groups=_known_groups(groups),
        read_only=read_only,
        expires=expires,
        user=user,
        suggest_only=suggest_only,
        proposes=propose,
    )
    note = f"{one_line(made.token.label)}: {_rights(made.token)}; it is not shown again"
    return Output({"secret": made.secret, **_token_fields(made.token)}, made.secret, notes=[note])


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


@token.reads("list", anywhere=True)
def list_tokens(db: Workspace) -> Output:
    """List the tokens: what they may do, and when they were used.

    Revoked and expired ones are listed too. When a token was used is noted once a minute.

        strata token create laptop
        strata token list
    """
    found = db.tokens.list()
    people = {None: "owner", **db.users.names()}
    rows = [
        (
            one.id,
            one.label,
            people.get(one.user, ""),
            _rights(one),
            _state(one),
            local_time(one.last_used) if one.last_used else "never",
        )
        for one in found
    ]
    return Output(
        {"tokens": [_token_fields(one) for one in found]},
        table(("ID", "LABEL", "FOR", "MAY", "STATE", "LAST USED"), rows),
        empty="no tokens; `strata token create` makes one",
    )


@token.writes("revoke", anywhere=True)
def revoke(db: Workspace, name: Annotated[str, "The token's label or id."]) -> Output:
    """Let a token open nothing any more.

    It counts from the next request on, also for servers that are running. The token stays
    in the list, as revoked.

        strata token create laptop
        strata token revoke laptop
    """
    gone = db.tokens.revoke(name)
    return Output(_token_fields(gone), f"revoked {one_line(gone.label)} ({gone.id})")


def _token_fields(one: Token) -> dict[str, object]:
    """Return a token for --json, with its times spelled out."""
    members = with_times(one, "created", "expires", "last_used", "revoked")
    return {**members, "state": _state(one)}


def _rights(one: Token) -> str:
    groups = ", ".join(one.groups) or "every group"
    limit = ", proposing" if one.proposes else ", suggesting" if one.suggest_only else ""
    return f"{'read' if one.read_only else 'use'} {groups}{'' if one.read_only else limit}"


def _state(one: Token) -> str:
    if one.revoked is not None:
        return "revoked"
    if not one.is_good(now_us()):
        return "expired"
    return "good" if one.expires is None else f"good until {iso(one.expires)[:10]}"


@command("trust")
def trust(
    session: Invocation,
    *,
    lists: Annotated[bool, "List the stores that you trust.", Spelling(flags="--list")] = False,
    revoke: Annotated[bool, "Trust the store no longer."] = False,
) -> Output:
    """Trust a store that came from elsewhere.

    A store that you make is trusted. One that came with a clone, a copy, a backup or a move is
    not: it can be read and written, but what it says about endpoints, storage, agents and
    secrets does not count, and hooks add nothing from it to prompts. This command shows what
    the store says of these, and trusts it from then on. Your trust is noted in your own folder,
    for this store at this path. A store in PostgreSQL is trusted by naming its address.

        strata init
        strata trust
        strata trust --list
        strata trust --revoke
    """
    if lists and revoke:
        raise click.UsageError("Use --list or --revoke, not both.")
    if lists:
        found = trusted_stores()
        rows = [(one.path, local_time(one.since), one.id) for one in found]
        return Output({"stores": found}, table(("STORE", "SINCE", "ID"), rows), empty="none")
    path = session.location.display
    if revoke:
        if isinstance(session.location.place, str):
            raise click.UsageError(
                "A store in PostgreSQL is trusted because you name its address: name another one."
            )
        was_trusted = drop_trust(session.location.place)
        line = f"{path} is trusted no longer" if was_trusted else f"{path} was not trusted"
        return Output({"path": path, "revoked": was_trusted}, line)
    session.warns = False
    with session.reading(anywhere=True) as db:
        was_trusted, allowed = db.trust.is_given, list(db.trust.reaching())
        db.trust.give()
    head = f"{path} was trusted already" if was_trusted else f"{path} is trusted from now on"
    lines = [head, *(f"  it may use {what}" for what in allowed)]
    return Output({"path": path, "trusted": True, "uses": allowed}, lines)
