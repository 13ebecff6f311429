"""The files of the shipped models: where they lie, and that they are what was built.

They come in a package of their own, `strata-embed`. Nothing is ever downloaded.
"""

import hashlib
from pathlib import Path

import msgspec

from strata.base.errors import Unavailable

# Folders whose files were compared with their checksums by this process.
_verified: set[Path] = set()


class ModelFile(msgspec.Struct, frozen=True):
    """What one file has to be."""

    size_bytes: int
    sha256: str


class Files:
    """The files of one shipped model."""

    def __init__(self, model: str, root: Path | None = None) -> None:
        self.model = model
        self._root = root

    @property
    def folder(self) -> Path:
        """Where they lie. Raises `Unavailable` when the package is not installed."""
        return (self._root or _installed(self.model)) / self.model

    def parts(self) -> dict[str, ModelFile]:
        """Return what the manifest says of each file."""
        path = self.folder.parent / "manifest.json"
        try:
            manifest = msgspec.json.decode(path.read_bytes(), type=dict[str, dict[str, ModelFile]])
            return manifest[self.model]
        except (OSError, msgspec.DecodeError, KeyError) as problem:
            raise _unfit(self.model, "manifest.json", "cannot be read") from problem

    def missing(self) -> list[str]:
        """Name the files that are not there or have another size; quick, reads none of them."""
        folder = self.folder
        parts = self.parts().items()
        return [name for name, part in parts if _size(folder / name) != part.size_bytes]

    def verify(self, *, again: bool = False) -> dict[str, ModelFile]:
        """Compare every file with its checksum, once in a process; raise `Unavailable`."""
        folder, parts = self.folder, self.parts()
        if again or folder not in _verified:
            for name, part in parts.items():
                if _sha256(self.model, folder / name) != part.sha256:
                    raise _unfit(self.model, name, "is not what was shipped")
            _verified.add(folder)
        return parts


def _installed(model: str) -> Path:
    try:
        from strata_embed import FOLDER  # noqa: PLC0415  (it may be absent, which is no bug)
    except ImportError as problem:
        message = f"The model {model} is not installed."
        hint = "Install the package strata-embed."
        raise Unavailable(message, hint=hint, model=model) from problem
    return FOLDER


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return -1


def _sha256(model: str, path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as problem:
        raise _unfit(model, path.name, "cannot be read") from problem


def _unfit(model: str, name: str, fault: str) -> Unavailable:
    message = f"The file {name} of the model {model} {fault}."
    hint = "Reinstall the package strata-embed."
    return Unavailable(message, hint=hint, model=model, file=name)
