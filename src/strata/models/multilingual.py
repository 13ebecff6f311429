"""Google's multilingual sentence encoder: sixteen languages, numpy alone.

Each piece of a text is looked up in a table; three branches see it with its neighbours, two, three
and five pieces wide; the sum over the text goes through a small network. The table stays in its
file, compressed in blocks of 16 rows; the rest is ten megabytes.
"""

import importlib
import os
import threading
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from strata.models.embedder import Kind, identify, unit
from strata.models.files import Files
from strata.models.mapped import Mapped
from strata.models.unigram import FIRST, LAST, Unigram

if TYPE_CHECKING:
    from strata.models.embedder import Vectors

NAME = "multilingual"
DIMENSION = 512
# The network takes any length, but an average over more than this says little.
TOKENS_MAX = 256
_LANGUAGES = "ar de en es fr it ja ko nl pl pt ru th tr zh".split()
_BRANCHES = {2: 0, 3: 1, 5: 2}  # How many pieces wide, and how many of them come before.
_WIDTH = 256
# Zero rows before and behind a text, for the windows at its ends.
_GAP = 2
_CHUNKS = 17
_BLOCK_ROWS = 16
# The blocks of common pieces stay unpacked: 4 MB at most.
_BLOCKS_KEPT = 512
# Files that make no vector of a text: the spelling of the pieces, and what is usual.
_NO_VECTOR = frozenset({"centre.npy", "pieces.zst"})
# A piece has 16 characters at most: the end of a longer text cannot come into the window.
_CHARACTERS_MAX = 16 * TOKENS_MAX


class Multilingual:
    """Embeds text of many languages into one space. Safe to use from several threads.

    Texts run one by one: together they take a third less time, but then a vector's last digits
    depend on what is beside it.
    """

    name = NAME
    dimension = DIMENSION
    tokens_max = TOKENS_MAX
    languages = tuple(_LANGUAGES)
    is_parallel = True

    def __init__(self, files: Files | None = None) -> None:
        import numpy

        files = files or Files(NAME)
        parts = files.verify()
        self.id = identify(
            NAME,
            files={name: part.sha256 for name, part in parts.items() if name not in _NO_VECTOR},
            pooling="sum over root of count",
            tokens_max=TOKENS_MAX,
        )
        self.centre: Vectors = numpy.load(files.folder / "centre.npy").astype(numpy.float32)
        self._tokenizer = Unigram(files.folder / "pieces.npz")
        self._table = _Table(files.folder)
        self._network = _Network(files.folder / "network.npz")

    def embed(self, texts: Sequence[str], kind: Kind = "document") -> "Vectors":
        """Return one row for each text."""
        import numpy

        del kind  # The model was trained without telling them apart.
        rows = numpy.empty((len(texts), DIMENSION), numpy.float32)
        for index, text in enumerate(texts):
            rows[index] = self._network.run(self._table.rows(numpy.array(self._ids(text))))
        return rows

    def count(self, text: str) -> int:
        """Return how many tokens a text has; a window holds `tokens_max` less two."""
        return len(self._tokenizer.ids(text))

    def _ids(self, text: str) -> list[int]:
        ids = self._tokenizer.ids(text[:_CHARACTERS_MAX])
        return [FIRST, *ids[: TOKENS_MAX - 2], LAST]


class _Table:
    """The vectors of the pieces, read from their file as they are needed."""

    def __init__(self, folder: Path) -> None:
        import numpy
        import zstandard

        self._numpy: Any = numpy  # numpy's module type says nothing useful here
        self._file = Mapped(folder / "table.zst")
        self._offsets: list[int] = numpy.load(folder / "table.offsets.npy").tolist()
        with numpy.load(folder / "network.npz") as arrays:
            self._scale, self._low = arrays["scale"][:, None], arrays["lo"][:, None]
        self._unpack = zstandard.ZstdDecompressor().decompress
        self._block = lru_cache(maxsize=_BLOCKS_KEPT)(self._read)
        # A decompressor serves one thread at a time.
        self._lock = threading.Lock()

    def rows(self, numbers: "Vectors") -> "Vectors":
        """Return the vectors of some pieces."""
        codes = self._numpy.empty((len(numbers), DIMENSION), self._numpy.float32)
        with self._lock:
            for index, number in enumerate(numbers.tolist()):
                codes[index] = self._block(number // _BLOCK_ROWS)[number % _BLOCK_ROWS]
        chunk = numbers % _CHUNKS
        codes *= self._scale[chunk]
        codes += self._low[chunk]
        return codes

    def _read(self, block: int) -> "Vectors":
        start, end = self._offsets[block], self._offsets[block + 1]
        content = self._unpack(self._file.read(start, end - start))
        return self._numpy.frombuffer(content, self._numpy.uint8).reshape(-1, DIMENSION)


class _OneThread:
    """Holds numpy's library to one thread as long as a text is being read.

    Matrices this small gain a tenth from a second thread, and wait for it on a busy machine; and
    a product that two threads share has other last digits. The number of threads belongs to the
    process, so there is one of these for all models in it: the first that reads sets the number,
    and the last sets it back. A thread of its own does both, because OpenBLAS ignores a thread that
    sets the number after another one did.
    """

    def __init__(self) -> None:
        self.begin_afresh()

    def begin_afresh(self) -> None:
        """Drop the thread and the lock: after fork() neither may exist."""
        self._lock = threading.Lock()
        self._readers = 0
        self._limit: Any = None
        self._threads: Any = None
        self._setter: Any = None

    def _set(self, work: Callable[[], Any]) -> Any:
        try:
            done = self._setter.submit(work)
        except RuntimeError:  # The interpreter ends, and starts no work any more.
            return work()
        return done.result()

    def __enter__(self) -> None:
        with self._lock:
            if self._threads is None:
                # What numpy computes with is found once numpy is loaded, and not before.
                self._threads = importlib.import_module("threadpoolctl").ThreadpoolController()
                self._setter = importlib.import_module("concurrent.futures").ThreadPoolExecutor(1)
            if not self._readers:
                self._limit = self._set(lambda: self._threads.limit(limits=1, user_api="blas"))
            self._readers += 1

    def __exit__(self, *_failure: object) -> None:
        with self._lock:
            self._readers -= 1
            if not self._readers:
                self._set(self._limit.restore_original_limits)


# Made with the module, because two threads that make their models at once must share it too.
_one_thread = _OneThread()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_one_thread.begin_afresh)


class _Network:
    """Everything above the table."""

    def __init__(self, path: Path) -> None:
        import numpy

        self._numpy: Any = numpy
        with numpy.load(path) as arrays:
            names = [name for name in arrays.files if not name.endswith(".values")]
            # A matrix is stored as codes into the few values it is made of.
            weights = {
                name: arrays[f"{name}.values"][arrays[name]]
                if f"{name}.values" in arrays.files
                else arrays[name]
                for name in names
            }
        joined = {
            name: numpy.concatenate([weights.pop(f"{name}{width}") for width in _BRANCHES], axis=-1)
            for name in ("proj", "proj_b", "ln_g", "ln_b")
        }
        self._weights: dict[str, Any] = weights
        self._joined: dict[str, Any] = joined
        self._epsilon = float(weights["eps"])

    def run(self, table: "Vectors") -> "Vectors":
        """Return the vector of a text; `table` has the rows of its pieces."""
        with _one_thread:
            return self._run(table)

    def _run(self, table: "Vectors") -> "Vectors":
        np_, weights = self._numpy, self._weights
        count = np_.float32(len(table))
        total = self._features(table).sum(axis=0, keepdims=True) @ weights["cnn_W"]
        x = (total + count * weights["cnn_b"]) / np_.sqrt(count)
        low = _positive(x @ weights["p1"] + _positive(x @ weights["d0"]) @ weights["d1"])
        high = low @ weights["p3"] + _positive(low @ weights["d2"]) @ weights["d3"]
        return unit(np_.tanh(high))[0]

    def _features(self, table: "Vectors") -> "Vectors":
        """Return, for each piece, its row of the table beside what the three branches see."""
        np_, joined = self._numpy, self._joined
        projected = table @ joined["proj"]
        projected += joined["proj_b"]
        self._norm(projected, joined["ln_g"], joined["ln_b"])
        features = np_.empty((len(table), DIMENSION + projected.shape[1]), np_.float32)
        features[:, :DIMENSION] = table
        for number, width in enumerate(_BRANCHES):
            x = projected[:, number * _WIDTH : (number + 1) * _WIDTH]
            for layer in ("1", "2"):
                x = self._look_around(x, f"{layer}_{width}")
            start = DIMENSION + number * _WIDTH
            features[:, start : start + _WIDTH] = x
        self._norm(features, self._weights["ln_g"], self._weights["ln_b"])
        return features

    def _look_around(self, x: "Vectors", layer: str) -> "Vectors":
        """Let each piece see its neighbours."""
        np_ = self._numpy
        width = int(layer[-1])
        places = np_.arange(_GAP, _GAP + len(x))
        spread = np_.zeros((len(x) + 2 * _GAP, _WIDTH), np_.float32)
        spread[places] = x
        around = places[:, None] + np_.arange(width) - _BRANCHES[width]
        windows = spread.take(around.reshape(-1), axis=0).reshape(len(places), -1)
        seen = windows @ self._weights[f"w{layer}"]
        seen += self._weights[f"b{layer}"]
        _positive(seen)
        seen += x
        return seen

    def _norm(self, x: "Vectors", weight: "Vectors", bias: "Vectors") -> None:
        """Give each row mean 0 and variance 1, then weigh and shift it; in place."""
        np_ = self._numpy
        x -= x.mean(axis=1, keepdims=True)
        variance = np_.einsum("ij,ij->i", x, x)[:, None] / x.shape[1]
        x /= np_.sqrt(variance + self._epsilon)
        x *= weight
        x += bias


def _positive(x: "Vectors") -> "Vectors":
    return x.clip(0, None, out=x)
