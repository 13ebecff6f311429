"""What the models make of a question: joins embedders, vectors and search."""

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from strata.base import limits
from strata.base.errors import StrataError
from strata.models import Embedder, Loader, MiniLM
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
        # The last question of each role: its vector and its words are asked for in turn.
        self._questions: dict[str, Read] = {}

    def prepare(self, question: str, *, is_foreign: bool, waits: bool) -> None:
        """Let the models read a question, which takes long, before anything is locked."""
        if is_foreign:
            self._on_foreign()
        for role in tuple(self._loaders) if not is_foreign else (MULTILINGUAL,):
            self._read(role, question, waits=waits)

    def vectors(self, question: str, versions: "Array") -> "Array | None":
        """Return how near each version's meaning is, from -1 to 1."""
        return self._cosines(MAIN, question, versions)

    def languages(self, question: str, versions: "Array") -> "Array | None":
        """Return how near each version's meaning is across languages, from -1 to 1."""
        return self._cosines(MULTILINGUAL, question, versions)

    def words(self, question: str, versions: "Array") -> "Array | None":
        """Return how well each version's words mean what the question's do, from 0 to 1."""
        read, index = self._known(MAIN, question), self._index(MAIN)
        if read is None or read.tokens is None or not len(read.tokens):
            return None
        weights = index.token_weights(read.token_ids)
        return index.token_scores(read.tokens.astype("f4") / 127, weights, versions)

    def pending(self) -> int:
        """Return how many texts wait for their vectors."""
        return self._embeddings.status(tuple(self._loaders)).pending

    def forget(self) -> None:
        """Drop the vectors in memory."""
        with self._lock:
            self._indexes.clear()

    def _read(self, role: str, question: str, *, waits: bool) -> None:
        """Have a question encoded for a role, unless it is or nobody could use it."""
        index = self._index(role)
        if not index.refresh() or self._known(role, question) is not None:
            return
        embedder = self._embedder(role, waits=waits)
        if embedder is not None and embedder.id == index.embedder:
            with self._lock:
                self._questions[role] = _encoded(question, embedder)

    def _known(self, role: str, question: str) -> "Read | None":
        """Return the question as the role's model reads it, if it is the one read last."""
        with self._lock:
            found = self._questions.get(role)
        is_same = found is not None and (found.text, found.embedder) == (
            question, self._index(role).embedder)  # fmt: skip
        return found if is_same else None

    def _cosines(self, role: str, question: str, versions: "Array") -> "Array | None":
        read = self._known(role, question)
        return None if read is None else self._index(role).cosines(read.vector, versions)

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


class Read(NamedTuple):
    """A question as a model reads it."""

    text: str
    embedder: str
    vector: "Array"
    tokens: "Array | None" = None
    token_ids: "Array | None" = None


def _encoded(question: str, embedder: Embedder) -> Read:
    if isinstance(embedder, MiniLM):
        found = embedder.encode(question)
        return Read(question, embedder.id, found.vector, found.tokens, found.token_ids)
    return Read(question, embedder.id, embedder.embed([question], kind="query")[0])
