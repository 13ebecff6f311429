"""Pictures: what one is, and showing it as a PNG of a bounded size."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Generator
from contextlib import contextmanager
from hashlib import sha256
from io import BytesIO
from typing import TYPE_CHECKING

import msgspec

from strata.base import limits
from strata.base.checks import check_number
from strata.base.errors import InvalidArgument, LimitExceeded, StrataError, WrongType
from strata.base.memo import on_purge
from strata.documents.files.containers import ImageLayout, broken, layout
from strata.documents.files.drawings import SVG, drawing_size, is_drawing
from strata.documents.files.orientation import SIDEWAYS

if TYPE_CHECKING:
    from PIL.Image import Image

IMAGE_TYPES = ("image/png", "image/jpeg", "image/gif", "image/webp", SVG)
_FORMATS = {"image/png": "PNG", "image/jpeg": "JPEG", "image/gif": "GIF", "image/webp": "WEBP"}
# How much smaller a picture is made when it is still too large to be shown.
_STEP = 0.75


class ImageFacts(msgspec.Struct, frozen=True):
    """What a picture is. The size is as it is seen; a drawing may leave it open."""

    media_type: str
    width: int | None
    height: int | None


def image_id(data: bytes) -> str:
    """Return what an image is known by: the SHA-256 of its file, in hex."""
    return sha256(data).hexdigest()


def inspect(data: bytes) -> ImageFacts:
    """Return what a picture is, after decoding it once.

    Raises InvalidArgument for what is no whole picture, and LimitExceeded for one that claims
    more than may be decoded.
    """
    _check_size(data)
    found = layout(data)
    if found is None:
        return _drawing(data)
    with _decoding(found) as picture:
        # The smallest form that the decoder can give still needs every byte.
        picture.draft(None, (1, 1))
        picture.load()
    is_sideways = found.turn in SIDEWAYS
    size = (found.height, found.width) if is_sideways else (found.width, found.height)
    return ImageFacts(found.media_type, *size)


def _check_size(data: bytes) -> None:
    if len(data) > limits.IMAGE_BYTES_MAX:
        raise LimitExceeded(
            f"An image may have {limits.IMAGE_BYTES_MAX:,} bytes; this one has {len(data):,}.",
            hint="Save it smaller, or as JPEG or WebP.",
            limit=limits.IMAGE_BYTES_MAX,
            size=len(data),
        )


def _drawing(data: bytes) -> ImageFacts:
    if not is_drawing(data):
        raise InvalidArgument(
            "This is no image that can be kept.",
            hint="Send a PNG, JPEG, GIF, WebP or SVG file.",
            parameter="image",
        )
    return ImageFacts(SVG, *drawing_size(data))


def as_png(data: bytes, max_width: int) -> bytes:
    """Return a picture as a PNG, at most so wide and never larger than it is.

    It is upright, shows the first frame of an animation, and carries no metadata. A result
    that a model could not take is made smaller still. Drawings (SVG) are refused.
    """
    return png_of(image_id(data), max_width, lambda: data)


def png_of(image: str, max_width: int, read: Callable[[], bytes]) -> bytes:
    """Return what `as_png` makes of an image; `read` is asked only if it is not at hand."""
    width = check_number(max_width, name="max_width", most=limits.IMAGE_SIDE_MAX)
    kept = _shown.get((image, width))
    if kept is None:
        kept = _png(read(), width)
        _shown.keep((image, width), kept)
    return kept


def _png(data: bytes, max_width: int) -> bytes:
    found = layout(data)
    if found is None:
        facts = _drawing(data)
        raise WrongType(
            f"This is a drawing ({facts.media_type}), which is text and is not rendered.",
            hint="Read it as text, or attach it as PNG as well.",
            parameter="image",
        )
    with _decoding(found) as picture:
        shown = _fitted(picture, max_width, is_sideways=found.turn in SIDEWAYS)
        return _encoded(_upright(shown, found.turn))


def _fitted(picture: "Image", max_width: int, *, is_sideways: bool) -> "Image":
    """Decode a picture at about the size that is needed, then make it fit."""
    from PIL.Image import Resampling

    width, height = picture.size
    across, along = (height, width) if is_sideways else (width, height)
    scale = min(1.0, max_width / across, limits.IMAGE_SIDE_MAX / along)
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    # A JPEG is decoded at an eighth, a quarter or a half where that is enough.
    picture.draft(None, size)
    plain = _plain(picture)
    if plain.size == size:
        return plain
    return plain.resize(size, Resampling.LANCZOS, reducing_gap=2.0)


def _plain(picture: "Image") -> "Image":
    """Return a picture that is grey or coloured, eight bits deep, and transparent where it was."""
    picture.load()
    if picture.mode in ("RGBA", "LA", "PA", "RGBa", "La") or "transparency" in picture.info:
        return picture.convert("RGBA")
    if picture.mode.startswith("I;16"):
        return picture.point(lambda level: level / 256).convert("L")
    if picture.mode in ("1", "L"):
        return picture.convert("L")
    return picture.convert("RGB")


def _upright(picture: "Image", turn: int) -> "Image":
    from PIL.Image import Transpose

    turns = {
        2: Transpose.FLIP_LEFT_RIGHT,
        3: Transpose.ROTATE_180,
        4: Transpose.FLIP_TOP_BOTTOM,
        5: Transpose.TRANSPOSE,
        6: Transpose.ROTATE_270,
        7: Transpose.TRANSVERSE,
        8: Transpose.ROTATE_90,
    }
    return picture.transpose(turns[turn]) if turn in turns else picture


def _encoded(picture: "Image") -> bytes:
    """Write a PNG without anything beside the picture, small enough to be answered."""
    from PIL.Image import Resampling

    while True:
        picture.info.clear()
        out = BytesIO()
        picture.save(out, "PNG")
        if out.tell() <= limits.IMAGE_ANSWER_BYTES_MAX or max(picture.size) == 1:
            return out.getvalue()
        width, height = (max(1, int(side * _STEP)) for side in picture.size)
        picture = picture.resize((width, height), Resampling.LANCZOS)


# At most so many pictures lie decoded in memory.
_slots = threading.BoundedSemaphore(limits.IMAGES_DECODED_AT_ONCE)


@contextmanager
def _decoding(found: ImageLayout) -> "Generator[Image]":
    """Give a picture that can be decoded; whatever its decoder meets is one error of ours."""
    from PIL.Image import open as open_image

    form = _FORMATS[found.media_type]
    try:
        with _slots, open_image(BytesIO(found.data), formats=[form]) as picture:
            if picture.width * picture.height > limits.IMAGE_PIXELS_MAX:
                raise broken("is larger than it says")
            yield picture
    except StrataError:
        raise
    except Exception as error:  # decoders of strange bytes raise anything
        raise broken(f"cannot be decoded ({error})") from error


class RecentPictures:
    """Pictures that were shown lately, as many as fit."""

    def __init__(self, most: int = limits.IMAGE_CACHE_BYTES) -> None:
        self._most = most
        self._kept: OrderedDict[tuple[str, int], bytes] = OrderedDict()
        self._lock = threading.Lock()
        self.size_bytes = 0
        on_purge(self.forget)

    def forget(self) -> None:
        """Drop all of them, after something was purged."""
        with self._lock:
            self._kept.clear()
            self.size_bytes = 0

    def get(self, key: tuple[str, int]) -> bytes | None:
        """Return a picture if it is still here."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def keep(self, key: tuple[str, int], data: bytes) -> None:
        """Keep a picture, and drop those that were not asked for the longest."""
        with self._lock:
            self.size_bytes += len(data) - len(self._kept.pop(key, b""))
            self._kept[key] = data
            while self.size_bytes > self._most:
                self.size_bytes -= len(self._kept.popitem(last=False)[1])


_shown = RecentPictures()
