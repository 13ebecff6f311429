"""Git worktrees: which folder of the main checkout a folder belongs to."""

from pathlib import Path


def main_checkout_folder(folder: Path) -> Path:
    """Return the folder of the main checkout that a folder of a linked worktree belongs to.

    Any other folder is returned as it is, also one in a submodule, which is a project of its own.
    """
    for place in (folder, *folder.parents):
        if (place / ".git").exists():
            checkout = _main_checkout(place)
            return folder if checkout is None else checkout / folder.relative_to(place)
    return folder


def _main_checkout(worktree: Path) -> Path | None:
    """Return the main checkout of a linked worktree, or None for any other repository.

    A worktree's `.git` is a file that names a folder of the main repository; there `commondir`
    leads to the repository, and `gitdir` back to the worktree. Without the way back a file from
    elsewhere could point to a project it has nothing to do with.
    """
    link = worktree / ".git"
    try:
        if not link.is_file():
            return None
        key, _colon, named = link.read_text(encoding="utf-8").partition(":")
        records = (worktree / named.strip()).resolve()
        common = (records / _line(records / "commondir")).resolve()
        back = (records / _line(records / "gitdir")).resolve()
    except (OSError, ValueError):
        return None
    if key != "gitdir" or common.name != ".git" or back != link.resolve():
        return None
    return common.parent


def _line(path: Path) -> str:
    return path.read_text(encoding="utf-8").strip()
