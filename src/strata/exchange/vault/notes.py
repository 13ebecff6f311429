"""A note as a file and as a document, and what is kept to get the file's bytes back."""

import codecs
from pathlib import PurePosixPath
from typing import Any, cast

import msgspec

from strata.base import limits
from strata.base.values import Json
from strata.documents import can_be_title


class NoteOrigin(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Where an import found a note: beside a document's title, as its `origin`.

    `folder` is the one that the vault was imported into, `path` is relative to the vault, `hash`
    is that of the text as it was read last, and `bom` tells that a byte order mark stood before
    it. `title` is what the note was called, where its file is called otherwise, and `also` are
    other vaults that hold it. A document without an origin has none of these.
    """

    folder: str = ""
    vault: str = ""
    path: str = ""
    hash: str = ""
    bom: bool = False
    title: str = ""
    also: tuple["NoteOrigin", ...] = ()

    @property
    def called(self) -> str:
        """The title that the document got from there."""
        return self.title or title_of(PurePosixPath(self.path))

    def inside(self, folder: str, vault: str) -> "NoteOrigin | None":
        """Return where the note is in a vault that was imported into a folder, if it is."""
        for one in (self, *self.also):
            if one.path and (one.folder, one.vault) == (folder, vault):
                return msgspec.structs.replace(one, also=())
        return None

    def noting(self, new: "NoteOrigin") -> "NoteOrigin":
        """Return the same with what is known now of one of the vaults."""
        others = [one for one in (self, *self.also) if one.path and not _is_same(one, new)]
        if not self.path or _is_same(self, new):
            return msgspec.structs.replace(new, also=_bare(others))
        return msgspec.structs.replace(self, also=(*_bare(others[1:]), new))

    def as_json(self) -> dict[str, Json]:
        """Return it as a document keeps it."""
        return cast("dict[str, Json]", msgspec.to_builtins(self))


def _is_same(one: NoteOrigin, other: NoteOrigin) -> bool:
    return (one.folder, one.vault) == (other.folder, other.vault)


def _bare(origins: list[NoteOrigin]) -> tuple[NoteOrigin, ...]:
    return tuple(msgspec.structs.replace(one, also=()) for one in origins)


def origin_of(kept: dict[str, Any]) -> NoteOrigin:
    """Return what a document says about where it came from; nothing if it says something else."""
    try:
        return msgspec.convert(kept, NoteOrigin)
    except msgspec.ValidationError:
        return NoteOrigin()


class VaultNote(msgspec.Struct, frozen=True):
    """The text of a file, and whether a byte order mark stood before it."""

    text: str
    bom: bool

    def as_bytes(self) -> bytes:
        """Return the file as it was."""
        return (codecs.BOM_UTF8 if self.bom else b"") + self.text.encode()


def read_note(data: bytes) -> VaultNote | None:
    """Return a file as a note; None for what is no UTF-8 or too long for a document."""
    has_bom = data.startswith(codecs.BOM_UTF8)
    body = data[len(codecs.BOM_UTF8) :] if has_bom else data
    if len(body) > limits.DOCUMENT_BYTES_MAX:
        return None
    try:
        return VaultNote(body.decode(), has_bom)
    except UnicodeDecodeError:
        return None


def title_of(path: PurePosixPath) -> str:
    """Return the title of a note: the name of its file without the ending, in one line."""
    letters = (letter if can_be_title(letter) else " " for letter in path.stem)
    title = " ".join("".join(letters).split())
    return title[: limits.TITLE_CHARACTERS_MAX].strip() or "Untitled"
