"""Where documents and files go when they are written out: to where they came from, if that fits."""

import unicodedata
from collections.abc import Iterable
from pathlib import PurePosixPath

import msgspec

from strata.exchange.vault.attachments import VaultFile
from strata.exchange.vault.known_notes import KnownNote
from strata.exchange.vault.places import Places, file_name, folder_name, is_safe


class OutgoingFile(msgspec.Struct, frozen=True):
    """What is to be written: a document or a file, and where."""

    path: PurePosixPath
    what: KnownNote | VaultFile
    is_renamed: bool = False


class VaultPaths:
    """Paths below one folder, none of them given twice."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self._taken: set[str] = set()
        self._alike: set[str] = set()

    def documents(self, found: Iterable[tuple[KnownNote, str]]) -> list[OutgoingFile]:
        """Return where documents go; each comes with the folder it lies in."""
        fitting: list[OutgoingFile] = []
        others: list[tuple[KnownNote, str]] = []
        for known, folder in found:
            path = self._original(known, folder)
            if path is not None and self._reserve(path):
                fitting.append(OutgoingFile(path, known))
            else:
                others.append((known, folder))
        return fitting + [self._named(known, folder) for known, folder in others]

    def files(self, found: Iterable[tuple[str, VaultFile]]) -> list[OutgoingFile]:
        """Return where files go; each comes with the folder its vault was imported into."""
        placed: list[OutgoingFile] = []
        blobs: dict[PurePosixPath, str] = {}
        for folder, file in found:
            path = self._relative(folder, file.path)
            # A vault and a copy of it, both imported, have the same files.
            if path is None or blobs.get(path) == file.blob:
                continue
            if self._reserve(path):
                blobs[path] = file.blob
                placed.append(OutgoingFile(path, file))
            else:
                placed.append(OutgoingFile(self.free(path), file, is_renamed=True))
        return placed

    def _original(self, known: KnownNote, folder: str) -> PurePosixPath | None:
        """Return the path that a document came from, while its title and folder are the same."""
        for origin in (known.origin, *known.origin.also):
            path = self._relative(origin.folder, origin.path)
            if path is not None and origin.called == known.card.title:
                came_from = self._places.find(path.parent)
                if came_from is not None and came_from.id == folder:
                    return path
        return None

    def _relative(self, folder: str, path: str) -> PurePosixPath | None:
        """Return the path of something of a vault as seen from the folder that is written out."""
        inner = PurePosixPath(path)
        if not is_safe(path):
            return None
        if folder in self._places.paths:
            return PurePosixPath(*map(file_name, self._places.paths[folder]), inner)
        above = self._places.above.get(folder)
        if above is None or tuple(map(folder_name, inner.parts[: len(above)])) != above:
            return None
        return PurePosixPath(*inner.parts[len(above) :]) if len(inner.parts) > len(above) else None

    def _named(self, known: KnownNote, folder: str) -> OutgoingFile:
        """Return a path for a document that has none, or another title or folder than then."""
        parents = map(file_name, self._places.paths.get(folder, ()))
        path = PurePosixPath(*parents, f"{file_name(known.card.title)}.md")
        return OutgoingFile(self.free(path), known, is_renamed=bool(known.origin.path))

    def free_folder(self, name: str) -> str:
        """Return a name for a folder that no file has."""
        return self.free_folder(f"{name} 2") if _alike(PurePosixPath(name)) in self._alike else name

    def _reserve(self, path: PurePosixPath) -> bool:
        if path.as_posix() in self._taken:
            return False
        self._taken.add(path.as_posix())
        self._alike.add(_alike(path))
        return True

    def free(self, path: PurePosixPath) -> PurePosixPath:
        """Return the path, or one with a number, that no file system takes for another."""
        found, number = path, 1
        while _alike(found) in self._alike:
            number += 1
            found = path.with_name(f"{path.stem} {number}{path.suffix}")
        self._reserve(found)
        return found


def _alike(path: PurePosixPath) -> str:
    return unicodedata.normalize("NFC", path.as_posix()).casefold()
