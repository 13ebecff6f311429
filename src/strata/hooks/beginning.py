"""What every hook begins with: the client's JSON, the project's store, and its branch."""

import os
import sys
from typing import TYPE_CHECKING

from strata.base import limits

if TYPE_CHECKING:
    from pathlib import Path

    from strata.workspace import Location, Workspace


def read_input() -> bytes:
    """Read stdin to its end; of what is too long to be a prompt, the beginning."""
    # Not through the buffer: a thread that waits in it could not be left behind.
    stream = getattr(sys.stdin.buffer, "raw", sys.stdin.buffer)
    parts: list[bytes] = []
    size = 0
    while size < limits.HOOK_BYTES_MAX and (part := stream.read(1 << 20)):
        parts.append(part)
        size += len(part)
    return b"".join(parts)


def store_of(folder: str | None, database: str | None) -> "Location | None":
    """Return the store of the client's folder if there is one. None is ever made."""
    from strata.workspace import locate_store  # noqa: PLC0415  (slow, and servers have it)

    found = locate_store(database, start=_existing(folder))
    if isinstance(found.place, str):
        return found
    return found if found.place.is_file() and found.place.stat().st_size else None


def open_store(found: "Location") -> "Workspace":
    """Open a store as a hook needs it: at once, and for a moment."""
    from strata.workspace import open_workspace  # noqa: PLC0415  (slow, and servers have it)

    place = found.place
    reads_only = not isinstance(place, str) and not (
        os.access(place, os.W_OK) and os.access(place.parent, os.W_OK)
    )
    # What is left for servers may be lost when the power fails; so no sync is waited for.
    return open_workspace(
        place,
        create=False,
        read_only=reads_only,
        durability="standard",
        auto_embed="before_search",
    )


def of_session(db: "Workspace", folder: str | None) -> "Workspace":
    """Return the view of the branch that a client works on in its folder."""
    branch = db.settings.branch(_existing(folder))
    return db if branch == db.branch else db.on(branch)


def _existing(folder: str | None) -> "Path | None":
    """Return the folder that a client names, if there is one."""
    from pathlib import Path  # noqa: PLC0415  (a server's first reply does without it)

    place = Path(folder) if folder else None
    return place if place is not None and place.is_dir() else None
