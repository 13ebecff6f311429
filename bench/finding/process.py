"""What is measured in a process of its own: a first search, and memory."""

import sys
import time
from itertools import pairwise
from pathlib import Path
from typing import Literal

_started = time.perf_counter()
import strata  # noqa: E402  (its import is one of the steps)

_imported = time.perf_counter()
import msgspec  # noqa: E402  (already loaded by strata)

from strata.models import loader  # noqa: E402  (already loaded by strata)

MODELS = ("minilm", "multilingual")
ENGLISH, KOREAN = "how does the default encoding return an error?", "결제 오류는 왜 생겼지?"


class Steps(msgspec.Struct):
    """A start in milliseconds, and what the process takes of memory then."""

    import_ms: float
    open_ms: float
    first_ms: float
    second_ms: float
    resident_mb: float


class Memory(msgspec.Struct):
    """Megabytes after each step of a process that needs everything."""

    opened: float
    by_words: float
    by_meaning: float
    both_models: float
    highest: float


def cold(path: str, question: str) -> Steps:
    """Open, search by words, search again."""
    times = [time.perf_counter()]
    with strata.open(path, durability="standard", auto_embed=False) as db:
        times.append(time.perf_counter())
        for _ in range(2):
            assert db.search(question, mode="keyword").hits
            times.append(time.perf_counter())
        opened, first, second = ((end - start) * 1000 for start, end in pairwise(times))
        return Steps((_imported - _started) * 1000, opened, first, second, resident_mb())


def models(path: str) -> Memory:
    """Search by words, then by the meaning of English, then of Korean."""
    with strata.open(path, durability="standard") as db:
        opened = resident_mb()
        by_words = _after(db, ENGLISH, "keyword")
        by_meaning = _after(db, ENGLISH, "hybrid")
        both_models = _after(db, KOREAN, "hybrid")
        assert all(loader(name).state == "ready" for name in MODELS)
        return Memory(opened, by_words, by_meaning, both_models, resident_mb("VmHWM"))


def _after(db: strata.Workspace, question: str, mode: Literal["keyword", "hybrid"]) -> float:
    for _ in range(3):
        answer = db.search(question, mode=mode)
        assert answer.mode == mode, answer.notes
    return resident_mb()


def idle(path: str, place: str) -> None:
    """Store one text, let its vector be made, give the models back, and wait to be measured."""
    with strata.open(path, durability="standard") as db:
        db.kv.put(f"idle/{place}", f"The process at place {place} has stored this and rests now.")
        until = time.monotonic() + 60
        while db.embeddings.status().pending and time.monotonic() < until:
            time.sleep(0.1)
        pending = db.embeddings.status().pending
        give_models_back()
        print("ready" if not pending else f"{pending} pending", flush=True)
        sys.stdin.readline()


def give_models_back() -> None:
    """Do now what happens by itself when nobody asked a model for ten minutes."""
    for name in MODELS:
        loader(name).unload()


def resident_mb(field: str = "VmRSS") -> float:
    """Return this process's resident memory; its highest where the system tells no other."""
    status = Path("/proc/self/status")
    if not status.exists():
        import resource

        unit = 1e6 if sys.platform == "darwin" else 1e3
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit
    line = next(line for line in status.read_text().splitlines() if line.startswith(field))
    return int(line.split()[1]) * 1024 / 1e6


if __name__ == "__main__":
    result = {"cold": cold, "models": models, "idle": idle}[sys.argv[1]](*sys.argv[2:])
    if result is not None:
        print(msgspec.json.encode(result).decode())
