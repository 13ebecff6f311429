"""What must be true of a file before SQLite may open it."""

import os
import struct
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from strata.base.errors import (
    Locked,
    NetworkFileSystem,
    NotAStore,
    StoreNotFound,
    Unavailable,
    Unusable,
)

try:
    import fcntl
except ImportError:  # Windows has no fork() either
    fcntl = None

# File systems on which POSIX locks or shared memory between machines cannot be trusted.
_REMOTE = frozenset(
    "nfs nfs4 cifs smb smb2 smb3 smbfs afs afpfs ncpfs coda ceph glusterfs lustre gpfs 9p "
    "fuse.sshfs fuse.s3fs fuse.rclone fuse.glusterfs fuse.ceph fuse.gcsfuse fuse.davfs "
    "davfs webdav beegfs orangefs".split()
)
_MOUNTS = Path("/proc/self/mounts")
# Where SQLite's locks of an open database lie: in its file, and in the index of its log.
# They are part of the file format: file suffix, first byte, how many.
_OPEN_LOCKS = (("", 0x40000002, 510), ("-shm", 128, 1))
_held: list[int] = []
# How the system lays out the question who holds a lock (struct flock).
_FLOCK = {
    "linux": ("hhqqi", ("type", "whence", "start", "length", "pid")),
    "darwin": ("qqihh", ("start", "length", "pid", "type", "whence")),
}
# A process that closes a store lets go of its log before its file; that takes a moment.
_CLOSING_LOOKS, _CLOSING_PAUSE_S = 10, 0.02
# No database is shorter; SQLite would take a file of one byte for an empty one.
_HEADER_BYTES = 100
_UNFINISHED = ".unfinished-copy"
# Where the header holds the number of the format (`user_version`) and the program's own mark.
_FORMAT_AT, _OWNER_AT = slice(60, 64), slice(68, 72)
# "STRA": the mark of programs from before the first release, whose formats are numbered anew.
EARLIER_ID = 0x53545241


def check_place(path: Path) -> None:
    """Refuse a folder, a special file or a network file system, with the reason."""
    if path.is_dir():
        raise NotAStore(f"{path} is a folder.", hint="Name a file inside it.")
    if path.exists() and not path.is_file():
        raise NotAStore(f"{path} is not a regular file.", hint="Name another path.")
    if path.exists() and 0 < path.stat().st_size < _HEADER_BYTES:
        raise NotAStore(f"{path} is not a Strata store.", hint="Name another path.")
    if not path.parent.is_dir():
        raise StoreNotFound(
            f"There is no folder {path.parent}.", hint="Create it first, or check the path."
        )
    kind = file_system(path.parent)
    if kind in _REMOTE:
        raise NetworkFileSystem(
            f"{path} lies on a network file system ({kind}), where locks are not reliable.",
            hint="Keep the store on a local disk and copy backups to the network.",
            file_system=kind,
        )


def check_release(path: Path) -> None:
    """Refuse a store from before the first release before SQLite makes files beside it.

    Not for a file that this process has open: to close it here would drop SQLite's locks.
    """
    if earlier_format(path) is not None:
        raise earlier_release(path)


def earlier_release(path: Path) -> Unusable:
    """Return the error for a store from before the first release: the way to take it over."""
    from shlex import quote  # noqa: PLC0415  (needed for this error only)

    old = path.with_name(f"{path.stem}-old{path.suffix}")
    return Unusable(
        f"{path} was written by a Strata from before version 0.1.0.",
        hint="Nothing was changed. Move it aside and take it over into a new store, with its "
        f"history: `mv {quote(str(path))} {quote(str(old))}` and "
        f"`strata import {quote(str(old))} --db {quote(str(path))}`.",
        path=str(path),
    )


def earlier_format(path: Path) -> int | None:
    """Return the format of a store from before the first release; None for any other file."""
    try:
        with path.open("rb") as file:
            head = file.read(_HEADER_BYTES)
    except OSError:
        return None
    is_earlier = int.from_bytes(head[_OWNER_AT], "big") == EARLIER_ID
    return int.from_bytes(head[_FORMAT_AT], "big") if is_earlier else None


def hold_open_locks(path: Path) -> None:
    """Keep a store open in the eyes of other processes, in a child made by fork().

    SQLite's bookkeeping is copied by fork(), its locks are not: the child believes that it
    holds the locks that say "a process has this open". Without them others would delete the
    log, or begin a new index of it, under the child. POSIX locks belong to the process, so
    those taken through any descriptor count, as long as none of that file is closed. These
    never are.
    """
    for suffix, first, count in _OPEN_LOCKS:
        place = Path(f"{path}{suffix}")
        if fcntl is not None and place.exists():
            descriptor = os.open(place, os.O_RDONLY)
            _held.append(descriptor)
            fcntl.lockf(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB, count, first)


def identity(path: Path) -> tuple[int, int] | None:
    """Return which file a path leads to, whatever it is called; None if to none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def check_log(path: Path) -> None:
    """Refuse a file beside whose path the log of another file is in use.

    SQLite finds a log by its name alone. When a file was replaced while a process had it open, the
    log of the old file lies beside the new one, and a program that joins them overwrites the new
    file with pages of the old. A process that uses a log also has its own file locked, so a log in
    use beside a file that no process has locked belongs to another file.
    """
    index, holder = Path(f"{path}{_OPEN_LOCKS[1][0]}"), 0
    for _attempt in range(_CLOSING_LOOKS):
        holder = _holder(index, *_OPEN_LOCKS[1][1:])
        if not holder or not path.exists() or _holder(path, *_OPEN_LOCKS[0][1:]):
            return
        time.sleep(_CLOSING_PAUSE_S)  # it may just have closed both
    who = f"Process {holder}" if holder > 0 else "Another process"
    raise Unavailable(
        f"{who} still uses the log of the file that was at {path} before.",
        hint="End that process, then try again. Nothing was changed.",
    )


def _holder(path: Path, first: int, count: int) -> int:
    """Return a process that has locked these bytes of a file, 0 for none, -1 for an unknown one.

    To be called only while this process does not have the file open: closing the descriptor
    would drop its locks.
    """
    layout = _FLOCK.get(sys.platform)
    if fcntl is None or layout is None or not path.exists():
        return 0
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except OSError:
        return 0
    fields = {
        "type": fcntl.F_WRLCK,
        "whence": os.SEEK_SET,
        "start": first,
        "length": count,
        "pid": 0,
    }
    try:
        order, names = layout
        asked = struct.pack(order, *(fields[name] for name in names))
        found = struct.unpack(order, fcntl.fcntl(descriptor, fcntl.F_GETLK, asked))
    finally:
        os.close(descriptor)
    answer = dict(zip(names, found, strict=True))
    # The kernel gives no number for a process outside this container.
    return 0 if answer["type"] == fcntl.F_UNLCK else answer["pid"] or -1


def create_private(path: Path) -> bool:
    """Create an empty file that only its owner may read; False if there is one already."""
    try:
        descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    except FileExistsError:
        return False
    except OSError as error:
        raise Unavailable(
            f"{path} cannot be created: {error.strerror}.",
            hint="Check that the folder is writable.",
        ) from error
    os.close(descriptor)
    return True


def discard_unmade(path: Path) -> None:
    """Remove a new file of which no store was made, unless another process has it open.

    This process must not have it open any more. A store that was made says its format in its
    header, or in its log while that was not folded in.
    """
    log = Path(f"{path}-wal")
    try:
        with path.open("rb") as file:
            header = file.read(_HEADER_BYTES)
        is_made = any(header[_FORMAT_AT]) or (log.exists() and log.stat().st_size > 0)
        if not is_made and not _holder(path, *_OPEN_LOCKS[0][1:]):
            for suffix in ("", "-wal", "-shm", "-queue"):
                Path(f"{path}{suffix}").unlink(missing_ok=True)
    except OSError:
        return  # what made opening fail was told, and an empty file is opened as a new store


def unfinished_path(path: Path) -> Path:
    """Return the file that a copy to a path fills until it is complete."""
    return path.with_name(f".{path.name}{_UNFINISHED}")


def is_unfinished(path: Path) -> bool:
    """Whether a file of that name is being filled by a copy."""
    return path.name.startswith(".") and path.name.endswith(_UNFINISHED)


def check_finished(path: Path) -> None:
    """Raise Unusable for a path without a file that a copy was begun to."""
    unfinished = unfinished_path(path)
    if unfinished.exists():
        raise Unusable(
            f"A copy to {path} was begun and is not complete.",
            hint=f"Run `strata copy FROM {path}` again, which goes on where it was cut short, or "
            f"give it up by deleting {unfinished}.",
            path=str(path),
        )


@contextmanager
def held_alone(hold: Path) -> Generator[None]:
    """Keep other processes from the same work while a block runs, by a lock of a file."""
    descriptor = _lock(hold)
    try:
        yield
    finally:
        # Before it is unlocked: a process that has opened it meanwhile sees that it is gone.
        hold.unlink(missing_ok=True)
        os.close(descriptor)


def _lock(hold: Path) -> int:
    while True:
        try:
            descriptor = os.open(hold, os.O_CREAT | os.O_RDWR, 0o600)
        except OSError as error:
            raise Unavailable(
                f"{hold.parent} cannot be written: {error.strerror}.",
                hint="Check that the folder exists and is writable.",
                path=str(hold.parent),
            ) from error
        try:
            if fcntl is not None:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            os.close(descriptor)
            raise Locked(
                f"Another process is writing there; it holds {hold}.",
                hint="Wait until it has ended, then try again.",
                path=str(hold),
            ) from error
        except OSError:
            return descriptor  # no locks here
        if os.fstat(descriptor).st_nlink:
            return descriptor
        os.close(descriptor)


def settle(file: Path, target: Path) -> None:
    """Make a complete file durable under the name that it was written for."""
    descriptor = os.open(file, os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    file.replace(target)
    sync_folder(target.parent)


def sync_folder(folder: Path) -> None:
    """Make what was created, renamed or removed in a folder survive a power failure."""
    if os.name == "posix":  # elsewhere a folder cannot be opened
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def file_system(folder: Path) -> str:
    """Name the type of file system a folder lies on, or "" where that cannot be told."""
    if not sys.platform.startswith("linux") or not _MOUNTS.exists():
        return ""
    best, kind = -1, ""
    real = os.path.realpath(folder)
    for line in _MOUNTS.read_text(errors="replace").splitlines():
        fields = line.split(" ")
        point = fields[1].replace("\\040", " ")
        inside = real == point or real.startswith(point.rstrip("/") + "/")
        if inside and len(point) >= best:
            best, kind = len(point), fields[2]
    return kind
