"""Taking in what an export, or another memory, has written."""

import shutil
import sys
import tempfile
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, get_args

import click

import strata
from strata.cli.commands.exchange.exports import told
from strata.cli.decorated import command
from strata.cli.output import answer, plural
from strata.cli.session import Invocation
from strata.cli.show.progress import progress
from strata.cli.show.text import one_line
from strata.exchange import Import, OnConflict, import_file
from strata.upkeep import Progress

_PATH = click.Path(dir_okay=False, allow_dash=True, path_type=Path)
# A person reads the first few; --json has a hundred.
_SHOWN = 5


@command(
    "import",
    takes="branch space actor",
    examples="""
    strata put deploy/target 운영 && strata export everything.jsonl
    strata import everything.jsonl --preview
    strata import everything.jsonl --on-conflict skip
    echo '{"type":"entity","name":"하나","entityType":"person","observations":[]}' | strata import -
    """,
)
@click.argument("file", type=_PATH, help="The file; - is standard input.")
@click.option("--on-conflict", type=click.Choice(get_args(OnConflict)), default="fail",
              show_default=True, help="For keys that hold another value.")  # fmt: skip
@click.option("--preview", is_flag=True, help="Only tell what would happen.")
@click.option("--lenient", is_flag=True, help="Leave out lines that cannot be read; list them.")
@click.option("--mask-secrets", is_flag=True, help="Put a mark where a secret stands.")
def import_command(
    session: Invocation, *, file: Path, on_conflict: OnConflict, preview: bool, lenient: bool,
    mask_secrets: bool,
) -> None:  # fmt: skip
    """Take in an export, or another memory's file.

    The content tells what it is: JSON Lines or Markdown by `strata export`, the file of the
    MCP memory server, or an export of mem0. All of it is taken in, or nothing. What is here
    already is not written again, so importing a file twice changes nothing. --space puts
    everything into that space. Keys, tokens and passwords are kept and listed, or masked.
    """
    with _readable(file) as source:

        def take(db: strata.Workspace, report: Progress | None = None) -> Import:
            return import_file(
                db, source, space=session.space, on_conflict=on_conflict,
                preview=preview, lenient=lenient,
                mask_secrets=mask_secrets, progress=report,
            )  # fmt: skip

        if preview and not session.location.path.exists():
            with strata.open(durability="cache", auto_embed=False) as db:
                _answer(session, take(db), masked=mask_secrets)
            return
        session.rehearse(take)
        with session.writing(create=True) as db, progress("import") as report:
            found = take(db, report)
    _answer(session, found, masked=mask_secrets)


@contextmanager
def _readable(file: Path) -> Generator[Path | BinaryIO]:
    """Give the file; what comes through a pipe is kept, because it is read more than once."""
    if str(file) != "-":
        yield file
        return
    with tempfile.TemporaryFile() as copy:
        shutil.copyfileobj(sys.stdin.buffer, copy)
        yield copy


def _answer(session: Invocation, found: Import, *, masked: bool) -> None:
    verb = "would write" if found.preview else "wrote"
    commits = "" if not found.commits else f" in {plural(found.commits, 'commit')}"
    where = f"on branch {one_line(found.branch)} ({found.format})"
    lines = [f"{verb} {told(found.written)}{commits} {where}", *_counts(found)]
    lines += _secrets(found, masked=masked)
    answer(session, found, lines)


def _counts(found: Import) -> Iterator[str]:
    """Yield a line for everything that was not simply written."""
    for count, what in (
        (found.unchanged, "unchanged: here already"),
        (found.replaced, "replaced: other values were here"),
        (found.skipped, "skipped: other values are here"),
        (found.deleted, "deleted, as the history says"),
        (found.unreadable, "left out: retention had removed them"),
    ):
        if count:
            yield f"  {count:,} {what}"
    if found.conflict_count and not found.skipped + found.replaced:
        yield f"  {found.conflict_count:,} in conflict: choose with --on-conflict"
    places = [f"{clash.space}/{clash.key}" for clash in found.conflicts]
    yield from _named(places, found.conflict_count)
    if found.flaw_count:
        yield f"  {plural(found.flaw_count, 'line')} that cannot be read: left out"
    flaws = [f"line {flaw.line}: {flaw.reason}" for flaw in found.flaws]
    yield from _named(flaws, found.flaw_count)


def _secrets(found: Import, *, masked: bool) -> Iterator[str]:
    """Yield where secrets stand; what they are is nobody's business."""
    if found.secret_count:
        done = "masked" if masked else "kept; --mask-secrets puts marks in their place"
        yield f"  {plural(found.secret_count, 'secret')}: {done}"
    places = [f"line {one.line}: {one.kind} in {one.key} {one.path}" for one in found.secrets]
    yield from _named(places, found.secret_count)


def _named(names: list[str], count: int) -> Iterator[str]:
    yield from (f"    {one_line(name)}" for name in names[:_SHOWN])
    if count > _SHOWN:
        yield f"    … and {count - _SHOWN:,} more; --json lists up to a hundred"
