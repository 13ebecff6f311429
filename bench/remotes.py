"""How long does it take to clone a store and to push changes, beside git with the same values?

    ./dev bench remotes            100,000 facts and 1,000 changes
    ./dev bench remotes --quick    10,000 facts and 100 changes
    ./dev bench remotes --once     every step once instead of three times

Facts are written in commits of 100. Git keeps every value as a file, in commits of the same size,
and pushes to a bare repository on the same disk; the store pushes to a folder, and to a git remote
as references. Times are seconds of this process and its children, by the wall clock and by the
processor; both sides are compared with what was written.
"""

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import strata

FACTS, CHANGES, BATCH = 100_000, 1_000, 100
QUICK_FACTS, QUICK_CHANGES = 10_000, 100
_GIT = ["git", "-c", "user.name=bench", "-c", "user.email=bench@localhost", "-c", "gc.auto=0"]


def value(number: int, edition: int = 0) -> str:
    """Return the value of a fact: about 120 bytes, each its own."""
    return f"사실 {number} edition {edition}: the port of service {number * 7919 % 65_521} is open"


def key(number: int) -> str:
    """Return the key of a fact, which is the path of its file for git."""
    return f"facts/{number // 1000:03d}/{number:06d}"


class Timer:
    """Measures one step by the wall clock and by the processor, children included."""

    def __init__(self) -> None:
        self.steps: dict[str, list[tuple[float, float]]] = {}

    def run(self, name: str, work: Callable[[], object]) -> object:
        """Do a step once, and keep how long it took."""
        wall, used = time.perf_counter(), _processor()
        done = work()
        took = (time.perf_counter() - wall, _processor() - used)
        self.steps.setdefault(name, []).append(took)
        return done

    def print(self) -> None:
        """Print the median of each step."""
        for name, took in self.steps.items():
            wall = statistics.median(one[0] for one in took)
            used = statistics.median(one[1] for one in took)
            print(f"figure {name}_s {wall:.2f}  (processor {used:.2f}, {len(took)} runs)")


def _processor() -> float:
    told = os.times()
    return told.user + told.system + told.children_user + told.children_system


def git(folder: Path, *words: str) -> str:
    """Run git quietly."""
    done = subprocess.run([*_GIT, *words], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout


def fill(db: strata.Workspace, facts: int) -> None:
    """Write the facts in commits of a hundred."""
    for first in range(0, facts, BATCH):
        numbers = range(first, min(first + BATCH, facts))
        db.kv.put_many([(key(number), value(number)) for number in numbers])


def fill_git(folder: Path, facts: int) -> None:
    """Write the same values as files, in as many commits, by git's own quick import."""
    with subprocess.Popen(
        [*_GIT, "fast-import", "--quiet"], cwd=folder, stdin=subprocess.PIPE
    ) as importer:
        assert importer.stdin is not None
        for first in range(0, facts, BATCH):
            importer.stdin.write(
                b"commit refs/heads/main\ncommitter bench <bench@localhost> 1700000000 +0000\n"
                b"data 1\nx\n"
            )
            for number in range(first, min(first + BATCH, facts)):
                data = value(number).encode()
                importer.stdin.write(
                    f"M 100644 inline {key(number)}\ndata {len(data)}\n".encode() + data + b"\n"
                )
        importer.stdin.close()
    git(folder, "reset", "-q", "--hard", "main")


def change(db: strata.Workspace, numbers: range, edition: int) -> None:
    for number in numbers:
        db.kv.put(key(number), value(number, edition))


def change_git(folder: Path, numbers: range, edition: int) -> None:
    for number in numbers:
        (folder / key(number)).write_text(value(number, edition), encoding="utf-8")
    git(folder, "commit", "-q", "-a", "-m", "change")


def size_of(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def main() -> None:
    """Measure, and print the figures."""
    quick = "--quick" in sys.argv
    facts = QUICK_FACTS if quick else FACTS
    changes = QUICK_CHANGES if quick else CHANGES
    rounds = 1 if "--once" in sys.argv else 3
    with tempfile.TemporaryDirectory() as name:
        os.environ["XDG_DATA_HOME"] = f"{name}/notes"
        measure(Path(name), facts, changes, rounds=rounds)


def measure(folder: Path, facts: int, changes: int, *, rounds: int) -> None:
    """Run every step on both sides, in turns."""
    timer = Timer()
    hub, bare, work = folder / "hub", folder / "bare.git", folder / "work"
    hub.mkdir()
    git(folder, "init", "-q", "--bare", "-b", "main", str(bare))
    git(folder, "clone", "-q", str(bare), str(work))
    git(work, "checkout", "-q", "-b", "main")
    fill_git(work, facts)
    with strata.open(folder / "store.db", auto_embed=False) as db:
        fill(db, facts)
        db.remotes.add("hub", hub)
        timer.run("strata_first_push", lambda: db.remotes.push("hub"))
        timer.run("git_first_push", lambda: git(work, "push", "-q", "origin", "main"))
        for turn in range(rounds):
            clone(timer, folder, turn=turn, facts=facts)
            numbers = range(turn * changes, (turn + 1) * changes)
            change(db, numbers, turn + 1)
            change_git(work, numbers, turn + 1)
            sent = timer.run("strata_push_changes", lambda: db.remotes.push("hub"))
            assert isinstance(sent, strata.Push)
            assert sent.versions == changes, "a change was not sent"
            timer.run("git_push_changes", lambda: git(work, "push", "-q", "origin", "main"))
        timer.run("strata_push_nothing", lambda: db.remotes.push("hub"))
        timer.run("git_push_nothing", lambda: git(work, "push", "-q", "origin", "main"))
    timer.print()
    print(f"figure strata_remote_bytes {size_of(hub):,}")
    print(f"figure git_remote_bytes {size_of(bare):,}")
    print(f"versions: strata {strata.__version__}, {git(folder, '--version').strip()}")


def clone(timer: Timer, folder: Path, *, turn: int, facts: int) -> None:
    """Clone both, and check that all facts came."""
    copy, files = folder / f"copy{turn}.db", folder / f"copy{turn}"
    timer.run("strata_clone", lambda: strata.clone(folder / "hub", copy))
    timer.run("git_clone", lambda: git(folder, "clone", "-q", str(folder / "bare.git"), str(files)))
    with strata.open(copy, auto_embed=False) as db:
        found = db.kv.get(key(facts - 1))
        assert db.kv.count() == facts, "a fact is missing"
        assert found is not None
        assert found.value == value(facts - 1)
    assert (files / key(facts - 1)).read_text(encoding="utf-8") == value(facts - 1)
    copy.unlink()
    shutil.rmtree(files)


if __name__ == "__main__":
    main()
