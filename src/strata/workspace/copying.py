"""Copying a whole store from one place to another."""

# Names in signatures would load their packages.
from __future__ import annotations

import os
from contextlib import closing

from strata import upkeep
from strata.sql import open_existing
from strata.store import Store
from strata.workspace.locate import locate_store
from strata.workspace.trust_notes import is_trusted, note_made


def copy_workspace(
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    *,
    verify: bool = True,
    progress: upkeep.Progress | None = None,
) -> upkeep.StoreCopy:
    """Copy a store with its whole past to a path or an address where there is none yet.

    Both may be files or workspaces in PostgreSQL: `postgresql://USER@HOST/DATABASE?workspace=NAME`.
    The copy holds one state of the store, while others may go on writing: every version under its
    number, every commit with its hash, branches, tags, settings, users, documents and vectors. It
    is compared row by row and verified, and cannot be opened before it is complete. A copy that was
    cut short is resumed by the same call: rows that are there and have not changed in the store
    since are not sent again. If the store is trusted by this user, so is the copy.

    >>> _ = db.kv.put("인사", "안녕")
    >>> strata.copy(db.path, folder / "moved.strata").versions
    1
    >>> strata.open(folder / "moved.strata").kv.get("인사").value
    '안녕'
    """
    origin, place = locate_store(source).place, locate_store(target).place
    with closing(open_existing(origin)) as database:
        trusts = is_trusted(Store(database))
    done = upkeep.copy_store(origin, place, verify=verify, progress=progress)
    if trusts:
        with closing(open_existing(place)) as database:
            note_made(Store(database))
    return done
