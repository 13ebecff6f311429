"""The vectors of a MAMA database, read from the tables beneath its vector index."""

from typing import Any

import msgspec

from strata.exchange.mama.fields import MamaNotes
from strata.exchange.mama.memories import Memories
from strata.exchange.mama.source import VECTOR_CHUNKS, VECTOR_ROWS, MamaSource

DIMENSION = 384
_BYTES = 4 * DIMENSION


class MamaVectors(msgspec.Struct, frozen=True):
    """Vectors of length one, and the decision that each belongs to."""

    ids: tuple[str, ...] = ()
    matrix: Any = None  # NDArray[np.float32], one row a vector


def vectors_of(source: MamaSource, memories: Memories, *, notes: MamaNotes) -> MamaVectors:
    """Return the vectors of decisions; what belongs to none, or is none, is reported."""
    rows = source.rows(VECTOR_ROWS)
    if not rows:
        return MamaVectors()
    chunks = {
        row.values.get("rowid"): row.values.get("vectors") for row in source.rows(VECTOR_CHUNKS)
    }
    found: dict[str, bytes] = {}
    for row in rows:
        id_ = memories.by_row.get(row.number)
        data = _piece(chunks.get(row.values.get("chunk_id")), row.values.get("chunk_offset"))
        if id_ is None:
            notes.warn(VECTOR_ROWS, f"rowid {row.number}", "the vector belongs to no decision")
        elif data is None:
            notes.warn(VECTOR_ROWS, id_, "its vector cannot be read")
        else:
            found[id_] = data
    return _normed(found, notes)


def _piece(chunk: object, offset: object) -> bytes | None:
    if not isinstance(chunk, bytes) or not isinstance(offset, int) or offset < 0:
        return None
    data = chunk[offset * _BYTES : (offset + 1) * _BYTES]
    return data if len(data) == _BYTES else None


def _normed(found: dict[str, bytes], notes: MamaNotes) -> MamaVectors:
    import numpy as np

    if not found:
        return MamaVectors()
    ids = list(found)
    flat = np.frombuffer(b"".join(found.values()), dtype="<f4")
    matrix = flat.reshape(len(ids), DIMENSION).astype(np.float32)
    with np.errstate(over="ignore", invalid="ignore"):
        lengths = np.linalg.norm(matrix, axis=1)
    is_good = np.isfinite(lengths) & (lengths > 0)
    for at in np.flatnonzero(~is_good):
        notes.warn(VECTOR_ROWS, ids[int(at)], "its vector has no length")
    kept = [int(at) for at in np.flatnonzero(is_good)]
    matrix = matrix[kept] / lengths[kept, None]
    return MamaVectors(tuple(ids[at] for at in kept), matrix)
