"""Names for points of history."""

from typing import Annotated

import strata
from strata.cli.command import Output, Spelling, group, reads
from strata.cli.completion import complete_tags
from strata.cli.output import local_time
from strata.cli.session import Invocation
from strata.cli.show.tables import table
from strata.cli.show.text import one_line
from strata.workspace import Workspace

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
        (
            one_line(one.name),
            str(one.version),
            one_line(one.branch),
            local_time(one.timestamp),
            one_line(one.message or ""),
        )
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
