"""The files' side of what git shares: reading them as a stranger's, and writing them."""

import errno
import os
import stat
from contextlib import suppress
from pathlib import Path, PurePosixPath

import msgspec

from strata.base import limits
from strata.base.checks import is_text
from strata.base.errors import LimitExceeded, NotAllowed, Unavailable
from strata.exchange.gitfiles.item_files import DECISIONS, FACTS
from strata.exchange.place import whole_file

_SUFFIX = ".md"
# Not through links, and without waiting for a pipe. Some systems lack these.
_AS_FOUND = os.O_RDONLY | sum(
    getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY")
)


class FileSide(msgspec.Struct, frozen=True):
    """The texts of shared files by path, and what could not be read, with its reason."""

    texts: dict[str, str]
    problems: dict[str, str]


def file_side(folder: Path) -> FileSide:
    """Read all files of facts and decisions below a folder; links are never followed.

    Raises LimitExceeded where there are more than may be.
    """
    check_folder(folder)
    found = FileSide({}, {})
    for part in (FACTS, DECISIONS):
        _read_below(folder, PurePosixPath(part), found)
    return found


def check_folder(folder: Path) -> None:
    """Refuse a folder that is, or is reached through, a link to another place."""
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        raise NotAllowed(
            f"{folder} is no folder of its own.",
            hint="Remove the link or the file, or name another folder: `strata git on --folder`.",
            path=str(folder),
        )


def _read_below(folder: Path, part: PurePosixPath, found: FileSide) -> None:
    waiting = [part]
    while waiting:
        here = waiting.pop()
        try:
            entries = sorted(os.scandir(folder / here), key=lambda entry: entry.name)
        except FileNotFoundError:
            continue
        except OSError as error:
            found.problems[str(here)] = f"it cannot be read: {error.strerror}"
            continue
        for entry in entries:
            path = here / entry.name
            if entry.is_symlink():
                found.problems[_printable(path)] = "it is a link to another place"
            elif entry.is_dir():
                waiting.append(path)
            elif entry.name.endswith(_SUFFIX):
                _read_file(folder, path, found)


def _read_file(folder: Path, path: PurePosixPath, found: FileSide) -> None:
    if len(found.texts) >= limits.GIT_FILES_MAX:
        raise LimitExceeded(
            f"{folder} holds more than {limits.GIT_FILES_MAX:,} files.",
            hint="Share fewer prefixes.",
            limit=limits.GIT_FILES_MAX,
        )
    try:
        found.texts[_checked(path)] = read_text(folder / path)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        found.problems[_printable(path)] = f"it cannot be read: {reason}"


def _checked(path: PurePosixPath) -> str:
    if not is_text(str(path)):
        raise ValueError("its name is no UTF-8")
    return str(path)


def _printable(path: PurePosixPath) -> str:
    return str(path).encode("utf-8", "replace").decode()


def read_text(path: Path, most: int = limits.GIT_FILE_BYTES_MAX) -> str:
    """Return the text of a file with plain line ends; raise OSError or ValueError.

    Git may have given its lines other ends, as it does on Windows.
    """
    with open(os.open(path, _AS_FOUND), "rb") as file:  # noqa: PTH123
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.EINVAL, "it is no file")
        data = file.read(most + 1)
    if len(data) > most:
        raise ValueError(f"it is larger than {most:,} bytes")
    try:
        return data.decode().replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise ValueError("it is no UTF-8") from error


def write_file(folder: Path, path: str, text: str) -> None:
    """Write a shared file as a whole; never through a link."""
    place = folder / path
    _check_parents(folder, place)
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Unavailable(f"{place.parent} cannot be made: {error.strerror}.") from error
    with whole_file(place, force=True, sync=False) as part:
        part.write_bytes(text.encode())
        part.chmod(0o644)


def remove_file(folder: Path, path: str) -> None:
    """Remove a shared file, and folders that it leaves empty."""
    place = folder / path
    _check_parents(folder, place)
    place.unlink(missing_ok=True)
    for above in place.parents:
        if above == folder:
            return
        with suppress(OSError):
            above.rmdir()


def _check_parents(folder: Path, place: Path) -> None:
    for above in (place, *place.parents):
        if above.is_symlink():
            raise NotAllowed(f"{above} is a link to another place.", hint="Remove it first.")
        if above == folder:
            return
