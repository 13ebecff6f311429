"""The nearest vectors of a text's meaning, beside numpy's exact ones in float32.

The vectors are the main model's, of sentences; more of them are these with some noise, as near to
their sentence as a paraphrase is. Questions are sentences that were left out.
"""

import statistics
import time
from collections.abc import Iterator
from typing import Literal

import numpy as np
from measure.rounds import take_turns, time_each
from parts.run import spoken

from finding.run import Run
from finding.sources import sentences
from strata.models import MiniLM
from strata.search import Embeddings, VectorIndex
from strata.search.vectors.embeddings import Item, Progress
from strata.search.vectors.encode import Chunk
from strata.search.vectors.int8 import pack
from strata.sql import SqliteDatabase
from strata.store import Store

DIMENSION, NEAREST, QUERIES, BATCH = 384, 10, 50, 2000
# Sentences that a model reads, and how far a vector is moved away from one of them.
SENTENCES, _NOISE = 5_000, 0.6


class Made:
    """Stands where a model would: it has vectors, but made none of them."""

    dimension = DIMENSION
    tokens_max = 256
    languages: tuple[str, ...] = ()

    def __init__(self, name: str) -> None:
        self.id = self.name = name

    def embed(self, texts: object, kind: Literal["document", "query"] = "document") -> np.ndarray:
        """Never called: the vectors are written by hand."""
        raise NotImplementedError


def measure_nearest(run: Run) -> None:
    """Search at each size."""
    rng = np.random.default_rng(31)
    texts = [" ".join(words) for words in sentences()[: SENTENCES + QUERIES]]
    real = MiniLM().embed(texts)[rng.permutation(len(texts))]
    queries, known = real[:QUERIES], real[QUERIES:]
    for count in run.scale.vectors:
        chosen = known[rng.integers(0, len(known), count)]
        rows = _unit(chosen + _NOISE * DIMENSION**-0.5 * _normal(rng, count))
        rows[: len(known)] = known[:count]
        _measure(run, rows, spoken(count), queries=queries)


def _measure(run: Run, rows: np.ndarray, name: str, *, queries: np.ndarray) -> None:
    store = Store(SqliteDatabase(run.folder / f"vectors-{name}.db", durability="standard"))
    started = time.perf_counter()
    _write(store, rows)
    written = time.perf_counter()
    index = VectorIndex(store, "main")
    assert index.refresh()
    assert len(index) == len(rows)
    read_ms = (time.perf_counter() - written) * 1000

    def exact(query: np.ndarray) -> np.ndarray:
        scores = rows @ query
        best = np.argpartition(scores, len(rows) - NEAREST)[-NEAREST:]
        return best[np.argsort(-scores[best])] + 1

    def ours(query: np.ndarray) -> np.ndarray:
        return index.nearest(query, NEAREST).versions

    found = [len(set(ours(q).tolist()) & set(exact(q).tolist())) / NEAREST for q in queries]
    run.report.at_least(f"recall_10_{name}_min", statistics.mean(found), 0.99)
    _time(run, name, {"strata": ours, "numpy float32": exact}, queries=queries)
    run.report.note(
        f"{name}: written in {written - started:.1f} s, read in {read_ms:.0f} ms,"
        f" {index.memory_bytes / 1e6:.0f} MB in memory"
    )
    store.close()


def _time(run: Run, name: str, who: dict, *, queries: np.ndarray) -> None:
    asked = [(query,) for query in queries]
    jobs = {each: lambda _, ask=ask: time_each(ask, asked) for each, ask in who.items()}
    timings = take_turns(jobs, 2 * run.scale.passes)
    run.report.at_most(f"nearest_ms_{name}", timings["strata"].best / 1000, 10.0)
    run.report.timings("ten nearest", timings)


def _write(store: Store, rows: np.ndarray) -> None:
    """Fill the tables as the follower does, one vector a version."""
    embeddings = Embeddings(store)
    model = embeddings.use("main", Made("made by hand"))
    for start, items in _batches(rows):
        progress = Progress(start, start + len(items), 1.0)
        assert embeddings.write(model, items, progress)
    while embeddings.seal(model):
        pass


def _batches(rows: np.ndarray) -> Iterator[tuple[int, list[Item]]]:
    for start in range(0, len(rows), BATCH):
        numbers = range(start, min(start + BATCH, len(rows)))
        yield start, [_item(number, rows[number]) for number in numbers]


def _item(number: int, row: np.ndarray) -> Item:
    content = number.to_bytes(16, "big")
    return Item(number + 1, content=content, result=(Chunk(pack(row)),))


def _normal(rng: np.random.Generator, count: int) -> np.ndarray:
    return rng.standard_normal((count, DIMENSION), dtype=np.float32)


def _unit(rows: np.ndarray) -> np.ndarray:
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)
