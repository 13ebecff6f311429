"""Pictures: what one is, showing it small, and files that would like to be more than they are."""

import io
import struct
import time
import zlib
from collections.abc import Callable
from hashlib import sha256
from typing import Any

import pytest
from PIL import Image, PngImagePlugin

from strata.base import limits
from strata.base.errors import InvalidArgument, LimitExceeded, WrongType
from strata.documents.files import ImageFacts, as_png, image_id, inspect, png_of
from strata.documents.files.images import RecentPictures

FORMATS = {"PNG": "image/png", "JPEG": "image/jpeg", "GIF": "image/gif", "WEBP": "image/webp"}
RED, BLUE = (220, 20, 20), (20, 20, 220)


def saved(picture: Image.Image, form: str, **options: Any) -> bytes:
    out = io.BytesIO()
    picture.save(out, form, **options)
    return out.getvalue()


def halves(size: tuple[int, int] = (60, 30)) -> Image.Image:
    """A picture that is red on the left and blue on the right."""
    picture = Image.new("RGB", size, RED)
    picture.paste(BLUE, (size[0] // 2, 0, *size))
    return picture


def noted() -> Image.Exif:
    exif = Image.Exif()
    exif[0x010E] = "where I live"
    return exif


def opened(data: bytes) -> Image.Image:
    picture = Image.open(io.BytesIO(data))
    picture.load()
    return picture


def alpha(picture: Image.Image, at: tuple[int, int]) -> int:
    found: Any = picture.getpixel(at)
    return found[3]


def is_like(found: Any, wanted: tuple[int, int, int]) -> bool:
    return all(abs(a - b) < 40 for a, b in zip(found, wanted, strict=False))


def chunk(kind: bytes, content: bytes) -> bytes:
    check = zlib.crc32(kind + content)
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", check)


def png_with(*chunks: bytes, base: bytes | None = None) -> bytes:
    """A PNG with more chunks behind its head."""
    data = base or saved(halves(), "PNG")
    return data[:33] + b"".join(chunks) + data[33:]


# What a picture is.


@pytest.mark.parametrize("form", FORMATS)
def test_a_picture_is_known_by_its_bytes_and_not_by_its_name(form: str) -> None:
    assert inspect(saved(halves(), form)) == ImageFacts(FORMATS[form], 60, 30)


@pytest.mark.parametrize("form", ["VP8", "VP8L", "VP8X"])
def test_every_kind_of_webp_tells_its_size(form: str) -> None:
    options: dict[str, Any] = {"VP8": {}, "VP8L": {"lossless": True}, "VP8X": {"exif": noted()}}
    data = saved(halves((61, 33)), "WEBP", **options[form])
    assert form.encode() in data[:16]
    assert inspect(data) == ImageFacts("image/webp", 61, 33)


def test_the_size_is_as_the_picture_is_seen() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # the camera was held upright
    data = saved(halves(), "JPEG", exif=exif)
    assert inspect(data) == ImageFacts("image/jpeg", 30, 60)
    shown = opened(as_png(data, 100))
    assert shown.size == (30, 60)
    assert is_like(shown.getpixel((15, 5)), RED)
    assert is_like(shown.getpixel((15, 55)), BLUE)


def test_the_id_of_an_image_is_the_hash_of_its_file() -> None:
    data = saved(halves(), "PNG")
    assert image_id(data) == sha256(data).hexdigest()


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ('<svg xmlns="http://www.w3.org/2000/svg" width="120px" height="40"/>', (120, 40)),
        (
            '<?xml version="1.0"?>\n<!-- 그림 -->\n<svg viewBox="0 0 300.4 150"><g/></svg>',
            (300, 150),
        ),
        ('<svg width="100%" height="2em"><text>안녕</text></svg>', (None, None)),
        ('\ufeff<svg width="7" height="9"></svg>', (7, 9)),
    ],
)
def test_a_drawing_tells_its_size_if_it_has_one(text: str, size: tuple[int, int]) -> None:
    assert inspect(text.encode()) == ImageFacts("image/svg+xml", *size)


def test_a_drawing_is_not_rendered_and_says_so() -> None:
    with pytest.raises(WrongType, match="not rendered"):
        as_png(b'<svg width="10" height="10"></svg>', 100)


# Showing it.


@pytest.mark.parametrize("form", FORMATS)
def test_a_picture_is_made_to_fit_and_keeps_its_shape(form: str) -> None:
    shown = opened(as_png(saved(halves((400, 200)), form), 100))
    assert (shown.format, shown.size) == ("PNG", (100, 50))
    assert is_like(shown.convert("RGB").getpixel((10, 25)), RED)
    assert is_like(shown.convert("RGB").getpixel((90, 25)), BLUE)


def test_a_small_picture_is_never_made_larger() -> None:
    assert opened(as_png(saved(halves((40, 20)), "PNG"), 1024)).size == (40, 20)


@pytest.mark.parametrize("turn", range(1, 9))
def test_every_orientation_is_set_upright(turn: int) -> None:
    # The corner that is seen at the top left, wherever it is in the file.
    exif = Image.Exif()
    exif[0x0112] = turn
    seen = Image.new("RGB", (80, 40), BLUE)
    seen.paste(RED, (0, 0, 40, 20))
    undo = {
        2: Image.Transpose.FLIP_LEFT_RIGHT,
        3: Image.Transpose.ROTATE_180,
        4: Image.Transpose.FLIP_TOP_BOTTOM,
        5: Image.Transpose.TRANSPOSE,
        6: Image.Transpose.ROTATE_90,
        7: Image.Transpose.TRANSVERSE,
        8: Image.Transpose.ROTATE_270,
    }
    stored = seen.transpose(undo[turn]) if turn in undo else seen
    shown = opened(as_png(saved(stored, "JPEG", exif=exif, quality=95), 40))
    assert shown.size == (40, 20)
    assert is_like(shown.getpixel((8, 4)), RED)
    assert all(is_like(shown.getpixel(at), BLUE) for at in [(32, 4), (8, 16), (32, 16)])


@pytest.mark.parametrize("form", ["PNG", "WEBP", "JPEG"])
def test_notes_that_are_broken_are_no_reason_to_refuse_a_picture(form: str) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    whole = exif.tobytes()
    for at in range(6, len(whole)):
        for notes in (whole[:at], whole[:at] + b"\xff" + whole[at + 1 :]):
            facts = inspect(saved(halves(), form, exif=notes))
            assert {facts.width, facts.height} == {60, 30}


@pytest.mark.parametrize("form", ["PNG", "WEBP"])
def test_other_files_than_photographs_may_be_turned_as_well(form: str) -> None:
    exif = Image.Exif()
    exif[0x0112] = 8
    data = saved(halves(), form, exif=exif)
    assert (inspect(data).width, opened(as_png(data, 100)).size) == (30, (30, 60))


def test_metadata_stays_behind() -> None:
    note = PngImagePlugin.PngInfo()
    note.add_text("Comment", "비밀", zip=True)
    for data in (
        saved(halves(), "JPEG", exif=noted(), comment=b"secret", icc_profile=b"profile"),
        saved(halves(), "PNG", pnginfo=note, exif=noted(), dpi=(300, 300)),
    ):
        shown = as_png(data, 50)
        assert not opened(shown).info
        assert not any(kind in shown for kind in (b"iCCP", b"eXIf", b"tEXt", b"zTXt", b"pHYs"))


@pytest.mark.parametrize("form", ["GIF", "WEBP", "PNG"])
def test_of_an_animation_the_first_frame_is_shown(form: str) -> None:
    frames = [Image.new("RGB", (20, 10), colour) for colour in (RED, BLUE, BLUE)]
    data = saved(frames[0], form, save_all=True, append_images=frames[1:], duration=50)
    assert is_like(opened(as_png(data, 20)).convert("RGB").getpixel((5, 5)), RED)
    assert inspect(data).width == 20


def test_what_is_transparent_stays_so() -> None:
    picture = Image.new("RGBA", (40, 40), (0, 0, 0, 0))
    picture.paste((*RED, 255), (0, 0, 20, 40))
    for form in ("PNG", "WEBP", "GIF"):
        shown = opened(as_png(saved(picture, form), 20))
        assert shown.mode == "RGBA"
        assert alpha(shown, (18, 10)) == 0
        assert alpha(shown, (2, 10)) == 255


@pytest.mark.parametrize(
    ("mode", "colour", "expected"),
    [("1", 1, 255), ("L", 99, 99), ("I;16", 40_000, 156), ("CMYK", (0, 255, 255, 0), RED)],
)
def test_pictures_of_every_depth_are_shown(mode: str, colour: Any, expected: Any) -> None:
    picture = Image.new(mode, (16, 16), colour)
    shown = opened(as_png(saved(picture, "JPEG" if mode == "CMYK" else "PNG"), 8))
    assert shown.size == (8, 8)
    found = shown.getpixel((4, 4))
    assert is_like(found, expected) if isinstance(expected, tuple) else found == expected


def test_a_very_tall_picture_stays_within_what_models_take() -> None:
    shown = opened(as_png(saved(Image.new("L", (2, 30_000)), "PNG"), 1024))
    assert shown.size == (1, limits.IMAGE_SIDE_MAX)


@pytest.mark.slow
def test_an_answer_that_would_be_too_large_is_made_smaller() -> None:
    noise = Image.effect_noise((1600, 1200), 200).convert("RGB")
    noise.putalpha(Image.effect_noise((1600, 1200), 200))
    shown = as_png(saved(noise, "PNG"), 1600)
    assert len(shown) <= limits.IMAGE_ANSWER_BYTES_MAX
    assert 600 < opened(shown).width < 1600


@pytest.mark.slow
def test_a_large_photograph_is_decoded_at_the_size_that_is_needed() -> None:
    data = saved(halves((6000, 4000)), "JPEG")

    def seconds(width: int) -> float:
        began = time.process_time()
        png_of(f"{width}-{time.process_time()}", width, lambda: data)
        return time.process_time() - began

    assert min(seconds(200) for _ in range(3)) < min(seconds(5000) for _ in range(2)) / 4


def test_a_width_is_a_number_within_bounds() -> None:
    data = saved(halves(), "PNG")
    for width in (0, -5, limits.IMAGE_SIDE_MAX + 1):
        with pytest.raises((InvalidArgument, LimitExceeded)):
            as_png(data, width)


# What is kept ready.


def test_a_picture_that_was_shown_is_not_read_again() -> None:
    data = saved(halves(), "PNG")
    reads: list[int] = []

    def read() -> bytes:
        reads.append(1)
        return data

    name = f"test {time.process_time()}"
    assert png_of(name, 30, read) == png_of(name, 30, read)
    assert len(reads) == 1
    png_of(name, 31, read)
    assert len(reads) == 2


def test_what_was_not_asked_for_the_longest_goes_first() -> None:
    shown = RecentPictures(most=100)
    for name in "abc":
        shown.keep((name, 1), bytes(30))
    assert shown.get(("a", 1)) is not None
    shown.keep(("d", 1), bytes(30))
    assert shown.get(("b", 1)) is None
    assert [shown.get((name, 1)) is not None for name in "acd"] == [True] * 3
    shown.keep(("d", 1), bytes(10))
    assert shown.size_bytes == 70
    shown.keep(("large", 1), bytes(200))
    assert (shown.size_bytes, shown.get(("large", 1))) == (0, None)


# What is refused.


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"hello",
        "안녕하세요".encode(),
        b"%PDF-1.7 ...",
        b"BM" + bytes(60),
        b"<html><svg></svg>",
    ],
)
def test_what_is_no_image_is_refused(data: bytes) -> None:
    with pytest.raises(InvalidArgument, match="no image"):
        inspect(data)


@pytest.mark.parametrize("form", FORMATS)
def test_a_file_cut_at_any_place_is_refused(form: str) -> None:
    data = saved(Image.effect_noise((64, 64), 90).convert("RGB"), form)
    # The last byte of a WebP may be padding, and behind a JPEG's end nothing counts.
    for end in [*range(12, len(data) - 2, max(1, len(data) // 60)), len(data) - 2]:
        with pytest.raises((InvalidArgument, LimitExceeded)):
            inspect(data[:end])


@pytest.mark.parametrize("form", FORMATS)
def test_flipped_bytes_end_in_an_error_of_ours_or_in_a_picture(form: str) -> None:
    data = saved(Image.effect_noise((40, 40), 90).convert("RGB"), form)
    for at in range(0, len(data), max(1, len(data) // 200)):
        flipped = bytearray(data)
        flipped[at] ^= 0xFF
        try:
            assert inspect(bytes(flipped)).media_type in FORMATS.values()
        except (InvalidArgument, LimitExceeded):
            continue


def png_of_size(width: int, height: int) -> bytes:
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
    body = chunk(b"IDAT", zlib.compress(bytes(1000), 9))
    return b"\x89PNG\r\n\x1a\n" + head + body + chunk(b"IEND", b"")


def jpeg_of_size(width: int, height: int) -> bytes:
    data = saved(halves(), "JPEG")
    at = data.index(b"\xff\xc0")
    return data[: at + 5] + struct.pack(">HH", height, width) + data[at + 9 :]


def gif_of_size(width: int, height: int) -> bytes:
    data = saved(halves(), "GIF")
    return data[:6] + struct.pack("<HH", width, height) + data[10:]


def gif_frame_of_size(width: int, height: int) -> bytes:
    data = saved(halves(), "GIF")
    at = data.index(b"\x2c", 13 + 3 * (2 << (data[10] & 7)))
    return data[: at + 5] + struct.pack("<HH", width, height) + data[at + 9 :]


def webp_of_size(width: int, height: int) -> bytes:
    data = saved(halves(), "WEBP", exif=noted())
    sides = (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    return data[:24] + sides + data[30:]


@pytest.mark.parametrize(
    "make", [png_of_size, jpeg_of_size, gif_of_size, gif_frame_of_size, webp_of_size]
)
def test_a_small_file_that_claims_a_huge_picture_is_refused_at_once(
    make: Callable[[int, int], bytes],
) -> None:
    data = make(60_000, 60_000)
    assert len(data) < 5_000
    began = time.process_time()
    for use in (inspect, lambda data: as_png(data, 100)):
        with pytest.raises(LimitExceeded, match="50,000,000 pixels"):
            use(data)
    assert time.process_time() - began < 1


def test_a_picture_of_millions_of_rows_is_refused() -> None:
    for size in ((1, 1_000_000), (1_000_000, 1)):
        with pytest.raises(LimitExceeded, match="65,535 pixels on a side"):
            inspect(png_of_size(*size))


@pytest.mark.slow
@pytest.mark.parametrize("kind", [b"zTXt", b"iTXt", b"iCCP"])
def test_text_that_would_fill_the_memory_is_refused(kind: bytes) -> None:
    packed = zlib.compress(bytes(200_000_000), 9)
    before = b"Comment\0\x01\0\0\0" if kind == b"iTXt" else b"Comment\0\0"
    began = time.process_time()
    with pytest.raises(LimitExceeded, match="text inside an image"):
        inspect(png_with(chunk(kind, before + packed)))
    assert time.process_time() - began < 1


def test_many_texts_count_together() -> None:
    one = chunk(b"zTXt", b"Comment\0\0" + zlib.compress(bytes(1_000_000), 9))
    assert inspect(png_with(*[one] * 7)).width == 60
    with pytest.raises(LimitExceeded):
        inspect(png_with(*[one] * 9))


def test_a_text_larger_than_pillow_likes_is_no_reason_to_refuse_a_picture() -> None:
    workflow = chunk(b"zTXt", b"workflow\0\0" + zlib.compress("노드".encode() * 500_000))
    data = png_with(workflow)
    assert inspect(data) == ImageFacts("image/png", 60, 30)
    assert opened(as_png(data, 10)).size == (10, 5)


def test_more_frames_than_anybody_drew_are_refused() -> None:
    gif = saved(Image.new("P", (1, 1)), "GIF")
    at = gif.rindex(b"\x2c")
    with pytest.raises(LimitExceeded, match="frames"):
        inspect(gif[:at] + gif[at:-1] * 2_000 + b";")
    with pytest.raises(LimitExceeded, match="frames"):
        inspect(png_with(chunk(b"acTL", struct.pack(">II", 100_000, 0))))


def test_a_jpeg_of_endless_scans_is_refused() -> None:
    data = saved(halves((600, 600)), "JPEG", progressive=True)
    at, end = data.rindex(b"\xff\xda"), data.rindex(b"\xff\xd9")
    assert inspect(data).width == 600
    with pytest.raises(LimitExceeded, match="scans"):
        inspect(data[:end] + data[at:end] * 100 + data[end:])


def test_a_file_of_a_million_empty_parts_is_refused_soon() -> None:
    began = time.process_time()
    with pytest.raises(LimitExceeded, match="parts"):
        inspect(png_with(chunk(b"prVt", b"") * 600_000))
    gif = saved(Image.new("P", (1, 1)), "GIF")
    with pytest.raises(LimitExceeded, match="parts"):
        inspect(gif[:-1] + b"\x21\xfe" + b"\x01a" * 600_000 + b"\0;")
    assert time.process_time() - began < 5


def test_a_file_of_too_many_bytes_is_refused_before_anything_looks_at_it() -> None:
    with pytest.raises(LimitExceeded, match="33,554,432"):
        inspect(saved(halves(), "PNG") + bytes(limits.IMAGE_BYTES_MAX))


def test_a_drawing_that_multiplies_itself_is_refused() -> None:
    laughs = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    text = f'<!DOCTYPE svg [<!ENTITY l0 "ha">{laughs}]><svg>&l9;</svg>'
    with pytest.raises(InvalidArgument, match="entities"):
        inspect(text.encode())


@pytest.mark.parametrize(
    "text", ["<svg><g></svg>", "<svg", '<?xml version="1.0"?><html><svg/></html>']
)
def test_a_drawing_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(InvalidArgument):
        inspect(text.encode())
