"""Whole copies of a store: backup while others write, restore, compact."""

import os
from functools import partial
from pathlib import Path

import msgspec

from strata.base.errors import AlreadyExists, Locked, NotAStore
from strata.sql import Connection, check_format, connect
from strata.store import Store
from strata.upkeep.retention import Progress
from strata.upkeep.unfinished import Unfinished


class Backup(msgspec.Struct, frozen=True):
    """A finished copy, and the newest version in it."""

    path: Path
    size_bytes: int
    version: int


class Compaction(msgspec.Struct, frozen=True):
    """What compacting gained."""

    before_bytes: int
    after_bytes: int


def backup(
    store: Store, path: Path, *, force: bool = False, progress: Progress | None = None
) -> Backup:
    """Copy one consistent state of the store to a new file, while others go on writing."""
    _refuse_existing(path, force=force)
    with Unfinished(path) as unfinished:
        part = unfinished.file(".part")
        target = connect(part.absolute().as_uri(), durability="always", mode="create")
        try:
            _copy(store.connection(), target, progress)
            row = target.row(store.queries.last_version)
            # A file without a log of its own can be read without making one.
            target.pragma("journal_mode", "DELETE")
        finally:
            target.close()
        unfinished.settle(part)
    return Backup(path, path.stat().st_size, (row[0] if row else 0) or 0)


def restore(
    backup: str | os.PathLike[str],
    path: str | os.PathLike[str],
    *,
    force: bool = False,
    progress: Progress | None = None,
) -> Path:
    """Put a backup in the place of a store; an existing one needs `force` and no users.

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
            raise NotAStore(f"{source} is empty.", hint="Name a file that `strata backup` made.")
        _refuse_existing(path, force=force)
        if path.exists():
            _refuse_used(path)
        with Unfinished(path) as unfinished:
            part = unfinished.file(".part")
            target = connect(part.absolute().as_uri(), durability="always", mode="create")
            try:
                _copy(original, target, progress)
            finally:
                target.close()
            for suffix in ("-wal", "-shm"):
                Path(f"{path}{suffix}").unlink(missing_ok=True)
            unfinished.settle(part)
    finally:
        original.close()
    return path


def compact(store: Store, *, progress: Progress | None = None) -> Compaction:
    """Write the file anew without its free pages, and empty the log."""
    store.refresh()
    before = store.database.size_bytes()
    if progress is not None:
        progress("compact", 0, 1)
    connection = store.connection()
    connection.vacuum()
    connection.checkpoint(truncate=True)
    if progress is not None:
        progress("compact", 1, 1)
    return Compaction(before, store.database.size_bytes())


def _copy(source: Connection, target: Connection, progress: Progress | None) -> None:
    source.copy_into(target, partial(progress, "pages") if progress is not None else None)


def _refuse_existing(path: Path, *, force: bool) -> None:
    if path.exists() and not force:
        raise AlreadyExists(
            f"{path} exists already.", hint="Name another file, or use force.", path=str(path)
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
