"""Categories database, bundle, retention and durability: the store as a whole."""

from typing import Annotated

from msgspec import Struct, convert

from strata.base.version import __version__
from strata.tools.declare import ToolGroup
from strata.tools.session import Call

# The store as a whole is the same on every branch and in every space.
database = ToolGroup("developer", pattern="strata_db_{}", shared=())
bundle = ToolGroup("developer", pattern="strata_bundle_{}", shared=())
retention = ToolGroup("developer", pattern="strata_retention_{}", shared=())
durability = ToolGroup("developer", pattern="strata_durability_{}", shared=())

File = Annotated[str, "File name in the folder `bundles` beside the store"]


class Pong(Struct, frozen=True):
    """Strata answers, and this is its version."""

    pong: bool
    version: str


class DatabaseInfo(Struct, frozen=True):
    """The store at a glance; keys are those of the current branch."""

    version: str
    uptime_secs: int
    branch_count: int
    total_keys: int


class BranchTimes(Struct, frozen=True):
    """The first and the last write of a branch in microseconds; null when it is empty."""

    oldest_ts: int | None
    latest_ts: int | None


class ExportAnswer(Struct, frozen=True):
    """A bundle that was written."""

    branch_id: str
    path: str
    entry_count: int
    bundle_size: int


class ImportAnswer(Struct, frozen=True, omit_defaults=True):
    """What came in by a bundle that was not here before.

    `outcome` is created, forwarded (the branch was continued) or unchanged (it was all here).
    """

    branch_id: str
    transactions_applied: int
    keys_written: int
    outcome: str
    note: str | None = None


class ValidateAnswer(Struct, frozen=True):
    """What a bundle holds, once every checksum was found right."""

    branch_id: str
    format_version: int
    entry_count: int
    checksums_valid: bool


class DurabilityCounters(Struct, frozen=True):
    """What this process has written since it opened the store."""

    wal_appends: int
    sync_calls: int
    bytes_written: int
    sync_nanos: int


@database.reads(example={})
def ping(call: Call) -> Pong:
    """Check that Strata answers.

    Answers its version. For counts use strata_db_info.
    """
    call.anywhere.branches.list()  # that it can read is what is asked
    return Pong(pong=True, version=__version__)


@database.reads(shared=("branch",), example={})
def info(call: Call) -> DatabaseInfo:
    """Describe the store.

    Version, uptime, number of branches, and keys of the current branch over all spaces.
    """
    found = call.db.info()
    return DatabaseInfo(found.version, int(found.uptime_s), found.branches, found.keys)


@database.writes(idempotent=True, example={})
def flush(call: Call) -> None:
    """Force everything written so far to the disk.

    Needed only where the store was opened with less than full durability: otherwise every commit is
    on the disk when its call answers.
    """
    call.progress("flush", 0, 1)
    call.anywhere.flush()
    call.progress("flush", 1, 1)


@database.writes(idempotent=True, example={})
def compact(call: Call) -> None:
    """Give unused space of the file back to the disk.

    Rewrites the file, which takes long for a large one; others wait to write meanwhile. Removes no
    history: strata_retention_apply does.
    """
    call.anywhere.compact(progress=call.progress)


@database.reads(name="time_range", shared=("branch",), example={})
def time_range(call: Call) -> BranchTimes:
    """Read between which times the current branch has a history.

    `as_of` may be anything between; both are null for an empty branch.
    """
    found = call.db.time_range()
    return BranchTimes(found.oldest, found.latest)


@bundle.writes(local=True, example={"branch": "default", "path": "default.strata-bundle"})
def export(
    call: Call,
    *,
    branch: Annotated[str, "Branch to export"],
    path: File,
    force: Annotated[bool, "Replace a file that exists"] = False,
) -> ExportAnswer:
    """Write a branch with its whole history to a file.

    The file is a checksummed tar.zst that strata_bundle_import takes in elsewhere. A file that
    exists is not replaced, except with force. For a copy of the whole store use the command
    `strata backup`.
    """
    bundles = call.anywhere.bundles
    file = bundles.place(path)
    made = bundles.export(file, branch=branch, force=force, progress=call.progress)
    return ExportAnswer(made.branch, str(made.path), made.versions, made.size_bytes)


@bundle.writes(local=True, name="import", example={"path": "default.strata-bundle"})
def import_(
    call: Call,
    *,
    path: File,
    name: Annotated[str | None, "Name for the branch; left out, its own"] = None,
) -> ImportAnswer:
    """Take a bundle in as a branch, with its times and hashes.

    All of it or nothing. What is here already is shared, so the branch merges three-way. A branch
    that the bundle continues is moved forward; where the branch of its name has other commits the
    bundle becomes NAME-2. Refused with already_exists when `name` is a branch it does not continue.
    """
    bundles = call.anywhere.bundles
    made = bundles.load(bundles.place(path), branch=name, progress=call.progress)
    return ImportAnswer(made.branch, made.new_commits, made.new_versions, made.outcome, made.note)


@bundle.reads(local=True, example={"path": "default.strata-bundle"})
def validate(call: Call, *, path: File) -> ValidateAnswer:
    """Check a bundle without taking anything in.

    Reads all of it and recomputes every checksum; a damaged one is an error that says what is
    wrong.
    """
    bundles = call.anywhere.bundles
    found = bundles.validate(bundles.place(path))
    return ValidateAnswer(found.branch, found.format, found.versions, checksums_valid=True)


@retention.writes(destructive=True, idempotent=True, example={})
def apply(call: Call) -> None:
    """Drop old values that the retention policy no longer keeps.

    Only values that were replaced and that no branch, tag or fork still shows; without a policy
    nothing is dropped. `strata retention set`, or db.retention.set, makes the policy, and `strata
    retention apply --preview` shows what would go.
    """
    call.anywhere.retention.apply(progress=call.progress)


@durability.reads(example={})
def counters(call: Call) -> DurabilityCounters:
    """Count what this process has written since it opened the store.

    Commits appended to the log, syncs to the disk, bytes, and the time that syncs took.
    """
    return convert(call.anywhere.serving.counters(), DurabilityCounters, from_attributes=True)
