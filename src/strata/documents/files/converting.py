"""Files that become documents: what they are, and their text, read by a process of its own.

A file of a few bytes may ask for hours or gigabytes. The process that reads it may use so much
of both and no more; a server goes on meanwhile.
"""

import re
import subprocess
import sys
from pathlib import PurePath

import msgspec

from strata.base import limits
from strata.base.errors import InvalidArgument, LimitExceeded, StrataError

PDF = "application/pdf"
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
FILE_TYPES = {PDF: ".pdf", DOCX: ".docx"}
_HEADING = re.compile(r"^# (.+)$", re.MULTILINE)


class ConvertedFile(msgspec.Struct, frozen=True):
    """What the process answers: the text, or why there is none."""

    markdown: str = ""
    error: str | None = None
    hint: str | None = None


def file_type(data: bytes, name: str) -> str:
    """Return the type of a file that can become a document, or raise InvalidArgument."""
    if b"%PDF-" in data[:1024]:
        return PDF
    if data.startswith(b"PK\x03\x04") and name.lower().endswith(".docx"):
        return DOCX
    raise InvalidArgument(
        f"{name[:80]!r} is no file that can be attached.",
        hint="Send a PDF or DOCX file.",
        parameter="file",
    )


def check_file_size(data: bytes) -> None:
    """Raise LimitExceeded for a file that is too large to be kept."""
    if len(data) > limits.IMAGE_BYTES_MAX:
        raise LimitExceeded(
            f"A file may have {limits.IMAGE_BYTES_MAX:,} bytes; this one has {len(data):,}.",
            limit=limits.IMAGE_BYTES_MAX,
            size=len(data),
        )


def markdown_of_file(data: bytes, media_type: str) -> str:
    """Return the text of a PDF or DOCX file as Markdown.

    Raises InvalidArgument for a file that is broken or protected, and LimitExceeded for one that
    takes more time or memory to read than it may.
    """
    check_file_size(data)
    command = [sys.executable, "-m", "strata.documents.files.convert", media_type]
    try:
        done = subprocess.run(  # noqa: S603  (this program, and a type that is known)
            command, input=data, capture_output=True, timeout=limits.FILE_READ_S, check=False
        )
    except subprocess.TimeoutExpired:
        raise _too_much() from None
    if done.returncode != 0:
        raise _too_much()
    found = msgspec.json.decode(done.stdout, type=ConvertedFile)
    if found.error is not None:
        raise InvalidArgument(found.error, hint=found.hint, parameter="file")
    return found.markdown


def _too_much() -> StrataError:
    return LimitExceeded(
        "This file takes more time or memory to read than a file may.",
        hint="Save it anew, in parts, or without pictures. Nothing was changed.",
        limit=limits.FILE_READ_BYTES_MAX,
    )


def title_of_file(name: str, markdown: str) -> str:
    """Return the title of a document made of a file: its first heading, or the file's name.

    >>> title_of_file("계획.docx", "# Goals\\n"), title_of_file("report.pdf", "Text")
    ('Goals', 'report')
    """
    found = _HEADING.search(markdown)
    title = found[1].replace("\\", "").strip() if found is not None else ""
    return (title or PurePath(name).stem or name)[: limits.TITLE_CHARACTERS_MAX]
