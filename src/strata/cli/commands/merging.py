"""Bringing work together: merging a branch, picking a commit."""

import click

import strata
from strata.cli.completion import complete_branches
from strata.cli.decorated import command
from strata.cli.output import answer, plural
from strata.cli.session import Invocation
from strata.cli.show.commits import left_out_lines, outcome_lines
from strata.cli.show.diffs import change_lines, conflict_lines, filed_lines
from strata.cli.show.text import one_line
from strata.store import STRATEGIES, Strategy

_STRATEGIES = click.Choice(STRATEGIES)


@command(
    "merge",
    takes="branch actor allow-secrets",
    examples="""
    strata put user '{"name": "하나", "age": 30}'
    strata fork idea
    strata put user 31 --path age --branch idea
    strata merge idea --preview
    strata merge idea -m "she had a birthday"
    """,
)
@click.argument(
    "source", metavar="BRANCH", shell_complete=complete_branches, help="The branch to merge."
)
@click.option("--into", metavar="BRANCH", shell_complete=complete_branches,
              help="The branch that takes it in, instead of the current one.")  # fmt: skip
@click.option("--strategy", type=_STRATEGIES, default="strict", show_default=True,
              help="Who wins where both sides changed a place; strict stops there.")  # fmt: skip
@click.option("--preview", is_flag=True, help="Only show what it would do.")
@click.option("-m", "--message", help="Why, for the log.")
def merge(
    session: Invocation, *, source: str, into: str | None, strategy: Strategy,
    preview: bool, message: str | None,
) -> int | None:  # fmt: skip
    """Merge a branch into the current one.

    Keys that only one side changed are taken over, JSON objects are merged field by field. Where
    both sides changed the same place there is a conflict: it is shown with the value both
    started from, nothing is written, and the exit code is 1. Texts of documents never conflict:
    where both sides changed the same words, the current branch keeps its own and the others wait
    as suggestions, which the preview and the result list.
    """
    with session.writing() as db:
        _refuse_itself(db, source, into)
        found = db.branches.merge(
            source, into=into, strategy=strategy, preview=preview, message=message
        )
    if not preview:
        done = f"merged {one_line(found.source)} into {one_line(found.target)}"
        answer(session, found, outcome_lines(found, done))
        return None
    what = f"{plural(found.applied, 'change')} and {plural(len(found.conflicts), 'conflict')}"
    if found.filed:
        what += f", and keep {plural(len(found.filed), 'edit')} of the same words as suggestions"
    lines = [
        f"{one_line(found.source)} would bring {one_line(found.target)} {what}",
        *change_lines(found.changes),
        *conflict_lines(found.conflicts),
        *filed_lines(found.filed),
        *([found.note] if found.note is not None else []),
        *left_out_lines(found),
    ]
    answer(session, found, lines)
    return 1 if found.conflicts and strategy == "strict" else None


def _refuse_itself(db: strata.Workspace, source: str, into: str | None) -> None:
    """Say which branch could take the current one in, where none was named."""
    here = db.branches.get(source) if into is None and source == db.branch else None
    if here is not None:
        target = here.parent or "BRANCH"
        raise strata.InvalidArgument(
            f"{source!r} is the current branch, and cannot be merged into itself.",
            hint=f"`strata merge {source} --into {target}` merges it into {target}.",
            parameter="source",
        )


@command(
    "cherry-pick",
    takes="branch actor allow-secrets",
    examples="""
    strata put greeting 안녕
    strata fork idea
    strata put greeting 안녕하세요 --branch idea
    strata cherry-pick 2
    """,
)
@click.argument("version", type=click.IntRange(1), help="The number of the commit.")
@click.option("--strategy", type=_STRATEGIES, default="strict", show_default=True,
              help="Who wins where the branch has changed the same place.")  # fmt: skip
@click.option("-m", "--message", help="Why, for the log.")
def cherry_pick(
    session: Invocation, *, version: int, strategy: Strategy, message: str | None
) -> None:
    """Take over what one commit changed, from whatever branch.

    VERSION is the commit's number in `strata log --branch NAME`.
    """
    with session.writing() as db:
        found = db.cherry_pick(version, strategy=strategy, message=message)
        answer(session, found, outcome_lines(found, f"picked {found.source}"))
