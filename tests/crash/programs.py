"""What other processes do in these tests: `python -m tests.crash.programs NAME ARGUMENTS`."""

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import strata
from strata import WorkspaceTransaction
from strata.sql import Durability, migrate
from tests.crash.room import Ballast, Limited, squeeze


def puts(path: str, label: str, count: str, durability: Durability = "always") -> None:
    """Open the store, and write keys of one's own, all processes at once."""
    with strata.open(path, durability=durability, auto_embed=False) as db:
        _wait_at_the_gate()
        for number in range(int(count)):
            db.kv.put(f"{label}/{number}", {"쓴 이": label, "n": number})


def opens(path: str, label: str) -> None:
    """Open a file that may not exist yet, at the same instant as others, and make vectors."""
    _wait_at_the_gate()
    with strata.open(path) as db:
        db.kv.put(label, "첫 값")


def appends(path: str, label: str, count: str) -> None:
    with strata.open(path, durability="standard", auto_embed=False) as db:
        _wait_at_the_gate()
        for number in range(int(count)):
            db.events.append("step", {"by": label, "n": number})


def increments(path: str, count: str) -> None:
    """Read, add one, write: each time from the start when somebody else was faster."""

    def add_one(transaction: WorkspaceTransaction) -> None:
        found = transaction.kv.get("수")
        before = found.value if found is not None else 0
        assert isinstance(before, int)
        transaction.kv.put("수", before + 1)

    with strata.open(path, durability="standard", auto_embed=False) as db:
        _wait_at_the_gate()
        for _ in range(int(count)):
            db.transact(add_one)


def decides(path: str, label: str, count: str) -> None:
    """Decide on one topic, each time replacing what holds, and say what was acknowledged."""
    with strata.open(path, durability="standard", auto_embed=False) as db:
        _wait_at_the_gate()
        for number in range(int(count)):
            saved = db.decisions.save("배포 전략", f"{label} decides {number}", "왜냐하면")
            sys.stdout.write(f"{saved.memory.id} {' '.join(saved.superseded)}\n")
            sys.stdout.flush()


def edits(path: str, document: str, label: str, count: str) -> None:
    """Put words of its own into a document, one an edit, and say which were acknowledged."""
    with strata.open(path, durability="standard", auto_embed=False, actor=label) as db:
        _wait_at_the_gate()
        for number in range(int(count)):
            word = f"{label}·{number}"
            at = "머리" if number % 2 else "꼬리"
            db.documents.edit(document, at, f"{at} {word}😀")
            sys.stdout.write(f"{word}\n")
            sys.stdout.flush()


def raises_formats() -> None:
    """Be a later Strata, which knows one more step, and bring each file that is named up to it."""
    steps = (*migrate.steps(), "CREATE TABLE later (id INTEGER PRIMARY KEY)")
    migrate.steps = lambda: steps
    for line in sys.stdin:
        strata.open(line.removesuffix("\n")).close()
        print("raised", flush=True)


def stays(path: str) -> None:
    """Read in one SQLite transaction, hold it, and read again when told to."""
    database = strata.open(path)._store.database
    statement = "SELECT count(*) FROM versions"
    with database.reading() as connection:
        first = connection.row(statement)
        _wait_at_the_gate()
        assert connection.row(statement) == first, "a snapshot moved"


def backs_up(path: str, target: str, parts: str) -> None:
    """Die when so many parts of a backup are written."""
    with strata.open(path, auto_embed=False) as db:
        db.backup(target, force=True, progress=_dies_after(int(parts)))


def restores(source: str, path: str, parts: str) -> None:
    strata.restore(Path(source), Path(path), force=True, progress=_dies_after(int(parts)))


def exports(path: str, target: str, parts: str) -> None:
    with strata.open(path, auto_embed=False) as db:
        db.bundles.export(target, force=True, progress=_dies_after(int(parts)))


def loads(path: str, bundle: str, parts: str) -> None:
    with strata.open(path, auto_embed=False) as db:
        db.bundles.load(bundle, branch="가져온 것", progress=_dies_after(int(parts)))


def runs_out_of_room(path: str, way: str) -> None:
    """Try every kind of write with the disk full and again with room; print what happened."""
    with strata.open(path, durability="standard", auto_embed=False) as db:
        squeeze(db, Path(path), Limited() if way == "limit" else Ballast(Path(path)))


def _dies_after(parts: int) -> Callable[[str, int, int], None]:
    left = parts

    def progress(_stage: str, _done: int, _total: int) -> None:
        nonlocal left
        left -= 1
        if left <= 0:
            os.kill(os.getpid(), signal.SIGKILL)

    return progress


def _wait_at_the_gate() -> None:
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    sys.stdin.readline()


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])
