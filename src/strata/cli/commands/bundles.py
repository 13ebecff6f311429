"""Bundles: a branch with its history as one file."""

from pathlib import Path

import click

import strata
from strata.cli.decorated import command, group
from strata.cli.output import answer, plural, size
from strata.cli.session import Invocation, say
from strata.cli.show.progress import progress
from strata.cli.show.text import one_line

_FILE = click.Path(dir_okay=False, path_type=Path)


@group(
    "bundle",
    examples="""
    strata put greeting 안녕
    strata bundle export work.strata-bundle
    strata bundle validate work.strata-bundle
    """,
)
def bundle(_session: Invocation) -> None:
    """Carry a branch from one store to another.

    A bundle is one compressed file with the whole history of a branch and with checksums. It
    keeps times and hashes, so the branch proves itself in whatever store it arrives.
    """
    click.echo(click.get_current_context().get_help())


@command(
    "export",
    group=bundle,
    takes="branch",
    examples="""
    strata put greeting 안녕
    strata bundle export work.strata-bundle
    """,
)
@click.argument("file", type=_FILE, help="The bundle.")
@click.option("--force", is_flag=True, help="Replace the file if it exists.")
def export(session: Invocation, *, file: Path, force: bool) -> None:
    """Write the current branch to a file.

    The whole history goes with it, also what the branch saw of the ones it was forked from;
    --branch names another one.
    """
    with session.reading() as db, progress("export") as report:
        found = db.bundles.export(file, force=force, progress=report)
    answer(session, found, [f"wrote {file}", *_lines(found)])


@command(
    "import",
    group=bundle,
    examples="""
    strata put greeting 안녕
    strata bundle export work.strata-bundle
    strata bundle import work.strata-bundle --as copy
    strata get greeting --branch copy
    """,
)
@click.argument("file", type=_FILE, help="The bundle.")
@click.option("--as", "name", metavar="NAME", help="The branch's name; else its own.")
def import_(session: Invocation, *, file: Path, name: str | None) -> None:
    """Take a bundle in as a branch.

    Commits that are here already are not written again, so the branch can be merged, and the
    next bundle of the same branch moves it forward. Where the branch of that name has commits
    of its own, the bundle becomes NAME-2 to be merged. A damaged bundle is refused, and nothing
    of it is taken in.
    """
    session.rehearse(lambda db: db.bundles.validate(file), anywhere=True)
    with (
        session.writing(create=True, anywhere=True) as db,
        progress("import") as report,
    ):
        found = db.bundles.load(file, branch=name, progress=report)
    answer(session, found, [_outcome(found), *_lines(found)])
    if found.note is not None:
        say(found.note)


def _outcome(found: strata.BundleImport) -> str:
    name = one_line(found.branch)
    if found.outcome == "unchanged":
        return f"branch {name} has all of it already"
    news = plural(found.new_commits, "new commit")
    if found.outcome == "forwarded":
        return f"moved branch {name} forward by {news}"
    return f"made branch {name} with {news}"


@command(
    "validate",
    group=bundle,
    examples="""
    strata put greeting 안녕
    strata bundle export work.strata-bundle
    strata bundle validate work.strata-bundle
    """,
)
@click.argument("file", type=_FILE, help="The bundle.")
def validate(session: Invocation, *, file: Path) -> None:
    """Check a bundle without taking anything in.

    Its sizes, checksums and hashes are compared; no store is needed.
    """
    with strata.open(durability="cache") as db:
        found = db.bundles.validate(file)
    answer(session, found, [f"{file} is ok", *_lines(found)])


def _lines(found: strata.BundleInfo) -> list[str]:
    counts = f"{plural(found.commits, 'commit')}, {plural(found.versions, 'version')}"
    return [f"branch {one_line(found.branch)}: {counts}, {size(found.size_bytes)}"]
