"""How near texts are to a prompt by meaning, from the vectors in the store, without numpy."""

from collections.abc import Callable, Sequence
from operator import mul
from typing import Protocol

import msgspec

from strata.base import limits
from strata.base.prompts import shortened
from strata.store import Store

# What `rank.USUAL_VECTORS` says of the model's own vectors, less what a quick one lacks: to texts
# that answer, a quick vector of a question is as near as nine tenths of the model's. Measured on
# texts of the training that were left out of it (docs/decisions/0173-quick-reading.md).
_SPREAD = 0.064


class PromptReading(Protocol):
    """A direction for a text, and how near it is to texts that have nothing to do with it."""

    @property
    def vector(self) -> Sequence[float]:
        """Nearly what the model would give, of length 1."""
        ...

    @property
    def usual(self) -> float:
        """Its product with the mean of unrelated texts."""
        ...


class PromptReader(Protocol):
    """Reads texts nearly as one edition of a model does."""

    @property
    def embedder(self) -> str:
        """The id of that edition."""
        ...

    def read(self, text: str) -> PromptReading | None:
        """Return a reading; None for a text of which too little is known."""
        ...


class Nearness:
    """Compares prompts with the vectors of a store. `reader` is asked for where there are some."""

    def __init__(self, store: Store, reader: Callable[[], PromptReader | None]) -> None:
        self._store = store
        self._reader = reader

    def units(self, text: str, versions: Sequence[int]) -> dict[int, float]:
        """Return by how many usual spreads versions are nearer than unrelated texts are.

        Those without a vector are left out, and all of them where no reader knows the model. As in
        a search the first chunk of a text and the best one count half each.
        """
        queries, connection = self._store.queries, self._store.connection()
        active = {row[3]: row[0] for row in connection.rows(queries.models) if row[5] == "active"}
        reader = self._reader() if active and versions else None
        reading = reader.read(shortened(text)) if reader and reader.embedder in active else None
        if reader is None or reading is None:
            return {}
        wanted = msgspec.json.encode(versions).decode()
        values = (active[reader.embedder], wanted)
        found: dict[int, list[float]] = {}
        rows = connection.rows(queries.embeddings_of_versions, values)
        for at, _number, scale, steps in rows[: limits.LOOK_VECTORS]:
            product = sum(map(mul, reading.vector, memoryview(steps).cast("b")))
            found.setdefault(versions[int(at)], []).append(scale * product)
        return {
            version: ((near[0] + max(near)) / 2 - reading.usual) / _SPREAD
            for version, near in found.items()
        }
