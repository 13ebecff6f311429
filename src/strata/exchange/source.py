"""Opening what is to be imported, and telling by its content what it is."""

import codecs
import os
import shutil
import tempfile
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import BinaryIO, cast

import msgspec

from strata.base import limits
from strata.base.errors import NewerFormat, NotFound, Unusable
from strata.base.json_elements import elements
from strata.exchange.foreign import (
    LISTS,
    first_element,
    origin_of,
    read_foreign_document,
    read_foreign_lines,
)
from strata.exchange.lines import Parsed, read_jsonl, reason_of
from strata.exchange.markdown import header_of, read_markdown
from strata.exchange.records import FORMAT, FORMAT_VERSION, HeaderRecord, read_header

JSONL, MARKDOWN = "jsonl", "markdown"
# The comment that heads an export in Markdown is within the first lines.
_HEAD_LINES = 20
_LINE_BYTES = 64 * 1024
_Reader = Callable[[BinaryIO], Iterator[Parsed]]


class Source(msgspec.Struct, frozen=True):
    """A file that was recognised; the header is there in our own formats."""

    file: BinaryIO
    name: str
    size_bytes: int
    format: str
    reader: _Reader
    header: HeaderRecord | None = None

    def records(self) -> Iterator[Parsed]:
        """Read the file from its beginning."""
        self.file.seek(0)
        try:
            yield from self.reader(self.file)
        except ValueError as error:  # what leaves no place to go on from
            raise unusable(self.name, reason_of(error)) from error


@contextmanager
def opened(path: str | os.PathLike[str] | BinaryIO) -> Generator[Source]:
    """Open a path, or take a stream; one that cannot be read twice is copied first."""
    if not isinstance(path, (str, os.PathLike)):
        with ExitStack() as stack:
            file = path if path.seekable() else stack.enter_context(_copied(path))
            yield _recognised(file, "standard input")
        return
    place = Path(path)
    try:
        file = place.open("rb")
    except FileNotFoundError:
        raise NotFound(
            f"There is no file {place}.", hint="Check the path.", path=str(place)
        ) from None
    except OSError as error:
        raise unusable(str(place), error.strerror or "it cannot be opened") from error
    with file:
        yield _recognised(file, place.name)


@contextmanager
def _copied(stream: BinaryIO) -> Generator[BinaryIO]:
    with tempfile.TemporaryFile() as file:
        shutil.copyfileobj(stream, file)
        yield file


def _recognised(file: BinaryIO, name: str) -> Source:
    size = file.seek(0, os.SEEK_END)
    file.seek(0)
    try:
        format_, reader, header = _recognise(file)
    except ValueError as error:
        raise unusable(name, reason_of(error)) from error
    if header is not None and header.format_version > FORMAT_VERSION:
        raise NewerFormat(
            f"{name} is an export of format {header.format_version}; this Strata reads up to "
            f"{FORMAT_VERSION}.",
            hint="Install a newer Strata.",
        )
    return Source(file, name, size, format_, reader, header)


def _recognise(file: BinaryIO) -> tuple[str, _Reader, HeaderRecord | None]:
    head = _head(file)
    if head[0].startswith(b"["):
        return _in_document(file), read_foreign_document, None
    element = first_element(head[0])
    if _is_header(element):
        return JSONL, read_jsonl, read_header(head[0])
    origin = origin_of(element)
    if origin is not None:
        return origin, read_foreign_lines, None
    if head[0].startswith(b"{"):
        return _in_document(file), read_foreign_document, None
    for line in head:
        about = header_of(line.decode())
        if about is not None:
            return MARKDOWN, read_markdown, read_header(about)
    raise ValueError("it is none of the formats that can be imported")


def _is_header(element: object) -> bool:
    if not isinstance(element, dict):
        return False
    return cast("dict[str, object]", element).get("format") == FORMAT


def _head(file: BinaryIO) -> list[bytes]:
    """Return the first line that is not empty and, unless that is JSON, those behind it."""
    while line := file.readline(limits.VALUE_BYTES_MAX):
        first = line.removeprefix(codecs.BOM_UTF8).strip()
        if first.startswith((b"{", b"[")):
            return [first]
        if first:
            return [first, *(file.readline(_LINE_BYTES) for _line in range(_HEAD_LINES))]
    raise ValueError("it is empty")


def _in_document(file: BinaryIO) -> str:
    """Return which program's objects a document holds."""
    file.seek(0)
    for _number, member, element in elements(file):
        origin = origin_of(element) if member in LISTS else None
        if origin is not None:
            return origin
    raise ValueError("it is JSON, but holds no memories, entities or relations")


def unusable(name: str, reason: str, **details: object) -> Unusable:
    """Return the error that refuses a file."""
    return Unusable(
        f"{name} cannot be imported: {reason}.",
        hint="Nothing was changed. Strata reads its own exports (JSON Lines, Markdown), the "
        "memory server's file and exports of mem0.",
        path=name,
        **details,
    )
