"""How quick are conversations: taking turns in, looking again, and appending one by a hook?

Each figure is one line: `figure NAME VALUE`. Run it by `./dev bench conversations`; `--quick` takes
fewer turns. A hook is a process of its own, so it is compared with a Python that does nothing.
Processor time is what counts on a busy machine. Both have their byte code, as an installed program
has.
"""

import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import strata

TURNS, QUICK_TURNS, APPENDS = 20_000, 4_000, 20


def line(number: int) -> str:
    """Return a line of Claude Code with a turn of about 400 characters."""
    words = " ".join(f"{number * 31 % 997} 배포 deploy the port of server" for _ in range(12))
    message = {"role": "user", "content": f"turn {number}: {words}"}
    told = {"type": "user", "sessionId": "bench", "uuid": f"u{number}", "message": message}
    stamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(1_767_225_600 + number))
    return json.dumps(told | {"timestamp": stamp}, ensure_ascii=False) + "\n"


def main() -> None:
    """Measure, and print the figures."""
    count = QUICK_TURNS if "--quick" in sys.argv else TURNS
    with tempfile.TemporaryDirectory() as folder:
        path, store = Path(folder) / "bench.jsonl", Path(folder) / "store.db"
        path.write_text("".join(map(line, range(count))), encoding="utf-8")
        with strata.open(store, auto_embed=False) as db:
            began = time.perf_counter()
            db.conversations.import_files([path])
            took = time.perf_counter() - began
            print(f"figure turns_imported_a_second {count / took:,.0f}")
            began = time.perf_counter()
            db.conversations.import_files([path])
            print(f"figure unchanged_file_ms {(time.perf_counter() - began) * 1000:.1f}")
            print(f"figure append_ms {_append(db, path, count):.2f}")
        _measure_hook(store, path, count + APPENDS)


def _append(db: strata.Workspace, path: Path, first: int) -> float:
    times: list[float] = []
    for number in range(first, first + APPENDS):
        with path.open("a", encoding="utf-8") as file:
            file.write(line(number))
        began = time.perf_counter()
        db.conversations.import_files([path])
        times.append((time.perf_counter() - began) * 1000)
    return statistics.median(times)


class Cost(NamedTuple):
    """What a process cost, in milliseconds: by the clock, and of the processor."""

    clock: float
    processor: float


def _measure_hook(store: Path, path: Path, first: int) -> None:
    told = json.dumps({"transcript_path": str(path)}).encode()
    words = [sys.executable, "-m", "strata", "hook", "turn", "--db", str(store)]
    nothing = [sys.executable, "-c", "pass"]
    _cost(words, told)  # writes the byte code
    hooks: list[Cost] = []
    floors: list[Cost] = []
    for number in range(first, first + APPENDS):
        with path.open("a", encoding="utf-8") as file:
            file.write(line(number))
        hooks.append(_cost(words, told))
        floors.append(_cost(nothing, b""))
    hook, floor = (statistics.median(one.processor for one in costs) for costs in (hooks, floors))
    print(f"figure hook_process_ms {statistics.median(one.clock for one in hooks):.0f}")
    print(f"figure hook_processor_ms {hook:.0f}")
    print(f"figure python_processor_ms {floor:.0f}")
    print(f"figure hook_to_python {hook / floor:.1f}")


def _cost(words: list[str], told: bytes) -> Cost:
    environment = {
        name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"
    }
    before, began = _children(), time.perf_counter()
    subprocess.run(words, input=told, check=True, timeout=60, env=environment)
    return Cost((time.perf_counter() - began) * 1000, _children() - before)


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (used.ru_utime + used.ru_stime) * 1000


if __name__ == "__main__":
    main()
