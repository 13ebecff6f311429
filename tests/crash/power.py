"""The states in which a power failure could leave the disk, built from a recording.

What was synced is there. Of the rest anything may be: each write since the file's last sync
is there, not there, or there in some of its 512-byte sectors only. Creations and removals
reach the disk in order, and at the latest when the folder is synced; SQLite syncs it together
with the first sync of a new file.
"""

import random
from itertools import pairwise
from pathlib import Path

from tests.crash.recording import Step

SECTOR = 512
Files = dict[str, bytearray]


class Disk:
    """What the system has been asked to write, and how much of it must have arrived."""

    def __init__(self, steps: tuple[Step, ...]) -> None:
        self._pending: dict[str, list[Step]] = {}
        self._solid: Files = {}
        # The folder: names as they must be now, and the changes that may be missing.
        self._names: dict[str, str] = {}
        self._changes: list[tuple[str, str | None]] = []
        self._new: set[str] = set()
        self._count = 0
        for step in steps:
            self._take(step)

    def _take(self, step: Step) -> None:
        match step.what:
            case "write" | "truncate":
                self._pending.setdefault(self._file(step.file), []).append(step)
            case "sync":
                self._sync(self._file(step.file))
            case "create":
                self._rename(step.file, self._fresh(step.file))
            case "remove":
                self._rename(step.file, None)
                if step.at:
                    self._settle_folder()
            case _:
                pass

    def _file(self, name: str) -> str:
        """Return the file that a name means now; one that was there before is made up."""
        names = {**self._names, **dict(self._changes)}
        if name not in names:
            self._names[name] = self._fresh(name)
            return self._names[name]
        file = names[name]
        assert file is not None, f"{name} is written to after its removal"
        return file

    def _fresh(self, name: str) -> str:
        self._count += 1
        file = f"{name}#{self._count}"
        self._new.add(file)
        return file

    def _rename(self, name: str, file: str | None) -> None:
        self._changes.append((name, file))

    def _sync(self, file: str) -> None:
        content = self._solid.setdefault(file, bytearray())
        for step in self._pending.pop(file, []):
            apply(content, step)
        if file in self._new:
            self._new.discard(file)
            self._settle_folder()

    def _settle_folder(self) -> None:
        for name, file in self._changes:
            self._set(name, file)
        self._changes.clear()

    def _set(self, name: str, file: str | None) -> None:
        if file is None:
            self._names.pop(name, None)
        else:
            self._names[name] = file

    def fail(self, dice: random.Random) -> Files:
        """Cut the power: return the files as they are found afterwards."""
        luck = dice.choice((0.0, 0.2, 0.5, 0.8, 0.95, 1.0))
        kept = dice.randint(0, len(self._changes))
        for name, file in self._changes[:kept]:
            self._set(name, file)
        found: Files = {}
        for name, file in self._names.items():
            content = found[name] = bytearray(self._solid.get(file, b""))
            for step in self._pending.get(file, []):
                for part in arrived(step, luck, dice):
                    apply(content, part)
        return found


def arrived(step: Step, luck: float, dice: random.Random) -> list[Step]:
    """Return what is left of one request: all of it, nothing, or some of its sectors."""
    if step.what == "truncate" or dice.random() < 0.7:
        return [step] if dice.random() < luck else []
    return [part for part in sectors(step) if dice.random() < luck]


def sectors(step: Step) -> list[Step]:
    """Cut a write where it crosses from one sector of the disk into the next."""
    edges = range(step.at - step.at % SECTOR + SECTOR, step.at + len(step.data), SECTOR)
    bounds = [step.at, *edges, step.at + len(step.data)]
    return [
        Step("write", step.file, low, step.data[low - step.at : high - step.at])
        for low, high in pairwise(bounds)
    ]


def apply(content: bytearray, step: Step) -> None:
    """Do to a file what a step asks for; a gap before a write reads as zeros."""
    if step.what == "truncate":
        del content[step.at :]
        return
    content.extend(b"\0" * (step.at - len(content)))
    content[step.at : step.at + len(step.data)] = step.data


def lay_out(files: Files, folder: Path) -> None:
    """Write files into an empty folder."""
    folder.mkdir()
    for name, content in files.items():
        (folder / name).write_bytes(content)
