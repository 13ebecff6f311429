"""Taking a process's room to write away and giving it back."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import strata
from strata import StrataError, Workspace
from tests.crash.picture import picture

LIMIT_BYTES = 8 * 1024
BLOCK = b"\0" * 65536


class Room(Protocol):
    def fill(self) -> None: ...

    def free(self) -> None: ...


class Limited:
    """No file may be written beyond its first few kilobytes."""

    def fill(self) -> None:
        import resource

        self._before = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (LIMIT_BYTES, self._before[1]))

    def free(self) -> None:
        import resource

        resource.setrlimit(resource.RLIMIT_FSIZE, self._before)


class Ballast:
    """A file that takes up what is left of a small file system."""

    def __init__(self, store: Path) -> None:
        self._path = store.with_name("ballast")

    def fill(self) -> None:
        with self._path.open("wb", buffering=0) as file:
            try:
                while file.write(BLOCK):
                    pass
            except OSError:
                return

    def free(self) -> None:
        self._path.unlink()


def squeeze(db: Workspace, path: Path, room: Room) -> None:
    """Print one line a write: its name, the error, what changed and which files are left."""
    for name, write in writes(db, path.parent).items():
        before, files = picture(db), names(path.parent)
        room.fill()
        try:
            refusal = refused(write)
            after = picture(db)
        finally:
            room.free()
        effect = "unchanged" if after == before else "CHANGED"
        left = ",".join(set(names(path.parent)) - set(files)) or "nothing"
        print(name, refusal, effect, left, went_on(write))
    print("verify", db.verify().ok)


def writes(db: Workspace, folder: Path) -> dict[str, Callable[[], object]]:
    """Prepare a store, and return every kind of write that needs room."""
    big: strata.Json = {"글": "가득 찬 디스크 " * 200, "수": os.urandom(2000).hex()}
    db.kv.put_many({f"k/{number}": big for number in range(30)})
    db.branches.fork("side")
    db.on("side").kv.put_many({f"side/{number}": big for number in range(30)})
    bundle = folder / "side.bundle"
    db.bundles.export(bundle, branch="side")
    db.retention.set(max_versions=1)
    for text in ("작다", "더 작다"):
        db.kv.put_many({f"k/{number}": text for number in range(30)})
    return {
        "put": lambda: db.kv.put("full", big),
        "put_many": lambda: db.kv.put_many({f"full/{number}": big for number in range(30)}),
        "append": lambda: db.events.append("full", big),
        "transact": lambda: db.transact(lambda tx: tx.kv.put("tx", big)),
        "merge": lambda: db.branches.merge("side", into="default"),
        "fork": lambda: db.branches.fork("more"),
        "tag": lambda: db.tags.create("v1"),
        "retention": db.retention.apply,
        "load": lambda: db.bundles.load(bundle, branch="loaded"),
        "backup": lambda: db.backup(folder / "backup.db"),
        "export": lambda: db.bundles.export(folder / "out.bundle"),
        "restore": lambda: strata.restore(folder / "backup.db", folder / "restored.db"),
        "compact": db.compact,
        "purge": lambda: db.purge("k/1"),
    }


def refused(write: Callable[[], object]) -> str:
    try:
        write()
    except StrataError as error:
        return type(error).__name__
    except Exception as error:  # noqa: BLE001  (what is no error of ours is the finding)
        return f"RAW-{type(error).__name__}"
    return "none"


def went_on(write: Callable[[], object]) -> str:
    refusal = refused(write)
    return "went-on" if refusal == "none" else f"STUCK-{refusal}"


def names(folder: Path) -> list[str]:
    """List what lies in the folder, the files of the open store and the ballast aside."""
    return sorted(entry.name for entry in folder.iterdir() if not is_expected(entry.name))


def is_expected(name: str) -> bool:
    return name.startswith("store.db") or name == "ballast"
