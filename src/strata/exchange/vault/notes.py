"""A note as a file and as a document, and what is kept to get the file's bytes back."""

import codecs
from pathlib import PurePosixPath
from typing import Any, cast

import msgspec

from strata.base import limits
from strata.base.values import Json


class Origin(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Where an import found a note: beside a document's title, as its `origin`.

    `folder` is the one that the vault was imported into, `path` is relative to the vault, `hash`
    is that of the text as it was read last, and `bom` tells that a byte order mark stood before
    it. A document without an origin has none of these.
    """

    folder: str = ""
    vault: str = ""
    path: str = ""
    hash: str = ""
    bom: bool = False

    def as_json(self) -> dict[str, Json]:
        """Return it as a document keeps it."""
        return cast("dict[str, Json]", msgspec.to_builtins(self))


def origin_of(kept: dict[str, Any]) -> Origin:
    """Return what a document says about where it came from; nothing if it says something else."""
    try:
        return msgspec.convert(kept, Origin)
    except msgspec.ValidationError:
        return Origin()


class Note(msgspec.Struct, frozen=True):
    """The text of a file, and whether a byte order mark stood before it."""

    text: str
    bom: bool

    def as_bytes(self) -> bytes:
        """Return the file as it was."""
        return (codecs.BOM_UTF8 if self.bom else b"") + self.text.encode()


def read_note(data: bytes) -> Note | None:
    """Return a file as a note; None for what is no UTF-8 or too long for a document."""
    has_bom = data.startswith(codecs.BOM_UTF8)
    body = data[len(codecs.BOM_UTF8) :] if has_bom else data
    if len(body) > limits.DOCUMENT_BYTES_MAX:
        return None
    try:
        return Note(body.decode(), has_bom)
    except UnicodeDecodeError:
        return None


def title_of(path: PurePosixPath) -> str:
    """Return the title of a note: the name of its file without the ending, in one line."""
    title = " ".join(path.stem.replace("\0", " ").split())
    return title[: limits.TITLE_CHARACTERS_MAX].strip() or "Untitled"
