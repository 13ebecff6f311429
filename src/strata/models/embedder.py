"""What the models here share: a text token by token, their ids, vectors of length 1."""

import hashlib

import msgspec

from strata.base.embedder import Embedder, Kind, Vectors

__all__ = ["Embedder", "Encoding", "Kind", "Vectors", "identify", "unit"]


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
