"""Care of a store: checking it, copying it, bringing a copy back, space, the text index."""

from pathlib import Path

import click

import strata
from strata.cli.decorated import command
from strata.cli.output import answer, confirm, plural, size
from strata.cli.session import Invocation
from strata.cli.show.progress import progress
from strata.cli.show.tables import table
from strata.workspace import make_folder

_FILE = click.Path(dir_okay=False, path_type=Path)
_NAMED = 20
_BACKUP = click.Path(exists=True, dir_okay=False, path_type=Path)


@command(
    "verify",
    examples="""
    strata put greeting 안녕
    strata verify
    strata verify --full
    """,
)
@click.option("--full", is_flag=True, help="Read every document through, from its first words on.")
def verify(session: Invocation, *, full: bool) -> int | None:
    """Check every byte of the store that can be checked.

    SQLite's own structures, the hash of every commit, the digest of every value and the chain
    of events. Of documents the newest 300 are read, to see that their logs give the texts that
    were written; --full reads all of them, and all of their past. Damage is listed and the exit
    code is 1.
    """
    with session.reading(anywhere=True) as db, progress("verify") as report:
        found = db.verify(full=full, progress=report)
    counts = f"{plural(found.commits, 'commit')}, {plural(found.versions, 'version')}"
    gone = f"{found.erased} erased, {found.trimmed} trimmed"
    rows = [(one.kind, str(one.version or ""), one.message) for one in found.problems]
    lines = [
        f"{'ok' if found.ok else plural(len(rows), 'problem')}: {counts} ({gone})",
        *table(("WHERE", "VERSION", "PROBLEM"), rows),
    ]
    answer(session, found, lines)
    return None if found.ok else 1


@command(
    "backup",
    examples="""
    strata put greeting 안녕
    strata backup monday.strata
    """,
)
@click.argument("file", type=_FILE, help="The backup.")
@click.option("--force", is_flag=True, help="Replace the file if it exists.")
@click.option("--no-verify", is_flag=True, help="Do not check the copy: quicker.")
def backup(session: Invocation, *, file: Path, force: bool, no_verify: bool) -> None:
    """Copy the store to a file.

    Others may go on writing meanwhile; the copy is one state of the store. It is verified before
    it replaces anything. `strata restore` brings it back; it can also be read in place:
    `strata --db FILE list`.
    """
    with session.reading(anywhere=True) as db, progress("backup") as report:
        found = db.backup(file, force=force, verify=not no_verify, progress=report)
    answer(session, found, [f"wrote {file}: version {found.version}, {size(found.size_bytes)}"])


@command(
    "restore",
    examples="""
    strata put greeting 안녕
    strata backup monday.strata
    strata put greeting 잘가
    strata restore monday.strata --force --yes
    strata get greeting
    """,
)
@click.argument("file", type=_BACKUP, help="The backup.")
@click.option("--force", is_flag=True, help="Replace the store that is there.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--no-verify", is_flag=True, help="Take the backup without checking it.")
def restore(session: Invocation, *, file: Path, force: bool, yes: bool, no_verify: bool) -> None:
    """Put a backup in the place of the store.

    A store that exists is replaced only with --force, only while no other process uses it, and
    only by a backup that verifies. It is kept beside the new one as NAME.before-restore.
    """
    target = session.location.path
    if force and target.exists():
        confirm(f"Replace {target} and everything written since the backup?", yes=yes)
    if not target.parent.exists():
        # A backup that cannot be read is refused before anything is made; then the folder is
        # made as a first write makes it, with what keeps it out of git.
        strata.open(file, read_only=True, create=False).close()
        make_folder(target)
    with progress("restore") as report:
        path = strata.restore(file, target, force=force, verify=not no_verify, progress=report)
    answer(session, {"path": path, "backup": file}, [f"restored {path} from {file}"])


@command(
    "compact",
    examples="""
    strata put greeting 안녕
    strata compact
    """,
)
def compact(session: Invocation) -> None:
    """Give unused space back to the disk.

    The file is written anew, which takes as much free space as the store is large.
    """
    with session.writing(anywhere=True) as db, progress("compact") as report:
        found = db.compact(progress=report)
    sizes = f"{size(found.before_bytes)} before, {size(found.after_bytes)} now"
    answer(session, found, [sizes])


@command(
    "reindex",
    examples="""
    strata put greeting 안녕
    strata reindex
    """,
)
def reindex(session: Invocation) -> int | None:
    """Make the text index anew where it is missing or wrong.

    For values that were written without one, or after `strata verify` found it damaged. The
    tables that show decisions to SQL are made right too. Values and history stay as they are;
    others may go on reading and writing. What is damaged is left as it is; the exit code is then 1.
    """
    with session.writing(anywhere=True) as db, progress("reindex") as report:
        found = db.reindex(progress=report)
    lines = [f"{plural(found.changed, 'text')} indexed anew"]
    if found.rows:
        lines.append(f"{plural(found.rows, 'row')} of the tables for SQL made right")
    if found.damaged:
        versions = ", ".join(map(str, found.damaged[:_NAMED]))
        lines.append(f"{plural(len(found.damaged), 'version')} cannot be read: {versions}")
    answer(session, found, lines)
    return 1 if found.damaged else None
