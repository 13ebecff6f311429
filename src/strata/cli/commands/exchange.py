"""Exports that people and other programs can read, and taking in what others have written."""

import shutil
import sys
import tempfile
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, BinaryIO, Literal

import click

import strata
from strata.cli.command import Output, Spelling, command
from strata.cli.output import plural
from strata.cli.session import Invocation
from strata.cli.show.progress import progress
from strata.cli.show.text import one_line
from strata.cli.words import Force
from strata.exchange import (
    KINDS,
    Import,
    OnConflict,
    export_jsonl,
    export_markdown,
    format_of,
    import_file,
    import_store,
)
from strata.sql import earlier_format
from strata.upkeep import Progress

_STREAM = Spelling(type=click.Path(dir_okay=False, allow_dash=True, path_type=Path))
_NOUNS = {"kv": "fact", "json": "document", "state": "cell"}
# A user reads the first few; --json has a hundred.
_SHOWN = 5


@command("export", takes="branch space at")
def export(
    session: Invocation,
    file: Annotated[Path | None, "The file; - is standard output.", _STREAM] = None,
    *,
    format_: Annotated[
        Literal["jsonl", "markdown"] | None,
        "Otherwise .md is Markdown, any other ending JSON Lines.",
    ] = None,
    history: Annotated[bool, "Every version, commit by commit."] = False,
    prefix: Annotated[str, "Only keys that begin with this; leaves events out."] = "",
    kinds: Annotated[str | None, f"Only these, with commas between: {', '.join(KINDS)}."] = None,
    force: Force = False,
    skip_damaged: Annotated[
        bool, "Write what can be read and list what cannot; then the code is 1."
    ] = False,
) -> Output:
    """Export data for people or other programs.

    Facts, JSON documents, cells and events of all spaces, or of one (--space); as they are now,
    or as they were (--at). JSON Lines is for programs: a header, then one record a line.
    Markdown is for people. `strata import` reads both. Vectors and the texts of `strata doc`
    stay behind: `strata bundle` takes them, and `strata doc export` writes texts as files.

        strata put deploy/target 운영 --tag 배포
        strata export everything.jsonl
        strata export notes.md --prefix deploy/
        strata export --history --kinds kv,json - > history.jsonl
    """
    is_stream = file is None or str(file) == "-"
    if is_stream and session.json:
        raise click.UsageError("With --json a file has to be named.")
    write = export_markdown if (format_ or format_of(file)) == "markdown" else export_jsonl
    target = sys.stdout.buffer if is_stream or file is None else file
    with session.reading() as db, progress("export") as report:
        found = write(
            db,
            target,
            history=history,
            space=session.space,
            prefix=prefix,
            kinds=[kind.strip() for kind in kinds.split(",")] if kinds else (),
            force=force,
            skip_damaged=skip_damaged,
            progress=report,
        )
    notes: list[str] = []
    if found.left_out:
        left_out = ", ".join(found.left_out)
        notes.append(f"not written: {left_out}; `strata bundle export` has everything")
    for one in found.damaged:
        what = f"{one.space}/{one.kind}/{one.key}" if one.key else f"version {one.version or '?'}"
        notes.append(f"damaged, not written: {one_line(what)}: {one_line(one.reason)}")
    lines = [] if is_stream else [f"wrote {file}", f"  {_told(found.records)}"]
    return Output(found, lines, notes=notes, code=1 if found.damaged else 0)


def _told(counts: dict[str, int]) -> str:
    """Spell how many there are of each kind."""
    parts = [plural(count, _NOUNS.get(kind, kind)) for kind, count in counts.items() if count]
    return one_line(", ".join(parts)) or "nothing"


@command("import", takes="branch space actor")
def import_command(
    session: Invocation,
    file: Annotated[Path, "The file; - is standard input.", _STREAM],
    *,
    on_conflict: Annotated[OnConflict, "For keys that hold another value."] = "fail",
    preview: Annotated[bool, "Only tell what would happen."] = False,
    lenient: Annotated[bool, "Leave out lines that cannot be read; list them."] = False,
    mask_secrets: Annotated[bool, "Replace secrets with a mark."] = False,
) -> Output:
    """Import an export, or a file of another memory program.

    The content tells what it is: JSON Lines or Markdown by `strata export`, the file of the
    MCP memory server, or an export of mem0. All of it is taken in, or nothing. What is here
    already is not written again, so importing a file twice changes nothing. --space puts
    everything into that space. Keys, tokens and passwords are kept and listed, or masked.

    A store from before version 0.1.0 is taken over whole, with its history, branches, documents
    and users, into a new store: name a file for it with --db.

        strata put deploy/target 운영 && strata export everything.jsonl
        strata import everything.jsonl --preview
        strata import everything.jsonl --on-conflict skip
        echo '{"type":"entity","name":"나","entityType":"사람","observations":[]}' | strata import -
    """
    if earlier_format(file) is not None:
        return _take_over(session, file)
    with _readable(file) as source:

        def take(db: strata.Workspace, report: Progress | None = None) -> Import:
            return import_file(
                db,
                source,
                space=session.space,
                on_conflict=on_conflict,
                preview=preview,
                lenient=lenient,
                mask_secrets=mask_secrets,
                progress=report,
            )

        if preview and not session.location.path.exists():
            with strata.open(durability="cache", auto_embed=False) as db:
                found = take(db)
        else:
            session.rehearse(take)
            with session.writing(create=True) as db, progress("import") as report:
                found = take(db, report)
    verb = "would write" if found.preview else "wrote"
    commits = "" if not found.commits else f" in {plural(found.commits, 'commit')}"
    where = f"on branch {one_line(found.branch)} ({found.format})"
    first = f"{verb} {_told(found.written)}{commits} {where}"
    return Output(found, [first, *_counts(found), *_secrets(found, masked=mask_secrets)])


def _take_over(session: Invocation, file: Path) -> Output:
    with session.writing(create=True) as db, progress("import") as report:
        found = import_store(db, file, progress=report)
    commits = f"{plural(found.commits, 'commit')} on {plural(found.branches, 'branch')}"
    rest = f"{plural(found.documents, 'document')} and {plural(found.users, 'user')}"
    proof = "  verified: all hashes and values are as they were written"
    return Output(found, [f"took over {commits}, {rest}", proof])


@contextmanager
def _readable(file: Path) -> Generator[Path | BinaryIO]:
    """Give the file; what comes through a pipe is kept, because it is read more than once."""
    if str(file) != "-":
        yield file
        return
    with tempfile.TemporaryFile() as copy:
        shutil.copyfileobj(sys.stdin.buffer, copy)
        yield copy


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
    """Yield where secrets are, never what they are."""
    if found.secret_count:
        done = "masked" if masked else "kept; --mask-secrets puts marks in their place"
        yield f"  {plural(found.secret_count, 'secret')}: {done}"
    places = [f"line {one.line}: {one.kind} in {one.key} {one.path}" for one in found.secrets]
    yield from _named(places, found.secret_count)


def _named(names: list[str], count: int) -> Iterator[str]:
    yield from (f"    {one_line(name)}" for name in names[:_SHOWN])
    if count > _SHOWN:
        yield f"    … and {count - _SHOWN:,} more; --json lists up to a hundred"
