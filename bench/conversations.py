"""How quick are conversations: taking turns in, looking again, and appending one by a hook?

Each figure is one line: `figure NAME VALUE`. Run it by `./dev python bench/conversations.py`;
`--quick` takes fewer turns.
"""

import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

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
        print(f"figure hook_process_ms {_hook(store, path, count + APPENDS):.0f}")


def _append(db: strata.Workspace, path: Path, first: int) -> float:
    times: list[float] = []
    for number in range(first, first + APPENDS):
        with path.open("a", encoding="utf-8") as file:
            file.write(line(number))
        began = time.perf_counter()
        db.conversations.import_files([path])
        times.append((time.perf_counter() - began) * 1000)
    return statistics.median(times)


def _hook(store: Path, path: Path, first: int) -> float:
    told = json.dumps({"transcript_path": str(path)}).encode()
    words = [sys.executable, "-m", "strata", "hook", "turn", "--db", str(store)]
    times: list[float] = []
    for number in range(first, first + APPENDS):
        with path.open("a", encoding="utf-8") as file:
            file.write(line(number))
        began = time.perf_counter()
        subprocess.run(words, input=told, check=True, timeout=60)
        times.append((time.perf_counter() - began) * 1000)
    return statistics.median(times)


if __name__ == "__main__":
    main()
