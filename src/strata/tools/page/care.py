"""The state of the store for its settings: health, verification and backups."""

from typing import TYPE_CHECKING, Any

from strata.base import clock
from strata.tools.page.group import PageAnswer, iso, manages, page, require_owner, require_person
from strata.tools.page.work import WorkLine, work_line
from strata.tools.session import Call

if TYPE_CHECKING:
    from strata.tools.chores import Report
    from strata.workspace import Workspace

_VERIFY, _BACKUP = "verify", "backup"
# Problems that a page lists; a damaged store may have many.
_PROBLEMS_MAX = 50
_BACKUPS_MAX = 200


class StoreHealth(PageAnswer, frozen=True):
    """How the store is."""

    version: str
    format: int
    path: str
    size_bytes: int
    durability: str
    is_read_only: bool
    # Why the store is not trusted, if it is not.
    warning: str | None
    branches: int
    versions: int
    commits: int
    uptime_s: float
    # The verification that goes on, or the last one that ended; for those who manage the store.
    verification: WorkLine | None


@page.reads(needs="memory", example={})
def health(call: Call) -> StoreHealth:
    """Show how the store is: its file, size, durability, and what is wrong with it."""
    here = call.anywhere
    info = here.info()
    return StoreHealth(
        version=info.version,
        format=info.format,
        path=info.path,
        size_bytes=info.size_bytes,
        durability=info.durability,
        is_read_only=info.read_only,
        warning=here.trust.warning,
        branches=info.branches,
        versions=info.versions,
        commits=info.commits,
        uptime_s=info.uptime_s,
        verification=work_line(call, _VERIFY) or _last_verification(here),
    )


def _last_verification(here: "Workspace") -> WorkLine | None:
    """Return what the last verification found, which the audit log keeps."""
    if not manages(here):
        return None
    entry = next(iter(here.audit.list(1, action="store.verify")), None)
    if entry is None:
        return None
    result = dict(entry.details)
    started = result.pop("started", None)
    return WorkLine(
        started=iso(started if isinstance(started, int) else entry.timestamp),
        ended=iso(entry.timestamp),
        step="",
        done=0,
        total=0,
        result=result,
        error=None,
    )


@page.writes(needs="memory", idempotent=True, example={})
def verify(call: Call) -> StoreHealth:
    """Check every byte of the store in the background; for the owner alone.

    `health` shows how far it is, and what it found.
    """
    here = call.anywhere
    require_owner(here, "verify the store")

    def work(db: "Workspace", report: "Report") -> dict[str, Any]:
        started = clock.now_us()
        found = db.verify(progress=report)
        result: dict[str, Any] = {
            "ok": found.ok,
            "problems": [one.message for one in found.problems[:_PROBLEMS_MAX]],
            "commits": found.commits,
            "versions": found.versions,
        }
        if not db.info().read_only:
            db.audit.note_verification(started, result)
        return result

    call.session.host.chores.start(_VERIFY, here, work)
    return health(call)


class BackupLine(PageAnswer, frozen=True):
    """A backup in the folder beside the store."""

    name: str
    path: str
    bytes: int
    made: str


class PolicyLine(PageAnswer, frozen=True):
    """How long replaced values are kept; null is without a limit."""

    space: str
    kind: str
    max_age_s: float | None
    max_versions: int | None


class BackupList(PageAnswer, frozen=True):
    """The backups, newest first, the one that is being made, and what retention says."""

    folder: str
    store: str
    backups: list[BackupLine]
    more: int
    making: WorkLine | None
    retention: list[PolicyLine]


@page.reads(needs="memory", example={})
def backups(call: Call) -> BackupList:
    """List the backups in the folder `backups` beside the store; for the owner alone."""
    here = call.anywhere
    require_owner(here, "list the backups of the store")
    found = here.backups()
    lines = [
        BackupLine(name=one.path.name, path=str(one.path), bytes=one.size_bytes, made=iso(one.made))
        for one in found[:_BACKUPS_MAX]
    ]
    policies = [
        PolicyLine(
            space=one.space,
            kind=one.kind,
            max_age_s=None if one.max_age_us is None else one.max_age_us / 1_000_000,
            max_versions=one.max_versions,
        )
        for one in here.retention.list()
    ]
    return BackupList(
        folder=str(here.backups_folder),
        store=str(here.path),
        backups=lines,
        more=len(found) - len(lines),
        making=work_line(call, _BACKUP),
        retention=policies,
    )


@page.writes(needs="memory", example={})
def backup(call: Call) -> BackupList:
    """Copy the store to the folder `backups` beside it, verified; for the owner alone.

    It goes on in the background: `backups` shows how far it is.
    """
    require_person(call)
    here = call.anywhere
    require_owner(here, "make a backup of the store")
    folder, stem = here.backups_folder, "" if here.path is None else here.path.stem
    stamp = clock.iso(here.time_of("now")).replace(":", "").partition(".")[0].rstrip("Z")

    def work(db: "Workspace", report: "Report") -> dict[str, Any]:
        folder.mkdir(mode=0o700, exist_ok=True)
        done = db.backup(folder / f"{stem}-{stamp}.strata", force=True, progress=report)
        return {"path": str(done.path), "bytes": done.size_bytes, "version": done.version}

    call.session.host.chores.start(_BACKUP, here, work)
    return backups(call)
