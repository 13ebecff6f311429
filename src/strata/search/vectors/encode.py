"""Texts into packed vectors, by a model that the caller passes in.

An embedder may have two calls more. `count(text)` tells how many tokens a text has, and
`encode(text, before)` reads a text behind another one and returns its `vector`, its `tokens`
(int8, one row each, unit vectors times 127) and its `token_ids`. One that `is_parallel` reads
texts singly, in several threads at once.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from strata.base import limits
from strata.base.embedder import Embedder
from strata.base.errors import Unavailable
from strata.base.workers import cores, in_threads
from strata.search.vectors import tokens
from strata.search.vectors.int8 import Packed, pack
from strata.search.vectors.pieces import Piece, cut_up, estimate, split

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

CONTENT_BYTES = 16
# The two marks that models put around a text.
_MARKS = 2
# Texts given at once to a model that reads them together: enough for one request.
_TOGETHER = 16
_REASON_CHARACTERS_MAX = 300


class Chunk(msgspec.Struct, frozen=True):
    """What is kept of one piece of a text."""

    vector: Packed
    tokens: bytes | None = None
    token_ids: bytes | None = None


# The chunks of a text, or the reason why it has none.
Result: TypeAlias = tuple[Chunk, ...] | str


class Passage(msgspec.Struct, frozen=True):
    """A text, and the one it is read behind."""

    text: str
    before: str = ""

    @property
    def content(self) -> bytes:
        """What two passages share when they have the same vectors."""
        own = self.text.encode("utf-8", "surrogatepass")
        before = self.before.encode("utf-8", "surrogatepass")
        head = len(own).to_bytes(8, "little")
        return blake2b(head + own + before, digest_size=CONTENT_BYTES).digest()


def reads_before(embedder: Embedder) -> bool:
    """Whether a model reads a text behind the one before it."""
    return hasattr(embedder, "encode")


def group_size(embedder: Embedder) -> tuple[int, int]:
    """Return how many texts, and how many characters of them, a model is given at once.

    One that reads texts together gets enough for one request. One with a worker a core gets
    work for a tenth of a second, so that the end of a group leaves few of them idle.
    """
    if _is_parallel(embedder):
        return limits.EMBED_BATCH_ITEMS, cores() * limits.EMBED_GROUP_CHARACTERS
    return 1 if reads_before(embedder) else _TOGETHER, limits.VALUE_BYTES_MAX


def encode(embedder: Embedder, passages: Sequence[Passage]) -> list[Result]:
    """Return what is to be kept of each passage.

    One bad text does not hinder the others. Unavailable is about the model, not about a text,
    and is raised.
    """
    is_single = reads_before(embedder) or _is_parallel(embedder)
    read = _read_singly if is_single else _read_together
    return read(embedder, passages)


def _is_parallel(embedder: Embedder) -> bool:
    return getattr(embedder, "is_parallel", False)


def _read_singly(embedder: Embedder, passages: Sequence[Passage]) -> list[Result]:
    """Embed each piece by itself, so that no vector depends on what is read beside it."""
    cut = [_tried(partial(_pieces, embedder, passage.text)) for passage in passages]
    jobs = [job for one in zip(passages, cut, strict=True) for job in _jobs(*one)]
    read = _read_behind if reads_before(embedder) else _read_alone
    workers = cores() if _is_parallel(embedder) else 1
    chunks = iter(in_threads(lambda job: _tried(partial(read, embedder, *job)), jobs, workers))
    return [found if isinstance(found, str) else _joined(chunks, len(found)) for found in cut]


def _jobs(passage: Passage, pieces: Sequence[str] | str) -> Iterable[tuple[str, str]]:
    """Return each piece with what it is read behind; none of a text that could not be cut."""
    return () if isinstance(pieces, str) else zip(pieces, [passage.before, *pieces])  # noqa: B905


def _joined(chunks: Iterator[Chunk | str], count: int) -> Result:
    """Return the chunks of one text, or why one of them could not be made."""
    found = [next(chunks) for _ in range(count)]
    failed = [one for one in found if isinstance(one, str)]
    return failed[0] if failed else tuple(one for one in found if isinstance(one, Chunk))


def _read_alone(embedder: Embedder, piece: str, _before: str) -> Chunk:
    return Chunk(_checked(embedder, embedder.embed([piece], kind="document")[0]))


def _read_behind(embedder: Any, piece: str, before: str) -> Chunk:  # `encode` is optional
    return _chunk(embedder, embedder.encode(piece, before))


def _chunk(embedder: Embedder, encoding: Any) -> Chunk:  # the model's own type
    import numpy

    # Not `numpy.unique`: its first call loads `numpy.ma`, which takes 7 MB and 40 ms.
    ids = numpy.array(sorted({*encoding.token_ids.tolist()}), "<u4")
    return Chunk(_checked(embedder, encoding.vector), tokens.pack(encoding.tokens), ids.tobytes())


def _read_together(embedder: Embedder, passages: Sequence[Passage]) -> list[Result]:
    """Embed all at once; if that fails, one by one, to know which of them cannot be."""
    together = _tried(lambda: _embedded(embedder, passages))
    if not isinstance(together, str):
        return list(together)
    return [_tried(lambda one=one: _embedded(embedder, [one])[0]) for one in passages]


def _embedded(embedder: Embedder, passages: Sequence[Passage]) -> list[tuple[Chunk, ...]]:
    pieces = [_pieces(embedder, passage.text) for passage in passages]
    texts = [piece for found in pieces for piece in found]
    rows = iter(embedder.embed(texts, kind="document")) if texts else iter(())
    return [tuple(Chunk(_checked(embedder, next(rows))) for _ in found) for found in pieces]


def _pieces(embedder: Embedder, text: str) -> list[str]:
    return split(text, _room(embedder), count=counting(embedder), most=limits.EMBED_CHUNKS_MAX)


def pieces_of(embedder: Embedder, text: str) -> list[Piece]:
    """Return the pieces of a text that a model reads, in order, each with its parts."""
    return cut_up(text, _room(embedder), count=counting(embedder), most=limits.EMBED_CHUNKS_MAX)


def _room(embedder: Embedder) -> int:
    return max(1, embedder.tokens_max - _MARKS)


def counting(embedder: Embedder) -> Callable[[str], int]:
    """Return what tells how many tokens a text has for a model."""
    return getattr(embedder, "count", estimate)


def _checked(embedder: Embedder, vector: "Array") -> Packed:
    if vector.shape != (embedder.dimension,):
        raise ValueError(f"the vector has the shape {vector.shape}")
    return pack(vector)


def _tried(work: Callable[[], Any]) -> Any:
    try:
        return work()
    except Unavailable:
        raise
    except Exception as error:  # noqa: BLE001  (a model may raise anything about a text)
        return f"{type(error).__name__}: {error}"[:_REASON_CHARACTERS_MAX]
