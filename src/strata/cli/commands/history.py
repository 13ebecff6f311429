"""The log of a branch, single commits, taking them back, and names for points of history."""

from collections.abc import Iterator
from typing import Annotated

import msgspec

import strata
from strata.cli.command import Output, Spelling, command, group, more_notes, reads, writes
from strata.cli.completion import complete_tags
from strata.cli.output import local_time
from strata.cli.session import Invocation
from strata.cli.show.changes import (
    change_lines,
    commit_line,
    commit_lines,
    outcome_lines,
    revert_lines,
    stat_lines,
    tag_names,
)
from strata.cli.show.text import one_line, table
from strata.cli.words import LIMIT, CommitVersion, Message, Stat
from strata.store import Strategy
from strata.workspace import Workspace


@reads("log", takes="branch at")
def log(
    db: Workspace,
    *,
    oneline: Annotated[bool, "One line a commit."] = False,
    limit: Annotated[
        int,
        "How many commits at most.",
        LIMIT,
        msgspec.Meta(ge=1, le=10_000),
    ] = 20,
    before: Annotated[int | None, "Only commits before this version.", msgspec.Meta(ge=1)] = None,
    touched: Annotated[bool, "List what each commit changed."] = False,
) -> Output:
    """Show the commits of a branch, newest first.

    A fork shows the commits of its parent up to the point where it began. --touched lists kinds
    and keys, documents by their titles; `strata show` has the values.

        strata put greeting 안녕 -m "first words"
        strata log
        strata log --oneline -n 5
        strata log --touched -n 1
    """
    page = db.log(limit=limit, before=before, touched=touched)
    return Output(
        {"commits": page, "more": page.more},
        _log_lines(db, page, oneline=oneline),
        empty="no commits here yet",
        notes=more_notes(page, "--before"),
    )


def _log_lines(db: Workspace, page: list[strata.Commit], *, oneline: bool) -> Iterator[str]:
    tags = tag_names(db)
    for at, commit in enumerate(page):
        if oneline:
            yield commit_line(commit, tags=tags, branch=db.branch)
            continue
        if at:
            yield ""
        yield from commit_lines(commit, tags=tags, branch=db.branch)


@reads("show", takes="branch")
def show(db: Workspace, version: CommitVersion | None = None, *, stat: Stat = False) -> Output:
    """Show one commit and what it changed.

    VERSION is any version that the commit wrote; without it, the newest commit of the branch.

        strata put user '{"age": 30}' && strata put user 31 --path age
        strata show
        strata show 1 --stat
    """
    if version is None:
        newest = db.log(limit=1)
        if not newest:
            raise strata.CommitNotFound(f"The branch {db.branch!r} has no commits yet.")
        version = newest[0].version
    commit, changes = db.show(version)
    head = commit_lines(commit, tags=tag_names(db), branch=db.branch)
    body = stat_lines(changes) if stat else change_lines(changes)
    return Output(commit, [*head, "", *body], diff=changes)


@command("undo", takes="branch actor allow-secrets")
def undo(session: Invocation, *, message: Message = None) -> Output:
    """Undo the newest commit that is not undone yet.

    It is taken back by a new commit, so nothing is lost and `strata undo` goes one step
    further each time. With --actor, or where the settings name an actor, it is the newest
    commit of that actor.

        strata put greeting 안녕 && strata put greeting "안뇽" --actor agent-7
        strata undo --actor agent-7 -m "a typing error"
        strata get greeting
    """
    # Here the actor is the one whose work is taken back; the user who types this is not that one.
    whose, session.actor = session.actor, None
    with session.writing() as db:
        found = db.undo(actor=whose, message=message)
        return Output(found, outcome_lines(found, f"took back {found.source}"))


@writes("revert", takes="branch actor allow-secrets")
def revert(
    db: Workspace,
    versions: Annotated[
        tuple[int, ...],
        "The numbers of the commits, or of versions they wrote.",
        Spelling("VERSION..."),
    ],
    *,
    strategy: Annotated[
        Strategy, "What to do where later commits changed the same places."
    ] = "strict",
    preview: Annotated[bool, "Only show what goes back, and what stays."] = False,
    message: Message = None,
) -> Output:
    """Undo one commit, or several as one, wherever in the history they are.

    Later changes to the same places are conflicts; source_wins goes back to how it was before
    the commits, target_wins keeps the later changes and takes back the rest. --preview shows what
    goes back, and who changed what stays. Events stay: a log says what happened.

        strata put greeting 안녕 && strata put greeting "안뇽"
        strata put greeting "안뇽!"
        strata revert 2 3 --preview
        strata revert 2 3 -m "typing errors"
    """
    found = db.revert(versions, strategy=strategy, preview=preview, message=message)
    if not preview:
        return Output(found, outcome_lines(found, f"reverted {found.source}"))
    return Output(found, revert_lines(found), code=1 if found.undecided else 0)


tag = group(
    "tag",
    """Name points of history.

    Alone it lists the tags. Read what one shows with `--at tag:NAME`; retention keeps it.

        strata put greeting 안녕
        strata tag create v1 -m "the first one"
        strata put greeting 잘가
        strata get greeting --at tag:v1
        strata tag
    """,
    otherwise="create",
)


@reads("tag", anywhere=True)
def list_tags(db: Workspace) -> Output:
    """List the tags."""
    found = db.tags.list()
    rows = [
        (one.name, one.version, one.branch, local_time(one.timestamp), one.message or "")
        for one in found
    ]
    lines = table(("TAG", "VERSION", "BRANCH", "TIME", "MESSAGE"), rows, right=["VERSION"])
    return Output({"tags": found}, lines, empty="no tags; `strata tag create` makes one")


tag.alone = list_tags


@tag.writes("create", takes="branch actor allow-secrets at")
def create(
    db: Workspace,
    name: Annotated[str, "The name of the tag."],
    *,
    message: Annotated[str | None, "What it is for.", Spelling(flags="-m --message")] = None,
) -> Output:
    """Name what the branch shows now, or showed --at a time.

    The word create may be left out.

        strata put greeting 안녕 && strata put greeting 잘가
        strata tag create v1 --at 1 -m "the first one"
        strata tag v2
    """
    made = db.tags.create(name, at=Invocation.current().at or "now", message=message)
    return Output(made, f"tagged version {made.version} as {one_line(name)}")


@tag.writes("delete", anywhere=True)
def delete(
    db: Workspace,
    name: Annotated[str, "The name of the tag.", Spelling(complete=complete_tags)],
) -> Output:
    """Remove a tag.

    The versions it named stay, but retention no longer spares them for its sake.

        strata put greeting 안녕
        strata tag create v1
        strata tag delete v1
    """
    if not db.tags.delete(name):
        raise strata.TagNotFound(f"There is no tag {name!r}.", hint="`strata tag` lists them.")
    return Output({"deleted": name}, f"deleted tag {one_line(name)}")
