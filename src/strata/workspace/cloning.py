"""A new store that begins as a copy of what a remote has."""

import os
from contextlib import suppress
from pathlib import Path

from strata.base.errors import AlreadyExists
from strata.remotes import Pull, check_address, put_token_back, stored_token
from strata.sql import is_address
from strata.upkeep import Progress
from strata.workspace.locate import FILE, FOLDER, Location, check_path
from strata.workspace.opening import open_workspace
from strata.workspace.own_folder import user_folder


def clone(
    address: str | os.PathLike[str],
    path: str | os.PathLike[str],
    *,
    name: str = "origin",
    token: str | None = None,
    endpoint: str | None = None,
    region: str | None = None,
    progress: Progress | None = None,
) -> Pull:
    """Make a store of what a remote has, which it knows as `name` from then on.

    `path` is a file, or a folder, which gets the store `.strata/store.db`: one that is there, or a
    name without an ending. Folders that are missing are made. A store that is there already is
    used if it holds nothing. `address` and the options are those of `db.remotes.add`. A clone that
    fails before anything came leaves nothing behind; one that was cut off later goes on with
    `db.remotes.pull()`.

    >>> (folder / "stick").mkdir()
    >>> _ = db.kv.put("greeting", "안녕")
    >>> _ = db.remotes.add("origin", folder / "stick")
    >>> _ = db.remotes.push()
    >>> strata.clone(folder / "stick", folder / "second.strata").commits
    1
    """
    target, place = clone_target(path), check_address(os.fspath(address))
    known = stored_token(user_folder(), place)
    missing = [place for place in target.parents if not place.exists()]
    is_new = not target.exists()
    try:
        if target.parent.name != FOLDER:
            target.parent.mkdir(parents=True, exist_ok=True)
        with open_workspace(target) as db:
            if not is_new and db.log(limit=1):
                raise _is_in_use(target)
            db.remotes.add(name, address, token=token, endpoint=endpoint, region=region)
            return db.remotes.pull(name, progress=progress)
    except BaseException:
        if is_new and _discard_empty(target, missing):
            put_token_back(user_folder(), place, known)
        raise


def clone_target(path: str | os.PathLike[str]) -> Path:
    """Return the file of a store that is cloned to a path: a file, or a folder that gets one."""
    check_path(path)
    place = Location(path if is_address(path) else Path(path), "given").path
    return place / FOLDER / FILE if place.is_dir() or not place.suffix else place


def _is_in_use(target: Path) -> AlreadyExists:
    return AlreadyExists(
        f"{target} is a store that holds something already.",
        hint="Name another place. A store that is there takes a remote in with "
        "`db.remotes.add(NAME, ADDRESS)` and `db.remotes.pull()`.",
        path=str(target),
    )


def _discard_empty(target: Path, missing: list[Path]) -> bool:
    """Remove a store that nothing came into, and the folders that were made for it.

    False where something came: then all of it stays.
    """
    if target.exists():
        with open_workspace(target, auto_embed=False) as db:
            if db.log(limit=1):
                return False
        for suffix in ("", "-wal", "-shm", "-queue", ".lock"):
            Path(f"{target}{suffix}").unlink(missing_ok=True)
    if target.parent in missing and target.parent.name == FOLDER:
        (target.parent / ".gitignore").unlink(missing_ok=True)
    for folder in missing:
        with suppress(OSError):  # it was not made, or holds what others put there
            folder.rmdir()
    return True
