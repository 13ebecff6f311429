"""What grows with the store, though a question of constant size is asked?

Stores of facts and of documents are made once and kept for later runs, below `bench/results`.
Calls are measured in processes of their own, in processor time unless a line says otherwise.
Each figure is one line: `figure NAME VALUE BOUND ok|short`. Names that end in `_min` have a
bound to reach, all others one to keep under. Exits with 1 if any figure is short.
"""

import sys
from collections.abc import Callable

from growing import elsewhere, searching
from growing.run import Run
from measure.arguments import parser
from measure.figures import Report

import strata

SIZES = (1_000, 10_000, 100_000, 1_000_000)
QUICK_SIZES = SIZES[:2]
PARTS: dict[str, Callable[[Run], None]] = {
    "size": searching.measure_size,
    "search": searching.measure_search,
    "outside": searching.measure_outside,
    "ranks": searching.measure_ranks,
    "hook": searching.measure_hook,
    "embedding": searching.measure_embedding,
    "numbers": searching.measure_numbers,
    "writers": searching.measure_writers,
    "pages": searching.measure_pages,
    "hybrid": searching.measure_hybrid,
    "forks": elsewhere.measure_forks,
    "edits": elsewhere.measure_edits,
    "find": elsewhere.measure_find,
}


def main() -> int:
    """Run all parts, or those that were named, and return the exit code."""
    known = parser(__doc__, PARTS)
    known.add_argument("--sizes", nargs="+", type=int, metavar="N", help="how many facts")
    arguments = known.parse_args()
    sizes = arguments.sizes or (QUICK_SIZES if arguments.quick else SIZES)
    report = Report(f"growth, {'quick' if arguments.quick else 'full'} run")
    report.machine(f"strata {strata.__version__}", "apsw", "numpy", "onnxruntime")
    run = Run(report, arguments.folder, sizes=sizes, quick=arguments.quick)
    try:
        for name in arguments.only or PARTS:
            PARTS[name](run)
    finally:
        run.close()
    return report.end()


if __name__ == "__main__":
    sys.exit(main())
