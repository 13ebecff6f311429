"""A folder on the disk as a vault: its notes, its other files, and what is left alone."""

import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

import msgspec

from strata.base import limits
from strata.base.checks import is_text
from strata.base.errors import NotFound, Unavailable
from strata.exchange.vault.manifest import NAME
from strata.exchange.vault.report import SkippedFile

NOTES = (".md", ".markdown")
# Not through links, and without waiting for data from a pipe. Some systems lack these.
_AS_FOUND = os.O_RDONLY | sum(
    getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY")
)


class Tree(msgspec.Struct, frozen=True):
    """What a vault holds, by paths relative to it, in order."""

    root: Path
    folders: tuple[PurePosixPath, ...]
    notes: tuple[PurePosixPath, ...]
    files: tuple[PurePosixPath, ...]
    skipped: tuple[SkippedFile, ...]

    def read(self, path: PurePosixPath) -> bytes:
        """Return the bytes of a file, and of one that is too long a byte more than may be.

        Others may write to the folder meanwhile. So it raises OSError where there is no file
        any more, or a link, or a pipe that would be waited for.
        """
        with open(os.open(self.root / path, _AS_FOUND), "rb") as file:  # noqa: PTH123
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise OSError(errno.EINVAL, "it is no file any more", str(path))
            return file.read(limits.IMAGE_BYTES_MAX + 1)

    def peek(self, path: PurePosixPath, most: int) -> bytes | None:
        """Return the bytes of a file; None if it cannot be read, or has more than that."""
        try:
            data = self.read(path) if self.size(path) <= most else None
        except OSError:
            return None
        return None if data is None or len(data) > most else data

    def size(self, path: PurePosixPath) -> int:
        """Return how many bytes a file has."""
        return (self.root / path).stat().st_size


def read_tree(root: Path) -> Tree:
    """Look through a folder. Hidden folders and files, links and pipes are left alone."""
    if not root.is_dir():
        raise NotFound(f"There is no folder {root}.", hint="Name the folder that holds the notes.")
    looking = _Looking(root)
    try:
        looking.look()
    except OSError as error:
        raise Unavailable(
            f"{error.filename} cannot be read: {error.strerror}.", path=str(error.filename)
        ) from error
    return looking.tree()


def is_note(path: PurePosixPath) -> bool:
    """Whether a file is meant to be a note."""
    return path.suffix.lower() in NOTES


class _Looking:
    def __init__(self, root: Path) -> None:
        self._root = root
        self._folders: list[PurePosixPath] = []
        self._files: list[PurePosixPath] = []
        self._skipped: list[SkippedFile] = []

    def tree(self) -> Tree:
        notes = tuple(path for path in self._files if is_note(path))
        others = tuple(path for path in self._files if not is_note(path))
        return Tree(self._root, tuple(self._folders), notes, others, tuple(self._skipped))

    def look(self) -> None:
        """Take in the folder and those inside it, however deep they lie."""
        waiting = [PurePosixPath()]
        while waiting:
            folder = waiting.pop()
            if folder.parts:
                self._folders.append(folder)
            inner: list[PurePosixPath] = []
            for entry in self._entries(folder):
                is_folder = entry.is_dir(follow_symlinks=False)
                (inner if is_folder else self._files).append(folder / entry.name)
            waiting += reversed(inner)

    def _entries(self, folder: PurePosixPath) -> Iterator[os.DirEntry[str]]:
        with os.scandir(self._root / folder) as found:
            entries = sorted(found, key=lambda entry: entry.name)
        for entry in entries:
            reason = _reason(entry)
            if entry.name == NAME:
                continue
            if reason is None:
                yield entry
            else:
                shown = (folder / entry.name).as_posix().encode("utf-8", "replace").decode()
                self._skipped.append(SkippedFile(shown, reason))


def _reason(entry: os.DirEntry[str]) -> str | None:
    """Return why something is left alone, if it is."""
    if entry.name.startswith("."):
        return "in the trash of the vault" if entry.name == ".trash" else "hidden"
    if not is_text(entry.name):
        return "its name is no UTF-8"
    if entry.is_symlink():
        return "a link to another place"
    if not entry.is_dir(follow_symlinks=False) and not entry.is_file(follow_symlinks=False):
        return "neither a file nor a folder"
    return None
