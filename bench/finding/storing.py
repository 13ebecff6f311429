"""How soon a text is safely stored, compared with the disk alone."""

import os
import time
from collections.abc import Iterator
from pathlib import Path

from measure.rounds import Job, Timing, take_turns, time_each

import strata
from finding.run import Run

WORDS = 25
BOUND_MS = 2.0
_ROUNDS = 10
# Enough to keep the model at work for the whole measurement.
_WAITING = 5000
# The model lets a burst of puts pass before it goes on: these come one by one.
_PAUSE_S = 0.1


def measure_acknowledgement(run: Run) -> None:
    """Put texts that must be on the disk; then once more while vectors are made beside it."""
    texts = [" ".join(item.text.split()[:WORDS]) for item in run.items(12_000)]
    texts = [text for text in texts if len(text.split()) == WORDS]
    each = run.scale.puts // _ROUNDS
    appends = _appends(run.folder / "appended", texts, each)
    with strata.open(run.folder / "stored.db") as db:
        assert db.durability == "always"
        timings = take_turns({"put": _puts(db, texts, each), "append": appends}, _ROUNDS)
        _tell(run, "acknowledged_ms_above_fsync", timings)
    with strata.open(run.folder / "beside.db") as db:
        db.embeddings.embed("The model is loaded by this.")
        db.kv.put_many([(f"waiting-{n:05d}", text) for n, text in enumerate(texts[:_WAITING])])
        puts = _puts(db, texts, each // 10, pause_s=_PAUSE_S)
        timings = take_turns({"put": puts, "append": appends}, _ROUNDS)
        status = db.embeddings.status()
        made = sum(model.embedded for model in status.models)
        assert made > 0, "the model was not at work"
        assert status.pending, "the model ran out of work"
        _tell(run, "acknowledged_while_embedding_ms_above_fsync", timings)
        run.report.note(f"{made} vectors were made meanwhile, {status.pending} wait")


def _tell(run: Run, name: str, timings: dict[str, Timing]) -> None:
    more = (timings["put"].median - timings["append"].median) / 1000
    run.report.at_most(name, more, BOUND_MS)
    run.report.timings("stored", timings)


def _puts(db: strata.Workspace, texts: list[str], each: int, *, pause_s: float = 0.0) -> Job:
    def chosen(number: int) -> Iterator[tuple[str, str]]:
        for n in range(number * each, (number + 1) * each):
            time.sleep(pause_s)
            yield f"note-{n:05d}", texts[n % len(texts)]

    return lambda number: time_each(db.kv.put, chosen(number))


def _appends(path: Path, texts: list[str], each: int) -> Job:
    def some(number: int) -> list[float]:
        chosen = range(number * each, (number + 1) * each)
        data = [(texts[n % len(texts)].encode(),) for n in chosen]
        with path.open("ab", buffering=0) as file:
            return time_each(lambda text: (file.write(text), os.fsync(file.fileno())), data)

    return some
