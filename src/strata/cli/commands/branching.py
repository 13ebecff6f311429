"""Branches: listing, making, switching, and what differs between two of them."""

import click

import strata
from strata.cli.completion import complete_branches
from strata.cli.decorated import command
from strata.cli.output import answer, confirm, local_time
from strata.cli.session import Invocation
from strata.cli.show.diffs import change_lines, stat_lines
from strata.cli.show.tables import table
from strata.cli.show.text import one_line


@command(
    "branch",
    takes="branch actor",
    examples="""
    strata put greeting 안녕
    strata branch idea
    strata branch switch idea
    strata branch list
    strata branch --switch default
    strata branch idea --rename 생각
    strata branch --delete 생각
    strata branch --restore 생각
    """,
)
@click.argument(
    "words", metavar="[ACTION] [NAME]", nargs=-1, shell_complete=complete_branches,
    help="The name of the branch; before it perhaps list, switch, rename, delete or restore.",
)  # fmt: skip
@click.option("--switch", is_flag=True, help="Make NAME the current branch.")
@click.option("--empty", is_flag=True, help="Begin with nothing instead of the current state.")
@click.option("--rename", metavar="NEW", help="Give NAME another name.")
@click.option("-d", "--delete", is_flag=True, help="Delete NAME; it can be restored for 30 days.")
@click.option("--force", is_flag=True, help="Delete also work that was merged nowhere.")
@click.option("--restore", is_flag=True, help="Bring a deleted branch back.")
@click.option("--deleted", is_flag=True, help="List the deleted branches instead.")
@click.option("--yes", is_flag=True, help="Do not ask.")
def branch(
    session: Invocation, *, words: tuple[str, ...], switch: bool, empty: bool, rename: str | None,
    delete: bool, force: bool, restore: bool, deleted: bool, yes: bool,
) -> None:  # fmt: skip
    """List branches, make one, or change one.

    Alone it lists them, the current one with a star. With a NAME it makes a branch that starts
    from the current state, like `strata fork`. --switch goes to a branch that exists; the
    store remembers it for the next commands. The actions may also be given as words: list,
    switch NAME, rename NAME NEW, delete NAME, restore NAME.
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
        _list(session, deleted=deleted)
    elif switch:
        _switch(session, name)
    elif rename is not None:
        _rename(session, name, rename)
    elif delete:
        _delete(session, name, force=force, yes=yes)
    elif restore:
        _restore(session, name)
    else:
        _make(session, name, empty=empty)


# Words that say what to do; a branch of such a name is made by `strata fork`.
_ACTIONS = {"list": 0, "switch": 1, "delete": 1, "restore": 1, "rename": 2}


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


def _list(session: Invocation, *, deleted: bool) -> None:
    with session.reading(anywhere=True) as db:
        found = db.branches.list(deleted=deleted)
        current = session.current_branch(db)
        rows = [
            (f"{'*' if one.name == current and not deleted else ' '} {one_line(one.name)}",
             str(one.version), local_time(one.updated_at), one_line(one.parent or ""),
             str(one.fork_version or ""))
            for one in found
        ]  # fmt: skip
        lines = table(
            ("  BRANCH", "VERSION", "LAST WRITE", "FORKED FROM", "AT"),
            rows,
            right=["VERSION", "AT"],
        )
        answer(session, {"branches": found, "current": current}, lines, empty="none")


def _switch(session: Invocation, name: str) -> None:
    with session.writing(anywhere=True) as db:
        if not db.branches.exists(name):
            raise strata.BranchNotFound(
                f"There is no branch {name!r}.",
                hint=f"`strata branch` lists them; `strata fork {name} --switch` makes it.",
            )
        switch_to(session, db, name)
        answer(session, {"branch": name}, [f"switched to branch {one_line(name)}"])


def switch_to(session: Invocation, db: strata.Workspace, name: str) -> None:
    """Let the store remember the current branch; tell when the environment hides it."""
    db.settings.set("branch", name)
    if session.branch is None and session.current_branch(db) != name:
        raise strata.NotAllowed(
            f"The store remembers {name!r}, but STRATA_BRANCH says otherwise.",
            hint="Unset STRATA_BRANCH.",
        )


def _rename(session: Invocation, name: str, new: str) -> None:
    with session.writing(anywhere=True) as db:
        was_current = session.current_branch(db) == name
        found = db.branches.rename(name, new)
        if was_current:
            db.settings.set("branch", new)
        answer(session, found, [f"renamed {one_line(name)} to {one_line(new)}"])


def _delete(session: Invocation, name: str, *, force: bool, yes: bool) -> None:
    with session.writing(anywhere=True) as db:
        if session.current_branch(db) == name:
            raise strata.NotAllowed(
                f"The branch {name!r} is the current one.",
                hint="Go to another one first: `strata branch --switch default`.",
            )
        if force:
            confirm(f"Delete branch {name!r}, merged or not?", yes=yes)
        found = db.branches.delete(name, force=force)
        answer(
            session, found,
            [f"deleted branch {one_line(name)}; `strata branch --restore` brings it back"],
        )  # fmt: skip


def _restore(session: Invocation, name: str) -> None:
    with session.writing(anywhere=True) as db:
        found = db.branches.restore(name)
        answer(session, found, [f"restored branch {one_line(found.name)}"])


def _make(session: Invocation, name: str, *, empty: bool) -> None:
    session.rehearse(lambda db: db.branches.create_empty(name))
    with session.writing(create=True) as db:
        if db.branches.exists(name):
            raise strata.AlreadyExists(
                f"There is a branch {name!r} already.",
                hint=f"`strata branch --switch {name}` goes there.",
            )
        found = db.branches.create_empty(name) if empty else db.branches.fork(name)
        start = "empty" if empty else f"from {one_line(db.branch)}"
        answer(session, found, [f"made branch {one_line(found.name)}, {start}"])


@command(
    "fork",
    takes="branch actor allow-secrets at",
    examples="""
    strata put greeting 안녕
    strata fork idea
    strata fork from-the-past --at 1 --switch
    strata put greeting "안녕, 세상"
    strata diff default
    """,
)
@click.argument("name", required=False, help="The name of the branch.")
@click.option("--from", "source", metavar="BRANCH", shell_complete=complete_branches,
              help="The branch to start from instead of the current one.")  # fmt: skip
@click.option("--switch", is_flag=True, help="Make it the current branch.")
def fork(session: Invocation, *, name: str | None, source: str | None, switch: bool) -> None:
    """Make a branch from the current state, or from the past.

    Nothing is copied, whatever the size. Without a NAME one is made up and printed.
    """
    session.rehearse(lambda db: db.branches.fork(name, source=source, at=session.at))
    with session.writing(create=True) as db:
        found = db.branches.fork(name, source=source, at=session.at)
        if switch:
            switch_to(session, db, found.name)
        origin = f"{one_line(found.parent or '')} at version {found.fork_version}"
        then = ", switched to it" if switch else ""
        answer(session, found, [f"forked {one_line(found.name)} from {origin}{then}"])


@command(
    "diff",
    takes="branch space",
    examples="""
    strata put user '{"name": "하나", "age": 30}'
    strata fork idea
    strata put user 31 --path age --branch idea
    strata diff idea
    strata diff --branch idea
    strata diff default idea --stat --two-sided
    """,
)
@click.argument("a", required=False, shell_complete=complete_branches, help="A branch.")
@click.argument("b", required=False, shell_complete=complete_branches, help="Another branch.")
@click.option("--two-sided", is_flag=True,
              help="Show all that differs, also what the first branch changed.")  # fmt: skip
@click.option("--stat", is_flag=True, help="Name the keys without their values.")
@click.option("--kind", "kinds", multiple=True, help="Only keys of this kind; may be repeated.")
def diff(
    session: Invocation, *, a: str | None, b: str | None, two_sided: bool, stat: bool,
    kinds: tuple[str, ...],
) -> None:  # fmt: skip
    """Show what a branch changed since it was forked.

    `diff BRANCH` shows what a merge of BRANCH into the current branch would bring, `diff A B`
    what a merge of B into A would. Without a branch it compares the current branch with the one
    it was forked from. --two-sided shows everything that turns the first branch into the second.
    In objects, the fields that changed are shown one by one. All spaces are compared unless
    --space names one.
    """
    with session.reading() as db:
        first, second = _compared(db, a, b)
        found = db.branches.diff(
            first, second, space=session.space, kinds=kinds or None, two_sided=two_sided
        )
        lines = (stat_lines if stat else change_lines)(found.changes)
        title = click.style(f"{one_line(first)} → {one_line(second)}", bold=True)
        same = [_nothing_to_show(first, second, two_sided=two_sided)]
        answer(session, found, [title, *lines] if found.total else same)


def _compared(db: strata.Workspace, a: str | None, b: str | None) -> tuple[str, str]:
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


def _nothing_to_show(first: str, second: str, *, two_sided: bool) -> str:
    if two_sided:
        return f"{one_line(first)} and {one_line(second)} show the same"
    return f"{one_line(second)} has changed nothing that {one_line(first)} lacks"
