"""A full disk: every write is refused clearly, changes nothing, and goes on when there is room.

Run as `python -m strata.proof.full_disk STORE WAY`, it is the process whose writes fail.
"""

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import msgspec

from strata.base.errors import StrataError, Unavailable
from strata.base.values import Json
from strata.workspace import Workspace, open_workspace

LIMIT = "by a limit on the size of files"
SMALL = "on a small file system of its own"
_DISK_BYTES = 4 * 1024 * 1024
_BALLAST_BYTES = 512 * 1024
_ATTEMPTS = 2_000
_TIMEOUT_S = 30

# A file system that only this process and its children see, and that ends with them.
_MOUNT = 'mount -t tmpfs -o size="$1",mode=0700 tmpfs "$2" && shift 2 && exec "$@"'


class Trial(msgspec.Struct, frozen=True):
    """What came of one way of running out of room. `skipped` says why it was not tried."""

    way: str
    refusals: int = 0
    faults: tuple[str, ...] = ()
    skipped: str = ""


def trials(place: Path) -> Iterator[Trial]:
    """Run out of room in each way that works on this machine."""
    folder = place / "full"
    folder.mkdir()
    yield _by_limit(folder)
    yield _by_small_disk(folder)


def _by_limit(folder: Path) -> Trial:
    if _resource() is None:
        return Trial(LIMIT, skipped="this system has no such limit")
    return _tried(LIMIT, _command(folder, "limit"))


def _by_small_disk(folder: Path) -> Trial:
    unshare = shutil.which("unshare")
    if not sys.platform.startswith("linux") or unshare is None:
        return Trial(SMALL, skipped="this needs unshare of Linux")
    apart = [unshare, "--user", "--map-root-user", "--mount", "sh", "-c", _MOUNT, "sh"]
    words = [*apart, str(_DISK_BYTES), str(folder)]
    if subprocess.run([*words, "true"], capture_output=True, check=False).returncode:  # noqa: S603
        return Trial(SMALL, skipped="this user may not mount one")
    return _tried(SMALL, [*words, *_command(folder, "ballast")])


def _command(folder: Path, way: str) -> list[str]:
    store = folder / f"{way}.db"
    return [sys.executable, "-m", "strata.proof.full_disk", str(store), way]


def _tried(way: str, command: list[str]) -> Trial:
    try:
        done = subprocess.run(  # noqa: S603  (our own module, no shell)
            command, capture_output=True, check=False, timeout=_TIMEOUT_S
        )
    except subprocess.TimeoutExpired:
        return Trial(way, faults=("it did not come to an end",))
    if done.returncode:
        reason = done.stderr.decode(errors="replace").strip().splitlines()
        return Trial(way, faults=(reason[-1] if reason else f"exit code {done.returncode}",))
    return msgspec.json.decode(done.stdout, type=Trial)


def _resource() -> ModuleType | None:
    """Return the module of POSIX limits, which Windows does not have."""
    try:
        import resource  # noqa: PLC0415  (absent on Windows)
    except ImportError:
        return None
    return resource


class Limit:
    """No file may grow past its present size; reading and overwriting go on."""

    def __init__(self, store: Path) -> None:
        self._store = store
        resource = _resource()
        assert resource is not None, "asked for only where it exists"
        self._resource = resource
        self._before: tuple[int, int] = resource.getrlimit(resource.RLIMIT_FSIZE)

    def fill(self) -> None:
        """Take the room away."""
        parts = (self._store, Path(f"{self._store}-wal"))
        size = max(part.stat().st_size for part in parts if part.exists())
        self._resource.setrlimit(self._resource.RLIMIT_FSIZE, (size, self._before[1]))

    def free(self) -> None:
        """Give the room back."""
        self._resource.setrlimit(self._resource.RLIMIT_FSIZE, self._before)


class Ballast:
    """A file that fills what is left of a small file system."""

    def __init__(self, store: Path) -> None:
        self._path = store.with_name("ballast")

    def fill(self) -> None:
        """Take the room away."""
        with self._path.open("ab", buffering=0) as file:
            try:
                while file.write(b"\0" * _BALLAST_BYTES):
                    pass
            except OSError:
                return

    def free(self) -> None:
        """Give the room back."""
        self._path.unlink()


class Squeeze:
    """Writes into a store that runs out of room, and notes every fault."""

    def __init__(self, db: Workspace, room: "Limit | Ballast") -> None:
        self._db = db
        self._room = room
        self.refusals = 0
        self.faults: list[str] = []

    def run(self) -> None:
        """Try every kind of write, each with the disk full and again with room."""
        big: Json = {"글": "가득 찬 디스크 " * 50}
        self._db.kv.put("before", big)
        self._db.branches.fork("side")
        self._db.on("side").kv.put_many({f"side/{n}": big for n in range(20)})
        writes: dict[str, Callable[[], object]] = {
            "put": lambda: self._db.kv.put("full", big),
            "put_many": lambda: self._db.kv.put_many({f"full/{n}": big for n in range(30)}),
            "append": lambda: self._db.events.append("full", big),
            "merge": lambda: self._db.branches.merge("side", into="default"),
            "fork": lambda: self._db.branches.fork("more"),
        }
        for name, write in writes.items():
            self._try(name, write)
        problems = self._db.verify().problems
        self.faults += [f"afterwards: {problem.message}" for problem in problems]

    def _try(self, name: str, write: Callable[[], object]) -> None:
        before = self._contents()
        self._room.fill()
        try:
            refused = self._refused(name, write)
            after = self._contents()
        finally:
            self._room.free()
        if refused and after != before:
            self.faults.append(f"{name} was refused and still changed something")
        if refused:
            self._go_on(name, write)

    def _refused(self, name: str, write: Callable[[], object]) -> bool:
        try:
            write()
        except Unavailable:
            self.refusals += 1
            return True
        except StrataError as error:
            self.faults.append(f"{name} was refused as {error.code}: {error.message}")
        else:
            self.faults.append(f"{name} was not refused")
        return False

    def _go_on(self, name: str, write: Callable[[], object]) -> None:
        try:
            write()
        except StrataError as error:
            self.faults.append(f"{name} does not go on with room again: {error.message}")

    def _contents(self) -> tuple[object, ...]:
        """Return what the store shows, to be compared."""
        db = self._db
        names = [branch.name for branch in db.branches.list()]
        values = [list(db.on(name).kv.scan()) for name in names]
        return (names, values, db.events.list(), [commit.hash for commit in db.log()])


def main(arguments: list[str]) -> int:
    """Run out of room in one way and print what came of it."""
    path, way = Path(arguments[0]), arguments[1]
    with open_workspace(path, auto_embed=False) as db:
        room = Limit(path) if way == "limit" else Ballast(path)
        squeeze = Squeeze(db, room)
        squeeze.run()
    label = LIMIT if way == "limit" else SMALL
    trial = Trial(label, squeeze.refusals, tuple(squeeze.faults))
    sys.stdout.write(msgspec.json.encode(trial).decode())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
