"""How fast and how small is the store, beside raw SQLite, stratadb, LMDB and numpy?

Each figure is one line: `figure NAME VALUE BOUND ok|short`. Ratios are times ours over
theirs, taken in turns in this run; names that end in `_min` have a bound to reach, all
others one to keep under. Exits with 1 if any figure is short.
"""

import gc
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from measure.arguments import parser
from measure.figures import Report
from parts import access, branches, disk, past, processes, vectors
from parts.run import FULL, QUICK, Run, begin

import strata


def main() -> int:
    """Run all parts, or those that were named, and return the exit code."""
    arguments = parser(__doc__, PARTS).parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    gc.disable()
    report = Report(f"store, {'quick' if arguments.quick else 'full'} run")
    report.machine(f"strata {strata.__version__}", "apsw", "stratadb", "lmdb", "numpy", "msgspec")
    # Not the system's own folder for such files: where that is memory, a sync costs nothing.
    with tempfile.TemporaryDirectory(dir=arguments.folder, prefix="store-") as folder:
        run = begin(report, Path(folder), QUICK if arguments.quick else FULL)
        for name in arguments.only or PARTS:
            PARTS[name](run)
    return report.end()


def _by_key(run: Run) -> None:
    stage = access.Stage(run)
    access.load(run, stage)
    access.measure_gets(run, stage)
    access.measure_puts(run, stage)
    past.measure_history(run, stage)
    past.measure_as_of(run, stage)
    branches.measure_diff_and_merge(run, stage)
    branches.measure_depth(run, stage)
    stage.close()


def _big(run: Run) -> None:
    big = run.built("big.db", run.scale.big)
    big.close()
    disk.measure_opening(run, big.path)
    again = type(big)(big.path)
    branches.measure_forks(run, again)
    again.close()


def _processes(run: Run) -> None:
    processes.measure_processes(run, "standard", 4, bound=0.5)
    processes.measure_processes(run, "always", 16, bound=0.9)


PARTS: dict[str, Callable[[Run], None]] = {
    "keys": _by_key,
    "big": _big,
    "vectors": vectors.measure_vectors,
    "disk": disk.measure_disk,
    "processes": _processes,
}


if __name__ == "__main__":
    sys.exit(main())
