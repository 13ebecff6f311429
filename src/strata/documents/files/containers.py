"""How a picture's file is built, read without decoding any of it.

A few bytes may claim a picture of gigabytes, or hide that much text. So whatever decides about
a file is read here first: its size in pixels, its frames, its parts, and whether it is whole.
"""

import zlib
from collections.abc import Callable

import msgspec

from strata.base import limits
from strata.base.errors import InvalidArgument, LimitExceeded
from strata.documents.files.orientation import UPRIGHT, orientation

_PNG = b"\x89PNG\r\n\x1a\n"
# Text and colour profiles, each possibly compressed, and where their compressed bytes begin.
_PNG_TEXTS = frozenset({b"tEXt", b"zTXt", b"iTXt", b"iCCP"})
# With these gone a decoder sees a still picture.
_PNG_FRAMES = frozenset({b"acTL", b"fcTL", b"fdAT"})
# Start of a frame, whatever the coding: all of C0 to CF but tables and reserved ones.
_JPEG_SIZES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_JPEG_BARE = frozenset({0x01, *range(0xD0, 0xD9)})
_JPEG_EXIF = 0xE1
# Notes of programs and cameras. Of those two are kept: what the colours mean is said there.
_JPEG_NOTES = frozenset({*range(0xE1, 0xF0), 0xFE}) - {0xEE}


class ImageLayout(msgspec.Struct, frozen=True):
    """What a file says about its picture, and the bytes that a decoder needs of it."""

    media_type: str
    width: int
    height: int
    frames: int
    data: bytes
    turn: int = UPRIGHT


def layout(data: bytes) -> ImageLayout | None:
    """Read a PNG, JPEG, GIF or WebP file; None for anything else.

    Raises InvalidArgument for one that ends too early, and LimitExceeded for one that claims
    more than is worth decoding.
    """
    read = _reader(data)
    if read is None:
        return None
    try:
        found = read(data)
    except IndexError:
        raise broken("ends too early") from None
    _check(found)
    return found


def _reader(data: bytes) -> Callable[[bytes], ImageLayout] | None:
    if data.startswith(_PNG):
        return _png
    if data.startswith(b"\xff\xd8\xff"):
        return _jpeg
    if data.startswith((b"GIF87a", b"GIF89a")):
        return _gif
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return _webp
    return None


def broken(how: str) -> InvalidArgument:
    """Return the error for a file that is no whole picture."""
    return InvalidArgument(
        f"This image {how}.", hint="Send the whole file, byte for byte.", parameter="image"
    )


def _check(found: ImageLayout) -> None:
    if found.width < 1 or found.height < 1:
        raise broken("has no size")
    _limit("pixels", limits.IMAGE_PIXELS_MAX, found.width * found.height)
    _limit("pixels on a side", limits.IMAGE_EDGE_MAX, max(found.width, found.height))
    _limit("frames", limits.IMAGE_FRAMES_MAX, found.frames)


def _limit(what: str, most: int, size: int) -> None:
    if size > most:
        raise LimitExceeded(
            f"An image may have {most:,} {what}; this one has {size:,} or more.",
            hint="Make it smaller first.",
            limit=most,
            size=size,
        )


def _bytes(data: bytes, start: int, count: int) -> bytes:
    """Return so many bytes; a file that has fewer ends too early."""
    found = data[start : start + count]
    if len(found) < count:
        raise IndexError
    return found


def _number(data: bytes, start: int, count: int, *, big: bool = True) -> int:
    return int.from_bytes(_bytes(data, start, count), "big" if big else "little")


# PNG: chunks of length, name, content and checksum.


def _png(data: bytes) -> ImageLayout:
    width, height = _number(data, 16, 4), _number(data, 20, 4)
    kept, frames, texts, at, parts = [_PNG], 1, 0, len(_PNG), 0
    kind, turn = b"", UPRIGHT
    while kind != b"IEND":
        length, kind = _number(data, at, 4), _bytes(data, at + 4, 4)
        whole = _bytes(data, at, length + 12)
        if kind in _PNG_TEXTS:
            texts += _text_size(kind, whole[8:-4], limits.IMAGE_TEXT_BYTES_MAX - texts)
        elif kind == b"acTL":
            frames = _number(whole, 8, 4)
        elif kind == b"eXIf":
            turn = orientation(whole[8:-4])
        elif kind not in _PNG_FRAMES:
            kept.append(whole)
        at, parts = at + length + 12, parts + 1
        _limit("parts", limits.IMAGE_PARTS_MAX, parts)
    if kept[1][4:8] != b"IHDR":
        raise broken("does not begin as a PNG does")
    return ImageLayout("image/png", width, height, frames, b"".join(kept), turn)


def _text_size(kind: bytes, content: bytes, room: int) -> int:
    """Return the size of a text once expanded; refuse one that has no room left."""
    size = len(content)
    name, _end, rest = content.partition(b"\0")
    if kind == b"iTXt":
        is_compressed, packed = rest[:1] == b"\x01", rest[2:].split(b"\0", 2)[-1]
    else:
        is_compressed, packed = kind != b"tEXt", rest[1:]
    if is_compressed:
        size = len(name) + _expanded(packed, room)
    if size > room:
        most = limits.IMAGE_TEXT_BYTES_MAX
        raise LimitExceeded(
            f"The text inside an image may have {most:,} bytes; there is more in this one.",
            hint="Save the image without its texts and profiles.",
            limit=most,
            size=most + 1,
        )
    return size


def _expanded(packed: bytes, room: int) -> int:
    """Return how much a compressed text expands to, as far as there is room for it and a byte."""
    inflater, size = zlib.decompressobj(), 0
    try:
        while packed and size <= room and not inflater.eof:
            size += len(inflater.decompress(packed, 64 * 1024))
            packed = inflater.unconsumed_tail
    except zlib.error:
        pass  # what does not expand is no bomb, and is not read
    return size


# JPEG: segments of a marker and a length, up to the first scan.


def _jpeg(data: bytes) -> ImageLayout:
    at, size, parts, turn = 2, (0, 0), 0, UPRIGHT
    kept = [data[:2]]
    while True:
        marker = _bytes(data, at, 2)
        if marker[0] != 0xFF:
            raise broken("is no JPEG behind its beginning")
        if marker[1] == 0xFF or marker[1] in _JPEG_BARE:  # a filler, or nothing behind it
            at += 1 if marker[1] == 0xFF else 2
        elif marker[1] in (0xDA, 0xD9):
            break
        else:
            whole = _bytes(data, at, 2 + max(2, _number(data, at + 2, 2)))
            if marker[1] in _JPEG_SIZES:
                size = (_number(data, at + 7, 2), _number(data, at + 5, 2))
            if marker[1] == _JPEG_EXIF and whole[4:8] == b"Exif":
                turn = orientation(whole[4:])
            if marker[1] not in _JPEG_NOTES:
                kept.append(whole)
            at += len(whole)
        parts += 1
        _limit("parts", limits.IMAGE_PARTS_MAX, parts)
    if data.rfind(b"\xff\xd9", at) < 0:
        raise IndexError
    # Between the scans every other FF is followed by a zero. Each scan walks the whole picture.
    _limit("scans", limits.IMAGE_SCANS_MAX, data.count(b"\xff\xda", at))
    return ImageLayout("image/jpeg", *size, 1, b"".join((*kept, data[at:])), turn)


# GIF: blocks, each a chain of pieces of up to 255 bytes.


def _gif(data: bytes) -> ImageLayout:
    width, height = (_number(data, at, 2, big=False) for at in (6, 8))
    at = 13 + _colours(data[10] if len(data) > 10 else 0)
    frames, parts = 0, [0]
    while (block := data[at]) != 0x3B:
        if block == 0x2C:
            left, top, wide, high = (_number(data, at + by, 2, big=False) for by in (1, 3, 5, 7))
            # A frame may reach beyond the canvas, which decoders then make larger.
            width, height = max(width, left + wide), max(height, top + high)
            frames += 1
            at = _behind_pieces(data, at + 11 + _colours(data[at + 9]), parts)
        elif block == 0x21:
            at = _behind_pieces(data, at + 2, parts)
        else:
            raise broken("is no GIF behind its beginning")
        _limit("frames", limits.IMAGE_FRAMES_MAX, frames)
    if not frames:
        raise broken("has no picture")
    return ImageLayout("image/gif", width, height, frames, data)


def _colours(flags: int) -> int:
    """Return the bytes of a colour table."""
    return 3 << (flags & 7) + 1 if flags & 0x80 else 0


def _behind_pieces(data: bytes, at: int, parts: list[int]) -> int:
    while size := data[at]:
        at += size + 1
        parts[0] += 1
        _limit("parts", limits.IMAGE_PARTS_MAX, parts[0])
    return at + 1


# WebP: a RIFF file of chunks.


def _webp(data: bytes) -> ImageLayout:
    end = _number(data, 4, 4, big=False) + 8
    if end > len(data):
        raise IndexError
    size: tuple[int, int] | None = None
    frames, at, parts, turn = 0, 12, 0, UPRIGHT
    while at + 8 <= end:
        kind, length = _bytes(data, at, 4), _number(data, at + 4, 4, big=False)
        size = size or _webp_size(kind, data, at + 8)
        frames += kind == b"ANMF"
        if kind == b"EXIF":
            turn = orientation(data[at + 8 : at + 8 + length])
        at, parts = at + 8 + length + (length & 1), parts + 1
        _limit("parts", limits.IMAGE_PARTS_MAX, parts)
    if size is None:
        raise broken("has no picture")
    return ImageLayout("image/webp", *size, max(1, frames), data, turn)


def _webp_size(kind: bytes, data: bytes, at: int) -> tuple[int, int] | None:
    if kind == b"VP8X":
        width, height = (_number(data, at + by, 3, big=False) + 1 for by in (4, 7))
        return width, height
    if kind == b"VP8 ":
        width, height = (_number(data, at + by, 2, big=False) & 0x3FFF for by in (6, 8))
        return width, height
    if kind == b"VP8L":
        bits = _number(data, at + 1, 4, big=False)
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    return None
