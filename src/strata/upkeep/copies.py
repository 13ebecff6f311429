"""Whole copies of a store: backup while others write, restore, compact."""

import os
from contextlib import closing
from functools import partial
from pathlib import Path

from strata.base.counts import plural
from strata.base.errors import AlreadyExists, DamagedStore, Locked, NotAStore, Unavailable
from strata.base.results import Result
from strata.sql import SqliteConnection, SqliteDatabase, check_format, connect
from strata.store import Store
from strata.upkeep.partial_files import PartialFiles
from strata.upkeep.retention import Progress
from strata.upkeep.verifying import verify as verify_store

# What is added to the name of a store that a restored one has replaced.
BEFORE_RESTORE = ".before-restore"
# Problems that an error carries; `strata verify` lists all of them.
_PROBLEMS_TOLD = 20


class Backup(Result, frozen=True):
    """A finished copy, and the newest version in it."""

    path: Path
    size_bytes: int
    version: int


class BackupFile(Result, frozen=True):
    """A backup that lies in a folder; `made` is when it was written, in microseconds."""

    path: Path
    size_bytes: int
    made: int


class Compaction(Result, frozen=True):
    """What compacting gained."""

    before_bytes: int
    after_bytes: int


def backup(
    store: Store,
    path: Path,
    *,
    force: bool = False,
    verify: bool = True,
    progress: Progress | None = None,
) -> Backup:
    """Copy one consistent state of the store to a new file, while others go on writing.

    A copy that does not verify never takes the place of a file that is there.
    """
    source = _file_of(store)
    _refuse_existing(path, force=force)
    with PartialFiles(path) as unfinished:
        part = unfinished.file(".part")
        target = connect(part.absolute().as_uri(), durability="always", mode="create")
        try:
            _copy(source, target, progress)
            version = store.last_version(target)
            target.leave_log()
        finally:
            target.close()
        if verify:
            _check_copy(part, f"The store {store.database.path}", progress)
        unfinished.settle(part)
    return Backup(path, path.stat().st_size, version)


def backups_in(folder: Path) -> list[BackupFile]:
    """Return the backups in a folder, newest first."""
    if not folder.is_dir():
        return []
    files = [path for path in folder.glob("*.strata") if path.is_file()]
    found = [(path, path.stat()) for path in files]
    lines = [BackupFile(path, one.st_size, one.st_mtime_ns // 1000) for path, one in found]
    return sorted(lines, key=lambda one: (one.made, one.path.name), reverse=True)


def restore(
    backup: str | os.PathLike[str],
    path: str | os.PathLike[str],
    *,
    force: bool = False,
    verify: bool = True,
    progress: Progress | None = None,
) -> Path:
    """Put a backup in the place of a store; an existing one needs `force` and no users.

    A backup that does not verify is refused. The store that was there is kept beside the new one,
    as NAME.before-restore, until the next one is restored.

    >>> _ = db.kv.put("k", "지킨 값")
    >>> _ = db.backup(folder / "copy.strata")
    >>> _ = strata.restore(folder / "copy.strata", folder / "second.strata")
    >>> strata.open(folder / "second.strata").kv.get("k").value
    '지킨 값'
    """
    source, path = Path(backup), Path(path)
    # Without a log beside it the file cannot change, and reading it need not make one.
    is_still = not Path(f"{source}-wal").exists()
    location = source.absolute().as_uri() + ("?immutable=1" if is_still else "")
    original = connect(location, durability="always", mode="read")
    try:
        if check_format(original) == 0:
            raise NotAStore(f"{source} is empty.", hint="Name a file that `db.backup(PATH)` made.")
        _refuse_existing(path, force=force)
        if path.exists():
            _refuse_used(path)
        with PartialFiles(path) as unfinished:
            part = unfinished.file(".part")
            target = connect(part.absolute().as_uri(), durability="always", mode="create")
            try:
                _copy(original, target, progress)
            finally:
                target.close()
            if verify:
                _check_copy(part, f"The backup {source}", progress)
            if path.exists():
                _keep_old(path)
            for suffix in ("-wal", "-shm"):
                Path(f"{path}{suffix}").unlink(missing_ok=True)
            unfinished.settle(part)
    finally:
        original.close()
    return path


def compact(store: Store, *, progress: Progress | None = None) -> Compaction:
    """Write the file anew without its free pages, and empty the log."""
    if not isinstance(store.connection(), SqliteConnection):
        raise Unavailable(
            "A store in PostgreSQL has no file to compact.",
            hint="The database gives unused space to new rows by itself. Its administrator gives it"
            " back to the disk with VACUUM (FULL), which stops all writers meanwhile.",
        )
    store.look()
    before = store.database.size_bytes()
    if progress is not None:
        progress("compact", 0, 1)
    store.database.rewrite()
    if progress is not None:
        progress("compact", 1, 1)
    return Compaction(before, store.database.size_bytes())


def _file_of(store: Store) -> SqliteConnection:
    """Return the connection to a store's file; refuse a store that is in no file."""
    connection = store.connection()
    if not isinstance(connection, SqliteConnection):
        raise Unavailable(
            "A store in PostgreSQL has no file to copy.",
            hint="`strata.copy(FROM, TO)` copies it to a file with its history; the database's own "
            "backups (pg_dump, archived logs) keep all workspaces.",
        )
    return connection


def _copy(source: SqliteConnection, target: SqliteConnection, progress: Progress | None) -> None:
    source.copy_into(target, partial(progress, "pages") if progress is not None else None)


def _check_copy(copy: Path, what: str, progress: Progress | None) -> None:
    """Raise DamagedStore unless a complete copy verifies."""
    with closing(SqliteDatabase(copy, read_only=True)) as database:
        found = verify_store(Store(database), progress=progress)
    if not found.ok:
        first, others = found.problems[0], len(found.problems) - 1
        more = f" {plural(others, 'more problem')} {'was' if others == 1 else 'were'} found."
        raise DamagedStore(
            f"{what} is damaged: {first.message}{more if others else ''}",
            hint="Nothing was replaced. `strata verify` lists what is wrong; --no-verify takes it "
            "as it is, and `strata export --skip-damaged` saves what can be read.",
            problems=[one.message for one in found.problems[:_PROBLEMS_TOLD]],
        )


def _keep_old(path: Path) -> None:
    """Keep the store that is about to be replaced under another name, without ever missing it."""
    old = path.with_name(f"{path.name}{BEFORE_RESTORE}")
    old.unlink(missing_ok=True)
    try:
        os.link(path, old)
    except OSError:  # a file system without a second name for a file
        path.rename(old)


def _refuse_existing(path: Path, *, force: bool) -> None:
    if path.exists() and not force:
        raise AlreadyExists(
            f"{path} exists already.",
            hint="Name another file; --force (in Python, force=True) replaces it.",
            path=str(path),
        )


def _refuse_used(path: Path) -> None:
    """Refuse to replace a store that any process has open."""
    connection = connect(path.absolute().as_uri(), durability="always", mode="write")
    try:
        if not connection.is_alone():
            raise Locked(
                f"{path} is in use by another process.", hint="Close it there, then restore."
            )
    finally:
        connection.close()
