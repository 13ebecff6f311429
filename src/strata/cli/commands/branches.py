"""Branches: listing, making, switching, comparing and merging them."""

from typing import Annotated

import click

import strata
from strata.base.counts import plural
from strata.cli.command import Output, Spelling, command, reads, writes
from strata.cli.commands.values import read_value
from strata.cli.completion import complete_branches
from strata.cli.output import confirm, local_time
from strata.cli.session import Invocation, say
from strata.cli.show.changes import (
    change_lines,
    conflict_lines,
    filed_lines,
    left_out_lines,
    outcome_lines,
    stat_lines,
)
from strata.cli.show.text import one_line, table
from strata.cli.words import CommitVersion, Message, Stat, Yes
from strata.store import Choice, Strategy
from strata.workspace import Workspace

_BRANCH = Spelling("BRANCH", complete=complete_branches)
# Words that say what to do, and how many names follow; `strata fork` makes a branch of such a name.
_ACTIONS = {"list": 0, "switch": 1, "delete": 1, "restore": 1, "rename": 2}


@command("branch", takes="branch actor")
def branch(
    session: Invocation,
    words: Annotated[
        tuple[str, ...],
        "The name of the branch; before it perhaps list, switch, rename, delete or restore.",
        Spelling("[ACTION] [NAME]", complete=complete_branches),
    ] = (),
    *,
    switch: Annotated[bool, "Make NAME the current branch."] = False,
    empty: Annotated[bool, "Begin with nothing instead of the current state."] = False,
    rename: Annotated[str | None, "Give NAME another name.", Spelling("NEW")] = None,
    delete: Annotated[
        bool, "Delete NAME; it can be restored for 30 days.", Spelling(flags="-d --delete")
    ] = False,
    force: Annotated[bool, "Delete also work that was merged nowhere."] = False,
    restore: Annotated[bool, "Bring a deleted branch back."] = False,
    deleted: Annotated[bool, "List the deleted branches instead."] = False,
    yes: Yes = False,
) -> Output:
    """List branches, make one, or change one.

    Alone it lists them, the current one with a star. With a NAME it makes a branch that starts
    from the current state, like `strata fork`. --switch goes to a branch that exists; the
    store remembers it for the next commands. The actions may also be given as words: list,
    switch NAME, rename NAME NEW, delete NAME, restore NAME.

        strata put greeting 안녕
        strata branch idea
        strata branch switch idea
        strata branch list
        strata branch --switch default
        strata branch idea --rename 생각
        strata branch --delete 생각
        strata branch --restore 생각
    """
    action, name, new = _read_words(words)
    switch, delete = switch or action == "switch", delete or action == "delete"
    restore, rename = restore or action == "restore", rename or new
    asked = [switch, rename is not None, delete, restore, empty]
    if sum(asked) > 1:
        names = "--switch, --rename, --delete, --restore and --empty"
        raise click.UsageError(f"{names} exclude each other.")
    if name is None:
        if any(asked) or action == "rename":
            raise click.UsageError("Which branch? Give its name.")
        return _list(session, deleted=deleted)
    if not any(asked) or empty:
        return _make(session, name, empty=empty)
    with session.writing(anywhere=True) as db:
        if switch:
            return _switch(session, db, name)
        if rename is not None:
            return _rename(db, name, new=rename)
        if delete:
            return _delete(session, db, name, force=force, yes=yes)
        found = db.branches.restore(name)
        return Output(found, f"restored branch {one_line(found.name)}")


def _read_words(words: tuple[str, ...]) -> tuple[str | None, str | None, str | None]:
    """Return the action that was named, the branch, and its new name."""
    action = words[0] if words and words[0] in _ACTIONS else None
    names = words[1:] if action is not None else words
    most = 1 if action is None else _ACTIONS[action]
    if len(names) > most or (action == "rename" and len(names) == 1):
        usage = "strata branch [list | switch NAME | rename NAME NEW | delete NAME | restore NAME]"
        raise click.UsageError(f"Cannot read {' '.join(words)!r}. Write {usage}.")
    name, new = (*names, None, None)[:2]
    return action, name, new


def _list(session: Invocation, *, deleted: bool) -> Output:
    with session.reading(anywhere=True) as db:
        found = db.branches.list(deleted=deleted)
        current = session.current_branch(db)
    rows = [
        (
            f"{'*' if one.name == current and not deleted else ' '} {one_line(one.name)}",
            one.version,
            local_time(one.updated_at),
            one.parent or "",
            one.fork_version or "",
        )
        for one in found
    ]
    headers = ("  BRANCH", "VERSION", "LAST WRITE", "FORKED FROM", "AT")
    lines = table(headers, rows, right=["VERSION", "AT"])
    return Output({"branches": found, "current": current}, lines, empty="none")


def _switch(session: Invocation, db: Workspace, name: str) -> Output:
    if not db.branches.exists(name):
        raise strata.BranchNotFound(
            f"There is no branch {name!r}.",
            hint=f"`strata branch` lists them; `strata fork {name} --switch` makes it.",
        )
    _remember(session, db, name)
    return Output({"branch": name}, f"switched to branch {one_line(name)}")


def _remember(session: Invocation, db: Workspace, name: str) -> None:
    """Let the store remember the current branch; refuse where the environment hides it."""
    if db.settings.follows_git() and session.branch is None:
        say("commands no longer follow git; `strata config branch git` lets them")
    db.settings.set("branch", name)
    if session.branch is None and session.current_branch(db) != name:
        raise strata.NotAllowed(
            f"The store remembers {name!r}, but STRATA_BRANCH says otherwise.",
            hint="Unset STRATA_BRANCH.",
        )


def _rename(db: Workspace, name: str, *, new: str) -> Output:
    was_current = db.settings.get("branch") == name
    found = db.branches.rename(name, new)
    if was_current:
        db.settings.set("branch", new)
    return Output(found, f"renamed {one_line(name)} to {one_line(new)}")


def _delete(session: Invocation, db: Workspace, name: str, *, force: bool, yes: bool) -> Output:
    if session.current_branch(db) == name:
        raise strata.NotAllowed(
            f"The branch {name!r} is the current one.",
            hint="Go to another one first: `strata branch --switch default`.",
        )
    if force:
        confirm(f"Delete branch {name!r}, merged or not?", yes=yes)
    found = db.branches.delete(name, force=force)
    line = f"deleted branch {one_line(name)}; `strata branch --restore` brings it back"
    return Output(found, line)


def _make(session: Invocation, name: str, *, empty: bool) -> Output:
    session.rehearse(lambda db: db.branches.create_empty(name))
    with session.writing(create=True) as db:
        if db.branches.exists(name):
            raise strata.AlreadyExists(
                f"There is a branch {name!r} already.",
                hint=f"`strata branch --switch {name}` goes there.",
            )
        found = db.branches.create_empty(name) if empty else db.branches.fork(name)
        start = "empty" if empty else f"from {one_line(db.branch)}"
    return Output(found, f"made branch {one_line(found.name)}, {start}")


@writes("fork", takes="branch actor allow-secrets at", creates=True)
def fork(
    db: Workspace,
    name: Annotated[str | None, "The name of the branch."] = None,
    *,
    source: Annotated[
        str | None,
        "The branch to start from instead of the current one.",
        Spelling("BRANCH", "--from", complete_branches),
    ] = None,
    switch: Annotated[bool, "Make it the current branch."] = False,
) -> Output:
    """Make a branch from the current state, or from the past.

    Nothing is copied, whatever the size. Without a NAME one is made up and printed.

        strata put greeting 안녕
        strata fork idea
        strata fork from-the-past --at 1 --switch
        strata put greeting "안녕, 세상"
        strata diff default
    """
    session = Invocation.current()
    found = db.branches.fork(name, source=source, at=session.at)
    if switch:
        _remember(session, db, found.name)
    origin = f"{one_line(found.parent or '')} at version {found.fork_version}"
    then = ", switched to it" if switch else ""
    return Output(found, f"forked {one_line(found.name)} from {origin}{then}")


@reads("diff", takes="branch space")
def diff(
    db: Workspace,
    a: Annotated[str | None, "A branch.", Spelling(complete=complete_branches)] = None,
    b: Annotated[str | None, "Another branch.", Spelling(complete=complete_branches)] = None,
    *,
    two_sided: Annotated[
        bool, "Show all that differs, also what the first branch changed."
    ] = False,
    stat: Stat = False,
    kinds: Annotated[
        tuple[str, ...], "Only keys of this kind; may be repeated.", Spelling(flags="--kind")
    ] = (),
) -> Output:
    """Show what a branch changed since it was forked.

    `diff BRANCH` shows what a merge of BRANCH into the current branch would bring, `diff A B`
    what a merge of B into A would. Without a branch it compares the current branch with the one
    it was forked from. --two-sided shows everything that turns the first branch into the second.
    In objects, the fields that changed are shown one by one. All spaces are compared unless
    --space names one.

        strata put user '{"name": "하나", "age": 30}'
        strata fork idea
        strata put user 31 --path age --branch idea
        strata diff idea
        strata diff --branch idea
        strata diff default idea --stat --two-sided
    """
    first, second = _compared(db, a, b)
    found = db.branches.diff(
        first, second, space=Invocation.current().space, kinds=kinds or None, two_sided=two_sided
    )
    if found.total:
        title = click.style(f"{one_line(first)} → {one_line(second)}", bold=True)
        return Output(found, [title, *(stat_lines if stat else change_lines)(found.changes)])
    if two_sided:
        return Output(found, f"{one_line(first)} and {one_line(second)} show the same")
    return Output(found, f"{one_line(second)} has changed nothing that {one_line(first)} lacks")


def _compared(db: Workspace, a: str | None, b: str | None) -> tuple[str, str]:
    """Return the branch to compare with, and the one whose changes are asked for."""
    if a is not None:
        return (db.branch, a) if b is None else (a, b)
    here = db.branches.get(db.branch)
    if here is None or here.parent is None:
        raise strata.InvalidArgument(
            f"The branch {db.branch!r} was not forked from another one.",
            hint="Name the branch whose changes to show: `strata diff BRANCH`.",
            parameter="a",
        )
    return here.parent, here.name


@writes("merge", takes="branch actor allow-secrets")
def merge(
    db: Workspace,
    source: Annotated[str, "The branch to merge.", _BRANCH],
    *,
    into: Annotated[
        str | None, "The branch that takes it in, instead of the current one.", _BRANCH
    ] = None,
    strategy: Annotated[
        Strategy, "Who wins where both sides changed a place; strict stops there."
    ] = "strict",
    choose: Annotated[
        tuple[str, ...],
        "Decide one conflict: ours, theirs or both. May be repeated.",
        Spelling("CONFLICT=SIDE"),
    ] = (),
    edit: Annotated[
        tuple[str, ...],
        "Decide one conflict by a new value. May be repeated.",
        Spelling("CONFLICT=VALUE"),
    ] = (),
    preview: Annotated[bool, "Only show what it would do."] = False,
    message: Message = None,
) -> Output:
    """Merge a branch into the current one.

    Keys that only one side changed are taken over, JSON objects are merged field by field. Where
    both sides changed the same place there is a conflict: it is shown with the value both
    started from, nothing is written, and the exit code is 1. Texts of documents never conflict:
    where both sides changed the same words, the current branch keeps its own and the others wait
    as suggestions, which the preview and the result list. --choose and --edit decide single
    conflicts, and passages of documents, by the id that --preview shows in brackets, or by the key.
    A conflict that changed after the preview has another id, and the merge is refused.

        strata put user '{"name": "하나", "age": 30}'
        strata fork idea
        strata put user 31 --path age --branch idea
        strata merge idea --preview
        strata merge idea -m "she had a birthday"
        strata put limit 10 && strata put limit 20 --branch idea
        strata merge idea --choose limit=theirs
    """
    here = db.branches.get(source) if into is None and source == db.branch else None
    if here is not None:
        target = here.parent or "BRANCH"
        raise strata.InvalidArgument(
            f"{source!r} is the current branch, and cannot be merged into itself.",
            hint=f"`strata merge {source} --into {target}` merges it into {target}.",
            parameter="source",
        )
    found = db.branches.merge(
        source,
        into=into,
        strategy=strategy,
        preview=preview,
        message=message,
        choices=_choices(choose, edit),
    )
    if not preview:
        done = f"merged {one_line(found.source)} into {one_line(found.target)}"
        return Output(found, outcome_lines(found, done))
    return Output(found, preview_lines(found), code=1 if found.undecided else 0)


def _choices(choose: tuple[str, ...], edit: tuple[str, ...]) -> dict[str, Choice]:
    """Return what was chosen, by the name of the conflict; a key may hold an equals sign."""
    found: dict[str, Choice] = {}
    for text in choose:
        name, equals, side = text.rpartition("=")
        if not equals or side not in ("ours", "theirs", "both"):
            raise click.UsageError(f"Cannot read --choose {text!r}. Write CONFLICT=theirs.")
        found[name] = side
    for text in edit:
        name, equals, value = text.partition("=")
        if not equals:
            raise click.UsageError(f"Cannot read --edit {text!r}. Write CONFLICT=VALUE.")
        found[name] = strata.EditedValue(read_value(value, None))
    return found


def preview_lines(found: strata.Merge) -> list[str]:
    """Return what a merge would do."""
    what = f"{plural(found.applied, 'change')} and {plural(len(found.conflicts), 'conflict')}"
    if found.filed:
        what += f", and file {plural(len(found.filed), 'suggestion')}"
    return [
        f"{one_line(found.source)} would bring {one_line(found.target)} {what}",
        *change_lines(found.changes),
        *conflict_lines(found.conflicts),
        *filed_lines((*found.filed, *found.settled)),
        *([found.note] if found.note is not None else []),
        *left_out_lines(found),
    ]


@writes("cherry-pick", takes="branch actor allow-secrets")
def cherry_pick(
    db: Workspace,
    version: CommitVersion,
    *,
    strategy: Annotated[
        Strategy, "Who wins where the branch has changed the same place."
    ] = "strict",
    message: Message = None,
) -> Output:
    """Apply the changes of one commit of any branch.

    VERSION is the commit's number in `strata log --branch NAME`.

        strata put greeting 안녕
        strata fork idea
        strata put greeting 안녕하세요 --branch idea
        strata cherry-pick 2
    """
    found = db.cherry_pick(version, strategy=strategy, message=message)
    return Output(found, outcome_lines(found, f"picked {found.source}"))
