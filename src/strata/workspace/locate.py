"""Where the store is by default: in the project of the current folder."""

import os
from pathlib import Path

from strata.base.checkout import Checkout, find_worktree
from strata.base.errors import InvalidArgument, Unavailable, Unusable
from strata.base.results import Result
from strata.sql import (
    check_file_name,
    check_finished,
    is_address,
    is_unfinished,
    is_unfinished_workspace,
    parse_address,
    sync_folder,
)
from strata.workspace.own_folder import user_folder

FOLDER = ".strata"
FILE = "store.db"
_PROJECT_MARKS = (".git", "pyproject.toml", "package.json")


class Location(Result, frozen=True):
    """Where a store is, and the reason why it is this one: a file, or a workspace in PostgreSQL."""

    place: Path | str
    reason: str
    # The main checkout's store, where a git worktree has one of its own beside it.
    unused: Path | None = None

    @property
    def path(self) -> Path:
        """The store's file; raises Unavailable for a store that is in none."""
        if isinstance(self.place, str):
            raise Unavailable(
                f"This needs a store in a file, and the store is {self.display}.",
                hint="`strata.copy(FROM, TO)` copies a store with its history to a file.",
            )
        return self.place

    @property
    def exists(self) -> bool:
        """Whether there is a file; a server is only known by asking it, so it counts as there."""
        return isinstance(self.place, str) or self.place.exists()

    def check_finished(self) -> None:
        """Raise Unusable for a file that does not exist because a copy to it is not complete."""
        if not self.exists:
            check_finished(self.path)

    @property
    def display(self) -> str:
        """The path, or the address without its password."""
        return parse_address(self.place).display if isinstance(self.place, str) else str(self.place)


def locate_store(
    path: str | os.PathLike[str] | None = None, *, start: Path | None = None
) -> Location:
    """Find the store: the path given, STRATA_DB, the project's, or the user's own.

    The project is the nearest parent with a `.strata` folder, else the nearest one with
    `.git`, `pyproject.toml` or `package.json`; never the home folder or the root. A linked git
    worktree uses the store of the main checkout, unless it has a store of its own from before.
    """
    if path is not None:
        check_path(path)
        return _finished(_given(path, "given"))
    if named := os.environ.get("STRATA_DB"):
        return _finished(_given(named, "STRATA_DB"))
    return _of_folder((start or Path.cwd()).resolve())


def _finished(location: Location) -> Location:
    """Return a location, unless it is what a copy that is under way has brought so far."""
    place = location.place
    if (
        is_unfinished_workspace(parse_address(place).workspace)
        if isinstance(place, str)
        else is_unfinished(place)
    ):
        raise Unusable(
            f"{location.display} is a copy that is not complete.",
            hint="Run the same `strata copy FROM TO` again, which goes on where it was cut short.",
            path=location.display,
        )
    return location


def _given(named: str | os.PathLike[str], reason: str) -> Location:
    """Return a store that was named; one that is not there may have moved, or never been meant."""
    if is_address(named):
        return Location(named, reason)
    check_file_name(named)
    place = Path(named).expanduser()
    if place.parent.name != FOLDER or place.name != FILE or place.exists():
        return Location(place, reason)
    project = place.absolute().parent.parent
    if not project.exists():
        from strata.workspace.trust_notes import moved_store  # noqa: PLC0415  (seldom needed)

        moved = moved_store(place)
        return Location(place, reason) if moved is None else Location(moved, f"{reason}, and moved")
    # A configuration that is committed names the store of each checkout, also of a worktree.
    worktree = find_worktree(project.resolve())
    if worktree is None:
        return Location(place, reason)
    found = _of_worktree(project.resolve(), worktree)
    return Location(found.place, f"{reason}: {found.reason}")


def _of_folder(folder: Path) -> Location:
    """Return the store of the project that a folder is in."""
    root = next((place for place in _parents(folder) if (place / ".git").exists()), None)
    if root is None or (root / ".git").is_dir():
        return _of_project(folder)
    inside = (folder, *(place for place in folder.parents if place.is_relative_to(root)))
    own = next((place for place in inside if (place / FOLDER / FILE).is_file()), None)
    if own is not None:
        unused = _main_store(folder)
        note = "" if unused is None else ", a store of this git worktree's own"
        return Location(own / FOLDER / FILE, f"{own / FOLDER} exists{note}", unused)
    worktree = find_worktree(folder)
    return _of_project(folder) if worktree is None else _of_worktree(folder, worktree)


def _main_store(folder: Path) -> Path | None:
    """Return the main checkout's store for a folder of a linked worktree that has its own."""
    try:
        worktree = find_worktree(folder)
    except Unavailable:
        return None
    return None if worktree is None else _of_worktree(folder, worktree).path


def _of_worktree(folder: Path, worktree: Checkout) -> Location:
    """Return the store of the main checkout of a linked worktree.

    A `.strata` without a store counts there, not here: it may hold files that are committed.
    """
    home = worktree.home
    note = ", of the main checkout of this git worktree"
    return _of_project(home / folder.relative_to(worktree.folder), note, home)


def _of_project(folder: Path, note: str = "", home: Path | None = None) -> Location:
    """Return the store of the project around a folder; `home` is one without a mark."""
    for place in _parents(folder):
        if (place / FOLDER).is_dir():
            return Location(place / FOLDER / FILE, f"{place / FOLDER} exists{note}")
    for place in _parents(folder):
        mark = next((mark for mark in _PROJECT_MARKS if (place / mark).exists()), None)
        if mark is not None:
            return Location(place / FOLDER / FILE, f"the project with {mark} in {place}{note}")
        if place == home:
            return Location(
                place / FOLDER / FILE, f"the bare repository {place} of this git worktree"
            )
    return Location(user_folder() / FILE, "the user's own store: no project here")


def _parents(folder: Path) -> list[Path]:
    """Return a folder and those above it that may hold a store, nearest first."""
    return [place for place in (folder, *folder.parents) if _may_hold_a_store(place)]


def project_folder(store: Path | None) -> Path | None:
    """Return the folder of the project that a store belongs to; None for another kind of store."""
    is_ours = store is not None and store.parent.name == FOLDER
    return store.absolute().parent.parent if store is not None and is_ours else None


def check_path(path: object) -> None:
    """Refuse what cannot be the path of a file."""
    if not isinstance(path, (str, os.PathLike)) or not str(path):  # pyright: ignore[reportUnknownArgumentType]
        raise InvalidArgument(
            f"{path!r} is not a path.",
            hint="Give the store's file as text or Path.",
            parameter="path",
        )


def _may_hold_a_store(place: Path) -> bool:
    return place != place.parent and place != Path.home().resolve()


def make_folder(path: Path) -> None:
    """Make the folder of a located store; a `.strata` one keeps itself out of git."""
    folder = path.parent
    missing = [place for place in (folder, *folder.parents) if not place.exists()]
    if folder.name == FOLDER and missing:
        folder.mkdir(parents=True, mode=0o700)
        (folder / ".gitignore").write_text("*\n", encoding="utf-8")
    elif folder == user_folder():
        folder.mkdir(parents=True, mode=0o700, exist_ok=True)
    for place in missing:
        if place.exists():  # a store is only as durable as the folders above it
            sync_folder(place.parent)
