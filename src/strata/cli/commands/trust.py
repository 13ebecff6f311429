"""Trust: letting a store that came from elsewhere say where data goes."""

from typing import Annotated

import click

from strata.cli.command import Output, Spelling, command
from strata.cli.output import local_time
from strata.cli.session import Invocation
from strata.cli.show.tables import table
from strata.cli.show.text import one_line
from strata.workspace import drop_trust, trusted_stores


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
    for this store at this path.

        strata init
        strata trust
        strata trust --list
        strata trust --revoke
    """
    if lists and revoke:
        raise click.UsageError("Use --list or --revoke, not both.")
    if lists:
        found = trusted_stores()
        rows = [(one_line(one.path), local_time(one.since), one.id) for one in found]
        return Output({"stores": found}, table(("STORE", "SINCE", "ID"), rows), empty="none")
    path = session.location.path
    if revoke:
        was_trusted = drop_trust(path)
        line = f"{path} is trusted no longer" if was_trusted else f"{path} was not trusted"
        return Output({"path": path, "revoked": was_trusted}, line)
    session.warns = False
    with session.reading(anywhere=True) as db:
        was_trusted, allowed = db.trust.is_given, list(db.trust.reaching())
        db.trust.give()
    head = f"{path} was trusted already" if was_trusted else f"{path} is trusted from now on"
    lines = [head, *(f"  it may use {what}" for what in allowed)]
    return Output({"path": path, "trusted": True, "uses": allowed}, lines)
