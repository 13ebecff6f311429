"""Files of other programs: read whole, replaced whole or not at all, with a copy kept beside."""

import contextlib
import os
import shutil
from codecs import BOM_UTF8
from pathlib import Path

from strata.base.errors import Conflict, NotAllowed
from strata.clients.spans import Unreadable

_BACKUP = ".strata-backup"


def backup_of(path: Path) -> Path:
    """Return where the file is kept as it was before Strata came."""
    return path.with_name(path.name + _BACKUP)


def read_bytes(path: Path) -> bytes | None:
    """Return what is in a file; None where there is none."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None


def decode(data: bytes) -> tuple[bytes, str]:
    """Part a file into its byte order mark, if it has one, and its text."""
    mark = BOM_UTF8 if data.startswith(BOM_UTF8) else b""
    try:
        return mark, data[len(mark) :].decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise Unreadable("it is not UTF-8", line) from None


def check_unchanged(path: Path, expected: bytes | None) -> None:
    """Refuse a file that is not what it was, or that may not be written."""
    if read_bytes(path) != expected:
        raise Conflict(f"{path} was changed by another program just now.", hint="Run it again.")
    if expected is not None and not os.access(path, os.W_OK):
        raise NotAllowed(f"{path} may not be written.", hint="Change its permissions first.")


def replace(path: Path, data: bytes | None) -> None:
    """Replace a file at one stroke, or remove it.

    A link stays a link: what it points to is replaced. Mode and owner stay as they were.
    """
    target = Path(os.path.realpath(path))
    if data is None:
        target.unlink()
        with contextlib.suppress(OSError):  # others have files there
            target.parent.rmdir()
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    _write_beside(target, data)


def remove_empty(folder: Path, within: Path) -> None:
    """Remove a folder that is empty, and those around it, as long as they lie within another."""
    while within in folder.parents:
        try:
            folder.rmdir()
        except OSError:  # others have files there
            return
        folder = folder.parent


def keep(path: Path) -> None:
    """Copy a file to its backup, mode included."""
    target = backup_of(path)
    with contextlib.suppress(FileNotFoundError):
        target.unlink()
    shutil.copyfile(path, target)
    shutil.copymode(path, target)


def _write_beside(target: Path, data: bytes) -> None:
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    # A new file gets what the user's mask allows; a replaced one is private until it is done.
    mode = 0o600 if target.exists() else 0o666
    try:
        with os.fdopen(os.open(part, flags, mode), "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            _copy_ownership(part, target)
        part.replace(target)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def _copy_ownership(part: Path, target: Path) -> None:
    shutil.copymode(target, part)
    if os.name == "posix":
        state = target.stat()
        with contextlib.suppress(PermissionError):  # only root may give a file away
            os.chown(part, state.st_uid, state.st_gid)
