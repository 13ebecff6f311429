"""How soon a text is safely stored, compared with the disk alone."""

import os
from pathlib import Path

from finding.run import Run
from measure.rounds import Job, take_turns, time_each

import strata

WORDS = 25
_ROUNDS = 10


def measure_acknowledgement(run: Run) -> None:
    """Put texts that must be on the disk, while their vectors are made beside it."""
    texts = [" ".join(item.text.split()[:WORDS]) for item in run.items(3000)]
    texts = [text for text in texts if len(text.split()) == WORDS]
    each = run.scale.puts // _ROUNDS
    with (
        strata.open(run.folder / "stored.db") as embedding,
        strata.open(run.folder / "stored-only.db", auto_embed=False) as plain,
    ):
        assert embedding.durability == plain.durability == "always"
        timings = take_turns(
            {
                "put": _puts(embedding, texts, each),
                "put, no embedding": _puts(plain, texts, each),
                "append and fsync": _appends(run.folder / "appended", texts, each),
            },
            _ROUNDS,
        )
    more = (timings["put"].median - timings["append and fsync"].median) / 1000
    run.report.at_most("acknowledged_ms_above_fsync", more, 2.0)
    run.report.timings("stored", timings)


def _puts(db: strata.Workspace, texts: list[str], each: int) -> Job:
    def some(number: int) -> list[float]:
        chosen = range(number * each, (number + 1) * each)
        return time_each(db.kv.put, [(f"note-{n:05d}", texts[n % len(texts)]) for n in chosen])

    return some


def _appends(path: Path, texts: list[str], each: int) -> Job:
    def some(number: int) -> list[float]:
        with path.open("ab", buffering=0) as file:
            chosen = [(texts[n % len(texts)].encode(),) for n in range(number * each, (number + 1) * each)]
            return time_each(lambda data: (file.write(data), os.fsync(file.fileno())), chosen)

    return some
