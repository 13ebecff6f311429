"""A new store that begins as a copy of what a remote has."""

import os
from pathlib import Path

from strata.base.errors import AlreadyExists
from strata.remotes import Pull
from strata.upkeep import Progress
from strata.workspace.opening import open_workspace


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

    `address` and the options are those of `db.remotes.add`. A clone that fails before anything
    came leaves no store behind; one that was cut off later goes on with `db.remotes.pull()`.

    >>> (folder / "stick").mkdir()
    >>> _ = db.kv.put("greeting", "안녕")
    >>> _ = db.remotes.add("origin", folder / "stick")
    >>> _ = db.remotes.push()
    >>> strata.clone(folder / "stick", folder / "second.strata").commits
    1
    """
    target = Path(path)
    if target.exists():
        raise AlreadyExists(
            f"{target} exists already.",
            hint="Name another file. A store that is there takes a remote in with "
            "`db.remotes.add(NAME, ADDRESS)` and `db.remotes.pull()`.",
            path=str(target),
        )
    try:
        with open_workspace(target) as db:
            db.remotes.add(name, address, token=token, endpoint=endpoint, region=region)
            return db.remotes.pull(name, progress=progress)
    except BaseException:
        _discard_empty(target)
        raise


def _discard_empty(target: Path) -> None:
    """Remove a store that nothing came into."""
    if not target.exists():
        return
    with open_workspace(target, auto_embed=False) as db:
        is_empty = not db.log(limit=1)
    if is_empty:
        for suffix in ("", "-wal", "-shm", ".lock"):
            Path(f"{target}{suffix}").unlink(missing_ok=True)
