"""Shelves: places that keep files for several stores, and know nothing about them.

Each store writes to its own part and reads those of the others. So two stores that push at the
same time cannot get in each other's way, also in a folder that a program synchronises.
"""

import os
import shutil
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from strata.base import ids
from strata.base.errors import Unavailable
from strata.remotes.manifest import check_store_id

MANIFEST = "manifest"


class Shelf(Protocol):
    """Files of several stores, by the id of the store and a name."""

    @property
    def display(self) -> str:
        """How the place is called in messages."""
        ...

    def stores(self) -> list[str]:
        """Return the ids of the stores that have files here."""
        ...

    def read(self, store: str, name: str, most: int) -> bytes | None:
        """Return a small file; None where there is none."""
        ...

    def fetch(self, store: str, name: str, target: Path) -> None:
        """Copy a file from here to a new file."""
        ...

    def has(self, store: str, name: str) -> bool:
        """Tell whether there is a file."""
        ...

    def put(self, store: str, name: str, source: Path) -> None:
        """Copy a file to here; it appears when it is complete."""
        ...

    def names(self, store: str) -> list[str]:
        """Return the names of all files of a store, those of pushes that were cut off too."""
        ...

    def remove(self, store: str, name: str) -> None:
        """Remove a file; one that is not there is as good as removed."""
        ...

    def finish(self) -> None:
        """Make what was put and removed count, where that needs a last step."""
        ...


class FolderShelf:
    """A folder: on another disk, a USB stick, or one that a program synchronises."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @property
    def display(self) -> str:
        """How the place is called in messages."""
        return str(self._folder)

    def stores(self) -> list[str]:
        """Return the ids of the stores that have files here."""
        if not self._folder.is_dir():
            raise Unavailable(
                f"There is no folder {self._folder}.",
                hint="Connect the disk, or create the folder; nothing was changed.",
            )
        try:
            places = [place for place in self._folder.iterdir() if (place / MANIFEST).is_file()]
        except OSError as error:
            raise self._refusal("read", error) from error
        found: list[str] = []
        for place in sorted(places):
            with suppress(ValueError):
                found.append(check_store_id(place.name))
        return found

    def read(self, store: str, name: str, most: int) -> bytes | None:
        """Return a small file; None where there is none."""
        try:
            with (self._folder / store / name).open("rb") as file:
                return file.read(most + 1)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise self._refusal("read", error) from error

    def fetch(self, store: str, name: str, target: Path) -> None:
        """Copy a file from here to a new file."""
        try:
            shutil.copyfile(self._folder / store / name, target)
        except OSError as error:
            raise self._refusal("read", error) from error

    def has(self, store: str, name: str) -> bool:
        """Tell whether there is a file."""
        try:
            return (self._folder / store / name).is_file()
        except OSError as error:
            raise self._refusal("read", error) from error

    def put(self, store: str, name: str, source: Path) -> None:
        """Copy a file to here; it appears when it is complete."""
        place = self._folder / store
        part = place / f".{name}.{ids.token()}.part"
        try:
            place.mkdir(mode=0o700, exist_ok=True)
            try:
                with source.open("rb") as origin, part.open("wb") as file:
                    shutil.copyfileobj(origin, file)
                    file.flush()
                    os.fsync(file.fileno())
                part.replace(place / name)
            finally:
                part.unlink(missing_ok=True)
        except OSError as error:
            raise self._refusal("written", error) from error

    def names(self, store: str) -> list[str]:
        """Return the names of all files of a store, those of pushes that were cut off too."""
        try:
            return sorted(file.name for file in (self._folder / store).iterdir() if file.is_file())
        except OSError as error:
            raise self._refusal("read", error) from error

    def remove(self, store: str, name: str) -> None:
        """Remove a file; one that is not there is as good as removed."""
        try:
            (self._folder / store / name).unlink(missing_ok=True)
        except OSError as error:
            raise self._refusal("written", error) from error

    def finish(self) -> None:
        """Do nothing: every file counts as soon as it is there."""

    def _refusal(self, what: str, error: OSError) -> Unavailable:
        return Unavailable(
            f"{self._folder} cannot be {what}: {error.strerror}.",
            hint="Nothing was lost; connect the disk or make room, and try again.",
        )
