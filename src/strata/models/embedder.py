"""What every model that turns text into vectors offers, wherever it runs."""

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias

import msgspec

if TYPE_CHECKING:
    import numpy as np

# Usually float32. Numpy's own types of shapes say nothing useful here.
Vectors: TypeAlias = "np.ndarray[Any, Any]"

# Some models were trained to tell a question from what answers it.
Kind = Literal["document", "query"]


class Embedder(Protocol):
    """Turns texts into vectors of length 1 that lie near each other when they mean the same.

    Vectors of two embedders may be compared only if their `id` is the same.
    """

    @property
    def id(self) -> str:
        """Names everything a vector depends on: weights, tokenizer, pooling, prefix, length."""
        ...

    @property
    def name(self) -> str:
        """The name that people call it by."""
        ...

    @property
    def dimension(self) -> int:
        """The length of a vector."""
        ...

    @property
    def tokens_max(self) -> int:
        """Tokens that are read of a text; what follows has no influence."""
        ...

    @property
    def languages(self) -> tuple[str, ...]:
        """ISO 639-1 codes of the languages it was trained on; empty when not known."""
        ...

    def embed(self, texts: Sequence[str], kind: Kind = "document") -> "Vectors":
        """Return one float32 row of length 1 for each text."""
        ...


class Encoding(msgspec.Struct, frozen=True, eq=False):
    """A text as MiniLM sees it: as a whole, and token by token.

    The rows of `tokens` are unit vectors times 127, in 128 dimensions: the product of two, divided
    by 127 squared, is their cosine.
    """

    vector: "Vectors"  # float32, (384,)
    tokens: "Vectors"  # int8, (count, 128)
    token_ids: "Vectors"  # int32, (count,)


def identify(origin: str, /, **parts: object) -> str:
    """Return an id that differs as soon as one part does."""
    content = msgspec.json.encode(parts, order="sorted")
    return f"{origin}-{hashlib.sha256(content).hexdigest()[:16]}"


def unit(rows: "Vectors") -> "Vectors":
    """Scale rows to length 1; a row of zeros stays as it is."""
    import numpy

    lengths = numpy.sqrt(numpy.einsum("ij,ij->i", rows, rows))[:, None]
    return (rows / numpy.where(lengths > 0, lengths, 1)).astype(numpy.float32, copy=False)
