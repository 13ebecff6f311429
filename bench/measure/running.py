"""Running a benchmark of several parts in a folder of its own, and telling what calls took."""

import gc
import statistics
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

import strata
from measure.arguments import parser
from measure.figures import Report

R = TypeVar("R")


def run_parts(
    title: str,
    about: str | None,
    parts: Mapping[str, Callable[[R], None]],
    *,
    start: Callable[[Report, Path, bool], R],
    packages: Sequence[str],
    quick: str = "end within a minute",
) -> int:
    """Run all parts, or those that were named, and return the exit code."""
    arguments = parser(about, parts, quick=quick).parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    gc.disable()
    report = Report(f"{title}, {'quick' if arguments.quick else 'full'} run")
    report.machine(f"strata {strata.__version__}", *packages)
    with tempfile.TemporaryDirectory(dir=arguments.folder, prefix=f"{title}-") as folder:
        run = start(report, Path(folder), arguments.quick)
        for name in arguments.only or parts:
            started = time.monotonic()
            parts[name](run)
            report.note(f"{name}: {time.monotonic() - started:.0f} s")
            gc.collect()
    return report.end()


def tell(report: Report, what: str, times: Sequence[float]) -> float:
    """Print milliseconds of calls: the middle, one of twenty, the slowest. Return the middle."""
    ordered = sorted(taken / 1000 for taken in times)
    late = ordered[int(len(ordered) * 0.95)]
    middle = statistics.median(ordered)
    report.note(f"{what:<34} {middle:8.2f} ms, 95 % below {late:.2f}, slowest {ordered[-1]:.2f}")
    return middle
