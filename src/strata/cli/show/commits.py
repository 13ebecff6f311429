"""Commits as text, and what a commit that came of a merge has to say."""

from collections.abc import Iterator, Mapping

import click

import strata
from strata.cli.output import local_time, plural
from strata.cli.show.diffs import filed_lines, stat_lines
from strata.cli.show.text import one_line

TagNames = Mapping[int, list[str]]


def tag_names(db: strata.Workspace) -> dict[int, list[str]]:
    """Return the tags by the version they name."""
    found: dict[int, list[str]] = {}
    for tag in db.tags.list():
        found.setdefault(tag.version, []).append(tag.name)
    return found


def commit_lines(commit: strata.Commit, *, tags: TagNames, branch: str) -> Iterator[str]:
    """Yield a commit as `log` shows it."""
    yield _title(commit, tags, branch)
    yield f"Actor:  {one_line(commit.actor or '-')}"
    yield f"Date:   {local_time(commit.timestamp)}"
    yield f"        {commit.operation}, {plural(commit.changes, 'change')}"
    if commit.message:
        yield ""
        yield from (f"    {one_line(text)}" for text in commit.message.splitlines())


def commit_line(commit: strata.Commit, *, tags: TagNames, branch: str) -> str:
    """Return a commit as `log --oneline` shows it."""
    told = f": {one_line(commit.message)}" if commit.message else ""
    who = one_line(commit.actor or "-")
    when = local_time(commit.timestamp)
    number = _title(commit, tags, branch, word="")
    return f"{number} {when} {who} {commit.operation}{told}"


def _title(commit: strata.Commit, tags: TagNames, branch: str, *, word: str = "version ") -> str:
    marks = [f"tag: {one_line(name)}" for name in tags.get(commit.version, ())]
    if commit.branch != branch:
        marks.insert(0, f"branch: {one_line(commit.branch)}")
    number = click.style(f"{word}{commit.version}", fg="yellow")
    shown = click.style(f"({', '.join(marks)})", fg="cyan")
    return f"{number} {shown}" if marks else number


def left_out_lines(merge: strata.Merge) -> Iterator[str]:
    """Yield which documents a merge leaves as they are, and why."""
    if merge.left_out:
        names = ", ".join(map(one_line, merge.left_out))
        yield f"left out: changes of {names} by users who may no longer make them"


def outcome_lines(merge: strata.Merge, done: str) -> Iterator[str]:
    """Yield what a merge, an undo or a pick did to the branch."""
    if merge.note is not None:
        yield merge.note
    yield from left_out_lines(merge)
    if merge.commit is None:
        yield f"nothing to do: {one_line(merge.target)} has it already"
        return
    yield f"{done}: {plural(merge.applied, 'change')}, now version {merge.commit}"
    if merge.changes:
        yield from stat_lines(merge.changes)
    if merge.filed:
        yield f"{plural(len(merge.filed), 'edit')} of the same words kept as suggestions:"
        yield from filed_lines(merge.filed)
