"""A folder on the disk as a vault: its notes, its other files, and what is left alone."""

import os
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

import msgspec

from strata.base.checks import is_text
from strata.base.errors import NotFound, Unavailable
from strata.exchange.vault.report import Skipped
from strata.exchange.vault.slip import NAME

NOTES = (".md", ".markdown")


class Tree(msgspec.Struct, frozen=True):
    """What a vault holds, by paths relative to it, in order."""

    root: Path
    folders: tuple[PurePosixPath, ...]
    notes: tuple[PurePosixPath, ...]
    files: tuple[PurePosixPath, ...]
    skipped: tuple[Skipped, ...]

    def read(self, path: PurePosixPath) -> bytes:
        """Return the bytes of a file."""
        return (self.root / path).read_bytes()

    def size(self, path: PurePosixPath) -> int:
        """Return how many bytes a file has."""
        return (self.root / path).stat().st_size


def read_tree(root: Path) -> Tree:
    """Look through a folder. Hidden folders and files, links and pipes are left alone."""
    if not root.is_dir():
        raise NotFound(f"There is no folder {root}.", hint="Name the folder that holds the notes.")
    looking = _Looking(root)
    try:
        looking.look(PurePosixPath())
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
        self._skipped: list[Skipped] = []

    def tree(self) -> Tree:
        notes = tuple(path for path in self._files if is_note(path))
        others = tuple(path for path in self._files if not is_note(path))
        return Tree(self._root, tuple(self._folders), notes, others, tuple(self._skipped))

    def look(self, folder: PurePosixPath) -> None:
        """Take in a folder and those inside it."""
        for entry in self._entries(folder):
            path = folder / entry.name
            if entry.is_dir(follow_symlinks=False):
                self._folders.append(path)
                self.look(path)
            else:
                self._files.append(path)

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
                self._skipped.append(Skipped(shown, reason))


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
