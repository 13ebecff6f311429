"""Trust: letting a store that came from elsewhere say where data goes."""

import click

from strata.cli.decorated import command
from strata.cli.output import answer, local_time
from strata.cli.session import Invocation
from strata.cli.show.tables import table
from strata.cli.show.text import one_line
from strata.workspace import drop_trust, trusted_stores


@command(
    "trust",
    examples="""
    strata init
    strata trust
    strata trust --list
    strata trust --revoke
    """,
)
@click.option("--list", "lists", is_flag=True, help="List the stores that you trust.")
@click.option("--revoke", is_flag=True, help="Trust the store no longer.")
def trust(session: Invocation, *, lists: bool, revoke: bool) -> None:
    """Trust a store that you did not make where it is.

    A store that you make is trusted. One that came with a clone, a copy, a backup or a move is
    not: it can be read and written, but what it says about endpoints, storage, agents and
    secrets does not count, and hooks add nothing from it to prompts. This command shows what
    the store says of these, and trusts it from then on. Your trust is noted in your own folder,
    for this store at this path.
    """
    if lists and revoke:
        raise click.UsageError("Use --list or --revoke, not both.")
    if lists:
        _list(session)
    elif revoke:
        path = session.location.path
        was_trusted = drop_trust(path)
        line = f"{path} is trusted no longer" if was_trusted else f"{path} was not trusted"
        answer(session, {"path": path, "revoked": was_trusted}, [line])
    else:
        _give(session)


def _give(session: Invocation) -> None:
    session.warns = False
    with session.reading(anywhere=True) as db:
        was_trusted, allowed = db.trust.is_given, list(db.trust.reaching())
        db.trust.give()
        path = session.location.path
        head = f"{path} was trusted already" if was_trusted else f"{path} is trusted from now on"
        lines = [head, *(f"  it may use {what}" for what in allowed)]
        answer(session, {"path": path, "trusted": True, "uses": allowed}, lines)


def _list(session: Invocation) -> None:
    found = trusted_stores()
    rows = [(one_line(one.path), local_time(one.since), one.id) for one in found]
    answer(session, {"stores": found}, table(("STORE", "SINCE", "ID"), rows), empty="none")
