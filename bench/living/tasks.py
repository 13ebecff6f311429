"""How many tasks of agents are done in a second, by one worker process and by four?

The agent does nothing, so what is measured is asking, taking, leases and ending. The baseline is
what one process needs to write as many rows of the same size into the same store.
"""

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from measure.figures import Report

import strata
from strata.agents.worker import Worker
from strata.tasks import Definition, Task
from strata.tools import StoreHost

PEOPLE = 4


def measure_queue(report: Report, folder: Path, *, quick: bool) -> None:
    """Ask for many tasks, let worker processes do them, and count."""
    count = 80 if quick else 380
    for processes in (1, 4):
        path = folder / f"queue-{processes}.db"
        rate, asked, baseline = _measured(path, count, processes)
        report.note(
            f"{processes} worker processes: {rate:.0f} tasks/s; asked {asked:.0f}/s;"
            f" plain puts {baseline:.0f}/s"
        )
        report.at_least(f"agent_tasks_{processes}_per_s_min", rate, 200)


def _measured(path: Path, count: int, processes: int) -> tuple[float, float, float]:
    """Return tasks done in a second, asked for in a second, and plain puts in a second."""
    with strata.open(path, durability="standard", auto_embed=False) as db:
        owner = db.agents.define("trivial", Definition(instructions="x"), shared=True)
        people = [db.as_user(db.users.add(f"p{n}@example.com").id) for n in range(PEOPLE)]
        baseline = _rate(count, lambda n: db.kv.put(f"row/{n}", {"task": "x" * 200}))
        asked = _rate(count, lambda n: people[n % PEOPLE].agents.invoke(owner.id))
        workers = [_start(path, owner.id) for _ in range(processes)]
        try:
            for worker in workers:
                assert worker.stdout is not None
                assert worker.stdout.readline() == "ready\n"
            began = time.perf_counter()
            for worker in workers:
                assert worker.stdin is not None
                worker.stdin.write("go\n")
                worker.stdin.flush()
            while not all(task.has_ended for task in _tasks(people, count)):
                time.sleep(0.02)
            took = time.perf_counter() - began
        finally:
            for worker in workers:
                worker.communicate("stop\n", timeout=60)
        tasks = _tasks(people, count)
        assert [task.status for task in tasks] == ["completed"] * count, "each is done, once"
        assert {task.attempts for task in tasks} == {1}
    return count / took, asked, baseline


def _tasks(people: list[strata.Workspace], count: int) -> list[Task]:
    return [task for one in people for task in one.agents.tasks(count)]


def _rate(count: int, do: Callable[[int], object]) -> float:
    began = time.perf_counter()
    for number in range(count):
        do(number)
    return count / (time.perf_counter() - began)


def _start(path: Path, agent: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "living.tasks", str(path), agent],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[1],
    )


def work(path: str, agent: str) -> None:
    """Work from a word on standard input to the next."""
    with strata.open(path, durability="standard", auto_embed=False) as db:
        worker = Worker(StoreHost(lambda: db), running=2, behaviours={agent: lambda _run: "done"})
        print("ready", flush=True)
        sys.stdin.readline()
        worker.start()
        sys.stdin.readline()
        worker.stop()


if __name__ == "__main__":
    work(*sys.argv[1:])
