"""The manifest of an exported folder: what its Markdown files cannot hold."""

import re
from pathlib import Path, PurePosixPath
from typing import Literal

import msgspec

from strata.documents import can_be_title
from strata.exchange.vault.places import is_safe

# Hidden, so that other programs leave it alone; no folder, which could be taken for a store.
NAME = ".strata-export.json"
_SIZE_MAX = 64 * 1024 * 1024
_SHA256 = re.compile(r"[0-9a-f]{64}\Z")


class AttachedImage(msgspec.Struct, frozen=True, omit_defaults=True):
    """An image of a note: its id, its file, and its name where that is another than the file's."""

    id: str
    file: str
    name: str = ""

    @property
    def called(self) -> str:
        """The name that the image had."""
        return self.name or PurePosixPath(self.file).name


class ManifestNote(msgspec.Struct, frozen=True, omit_defaults=True):
    """The entry of one note: the document, its version, its title unless the file has it."""

    document: str = ""
    version: int = 0
    title: str = ""
    images: tuple[AttachedImage, ...] = ()


class VaultManifest(msgspec.Struct, frozen=True, kw_only=True):
    """The entries of the notes of a folder, by their paths."""

    format: Literal["strata folder 1"] = "strata folder 1"
    notes: dict[str, ManifestNote] = {}

    def of(self, path: PurePosixPath) -> ManifestNote:
        """Return the entry of a note."""
        return self.notes.get(path.as_posix()) or ManifestNote()

    def files(self) -> dict[str, str]:
        """Return which file each image has, by the image's id."""
        images = (image for told in self.notes.values() for image in told.images)
        return {image.id: image.file for image in images}

    def as_bytes(self) -> bytes:
        """Return it as a file, one note to a line, so that its own changes can be read."""
        lines = [f"{_text(path)}: {_text(told)}" for path, told in sorted(self.notes.items())]
        body = ",\n".join(lines)
        return f'{{"format": {_text(self.format)}, "notes": {{\n{body}\n}}}}\n'.encode()


def _text(value: object) -> str:
    return msgspec.json.encode(value).decode()


def read_manifest(folder: Path) -> VaultManifest | None:
    """Return the manifest of a folder, an empty one where there is none; None for a damaged one."""
    place = folder / NAME
    if not place.is_file() or place.is_symlink():
        return VaultManifest()
    try:
        if place.stat().st_size > _SIZE_MAX:
            return None
        found = msgspec.json.decode(place.read_bytes(), type=VaultManifest)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return None
    titles = [told.title for told in found.notes.values() if told.title]
    if not all(can_be_title(title) and title == title.strip() for title in titles):
        return None
    is_sound = all(_SHA256.match(id_) and is_safe(file) for id_, file in found.files().items())
    return found if is_sound and all(map(is_safe, found.notes)) else None
