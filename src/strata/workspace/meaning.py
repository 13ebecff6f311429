"""What the models make of a question: joins embedders, vectors and search."""

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from strata.base import limits
from strata.base.errors import StrataError
from strata.models import Embedder, Encoding, Loader, MiniLM
from strata.search import Embeddings, VectorIndex

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

MAIN, MULTILINGUAL = "main", "multilingual"


class StoreMeaning:
    """Compares questions with the vectors of one store."""

    def __init__(
        self,
        embeddings: Embeddings,
        loaders: dict[str, Loader],
        *,
        on_foreign: Callable[[], None],
    ) -> None:
        self._store = embeddings.store
        self._on_foreign = on_foreign
        self._embeddings = embeddings
        self._loaders = loaders
        self._indexes: dict[str, VectorIndex] = {}
        self._lock = threading.Lock()
        # The question before, because its vector and its words are asked for one after the other.
        self._encoded: tuple[str, str, Encoding] | None = None

    def vectors(self, question: str, versions: "Array", *, waits: bool) -> "Array | None":
        """Return how near each version's meaning is, from -1 to 1."""
        return self._cosines(MAIN, question, versions, waits=waits)

    def languages(self, question: str, versions: "Array", *, waits: bool) -> "Array | None":
        """Return how near each version's meaning is across languages, from -1 to 1."""
        self._on_foreign()
        return self._cosines(MULTILINGUAL, question, versions, waits=waits)

    def words(self, question: str, versions: "Array") -> "Array | None":
        """Return how well each version's words mean what the question's do, from 0 to 1."""
        with self._lock:
            known, index = self._encoded, self._indexes.get(MAIN)
        if known is None or index is None or known[0] != question:
            return None
        encoding = known[2]
        if not len(encoding.tokens):
            return None
        weights = index.token_weights(encoding.token_ids)
        tokens = encoding.tokens.astype("f4") / 127
        return index.token_scores(tokens, weights, versions)

    def pending(self) -> int:
        """Return how many texts wait for their vectors."""
        return self._embeddings.status(tuple(self._loaders)).pending

    def forget(self) -> None:
        """Drop the vectors in memory."""
        with self._lock:
            self._indexes.clear()

    def _cosines(
        self, role: str, question: str, versions: "Array", *, waits: bool
    ) -> "Array | None":
        index = self._index(role)
        if not index.refresh():
            return None
        embedder = self._embedder(role, waits=waits)
        if embedder is None or embedder.id != index.embedder:
            return None
        return index.cosines(self._vector(question, embedder), versions)

    def _index(self, role: str) -> VectorIndex:
        with self._lock:
            if role not in self._indexes:
                self._indexes[role] = VectorIndex(self._store, role)
            return self._indexes[role]

    def _embedder(self, role: str, *, waits: bool) -> Embedder | None:
        loader = self._loaders.get(role)
        if loader is None:
            return None
        try:
            return loader.wait(limits.MODEL_WAIT_S if waits else limits.MODEL_WAIT_AUTO_S)
        except StrataError:
            # Without the model the words still answer, and the status says why.
            return None

    def _vector(self, question: str, embedder: Embedder) -> "Array":
        if not isinstance(embedder, MiniLM):
            return embedder.embed([question], kind="query")[0]
        with self._lock:
            known = self._encoded
        if known is None or known[:2] != (question, embedder.id):
            known = (question, embedder.id, embedder.encode(question))
            with self._lock:
                self._encoded = known
        return known[2].vector
