"""The log of a branch, single commits, taking them back, and names for points of history."""

from collections.abc import Iterator

import click

import strata
from strata.cli.command import command
from strata.cli.commits import commit_line, commit_lines, outcome_lines, tag_names
from strata.cli.completion import complete_tags
from strata.cli.diffs import change_lines, stat_lines
from strata.cli.output import answer, local_time
from strata.cli.session import Session, say
from strata.cli.tables import table
from strata.cli.text import one_line

_STRATEGIES = click.Choice(["strict", "source_wins", "target_wins", "newest"])


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
def log(session: Session, *, oneline: bool, limit: int, before: int | None) -> None:
    """Show the commits of a branch, newest first.

    A fork shows the commits of its parent up to the point where it began.
    """
    with session.reading() as db:
        commits = db.log(limit=limit + 1, before=before)
        page = commits[:limit]
        answer(
            session, {"commits": page, "more": len(commits) > limit},
            _log_lines(session, db, page, oneline=oneline),
        )  # fmt: skip
        if len(commits) > limit and not session.json:
            say(f"there is more: strata log --before {page[-1].version}")


def _log_lines(
    session: Session, db: strata.Workspace, page: list[strata.Commit], *, oneline: bool
) -> Iterator[str]:
    tags = tag_names(db)
    for at, commit in enumerate(page):
        if oneline:
            yield commit_line(session, commit, tags=tags, branch=db.branch)
            continue
        if at:
            yield ""
        yield from commit_lines(session, commit, tags=tags, branch=db.branch)


@command(
    "show",
    takes="branch",
    examples="""
    strata put user '{"age": 30}' && strata put user 31 --path age
    strata show
    strata show 1 --stat
    """,
)
@click.argument("version", type=click.IntRange(1), required=False)
@click.option("--stat", is_flag=True, help="Name the keys without their values.")
def show(session: Session, *, version: int | None, stat: bool) -> None:
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
        head = commit_lines(session, commit, tags=tag_names(db), branch=db.branch)
        body = stat_lines(changes) if stat else change_lines(changes)
        answer(session, commit, [*head, "", *body], diff=changes)


@command(
    "undo",
    takes="branch actor",
    examples="""
    strata put greeting 안녕 && strata put greeting "안뇽"
    strata undo
    strata get greeting
    """,
)
@click.option("--by", help="Take back the newest commit of this actor.")
@click.option("-m", "--message", help="Why, for the log.")
def undo(session: Session, *, by: str | None, message: str | None) -> None:
    """Take back the newest commit that was not taken back yet.

    It is taken back by a new commit, so nothing is lost and `strata undo` goes one step
    further each time. Where an actor is set, it is that actor's newest commit.
    """
    with session.writing() as db:
        found = db.undo(actor=by, message=message)
        answer(session, found, outcome_lines(found, f"took back {found.source}"))


@command(
    "revert",
    takes="branch actor",
    examples="""
    strata put greeting 안녕 && strata put greeting "안뇽"
    strata revert 2 -m "a typing error"
    """,
)
@click.argument("version", type=click.IntRange(1))
@click.option("--strategy", type=_STRATEGIES, default="strict", show_default=True,
              help="What to do where later commits changed the same places.")  # fmt: skip
@click.option("-m", "--message", help="Why, for the log.")
def revert(
    session: Session, *, version: int, strategy: strata.Strategy, message: str | None
) -> None:
    """Take one commit back, wherever in the history it is.

    Later changes to the same places are conflicts; source_wins goes back to how it was before
    the commit, target_wins keeps the later change.
    """
    with session.writing() as db:
        found = db.revert(version, strategy=strategy, message=message)
        answer(session, found, outcome_lines(found, f"reverted {found.source}"))


@command(
    "tag",
    takes="branch actor at",
    examples="""
    strata put greeting 안녕
    strata tag v1 -m "the first one"
    strata put greeting 잘가
    strata get greeting --at tag:v1
    strata tag
    strata tag --delete v1
    """,
)
@click.argument("name", required=False, shell_complete=complete_tags)
@click.option("-m", "--message", help="What it is for.")
@click.option("-d", "--delete", is_flag=True, help="Remove the tag; the versions stay.")
def tag(session: Session, *, name: str | None, message: str | None, delete: bool) -> int | None:
    """Name a point of history, or list the names.

    A tag names what the branch shows now, or showed --at a time. Read it with
    `--at tag:NAME`; retention keeps what it shows.
    """
    if name is None:
        if delete:
            raise click.UsageError("Name the tag to delete.")
        return _list_tags(session)
    with session.writing() as db:
        if not delete:
            made = db.tags.create(name, at=session.at or "now", message=message)
            answer(session, made, [f"tagged version {made.version} as {one_line(name)}"])
        elif db.tags.delete(name):
            answer(session, {"deleted": name}, [f"deleted tag {one_line(name)}"])
        else:
            raise strata.TagNotFound(
                f"There is no tag {name!r}.", hint="`strata tag` lists them."
            )
    return None


def _list_tags(session: Session) -> None:
    with session.reading(anywhere=True) as db:
        found = db.tags.list()
        rows = [
            (one_line(one.name), str(one.version), one_line(one.branch),
             local_time(session, one.timestamp), one_line(one.message or ""))
            for one in found
        ]  # fmt: skip
        headers = ("TAG", "VERSION", "BRANCH", "TIME", "MESSAGE")
        answer(session, {"tags": found}, table(headers, rows, right=["VERSION"]))
