"""How quick are live documents, public pages and the queue of agents?

Each figure is one line: `figure NAME VALUE BOUND ok|short`. Exits with 1 if any figure is short.
`--seconds` says how long the load lasts.
"""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from documents import Run as Edited
from living.latency import measure_latency
from living.load import measure_load
from living.opening import measure_opening
from living.publishing import measure_publishing
from living.tasks import measure_queue
from measure.figures import Report
from measure.running import run_parts

LOAD_S = 60.0


class Run:
    """Where figures go, where stores are made, and how large and how long."""

    def __init__(self, report: Report, folder: Path, *, quick: bool, seconds: float | None) -> None:
        self.report = report
        self.folder = folder
        self.quick = quick
        self.seconds = seconds or (8.0 if quick else LOAD_S)


def part_latency(run: Run) -> None:
    """One edit at a time, from wherever."""
    measure_latency(run.report, run.folder, times=40 if run.quick else 200)


def part_open(run: Run) -> None:
    """A document of a megabyte that was edited often."""
    path, made, _versions = Edited(run.report, run.folder, quick=run.quick).edited()
    measure_opening(run.report, path, made.document, times=10 if run.quick else 30)


def part_load(run: Run) -> None:
    """Many sockets at once."""
    rates = [] if run.quick else [10.0, 15.0, 20.0, 30.0]
    measure_load(run.report, run.folder, seconds=run.seconds, rates=rates)


def part_publish(run: Run) -> None:
    """Publishing, rendering and sending pages."""
    measure_publishing(run.report, run.folder, quick=run.quick)


def part_queue(run: Run) -> None:
    """Tasks of agents, by one worker and by several."""
    measure_queue(run.report, run.folder, quick=run.quick)


PARTS: dict[str, Callable[[Run], None]] = {
    "latency": part_latency,
    "open": part_open,
    "publish": part_publish,
    "queue": part_queue,
    "load": part_load,
}


def main() -> int:
    """Run all parts, or those that were named, and return the exit code."""
    own = argparse.ArgumentParser(add_help=False)
    own.add_argument("--seconds", type=float)
    known, rest = own.parse_known_args()
    sys.argv[1:] = rest
    return run_parts(
        "collaboration",
        __doc__,
        PARTS,
        packages=("apsw", "pycrdt", "uvicorn", "websockets"),
        quick="end within two minutes",
        start=lambda report, folder, quick: Run(report, folder, quick=quick, seconds=known.seconds),
    )


if __name__ == "__main__":
    sys.exit(main())
