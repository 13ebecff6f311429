"""What must be true of a file before SQLite may open it."""

import os
import sys
from pathlib import Path

from strata.base.errors import NetworkFileSystem, NotAStore, StoreNotFound, Unavailable

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
# No database is shorter; SQLite would take a file of one byte for an empty one.
_HEADER_BYTES = 100


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


def hold_open_locks(path: Path) -> None:
    """Keep a store open in the eyes of other processes, in a child made by fork().

    SQLite's bookkeeping is copied by fork(), its locks are not: the child believes that it
    holds the locks that say "somebody has this open". Without them others would delete the
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


def create_private(path: Path) -> None:
    """Create an empty file that only its owner may read, unless there is one."""
    try:
        descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    except FileExistsError:
        return
    except OSError as error:
        raise Unavailable(
            f"{path} cannot be created: {error.strerror}.",
            hint="Check that the folder is writable.",
        ) from error
    os.close(descriptor)


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
