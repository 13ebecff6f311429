"""Files that carry data: bundles of a branch, exports that others can read, and imports."""

import shutil
import sys
import tempfile
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, BinaryIO, Literal

import click

import strata
from strata.base.counts import plural
from strata.cli.command import Output, Spelling, command, group
from strata.cli.output import size
from strata.cli.session import Invocation
from strata.cli.show.progress import progress
from strata.cli.show.text import one_line
from strata.cli.words import PLAIN_FILE, Force
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
def export_bundle(db: Workspace, file: BundleFile, *, force: Force = False) -> Output:
    """Write the current branch to a file.

    The whole history goes with it, also what the branch saw of the ones it was forked from;
    --branch names another one.

        strata put greeting 안녕
        strata bundle export work.strata-bundle
    """
    with progress("export") as report:
        found = db.bundles.export(file, force=force, progress=report)
    return Output(found, [f"wrote {file}", _bundle_line(found)])


@bundle.command_of("import")
def import_bundle(
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
    return Output(found, [_outcome(found), _bundle_line(found)], notes=notes)


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
    return Output(found, [f"{file} is ok", _bundle_line(found)])


def _bundle_line(found: strata.BundleInfo) -> str:
    counts = f"{plural(found.commits, 'commit')}, {plural(found.versions, 'version')}"
    return f"branch {one_line(found.branch)}: {counts}, {size(found.size_bytes)}"


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
    lines = [] if is_stream else [f"wrote {file}", f"  {_counts_by_kind(found.records)}"]
    return Output(found, lines, notes=notes, code=1 if found.damaged else 0)


def _counts_by_kind(counts: dict[str, int]) -> str:
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
        return _import_earlier(session, file)
    with _readable(file) as source:

        def run_import(db: strata.Workspace, report: Progress | None = None) -> Import:
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

        if preview and not session.location.exists:
            with strata.open(durability="cache", auto_embed=False) as db:
                found = run_import(db)
        else:
            session.rehearse(run_import)
            with session.writing(create=True) as db, progress("import") as report:
                found = run_import(db, report)
    verb = "would write" if found.preview else "wrote"
    commits = "" if not found.commits else f" in {plural(found.commits, 'commit')}"
    where = f"on branch {one_line(found.branch)} ({found.format})"
    first = f"{verb} {_counts_by_kind(found.written)}{commits} {where}"
    return Output(found, [first, *_counts(found), *_secrets(found, masked=mask_secrets)])


def _import_earlier(session: Invocation, file: Path) -> Output:
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
