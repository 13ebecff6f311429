"""How fast is search, how exact, and what does it take of memory?

Each figure is one line: `figure NAME VALUE BOUND ok|short`. Names that end in `_min` have a
bound to reach, all others one to keep under. Exits with 1 if any figure is short.
"""

import argparse
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
from measure.figures import Report

import strata

RESULTS = Path(__file__).parent / "results"
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
    arguments = _arguments()
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


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="end within a minute")
    parser.add_argument("--only", nargs="+", choices=PARTS, help="run some parts only")
    parser.add_argument(
        "--folder", type=Path, default=RESULTS, help="where the stores are made, then removed"
    )
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
