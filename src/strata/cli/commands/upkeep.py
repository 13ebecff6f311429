"""Care of a store: checking it, copies, space, the text index, how long values are kept."""

from pathlib import Path
from typing import Annotated

import click

import strata
from strata.base.counts import plural
from strata.cli.command import Output, Spelling, command, group, reads, writes
from strata.cli.output import confirm, size
from strata.cli.session import Invocation
from strata.cli.show.progress import progress
from strata.cli.show.text import table
from strata.cli.words import PLAIN_FILE, Force, Yes
from strata.workspace import Workspace, make_folder

# How many versions that cannot be read are named.
_NAMED = 20


@reads("verify", anywhere=True)
def verify(
    db: Workspace,
    *,
    full: Annotated[bool, "Read every document through, from its first words on."] = False,
) -> Output:
    """Check every byte of the store that can be checked.

    SQLite's own structures, the hash of every commit, the digest of every value and the chain
    of events. Of documents the newest 300 are read, to see that their logs give the texts that
    were written; --full reads all of them, and all of their past. Damage is listed and the exit
    code is 1.

        strata put greeting 안녕
        strata verify
        strata verify --full
    """
    with progress("verify") as report:
        found = db.verify(full=full, progress=report)
    counts = f"{plural(found.commits, 'commit')}, {plural(found.versions, 'version')}"
    gone = f"{found.erased} erased, {found.trimmed} trimmed"
    rows = [(one.kind, one.version or "", one.message) for one in found.problems]
    lines = [
        f"{'ok' if found.ok else plural(len(rows), 'problem')}: {counts} ({gone})",
        *table(("WHERE", "VERSION", "PROBLEM"), rows),
    ]
    return Output(found, lines, code=0 if found.ok else 1)


@reads("backup", anywhere=True)
def backup(
    db: Workspace,
    file: Annotated[Path, "The backup.", PLAIN_FILE],
    *,
    force: Force = False,
    no_verify: Annotated[bool, "Do not check the copy: quicker."] = False,
) -> Output:
    """Copy the store to a file.

    Others may go on writing meanwhile; the copy is one state of the store. It is verified before
    it replaces anything. `strata restore` brings it back; it can also be read in place:
    `strata --db FILE list`.

        strata put greeting 안녕
        strata backup monday.strata
    """
    with progress("backup") as report:
        found = db.backup(file, force=force, verify=not no_verify, progress=report)
    return Output(found, f"wrote {file}: version {found.version}, {size(found.size_bytes)}")


@command("restore")
def restore(
    session: Invocation,
    file: Annotated[
        Path,
        "The backup.",
        Spelling(type=click.Path(exists=True, dir_okay=False, path_type=Path)),
    ],
    *,
    force: Annotated[bool, "Replace the store that is there."] = False,
    yes: Yes = False,
    no_verify: Annotated[bool, "Take the backup without checking it."] = False,
) -> Output:
    """Put a backup in the place of the store.

    A store that exists is replaced only with --force, only while no other process uses it, and
    only by a backup that verifies. It is kept beside the new one as NAME.before-restore.

        strata put greeting 안녕
        strata backup monday.strata
        strata put greeting 잘가
        strata restore monday.strata --force --yes
        strata get greeting
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
    return Output({"path": path, "backup": file}, f"restored {path} from {file}")


@command("copy")
def copy(
    session: Invocation,  # noqa: ARG001  (the shared options are its)
    source: Annotated[str, "The store: a file, or a postgresql:// address.", Spelling("FROM")],
    target: Annotated[str, "Where there is none yet: a file, or an address.", Spelling("TO")],
    *,
    no_verify: Annotated[bool, "Do not check the copy: quicker."] = False,
) -> Output:
    """Copy a store with its whole past to a file or to PostgreSQL.

    Version numbers, commit hashes, branches, tags, users, rights, documents, uploads and vectors
    stay as they are. Others may go on writing meanwhile; the copy is one state of the store. Its
    rows are compared, and it is verified. It cannot be opened before it is complete. If it was cut
    short, the same command resumes it: rows that are there already are not sent again, unless they
    have changed in the store since.

        strata put greeting 안녕
        strata copy .strata/store.db moved.strata
        strata copy .strata/store.db postgresql://strata@localhost/strata?workspace=team
    """
    with progress("copy") as report:
        done = strata.copy(source, target, verify=not no_verify, progress=report)
    counts = f"{plural(done.versions, 'version')}, {plural(done.rows, 'row')}"
    lines = [f"copied {done.source} to {done.target}: {counts}"]
    if done.kept:
        lines.append(f"resumed: {plural(done.kept + done.outdated, 'row')} had been copied before")
    if done.kept and done.outdated:
        gone = plural(done.outdated, "row")
        lines.append(f"the store had changed since: {gone} of them replaced or removed")
    elif done.outdated:
        lines.append("started anew: what had been copied before is not of this store's past")
    return Output(done, lines)


@writes("compact", anywhere=True)
def compact(db: Workspace) -> Output:
    """Give unused space back to the disk.

    The file is written anew, which takes as much free space as the store is large.

        strata put greeting 안녕
        strata compact
    """
    with progress("compact") as report:
        found = db.compact(progress=report)
    return Output(found, f"{size(found.before_bytes)} before, {size(found.after_bytes)} now")


@writes("reindex", anywhere=True)
def reindex(db: Workspace) -> Output:
    """Rebuild the text index where it is missing or wrong.

    For values that were written without one, or after `strata verify` found it damaged. The
    tables that show decisions to SQL are made right too. Values and history stay as they are;
    others may go on reading and writing. What is damaged is left as it is; the exit code is then 1.

        strata put greeting 안녕
        strata reindex
    """
    with progress("reindex") as report:
        found = db.reindex(progress=report)
    lines = [f"{plural(found.changed, 'text')} indexed anew"]
    if found.segments:
        lines.append(f"{plural(found.segments, 'damaged segment')} of the index made anew")
    if found.rows:
        lines.append(f"{plural(found.rows, 'row')} of the tables for SQL made right")
    if found.damaged:
        versions = ", ".join(map(str, found.damaged[:_NAMED]))
        lines.append(f"{plural(len(found.damaged), 'version')} cannot be read: {versions}")
    return Output(found, lines, code=1 if found.damaged else 0)


_DAY_US = 86_400_000_000

retention = group(
    "retention",
    """Say how long replaced values are kept.

    Without a policy everything is kept. What a branch, a fork, a tag or a merge still needs
    is never dropped. Alone it lists the policies.

        strata put greeting 안녕
        strata retention set --max-age 30d
        strata retention
    """,
)


@reads("retention", anywhere=True)
def list_policies(db: Workspace) -> Output:
    """List the policies."""
    found = db.retention.list()
    lines = _table(found) if found else ["no policy: everything is kept"]
    return Output({"policies": found}, lines)


retention.alone = list_policies


def _table(policies: list[strata.Policy]) -> list[str]:
    rows = [
        (
            one.space,
            one.kind,
            "" if one.max_age_us is None else f"{one.max_age_us / _DAY_US:g} d",
            one.max_versions or "",
        )
        for one in policies
    ]
    return table(("SPACE", "KIND", "MAX AGE", "MAX VERSIONS"), rows)


@retention.writes("set", takes="space", anywhere=True, creates=True)
def set_policy(
    db: Workspace,
    *,
    kind: Annotated[str, "Only this kind."] = "*",
    max_age: Annotated[
        str | None, 'Keep replaced values for: 30d, 12h, "2 weeks".', Spelling("LENGTH")
    ] = None,
    max_versions: Annotated[int | None, "Keep so many replaced values of each key."] = None,
) -> Output:
    """Set the policy of a space and a kind; without them, of everything.

    With both limits a value is dropped only when it is past both.

        strata retention set --max-age 30d
        strata retention set --space notes --kind kv --max-versions 10
    """
    space = Invocation.current().space or "*"
    found = db.retention.set(space=space, kind=kind, max_age=max_age, max_versions=max_versions)
    return Output(found, _table([found]))


@retention.writes("remove", takes="space", anywhere=True)
def remove(db: Workspace, *, kind: Annotated[str, "The policy of this kind."] = "*") -> Output:
    """Remove the policy of a space and a kind; without them, of everything.

    What it allowed to drop and is not dropped yet is kept again.

        strata retention set --max-age 30d
        strata retention remove
    """
    space = Invocation.current().space or "*"
    if not db.retention.remove(space=space, kind=kind):
        raise strata.NotFound(
            f"There is no policy for space {space!r} and kind {kind!r}.",
            hint="`strata retention` lists them.",
        )
    return Output({"removed": {"space": space, "kind": kind}}, "removed the policy")


@retention.command_of("apply")
def apply(
    session: Invocation,
    *,
    preview: Annotated[bool, "Only count what would go."] = False,
    yes: Yes = False,
) -> Output:
    """Drop the values that are past their policy and that nothing needs.

    They cannot be read any more; that they were there, and their hashes, stay.

        strata put counter 1 && strata put counter 2
        strata retention set --max-versions 1
        strata retention apply --preview
        strata retention apply --yes
    """
    opened = session.reading(anywhere=True) if preview else session.writing(anywhere=True)
    with opened as db:
        if not preview:
            due = db.retention.apply(preview=True).versions
            # Nothing is lost by dropping nothing.
            confirm(f"Drop {plural(due, 'old version')} for good?", yes=yes or not due)
        with progress("retention") as report:
            found = db.retention.apply(preview=preview, progress=report)
    verb = "would drop" if preview else "dropped"
    what = f"{plural(found.versions, 'version')}, {size(found.bytes)}"
    return Output(found, f"{verb} {what}; {found.needed} past the policy are still needed")
