"""all-MiniLM-L6-v2, trained further for English and Korean, as int8, on one thread."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from strata.base.libraries import load_library
from strata.models.embedder import Encoding, Kind, identify, unit
from strata.models.files import Files
from strata.models.mapped import Mapped
from strata.models.wordpiece import WordPiece

if TYPE_CHECKING:
    from strata.models.embedder import Vectors

NAME = "minilm"
DIMENSION = 384
# The length the model was trained for, its two marks included.
TOKENS_MAX = 256
# The text before it may take half the window: it lends context, the text comes first.
CONTEXT_TOKENS_MAX = TOKENS_MAX // 2
# More of it than could hold that many tokens need not be looked at.
_CONTEXT_CHARACTERS_MAX = 16 * CONTEXT_TOKENS_MAX
# What the projection was trained for (docs/decisions/0052-trained-encoder-ships.md).
TOKEN_DIMENSION = 128
# The ids of the editions before this one. Vectors that they made are made anew.
EARLIER = frozenset({"minilm-dd4beade1f208ce0"})
# Files that make no vector of a text.
_NO_VECTOR = frozenset({"centre.npy", "projection.npy", "reading.bin"})
# A graph that makes the vectors of an earlier one, bit for bit, belongs to the same edition: each
# by its checksum (docs/decisions/0180-tables-in-their-files.md).
_MAKES_THE_VECTORS_OF = {
    "329a29c92556a55593aecf812ee515f8dbbabad504527d4bcedb7b3320298aab": (
        "ddf2fbc443027ab4938dca25ac9456d2624eb4ef9c23c11a8bf9511ccfaa3744"
    ),
}
# The rows of common pieces stay in memory: two megabytes.
_ROWS_KEPT = 4_096
# Multiplications that numpy's library does without waking its threads, which cost ten times
# what they bring: 5 ms for the tokens of a sentence.
_PRODUCT = 250_000


class MiniLM:
    """Embeds English and Korean text, and gives the vectors of single tokens besides.

    A vector depends on its text and context alone, so texts are run one by one: this is as fast
    as running them together, and they need no padding. Safe to use from several threads.
    """

    name = NAME
    dimension = DIMENSION
    tokens_max = TOKENS_MAX
    languages = ("en", "ko")
    is_parallel = True

    def __init__(
        self,
        files: Files | None = None,
        *,
        threads: int = 1,
        token_dimension: int = TOKEN_DIMENSION,
    ) -> None:
        import numpy

        self._numpy: Any = numpy  # numpy's module type says nothing useful here
        files = files or Files(NAME)
        parts = files.verify()
        self.id = identify(
            NAME,
            files={
                name: _MAKES_THE_VECTORS_OF.get(part.sha256, part.sha256)
                for name, part in parts.items()
                if name not in _NO_VECTOR
            },
            pooling="mean of own tokens",
            tokens_max=TOKENS_MAX,
            context_tokens_max=CONTEXT_TOKENS_MAX,
        )
        self._tokenizer = WordPiece.shared(files.folder / "vocabulary.txt")
        axes = numpy.load(files.folder / "projection.npy")[:, :token_dimension]
        self._projection = axes.astype(numpy.float32)
        self.centre: Vectors = numpy.load(files.folder / "centre.npy").astype(numpy.float32)
        self._session = open_graph(files.folder / "model.onnx", threads)
        self._table = PieceTable(
            files.folder / "model.weights", metadata(self._session), len(self._tokenizer)
        )

    def embed(self, texts: Sequence[str], kind: Kind = "document") -> "Vectors":
        """Return one row for each text."""
        del kind  # The model was trained without telling them apart.
        rows = self._numpy.empty((len(texts), DIMENSION), self._numpy.float32)
        for index, text in enumerate(texts):
            rows[index] = self._run(text, "")[0]
        return rows

    def encode(self, text: str, before: str = "") -> Encoding:
        """Encode a text that follows another one; only its own tokens are kept.

        A text longer than the window loses its end; `before` loses its beginning first.
        """
        vector, outputs, ids = self._run(text, before)
        tokens = self._numpy.rint(unit(self._projected(outputs)) * 127)
        return Encoding(
            vector=vector,
            tokens=tokens.astype(self._numpy.int8),
            token_ids=self._numpy.array(ids, self._numpy.int32),
        )

    def count(self, text: str) -> int:
        """Return how many tokens a text has; a window holds `tokens_max` less two."""
        return len(self._tokenizer.ids(text))

    def _projected(self, outputs: "Vectors") -> "Vectors":
        axes = self._projection
        rows = max(1, _PRODUCT // axes.size)
        parts = [outputs[at : at + rows] @ axes for at in range(0, len(outputs), rows)]
        return self._numpy.concatenate(parts or [outputs @ axes])

    def _run(self, text: str, before: str) -> "tuple[Vectors, Vectors, list[int]]":
        """Return the vector of a text, and the outputs and the ids of its own tokens."""
        room = TOKENS_MAX - 2
        own = self._tokenizer.ids(text, limit=room)
        context = self._tokenizer.ids(before[-_CONTEXT_CHARACTERS_MAX:])
        context = _last(context, min(room - len(own), CONTEXT_TOKENS_MAX))
        ids = [self._tokenizer.first, *context, *own, self._tokenizer.last]
        outputs = self._session.run(None, self._table.rows(ids))[0]
        tokens = outputs[1 + len(context) : -1]
        # A text without a token has a vector too: that of the marks around nothing.
        pooled = tokens if own else outputs
        return unit(pooled.mean(axis=0, keepdims=True))[0], tokens, own


class PieceTable:
    """The rows of the pieces, read from their file as they are needed: a text has few of them.

    A row is int8 codes and one scale. A graph's metadata say where they begin.
    """

    def __init__(self, path: Path, places: Mapping[str, str], count: int) -> None:
        import numpy

        self._numpy: Any = numpy  # numpy's module type says nothing useful here
        self._file = Mapped(path)
        self._start = int(places["words"])
        scales = self._file.read(int(places["words.scale"]), 4 * count)
        self._scales = numpy.frombuffer(scales, "<f4")[:, None]
        self._codes = lru_cache(maxsize=_ROWS_KEPT)(self._read)

    def rows(self, ids: list[int]) -> "dict[str, Vectors]":
        """Return the row of each piece, as the graph takes them."""
        codes = self._numpy.frombuffer(b"".join(map(self._codes, ids)), "i1")
        return {"codes": codes.reshape(-1, DIMENSION), "scales": self._scales.take(ids, axis=0)}

    def _read(self, number: int) -> bytes:
        return self._file.read(self._start + number * DIMENSION, DIMENSION)


def _last(ids: list[int], count: int) -> list[int]:
    return ids[max(0, len(ids) - count) :]


def open_graph(path: Path, threads: int = 1) -> Any:  # onnxruntime has no types
    """Return a graph, ready to be run."""
    runtime = load_library("onnxruntime")
    options = runtime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    # Plans of memory are kept for every length met: 15 MB more, and no faster.
    options.enable_mem_pattern = False
    options.log_severity_level = 3
    return runtime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def metadata(graph: Any) -> dict[str, str]:
    """Return what is written beside a graph."""
    return graph.get_modelmeta().custom_metadata_map
