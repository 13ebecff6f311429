"""Many processes writing one store at the same time."""

import statistics
import subprocess
import sys
from pathlib import Path

import msgspec

from parts.run import Run
from parts.writer import Written

WRITER = Path(__file__).with_name("writer.py")


def measure_processes(run: Run, durability: str, count: int, *, bound: float) -> None:
    """Compare the rate of some processes together with the rate of one alone."""
    path = run.folder / f"written-{durability}.db"
    run.built(path.name, 1000).close()
    alone: list[float] = []
    together: list[float] = []
    errors = 0
    for number in range(run.scale.process_rounds):
        turns = [(1, alone), (count, together)]
        for writers, rates in turns[:: -1 if number % 2 else 1]:
            rate, failed = _rate(run, path, durability, writers=writers)
            rates.append(rate)
            errors += failed
    ratios = [many / one for many, one in zip(together, alone, strict=True)]
    name = f"{count}_processes_{durability}"
    run.report.at_least(f"rate_{name}_min", statistics.median(ratios), bound)
    run.report.at_most(f"errors_{name}", errors, 0)
    run.report.note(
        f"puts a second, {durability}: {_listed(alone)} alone, {_listed(together)} by {count}"
    )


def _rate(run: Run, path: Path, durability: str, *, writers: int) -> tuple[float, int]:
    """Return puts a second over all writers, and how many puts failed."""
    command = [sys.executable, str(WRITER), str(path), durability, str(run.scale.seconds)]
    processes = [
        subprocess.Popen(
            [*command, str(place)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        for place in range(writers)
    ]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    results = [msgspec.json.decode(process.communicate()[0], type=Written) for process in processes]
    rate = sum(result.puts for result in results) / max(result.seconds for result in results)
    return rate, sum(result.errors for result in results)


def _listed(rates: list[float]) -> str:
    return "/".join(f"{rate:.0f}" for rate in rates)
