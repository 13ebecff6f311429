"""Whole copies of a store: backup while others write, restore, compact."""

import os
from functools import partial
from pathlib import Path

import msgspec

from strata.base import ids
from strata.base.errors import AlreadyExists, Locked, NotAStore, Unavailable
from strata.sql import Connection, check_format, connect
from strata.store import Store
from strata.upkeep.retention import Progress


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
    part = _part(path)
    try:
        target = connect(part.absolute().as_uri(), durability="always", mode="create")
        try:
            _copy(store.connection(), target, progress)
            row = target.row(store.queries.last_version)
            # A file without a log of its own can be read without making one.
            target.pragma("journal_mode", "DELETE")
        finally:
            target.close()
        _settle(part, path)
    finally:
        _discard(part)
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
        part = _part(path)
        try:
            target = connect(part.absolute().as_uri(), durability="always", mode="create")
            try:
                _copy(original, target, progress)
            finally:
                target.close()
            for suffix in ("-wal", "-shm"):
                Path(f"{path}{suffix}").unlink(missing_ok=True)
            _settle(part, path)
        finally:
            _discard(part)
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


def _part(path: Path) -> Path:
    """Return a private, empty file beside the target, to be renamed when it is complete."""
    part = path.with_name(f".{path.name}.{ids.token()}.part")
    try:
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except OSError as error:
        raise Unavailable(
            f"{path} cannot be written: {error.strerror}.",
            hint="Check that its folder exists and is writable.",
            path=str(path),
        ) from error
    return part


def _settle(part: Path, path: Path) -> None:
    """Make the finished copy durable under its own name."""
    descriptor = os.open(part, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    part.replace(path)
    if os.name == "posix":
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _discard(part: Path) -> None:
    for suffix in ("", "-wal", "-shm", "-journal"):
        Path(f"{part}{suffix}").unlink(missing_ok=True)
