"""How far does a request walk? Calls, functions, modules and SQL statements of everyday requests.

Each request is asked ten and twenty times of a process that counts every call of a function of
Strata's own, in the threads that answer: the difference is what ten of them take, without start and
end. What other threads do behind an answer is left out, for it depends on the load. A command is
counted whole, with its start.
"""

import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

import apsw
from measure.figures import Report
from measure.running import run_parts
from serving.client import Client

import strata

TIMES = 10
FACTS = ["배포는 금요일에 하지 않는다", "Prices are cached for a minute", "민지가 맡는다", "blue"]
# What the walks took before the redesign, for comparison: calls and statements.
BEFORE = {"store": (305, 7), "search": (612, 16), "edit": (631, 20), "merge": (680, 36)}


class Counts(NamedTuple):
    """What a process counted: calls by function, and statements."""

    calls: Mapping[str, float]
    statements: int


class Run(NamedTuple):
    """Where figures and stores go."""

    report: Report
    folder: Path

    def process(self, *arguments: str) -> tuple[list[str], Path]:
        """Return a command that counts, and the file that it writes."""
        target = self.folder / "counts.json"
        target.unlink(missing_ok=True)
        return [sys.executable, "-m", "walking.watched", str(target), *arguments], target


def _read(target: Path) -> Counts:
    return Counts(**json.loads(target.read_text()))


def _served(run: Run, path: Path, ask: Callable[[Client, int], object], *, times: int) -> Counts:
    command, target = run.process("mcp", "--groups", "memory,core", "--db", str(path))
    client = Client(command, run.folder, PYTHONPATH=str(Path(__file__).parent))
    client.greet()
    for number in range(times):
        ask(client, number)
    client.process.communicate(timeout=60)
    return _read(target)


def _asked(run: Run, name: str, ask: Callable[[Client, int], object]) -> None:
    """Count what one request of a server takes."""
    counts: list[Counts] = []
    for times in (TIMES, 2 * TIMES):
        path = run.folder / f"{name}-{times}.db"
        with strata.open(path, auto_embed=False) as db:
            for number, fact in enumerate(FACTS):
                db.kv.put(f"fact/{number}", fact)
            db.documents.create("계획", "# 일정\n\nShip in May.\n" + "글 " * 300)
        counts.append(_served(run, path, ask, times=times))
    few, many = counts
    taken = {
        name: (many.calls[name] - few.calls.get(name, 0)) / TIMES
        for name in many.calls
        if many.calls[name] - few.calls.get(name, 0) >= TIMES
    }
    _tell(run.report, name, Counts(taken, round((many.statements - few.statements) / TIMES)))


def _tell(report: Report, name: str, counts: Counts) -> None:
    calls = round(sum(counts.calls.values()))
    modules = {function.partition(":")[0] for function in counts.calls}
    before_calls, before_statements = BEFORE[name]
    report.note(
        f"{name:<7} {calls} calls of {len(counts.calls)} functions in {len(modules)} modules, "
        f"{counts.statements} statements (before: {before_calls} and {before_statements})"
    )
    report.at_most(f"{name}_calls", calls, before_calls / 2)
    report.at_most(f"{name}_statements", counts.statements, before_statements)


def part_store(run: Run) -> None:
    """Store a fact."""
    _asked(
        run,
        "store",
        lambda client, number: client.call("strata_store", key=f"k{number}", value=f"값 {number}"),
    )


def part_search(run: Run) -> None:
    """Search four facts."""
    _asked(run, "search", lambda client, _number: client.call("strata_search", query="배포 금요일"))


def part_edit(run: Run) -> None:
    """Replace a word of a document."""

    def edit(client: Client, number: int) -> None:
        client.call(
            "edit_document",
            action="edit",
            documentId=_document(run),
            oldString="Ship",
            newString=f"Ship {number}",
        )

    _asked(run, "edit", edit)


def _document(run: Run) -> str:
    newest = max(run.folder.glob("edit-*.db"), key=lambda path: path.stat().st_ctime_ns)
    connection = apsw.Connection(str(newest), flags=apsw.SQLITE_OPEN_READONLY)
    return str(connection.execute("SELECT document FROM placements").get)


def part_merge(run: Run) -> None:
    """Merge a branch by the command, start included."""
    path = run.folder / "merge.db"
    with strata.open(path, auto_embed=False) as db:
        db.kv.put("fact", "하나")
        db.branches.fork("try")
        db.on("try").kv.put("fact", "둘")
    command, target = run.process("merge", "try", "--db", str(path))
    subprocess.run(
        command, cwd=Path(__file__).parent, check=True, stdout=subprocess.DEVNULL, timeout=60
    )
    _tell(run.report, "merge", _read(target))


PARTS = {"store": part_store, "search": part_search, "edit": part_edit, "merge": part_merge}


def main() -> int:
    """Run the parts that were asked for; return the exit code."""
    return run_parts(
        "walks",
        __doc__,
        PARTS,
        start=lambda report, folder, _quick: Run(report, folder),
        packages=["apsw"],
    )


if __name__ == "__main__":
    sys.exit(main())
