"""Spaces: separate sets of keys."""

import click

from strata.cli.command import command, group
from strata.cli.completion import complete_spaces
from strata.cli.output import answer, confirm, plural
from strata.cli.session import Session
from strata.cli.show.text import one_line


@group(
    "space",
    takes="branch at",
    examples="""
    strata put todo "우유 사기" --space notes
    strata space
    """,
)
def space(session: Session) -> None:
    """List and manage spaces, separate sets of keys on a branch.

    Alone it lists them, the current one with a star. A space appears with its first value;
    `strata config space NAME` makes one the current one.
    """
    with session.reading() as db:
        names = db.spaces.list()
        lines = [f"{'*' if name == db.space_name else ' '} {one_line(name)}" for name in names]
        answer(session, {"spaces": names, "current": db.space_name}, lines)


@command(
    "create",
    group=space,
    takes="branch actor",
    examples="""
    strata space create 메모
    """,
)
@click.argument("name", help="The name of the space.")
def create(session: Session, *, name: str) -> None:
    """Make an empty space; one that exists is left as it is.

    There is no need to: `strata put KEY VALUE --space NAME` makes it, too.
    """
    session.rehearse(lambda db: db.spaces.create(name))
    with session.writing(create=True) as db:
        is_new = not db.spaces.exists(name)
        db.spaces.create(name)
        line = f"{'made space' if is_new else 'there is already a space'} {one_line(name)}"
        answer(session, {"space": name, "created": is_new}, [line])


@command(
    "delete",
    group=space,
    takes="branch actor",
    examples="""
    strata put todo "우유 사기" --space old
    strata space delete old --force --yes
    """,
)
@click.argument("name", shell_complete=complete_spaces, help="The name of the space.")
@click.option("--force", is_flag=True, help="Also one that holds keys.")
@click.option("--yes", is_flag=True, help="Do not ask.")
def delete(session: Session, *, name: str, force: bool, yes: bool) -> None:
    """Delete a space; one that holds keys needs --force.

    History keeps what it held; `strata undo` brings it back.
    """
    with session.writing() as db:
        if force:
            confirm(f"Delete every key of space {name!r} on branch {db.branch!r}?", yes=yes)
        count = db.spaces.delete(name, force=force)
        answer(
            session, {"space": name, "keys": count},
            [f"deleted space {one_line(name)} with {plural(count, 'key')}"],
        )  # fmt: skip
