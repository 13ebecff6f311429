"""Drawings (SVG): text that says how to draw. It is read as text, and never rendered."""

import re

from strata.base.errors import InvalidArgument
from strata.documents.files.containers import broken

SVG = "image/svg+xml"
_BEGINNING = re.compile(rb"(?:\xef\xbb\xbf)?\s*<(?:svg|\?xml|!--|!DOCTYPE\s+svg)[\s>:-]", re.ASCII)
_LENGTH = re.compile(r"\s*(\d{1,7}(?:\.\d*)?)\s*(?:px)?\s*", re.ASCII)
_BOX = re.compile(r"[\s,]+")


def is_drawing(data: bytes) -> bool:
    """Tell whether a file begins as a drawing does."""
    return _BEGINNING.match(data[:200]) is not None and b"<svg" in data[: 64 * 1024]


def drawing_size(data: bytes) -> tuple[int | None, int | None]:
    """Return the width and height that a drawing names; None where it leaves them open.

    Raises InvalidArgument for one that is not well formed, or that defines entities: a few
    lines of them expand to gigabytes.
    """
    from xml.parsers.expat import ExpatError, ParserCreate  # noqa: PLC0415  (seldom needed)

    roots: list[tuple[str, dict[str, str]]] = []

    def begin(name: str, attributes: dict[str, str]) -> None:
        roots.append((name, attributes))
        parser.StartElementHandler = None  # only the outermost one counts

    def refuse(*_declaration: object) -> None:
        raise InvalidArgument(
            "This drawing defines entities of its own, which may expand to anything.",
            hint="Save it without a DOCTYPE.",
            parameter="image",
        )

    parser = ParserCreate()
    parser.StartElementHandler = begin
    parser.EntityDeclHandler = refuse
    try:
        parser.Parse(data, True)
    except InvalidArgument:
        raise
    except (ExpatError, LookupError, ValueError) as error:  # the last two: of its encoding
        raise broken(f"cannot be read ({str(error)[:200]})") from error
    if roots[0][0].rpartition(":")[2] != "svg":
        raise broken("is XML, but no SVG")
    return _size(roots[0][1])


def _size(attributes: dict[str, str]) -> tuple[int | None, int | None]:
    width, height = (_pixels(attributes.get(name, "")) for name in ("width", "height"))
    box = _BOX.split(attributes.get("viewBox", "").strip())
    if width is None and height is None and len(box) == 4:
        return _pixels(box[2]), _pixels(box[3])
    return width, height


def _pixels(length: str) -> int | None:
    found = _LENGTH.fullmatch(length)
    return round(float(found[1])) if found else None
