"""The log of a branch, single commits, and taking them back."""

from collections.abc import Iterator

import click

import strata
from strata.cli.decorated import command
from strata.cli.output import answer
from strata.cli.session import Invocation, say
from strata.cli.show.commits import commit_line, commit_lines, outcome_lines, tag_names
from strata.cli.show.diffs import change_lines, stat_lines
from strata.store import STRATEGIES, Strategy

_STRATEGIES = click.Choice(STRATEGIES)


@command(
    "log",
    takes="branch at",
    examples="""
    strata put greeting 안녕 -m "first words"
    strata log
    strata log --oneline -n 5
    """,
)
@click.option("--oneline", is_flag=True, help="One line a commit.")
@click.option("-n", "--limit", type=click.IntRange(1, 10_000), default=20, show_default=True,
              help="How many commits at most.")  # fmt: skip
@click.option("--before", type=click.IntRange(1), help="Only commits before this version.")
def log(session: Invocation, *, oneline: bool, limit: int, before: int | None) -> None:
    """Show the commits of a branch, newest first.

    A fork shows the commits of its parent up to the point where it began.
    """
    with session.reading() as db:
        page = db.log(limit=limit, before=before)
        answer(
            session, {"commits": page, "more": page.more},
            _log_lines(db, page, oneline=oneline), empty="no commits here yet",
        )  # fmt: skip
        if page.more and not session.json:
            say(f"there is more: --before {page.next} shows the next")


def _log_lines(db: strata.Workspace, page: list[strata.Commit], *, oneline: bool) -> Iterator[str]:
    tags = tag_names(db)
    for at, commit in enumerate(page):
        if oneline:
            yield commit_line(commit, tags=tags, branch=db.branch)
            continue
        if at:
            yield ""
        yield from commit_lines(commit, tags=tags, branch=db.branch)


@command(
    "show",
    takes="branch",
    examples="""
    strata put user '{"age": 30}' && strata put user 31 --path age
    strata show
    strata show 1 --stat
    """,
)
@click.argument(
    "version",
    type=click.IntRange(1),
    required=False,
    help="The number of a commit, or of a version it wrote.",
)
@click.option("--stat", is_flag=True, help="Name the keys without their values.")
def show(session: Invocation, *, version: int | None, stat: bool) -> None:
    """Show one commit and what it changed.

    VERSION is any version that the commit wrote; without it, the newest commit of the branch.
    """
    with session.reading() as db:
        if version is None:
            newest = db.log(limit=1)
            if not newest:
                raise strata.CommitNotFound(f"The branch {db.branch!r} has no commits yet.")
            version = newest[0].version
        commit, changes = db.show(version)
        head = commit_lines(commit, tags=tag_names(db), branch=db.branch)
        body = stat_lines(changes) if stat else change_lines(changes)
        answer(session, commit, [*head, "", *body], diff=changes)


@command(
    "undo",
    takes="branch actor allow-secrets",
    examples="""
    strata put greeting 안녕 && strata put greeting "안뇽" --actor agent-7
    strata undo --actor agent-7 -m "a typing error"
    strata get greeting
    """,
)
@click.option("-m", "--message", help="Why, for the log.")
def undo(session: Invocation, *, message: str | None) -> None:
    """Take back the newest commit that was not taken back yet.

    It is taken back by a new commit, so nothing is lost and `strata undo` goes one step
    further each time. With --actor, or where the settings name an actor, it is the newest
    commit of that actor.
    """
    # Here the actor is the one whose work is taken back; whoever types this is not that one.
    whose, session.actor = session.actor, None
    with session.writing() as db:
        found = db.undo(actor=whose, message=message)
        answer(session, found, outcome_lines(found, f"took back {found.source}"))


@command(
    "revert",
    takes="branch actor allow-secrets",
    examples="""
    strata put greeting 안녕 && strata put greeting "안뇽"
    strata revert 2 -m "a typing error"
    """,
)
@click.argument(
    "version", type=click.IntRange(1), help="The number of a commit, or of a version it wrote."
)
@click.option("--strategy", type=_STRATEGIES, default="strict", show_default=True,
              help="What to do where later commits changed the same places.")  # fmt: skip
@click.option("-m", "--message", help="Why, for the log.")
def revert(session: Invocation, *, version: int, strategy: Strategy, message: str | None) -> None:
    """Take one commit back, wherever in the history it is.

    Later changes to the same places are conflicts; source_wins goes back to how it was before
    the commit, target_wins keeps the later change.
    """
    with session.writing() as db:
        found = db.revert(version, strategy=strategy, message=message)
        answer(session, found, outcome_lines(found, f"reverted {found.source}"))
