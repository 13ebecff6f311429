"""What a store asks of the disk: `python -m tests.crash.recording STORE MODE OUT WORKLOAD`.

A layer below SQLite notes every write, truncation, sync, creation and removal of a file, in
order, while a workload runs through the SDK; between them stand the acknowledgements. From
such a log `power.py` builds the states in which a power failure could leave the disk.
"""

import os
import random
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from typing import Any

import apsw
import msgspec

import strata
from strata import Workspace
from strata.base import limits
from strata.sql import Durability
from tests.crash.length import rounds
from tests.crash.picture import picture

BASE = "win32" if os.name == "nt" else "unix"
SECRET = "hunter2-must-vanish"
MODES: dict[str, list[Durability]] = {
    "always": ["always"],
    "standard": ["standard"],
    "mixed": ["always", "standard"],
}


class Step(msgspec.Struct, frozen=True):
    """One line of the log. `what` is write, truncate, sync, create, remove, or acknowledge.

    For an acknowledgement `at` is its number; `data` is "durable" when the mode promises
    that a power failure does not take back what was acknowledged so far.
    """

    what: str
    file: str = ""
    at: int = 0
    data: bytes = b""


class Recording(msgspec.Struct, frozen=True):
    """The log, and the digest of what the store showed at each acknowledgement."""

    steps: tuple[Step, ...]
    shown: tuple[bytes, ...]
    purged: int  # the number of the acknowledgement after which the secret is gone


log: list[Step] = []


class RecordedFile(apsw.VFSFile):
    def __init__(self, name: Any, flags: list[int]) -> None:
        self.name = base_name(name)
        super().__init__(BASE, name, flags)

    def xWrite(self, data: Any, offset: int) -> None:  # noqa: N802  (SQLite's name)
        log.append(Step("write", self.name, offset, bytes(data)))
        super().xWrite(data, offset)

    def xTruncate(self, newsize: int) -> None:  # noqa: N802  (SQLite's name)
        log.append(Step("truncate", self.name, newsize))
        super().xTruncate(newsize)

    def xSync(self, flags: int) -> None:  # noqa: N802  (SQLite's name)
        super().xSync(flags)
        log.append(Step("sync", self.name))


class RecordingLayer(apsw.VFS):
    """The default way to files in this process, so that Strata needs no door for it."""

    def __init__(self) -> None:
        super().__init__("recording", BASE, makedefault=True)

    def xOpen(self, name: Any, flags: list[int]) -> RecordedFile:  # noqa: N802  (SQLite's name)
        is_new = name is not None and not Path(full_name(name)).exists()
        if is_new:
            log.append(Step("create", base_name(name)))
        return RecordedFile(name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: FBT001, N802  (SQLite's)
        super().xDelete(filename, syncdir)
        log.append(Step("remove", Path(filename).name, int(syncdir)))


def full_name(name: Any) -> str:
    """Return the path of a file that SQLite opens; it names some by text, some by object."""
    return name if isinstance(name, str) else name.filename()


def base_name(name: Any) -> str:
    return Path(full_name(name)).name if name is not None else "temporary"


class Recorder:
    """Runs a workload and notes, after each call, that it was acknowledged.

    In mixed mode an `always` and a `standard` connection take turns on one file.
    """

    def __init__(self, path: Path, mode: str) -> None:
        self.path = path
        self.modes = MODES[mode]
        self.dice = random.Random(11)
        self.shown: list[bytes] = []
        self.purged = 0
        self.open()
        self.acknowledge(self.hands[0])

    def open(self) -> None:
        # Where two connections take turns, both make vectors too, beside what is acknowledged.
        makes_vectors = len(self.modes) > 1
        self.hands = [
            strata.open(self.path, durability=mode, actor=mode, auto_embed=makes_vectors)
            for mode in self.modes
        ]

    def acknowledge(self, db: Workspace, *, is_durable: bool = False) -> None:
        shown = digest_of(db)
        # A call that had nothing to write promises nothing about what another connection wrote.
        has_written = not self.shown or shown != self.shown[-1]
        is_durable = is_durable or (db.durability == "always" and has_written)
        note = b"durable" if is_durable else b""
        log.append(Step("acknowledge", at=len(self.shown), data=note))
        self.shown.append(shown)

    def do(self, deed: "Deed", key: str = "", *, is_durable: bool = False) -> None:
        db = self.dice.choice(self.hands)
        for call in deed(db, key):
            call()
            self.acknowledge(db, is_durable=is_durable)

    def write_a_while(self, label: str, turns: int) -> None:
        for turn in range(turns):
            deed = self.dice.choices(DEEDS, weights=(6, 2, 3, 2, 1, 1, 1, 3, 1))[0]
            self.do(deed, f"{label}/{turn}")

    @contextmanager
    def reader(self) -> Iterator[None]:
        """Let somebody read in one transaction, so that the log cannot be folded in."""
        with strata.open(self.path, durability=self.modes[-1], auto_embed=False) as db:
            database = db._store.database
            with database.reading() as connection:
                assert connection.format  # the first read is what takes the lock
                yield

    def run(self) -> None:
        """Write in every way; fold the log in by itself, by hand, and with a reader there."""
        self.write_a_while("a", rounds(25, 45))
        self.do(flush, is_durable=True)
        self.write_a_while("b", rounds(12, 25))
        with self.reader():
            self.write_a_while("reader", rounds(15, 25))
        self.write_a_while("c", rounds(12, 25))
        self.do(put_secret)
        self.do(purge, is_durable=True)
        self.purged = len(self.shown) - 1
        self.write_a_while("d", rounds(8, 15))
        self.do(compact, is_durable=True)
        self.write_a_while("e", 10)
        for db in self.hands:
            db.close()
        self.open()
        self.acknowledge(self.hands[0], is_durable=True)
        self.write_a_while("f", rounds(8, 15))

    def run_with_flush(self) -> None:
        """Write, flush, and write again, while a reader keeps the log from being folded in."""
        self.do(put, "first")
        self.do(flush, is_durable=True)
        with self.reader():
            for turn in range(10):
                self.write_a_while(f"{turn}", 2)
                self.do(flush, is_durable=True)


Deed = Callable[[Workspace, str], list[Callable[[], object]]]


def put(db: Workspace, key: str) -> list[Callable[[], object]]:
    return [lambda: db.kv.put(f"k/{len(key) % 5}", {"최근": key, "글": "한글 " * (len(key) * 9)})]


def put_many(db: Workspace, key: str) -> list[Callable[[], object]]:
    return [lambda: db.kv.put_many({f"{key}/{n}": "값" * n for n in range(25)}, tags=["표"])]


def append(db: Workspace, key: str) -> list[Callable[[], object]]:
    return [lambda: db.events.append("note", {"at": key})]


def set_state(db: Workspace, key: str) -> list[Callable[[], object]]:
    return [lambda: db.state.set("cell", key), lambda: db.json.set("문서", f"$.n{len(key)}", key)]


def fork_and_merge(db: Workspace, key: str) -> list[Callable[[], object]]:
    return [
        lambda: db.branches.fork(key),
        lambda: db.on(key).kv.put(f"on/{key}", key),
        lambda: db.on(key).events.append("note", {"on": key}),
        lambda: db.branches.merge(key, into="default"),
        lambda: db.branches.delete(key),
    ]


def name_it(db: Workspace, key: str) -> list[Callable[[], object]]:
    return [lambda: db.tags.create(key), lambda: db.settings.set("timezone", "Asia/Seoul")]


def trim(db: Workspace, key: str) -> list[Callable[[], object]]:
    return [
        lambda: db.kv.delete(f"k/{len(key) % 5}"),
        lambda: db.retention.set(kind="state", max_versions=3),
        db.retention.apply,
    ]


def put_secret(db: Workspace, _key: str) -> list[Callable[[], object]]:
    return [lambda: db.kv.put("secret", SECRET)]


def purge(db: Workspace, _key: str) -> list[Callable[[], object]]:
    return [lambda: _purge_whole(db)]


def _purge_whole(db: Workspace) -> None:
    """Purge; where a thread that makes vectors was reading, go on until the old log is gone."""
    is_complete, database = db.purge("secret").is_complete, db._store.database
    until = time.monotonic() + 30
    while not is_complete and time.monotonic() < until:
        is_complete = database.rewrite()
        db._store.sync()
    assert is_complete, "a reader held the old log for half a minute"


def flush(db: Workspace, _key: str) -> list[Callable[[], object]]:
    return [db.flush]


def compact(db: Workspace, _key: str) -> list[Callable[[], object]]:
    return [db.compact]


def write_document(db: Workspace, key: str) -> list[Callable[[], object]]:
    known = sorted(db.rights.visible())
    if len(known) < 2:
        return [lambda: db.documents.create(key, f"# {key}\n\n끝.\n")]
    return [lambda: db.documents.edit(known[len(key) % 2], "끝.", f"{key} 끝.")]


def invite(db: Workspace, key: str) -> list[Callable[[], object]]:
    name = key.replace("/", "-")
    return [
        lambda: db.users.add(f"{name}@example.com", name=name),
        lambda: db.tokens.create(name, read_only=True),
    ]


DEEDS: list[Deed] = [
    put,
    put_many,
    append,
    set_state,
    fork_and_merge,
    name_it,
    trim,
    write_document,
    invite,
]


def digest_of(db: Workspace) -> bytes:
    """Return a digest of all that a store shows; all stores without a commit are alike."""
    is_bare = len(db.branches.list()) == len(db.users.list()) == 1 and not db.tags.list()
    if is_bare and not db.tokens.list() and not db.log(limit=1):
        return b"new"
    return blake2b(msgspec.json.encode(picture(db)), digest_size=16).digest()


def main(store: str, mode: str, output: str, workload: str) -> None:
    # Small enough for the log to be folded in many times, and begun anew, in a short run.
    limits.CHECKPOINT_PAGES = 60
    layer = RecordingLayer()
    recorder = Recorder(Path(store), mode)
    getattr(recorder, workload)()
    recording = Recording(tuple(log), tuple(recorder.shown), recorder.purged)
    Path(output).write_bytes(msgspec.msgpack.encode(recording))
    layer.unregister()


if __name__ == "__main__":
    main(*sys.argv[1:])
