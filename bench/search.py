"""How fast is search, how exact, and what does it take of memory?

Each figure is one line: `figure NAME VALUE BOUND ok|short`. Names that end in `_min` have a
bound to reach, all others one to keep under. Exits with 1 if any figure is short.
"""

import gc
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from finding.elsewhere import measure_branch_and_past, measure_history
from finding.keywords import measure_cold, measure_keywords, measure_peers
from finding.meaning import measure_hybrid
from finding.memory import measure_memory
from finding.nearest import measure_nearest
from finding.run import FULL, QUICK, Run
from finding.storing import measure_acknowledgement
from measure.arguments import parser
from measure.figures import Report

import strata

PARTS: dict[str, Callable[[Run], None]] = {
    "keywords": measure_keywords,
    "cold": measure_cold,
    "peers": measure_peers,
    "elsewhere": measure_branch_and_past,
    "history": measure_history,
    "vectors": measure_nearest,
    "storing": measure_acknowledgement,
    "hybrid": measure_hybrid,
    "memory": measure_memory,
}


def main() -> int:
    """Run all parts, or those that were named, and return the exit code."""
    arguments = parser(__doc__, PARTS).parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    gc.disable()
    report = Report(f"search, {'quick' if arguments.quick else 'full'} run")
    report.machine(f"strata {strata.__version__}", "apsw", "numpy", "onnxruntime")
    # Not the system's own folder for such files: where that is memory, a sync costs nothing.
    with tempfile.TemporaryDirectory(dir=arguments.folder, prefix="search-") as folder:
        run = Run(report, Path(folder), QUICK if arguments.quick else FULL)
        for name in arguments.only or PARTS:
            PARTS[name](run)
            gc.collect()
        run.close()
    return report.end()


if __name__ == "__main__":
    sys.exit(main())
