"""Folders of a vault and folders here: which is which, and what a file is called."""

import os
import re
from collections.abc import Iterable
from pathlib import PurePosixPath

from strata.access import Folder
from strata.base import limits
from strata.workspace import Workspace

# What a name of a file may not have, on one system or another.
_FORBIDDEN = re.compile(r'[\x00-\x1f\x7f<>:"/\\|?*]')
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?\Z", re.IGNORECASE)
# Of the 255 that file systems allow, some are left for an ending and a number.
_NAME_BYTES = 200


def folder_name(part: str) -> str:
    """Return what a folder of a vault is called here."""
    shown = "".join(letter if letter.isprintable() else " " for letter in part)
    plain = " ".join(shown.split()).lstrip("- ")
    return plain[: limits.NAME_CHARACTERS_MAX].strip() or "Untitled"


def file_name(title: str) -> str:
    """Return a name of a file for a title or a folder, good on every system."""
    name = _FORBIDDEN.sub("-", title).strip(" .")
    name = name.encode()[:_NAME_BYTES].decode("utf-8", "ignore").strip(" .") or "Untitled"
    return f"_{name}" if _RESERVED.match(name) else name


def is_safe(path: str, *, is_windows: bool = os.name == "nt") -> bool:
    """Whether a path stays inside the folder that it is relative to.

    On Windows a name that another system allows may be a path, a drive or a device.
    """
    parts = path.split("/")
    if "\0" in path or any(part in ("", ".", "..") for part in parts):
        return False
    return not is_windows or all(file_name(part) == part for part in parts)


class Places:
    """The folders below one, by the path of their names from there."""

    def __init__(self, db: Workspace, root: Folder) -> None:
        self._db = db
        self.root = root
        self._inside: dict[str, dict[str, Folder]] = {}
        self._by_id = {folder.id: folder for folder in db.folders.list()}
        for folder in self._by_id.values():
            if folder.parent is not None:
                self._inside.setdefault(folder.parent, {})[folder.name] = folder
        self.paths = dict(self._below(root, ()))
        self.above = dict(self._up(root, ()))

    def _below(
        self, folder: Folder, path: tuple[str, ...]
    ) -> Iterable[tuple[str, tuple[str, ...]]]:
        waiting = [(folder, path)]
        while waiting:
            here, names = waiting.pop()
            yield here.id, names
            inside = self._inside.get(here.id, {})
            waiting += [(inner, (*names, name)) for name, inner in reversed(inside.items())]

    def _up(self, folder: Folder, path: tuple[str, ...]) -> Iterable[tuple[str, tuple[str, ...]]]:
        """Yield the folders above, each with the names that lead from it to the root."""
        while (above := self._by_id.get(folder.parent or "")) is not None:
            path = (folder.name, *path)
            yield above.id, path
            folder = above

    def find(self, path: PurePosixPath) -> Folder | None:
        """Return the folder that belongs to one of the vault, if there is one."""
        here: Folder | None = self.root
        for part in path.parts:
            here = self._inside.get(here.id, {}).get(folder_name(part)) if here else None
        return here

    def make(self, path: PurePosixPath) -> tuple[Folder, int]:
        """Return the folder for one of the vault, and how many had to be made for it."""
        here, made = self.root, 0
        for part in path.parts:
            inside = self._inside.setdefault(here.id, {})
            name = folder_name(part)
            if name not in inside:
                inside[name] = self._db.folders.add(name, parent=here.id)
                made += 1
            here = inside[name]
        return here, made
