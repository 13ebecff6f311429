"""What search takes of memory: with everything loaded, and in processes that rest."""

import subprocess
import sys
from pathlib import Path

import msgspec

from finding.process import Memory
from finding.run import Run

PROCESS = Path(__file__).with_name("process.py")
IDLE_PROCESSES = 8


def measure_memory(run: Run) -> None:
    """Load both models in one process; then let eight processes rest beside each other."""
    command = [sys.executable, str(PROCESS)]
    done = subprocess.run([*command, "models", str(run.embedded)], check=True, capture_output=True)
    found = msgspec.json.decode(done.stdout, type=Memory)
    run.report.at_most("memory_both_models_mb", found.both_models, 350)
    steps = msgspec.structs.asdict(found).items()
    run.report.note("resident MB: " + ", ".join(f"{name} {size:.0f}" for name, size in steps))
    _measure_idle(run, [*command, "idle", str(run.embedded)])


def _measure_idle(run: Run, command: list[str]) -> None:
    processes = [
        subprocess.Popen(
            [*command, str(place)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        for place in range(IDLE_PROCESSES)
    ]
    try:
        for process in processes:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
        sizes = [share_mb(process.pid) for process in processes]
    finally:
        for process in processes:
            process.communicate("done\n")
    run.report.at_most(f"memory_{IDLE_PROCESSES}_idle_mb", sum(sizes), 400)
    listed = ", ".join(f"{size:.0f}" for size in sorted(sizes))
    run.report.note(f"share of each process in MB: {listed}")


def share_mb(pid: int) -> float:
    """Return a process's share of memory: what it shares with others counts in parts."""
    rollup = Path(f"/proc/{pid}/smaps_rollup")
    if not rollup.exists():
        command = ["ps", "-o", "rss=", "-p", str(pid)]
        return int(subprocess.check_output(command)) * 1024 / 1e6
    line = next(line for line in rollup.read_text().splitlines() if line.startswith("Pss:"))
    return int(line.split()[1]) * 1024 / 1e6
