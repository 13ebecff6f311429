"""Git checkouts, read from git's own files: which folder, repository and branch belong together.

Nothing here runs `git`: commands and hooks ask for this each time, and git need not be installed.

| folder | its `.git` | the repository |
|---|---|---|
| main checkout | a folder | that folder |
| linked worktree | a file that names `…/worktrees/NAME`; `commondir` there leads on | shared |
| submodule | a file that names `…/modules/NAME` | its own |
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from strata.base.errors import Unavailable


class Checkout(NamedTuple):
    """A checkout: the root of its files, and where git keeps what it knows about it.

    `records` has what is of this checkout alone, such as HEAD; `repository` what all worktrees
    share, such as branches and hooks.
    """

    folder: Path
    records: Path
    repository: Path

    @property
    def is_linked(self) -> bool:
        """Whether it is a linked worktree, which may be removed while the repository stays."""
        return self.records != self.repository

    @property
    def home(self) -> Path:
        """The folder that is there as long as the repository: the main checkout, if it has one.

        A bare repository has none, so it is the folder beside which `.git` names the repository,
        or else the repository itself.
        """
        if not self.is_linked:
            return self.folder
        repository = self.repository
        if (named := _setting(repository / "config", "worktree")) is not None:
            return (repository / named).resolve()  # of a submodule
        beside = repository.parent
        is_named = repository.name == ".git" or _named_records(beside / ".git") == repository
        return beside if is_named else repository


def find_checkout(folder: Path) -> Checkout | None:
    """Return the checkout that a folder is in, or None; a submodule is one of its own.

    Raises Unavailable for a linked worktree that has lost its repository.
    """
    for place in (folder, *folder.parents):
        if (place / ".git").exists():
            return _checkout(place)
    return None


def find_worktree(folder: Path) -> Checkout | None:
    """Return the linked worktree that a folder is in, also through submodules of it, or None.

    Raises Unavailable for one that has lost its repository.
    """
    for place in (folder, *folder.parents):
        if (place / ".git").is_dir():
            return None
        found = _checkout(place) if (place / ".git").is_file() else None
        if found is not None and found.is_linked:
            return found
    return None


def worktree_folders(folder: Path) -> list[Path]:
    """Return the roots of all checkouts of a folder's repository, the main one first."""
    found = find_checkout(folder)
    if found is None:
        return []
    records = sorted(found.repository.glob("worktrees/*/gitdir"))
    links = [(one.parent / line).resolve() for one in records if (line := read_line(one))]
    return [found.home, *(link.parent for link in links)]


def _checkout(place: Path) -> Checkout | None:
    link = place / ".git"
    if link.is_dir():
        return Checkout(place, link, link)
    records = _named_records(link)
    if records is None:
        return None
    is_worktree = records.parent.name == "worktrees"
    common = read_line(records / "commondir")
    if common is None:
        if is_worktree and not records.is_dir():
            raise _lost(place, f"its repository {records.parent.parent} is not there")
        return Checkout(place, records, records) if records.is_dir() else None
    back = read_line(records / "gitdir")
    there = None if back is None else (records / back).resolve()
    # Without the way back, a file from elsewhere could point to a project that it has nothing to
    # do with. Of a folder that was moved, nothing is left at the other end of that way.
    if there == link.resolve():
        return Checkout(place, records, (records / common).resolve())
    if there is not None and not there.exists():
        raise _lost(place, f"git knows it as {there.parent}, where it is no more")
    return None


def _lost(place: Path, why: str) -> Unavailable:
    return Unavailable(
        f"{place} is a linked git worktree, and {why}: the store is not found.",
        hint="After a move, `git worktree repair` in this folder, or with this folder's path in "
        "the main checkout, joins them again. Or name the store: `--db PATH`.",
        path=str(place),
    )


def _named_records(link: Path) -> Path | None:
    """Return the folder that a `.git` file names, or None where there is no such file."""
    line = read_line(link)
    key, _colon, named = (line or "").partition(":")
    return (link.parent / named.strip()).resolve() if key == "gitdir" and named.strip() else None


def read_line(path: Path) -> str | None:
    """Return the text of a small file of git's, or None where there is none."""
    try:
        return path.read_text(encoding="utf-8").strip() if path.is_file() else None
    except (OSError, ValueError):
        return None


def _setting(config: Path, name: str) -> str | None:
    """Return a setting of the section `core` of git's configuration, or None."""
    for section, key, value in read_settings(config):
        if (section, key) == ("core", name):
            return value
    return None


def read_settings(config: Path) -> Iterator[tuple[str, str, str]]:
    """Yield the section, the name in lower case and the value of each setting of git's."""
    section = ""
    for line in (read_line(config) or "").splitlines():
        text = line.strip()
        if text.startswith("["):
            section = text.strip("[]").lower()
        elif "=" in text:
            key, _equals, value = text.partition("=")
            yield section, key.strip().lower(), value.strip().strip('"')
