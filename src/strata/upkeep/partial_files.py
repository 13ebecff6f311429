"""Files under way: what is written beside its target and gets its name when it is complete.

A process that dies leaves such files behind. Each group has a hold file, locked as long as
its maker lives, so that the next writer to the same place knows which files are abandoned.
"""

import os
import re
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

from strata.base import ids
from strata.base.errors import Unavailable
from strata.sql import settle

try:
    import fcntl
except ImportError:  # Windows: an open file cannot be deleted, which says the same
    fcntl = None

_HOLD = ".hold"
_SUFFIXES = ("", "-wal", "-shm", "-journal")


class PartialFiles:
    """The files of one copy or bundle until it is complete. Used in a `with` block."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._stem = ""
        self._hold = -1
        self._files: list[Path] = []

    def __enter__(self) -> Self:
        sweep(self._path)
        while self._hold < 0:
            self._stem = f".{self._path.name}.{ids.token()}"
            try:
                self._hold = _locked(self._beside(_HOLD))
            except OSError as error:
                raise self._refusal(error) from error
        return self

    def __exit__(self, *_exception: object) -> None:
        for file in self._files:
            _discard(file)
        # Last of all: a file without it belongs to no known process.
        os.close(self._hold)
        self._beside(_HOLD).unlink(missing_ok=True)

    def file(self, suffix: str) -> Path:
        """Return a new, empty file that only its owner may read."""
        file = self._beside(suffix)
        self._files.append(file)
        try:
            os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        except OSError as error:
            raise self._refusal(error) from error
        return file

    def settle(self, file: Path) -> None:
        """Make a complete file durable under the name that it was written for."""
        settle(file, self._path)

    def _refusal(self, error: OSError) -> Unavailable:
        return Unavailable(
            f"{self._path} cannot be written: {error.strerror}.",
            hint="Check that its folder exists and is writable.",
            path=str(self._path),
        )

    def _beside(self, suffix: str) -> Path:
        return self._path.with_name(self._stem + suffix)


def sweep(path: Path) -> list[Path]:
    """Delete what dead processes left of their work on a path; return what was deleted."""
    swept: list[Path] = []
    for hold in _holds(path):
        with _claimed(hold) as is_abandoned:
            swept += _delete_group(path, hold) if is_abandoned else []
    return swept


def _delete_group(path: Path, hold: Path) -> list[Path]:
    stem = hold.name.removesuffix(_HOLD)
    files = [file for file in _siblings(path) if file.name.startswith(f"{stem}.")]
    for file in sorted(files, key=lambda file: file == hold):
        file.unlink(missing_ok=True)
    return files


def _holds(path: Path) -> list[Path]:
    pattern = re.compile(rf"\.{re.escape(path.name)}\.[0-9a-f]{{16}}{re.escape(_HOLD)}")
    return [file for file in _siblings(path) if pattern.fullmatch(file.name)]


def _siblings(path: Path) -> Iterator[Path]:
    try:
        yield from path.parent.iterdir()
    except OSError:
        return  # the next write there will report what is wrong with the folder


@contextmanager
def _claimed(hold: Path) -> Generator[bool]:
    """Tell whether the maker of a hold file is gone, and keep others away meanwhile."""
    descriptor = -1
    try:
        if fcntl is None:
            hold.unlink()
        else:
            descriptor = os.open(hold, os.O_RDWR)
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        is_abandoned = True
    except OSError:
        is_abandoned = False
    try:
        yield is_abandoned
    finally:
        if descriptor >= 0:
            os.close(descriptor)


def _locked(hold: Path) -> int:
    """Create and lock a hold file; -1 when another process removed it in between."""
    descriptor = os.open(hold, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600)
    try:
        if fcntl is not None:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.fstat(descriptor).st_nlink:
            return descriptor
    except BlockingIOError:
        pass
    except OSError:
        return descriptor  # no locks here, so no process can find it abandoned either
    os.close(descriptor)
    return -1


def _discard(file: Path) -> None:
    for suffix in _SUFFIXES:
        Path(f"{file}{suffix}").unlink(missing_ok=True)
