"""Names for points of history."""

import click

import strata
from strata.cli.completion import complete_tags
from strata.cli.decorated import command, group
from strata.cli.output import answer, local_time
from strata.cli.session import Invocation
from strata.cli.show.tables import table
from strata.cli.show.text import one_line


@group(
    "tag",
    otherwise="create",
    examples="""
    strata put greeting 안녕
    strata tag create v1 -m "the first one"
    strata put greeting 잘가
    strata get greeting --at tag:v1
    strata tag
    """,
)
def tag(session: Invocation) -> None:
    """Name points of history.

    Alone it lists the tags. Read what one shows with `--at tag:NAME`; retention keeps it.
    """
    with session.reading(anywhere=True) as db:
        found = db.tags.list()
        rows = [
            (one_line(one.name), str(one.version), one_line(one.branch),
             local_time(one.timestamp), one_line(one.message or ""))
            for one in found
        ]  # fmt: skip
        headers = ("TAG", "VERSION", "BRANCH", "TIME", "MESSAGE")
        lines = table(headers, rows, right=["VERSION"])
        answer(session, {"tags": found}, lines, empty="no tags; `strata tag create` makes one")


@command(
    "create",
    group=tag,
    takes="branch actor allow-secrets at",
    examples="""
    strata put greeting 안녕 && strata put greeting 잘가
    strata tag create v1 --at 1 -m "the first one"
    strata tag v2
    """,
)
@click.argument("name", help="The name of the tag.")
@click.option("-m", "--message", help="What it is for.")
def create(session: Invocation, *, name: str, message: str | None) -> None:
    """Name what the branch shows now, or showed --at a time.

    The word create may be left out.
    """
    with session.writing() as db:
        made = db.tags.create(name, at=session.at or "now", message=message)
        answer(session, made, [f"tagged version {made.version} as {one_line(name)}"])


@command(
    "delete",
    group=tag,
    examples="""
    strata put greeting 안녕
    strata tag create v1
    strata tag delete v1
    """,
)
@click.argument("name", shell_complete=complete_tags, help="The name of the tag.")
def delete(session: Invocation, *, name: str) -> None:
    """Remove a tag.

    The versions it named stay, but retention no longer spares them for its sake.
    """
    with session.writing(anywhere=True) as db:
        if not db.tags.delete(name):
            raise strata.TagNotFound(f"There is no tag {name!r}.", hint="`strata tag` lists them.")
        answer(session, {"deleted": name}, [f"deleted tag {one_line(name)}"])
