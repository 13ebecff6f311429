"""Exact nearest neighbours beside numpy on the same matrix."""

import numpy as np
from contenders.strata_kv import Ours
from measure.rounds import ratio_of_best, take_turns, time_each

from parts.run import BATCH, Run

ROWS, DIMENSION, NEAREST = 10_000, 384, 10


def measure_vectors(run: Run) -> None:
    """Find the ten nearest of 10,000 vectors; both sides scan all of them.

    The best rounds are compared: where another program holds a core, the threads of the
    matrix product wait for each other for milliseconds, and the median says nothing.
    """
    rng = np.random.default_rng(29)
    matrix = _normalised(rng.standard_normal((ROWS, DIMENSION), dtype=np.float32))
    near = matrix[rng.integers(0, ROWS, 20)]
    queries = _normalised(near + 0.05 * rng.standard_normal(near.shape, dtype=np.float32))
    ours = _loaded(run, matrix)
    search = ours.db.vectors.search

    def plain(query: np.ndarray) -> list[int]:
        scores = matrix @ query
        best = np.argpartition(scores, ROWS - NEAREST)[-NEAREST:]
        return best[np.argsort(-scores[best])].tolist()

    lists = [("notes", query.tolist()) for query in queries]
    arrays = [("notes", query) for query in queries]
    for query, (collection, vector) in zip(queries, lists, strict=True):
        keys = [match.key for match in search(collection, vector, limit=NEAREST)]
        assert keys == [f"v{row:05d}" for row in plain(query)]
    timings = take_turns(
        {
            "strata": lambda _: time_each(search, lists),
            "strata, array given": lambda _: time_each(search, arrays),
            "numpy": lambda _: time_each(plain, [(query,) for query in queries]),
        },
        2 * run.scale.rounds,
    )
    found = ratio_of_best(timings["strata"], timings["numpy"])
    run.report.at_most("knn_10k_x_384_vs_numpy", found, 1.2)
    run.report.timings("ten nearest", timings)
    ours.close()


def _loaded(run: Run, matrix: np.ndarray) -> Ours:
    ours = Ours(run.folder / "vectors.db")
    ours.db.vectors.create("notes", dimension=DIMENSION, metric="cosine")
    for start in range(0, ROWS, BATCH):
        rows = range(start, start + BATCH)
        entries = [{"key": f"v{row:05d}", "vector": matrix[row].tolist()} for row in rows]
        ours.db.vectors.upsert_many("notes", entries)
    return ours


def _normalised(rows: np.ndarray) -> np.ndarray:
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)
