"""Where an export reads and an import writes."""

import os
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

from strata.base import ids
from strata.base.errors import AlreadyExists, NotFound, Unavailable
from strata.sql import sync_folder
from strata.store import View
from strata.workspace import Workspace


def view_of(db: Workspace) -> View:
    """Return the view behind a workspace.

    The SDK shows values one by one; an export also needs their commits, and an import of any
    size has to be one transaction of the database.
    """
    return db._view  # pyright: ignore[reportPrivateUsage]


def pinned(db: Workspace) -> Workspace:
    """Return the same place as it is now, whatever others write meanwhile.

    By the newest version: to find it by its time takes reading older ones, which may be damaged.
    """
    if db.as_of is not None:
        return db
    return db.at(view_of(db).snapshot.newest() or "now")


@contextmanager
def whole_file(place: Path, *, force: bool, sync: bool = True) -> Generator[Path]:
    """Give an empty file to fill; it gets its own name when it is complete, or is not there.

    Who writes many files syncs their folders at the end.
    """
    # The name may be as long as names can be.
    part = place.with_name(f".{place.name[:40]}.{ids.token()}.part")
    try:
        check_target(place, force=force)
        # What is kept may be private, so the file is its owner's alone.
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        yield part
        part.replace(place)
        if sync:
            sync_folder(place.parent)
    except OSError as error:
        raise Unavailable(
            f"{place} cannot be written: {error.strerror}.",
            hint="Check the disk, and that the folder is writable.",
            path=str(place),
        ) from error
    finally:
        with suppress(OSError):
            part.unlink()


def check_target(place: Path, *, force: bool) -> None:
    """Refuse a path where no file may be put."""
    if place.exists() and not force:
        raise AlreadyExists(
            f"{place} exists already.",
            hint="Name another file; --force (in Python, force=True) replaces it.",
            path=str(place),
        )
    if not place.parent.is_dir():
        raise NotFound(f"There is no folder {place.parent}.", hint="Create it first.")
