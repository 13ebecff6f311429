"""Spaces: separate sets of keys. Those of documents are in `people`."""

import click

from strata.cli.command import command, group
from strata.cli.completion import complete_spaces
from strata.cli.output import answer, confirm, plural
from strata.cli.session import Invocation
from strata.cli.show.text import one_line


@group(
    "space",
    takes="branch at user",
    examples="""
    strata put todo "우유 사기" --space notes
    strata space add 읽을거리
    strata space
    """,
)
def space(session: Invocation) -> None:
    """List and manage spaces of keys, and Spaces of documents.

    A space is a separate set of keys on a branch, made by `create` or by its first value and
    taken away by `delete`; `strata config space NAME` makes one the current one, which has a
    star here. A Space is a collection of documents: `add`, `put`, `take`, `rename`, `remove`
    and `list` are for those.
    """
    with session.reading() as db:
        names = db.spaces.list()
        lines = [f"{'*' if name == db.space_name else ' '} {one_line(name)}" for name in names]
        collections = db.document_spaces.list()
        lines += [f"  {one_line(one.name)} ({one.id}, of documents)" for one in collections]
        answer(
            session,
            {"spaces": names, "current": db.space_name, "document_spaces": collections},
            lines,
        )


@command(
    "create",
    group=space,
    takes="branch actor",
    examples="""
    strata space create 메모
    """,
)
@click.argument("name", help="The name of the space.")
def create(session: Invocation, *, name: str) -> None:
    """Make an empty space of keys; one that exists is left as it is.

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
def delete(session: Invocation, *, name: str, force: bool, yes: bool) -> None:
    """Delete a space of keys; one that holds any needs --force.

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
