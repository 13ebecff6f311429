"""How long does the hook keep a prompt waiting, from the start of its process to the end?"""

import subprocess
import sys
import time
from pathlib import Path

import msgspec
from measure.figures import Report
from measure.rounds import Job, take_turns

import strata

TEXTS = (100, 1_000, 20_000)
PROMPTS = {
    "English": "how long are the prices cached?",
    "Korean": "금요일에 배포해도 돼?",
    "nothing": "rename this variable",
    "resuming": "어제 하던 작업 이어서 하자",
}
BOUND_MS = 100


def measure_hook(report: Report, folder: Path, rounds: int) -> None:
    """Call the hook as a client does, in turns with a Python that does nothing but start.

    The quickest round is what the bound is about: a machine that is busy with something else
    starts every program late. Beside it, what loading numpy alone would take.
    """
    python = [sys.executable, "-c"]
    jobs: dict[str, Job] = {
        "python alone": lambda _n: [_taken([*python, "pass"], b"")],
        "import numpy": lambda _n: [_taken([*python, "import numpy"], b"")],
    }
    for count in TEXTS:
        store = _filled(folder / f"hook-{count}.db", count)
        for name, prompt in PROMPTS.items() if count == 1_000 else [("Korean", PROMPTS["Korean"])]:
            jobs[f"{count:,} texts, {name}"] = _job(store, prompt, answers=name != "nothing")
    timings = take_turns(jobs, rounds)
    report.timings("hook", timings)
    slowest = max(timing.best for name, timing in timings.items() if "texts" in name)
    report.at_most("hook_prompt_ms", slowest / 1000, BOUND_MS)
    work = slowest - timings["python alone"].best
    report.at_most("hook_beside_numpy_ratio", work / timings["import numpy"].best, 1.0)


def _job(store: Path, prompt: str, *, answers: bool) -> Job:
    command = [sys.executable, "-m", "strata", "hook", "prompt", "--db", str(store)]
    data = msgspec.json.encode({"prompt": prompt, "session_id": "bench"})
    return lambda _number: [_taken(command, data, answers=answers)]


def _taken(command: list[str], data: bytes, *, answers: bool = False) -> float:
    """Return the microseconds that a command takes, and check that it answered."""
    started = time.perf_counter()
    done = subprocess.run(command, input=data, capture_output=True, check=True)
    taken = (time.perf_counter() - started) * 1e6
    assert bool(done.stdout) == answers, done
    return taken


def _filled(path: Path, count: int) -> Path:
    """Make a store of so many notes that differ in most of their words."""
    with strata.open(path, durability="standard", auto_embed=False) as db:
        db.kv.put_many({f"note/{number}": _note(number) for number in range(count)})
        db.kv.put("cache/prices", "Prices are cached for sixty seconds")
        db.kv.put("rules/release", "배포는 금요일에 하지 않는다")
    return path


def _note(number: int) -> str:
    return " ".join(f"w{(number * 31 + n * n) % 9_973}x" for n in range(25))
