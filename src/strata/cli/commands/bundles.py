"""Bundles: a branch with its history as one file."""

from pathlib import Path
from typing import Annotated

import strata
from strata.cli.command import Output, Spelling, group
from strata.cli.output import plural, size
from strata.cli.session import Invocation
from strata.cli.show.progress import progress
from strata.cli.show.text import one_line
from strata.cli.words import PLAIN_FILE, Force
from strata.workspace import Workspace

BundleFile = Annotated[Path, "The bundle.", PLAIN_FILE]

bundle = group(
    "bundle",
    """Carry a branch from one store to another.

    A bundle is one compressed file with the whole history of a branch and with checksums. It
    keeps times and hashes, so the branch proves itself in whatever store it arrives.

        strata put greeting 안녕
        strata bundle export work.strata-bundle
        strata bundle validate work.strata-bundle
    """,
)


@bundle.reads("export", takes="branch")
def export(db: Workspace, file: BundleFile, *, force: Force = False) -> Output:
    """Write the current branch to a file.

    The whole history goes with it, also what the branch saw of the ones it was forked from;
    --branch names another one.

        strata put greeting 안녕
        strata bundle export work.strata-bundle
    """
    with progress("export") as report:
        found = db.bundles.export(file, force=force, progress=report)
    return Output(found, [f"wrote {file}", _told(found)])


@bundle.command_of("import")
def import_(
    session: Invocation,
    file: BundleFile,
    *,
    name: Annotated[
        str | None, "The branch's name; else its own.", Spelling("NAME", "--as")
    ] = None,
) -> Output:
    """Take a bundle in as a branch.

    Commits that are here already are not written again, so the branch can be merged, and the
    next bundle of the same branch moves it forward. Where the branch of that name has commits
    of its own, the bundle becomes NAME-2 to be merged. A damaged bundle is refused, and nothing
    of it is taken in.

        strata put greeting 안녕
        strata bundle export work.strata-bundle
        strata bundle import work.strata-bundle --as copy
        strata get greeting --branch copy
    """
    session.rehearse(lambda db: db.bundles.validate(file), anywhere=True)
    with session.writing(create=True, anywhere=True) as db, progress("import") as report:
        found = db.bundles.load(file, branch=name, progress=report)
    notes = [] if found.note is None else [found.note]
    return Output(found, [_outcome(found), _told(found)], notes=notes)


def _outcome(found: strata.BundleImport) -> str:
    name = one_line(found.branch)
    if found.outcome == "unchanged":
        return f"branch {name} has all of it already"
    news = plural(found.new_commits, "new commit")
    if found.outcome == "forwarded":
        return f"moved branch {name} forward by {news}"
    return f"made branch {name} with {news}"


@bundle.command_of("validate")
def validate(_session: Invocation, file: BundleFile) -> Output:
    """Check a bundle without taking anything in.

    Its sizes, checksums and hashes are compared; no store is needed.

        strata put greeting 안녕
        strata bundle export work.strata-bundle
        strata bundle validate work.strata-bundle
    """
    with strata.open(durability="cache") as db:
        found = db.bundles.validate(file)
    return Output(found, [f"{file} is ok", _told(found)])


def _told(found: strata.BundleInfo) -> str:
    counts = f"{plural(found.commits, 'commit')}, {plural(found.versions, 'version')}"
    return f"branch {one_line(found.branch)}: {counts}, {size(found.size_bytes)}"
