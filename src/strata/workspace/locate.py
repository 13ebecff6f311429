"""Where the store is by default: in the project of the current folder."""

import os
import sys
from pathlib import Path

from strata.base.checkout import main_checkout_folder
from strata.base.errors import InvalidArgument, Unavailable
from strata.base.results import Result
from strata.sql import is_address, parse_address, sync_folder

FOLDER = ".strata"
FILE = "store.db"
_PROJECT_MARKS = (".git", "pyproject.toml", "package.json")


class Location(Result, frozen=True):
    """Where a store is, and the reason why it is this one: a file, or a workspace in PostgreSQL."""

    place: Path | str
    reason: str

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
    worktree without a `.strata` of its own uses the store of the main checkout.
    """
    if path is not None:
        check_path(path)
        return Location(_place(path), "given")
    if named := os.environ.get("STRATA_DB"):
        return Location(_place(named), "STRATA_DB")
    folder = (start or Path.cwd()).resolve()
    main = main_checkout_folder(folder)
    note = "" if main == folder else ", the main checkout of this git worktree"
    for place in (*_parents(folder), *_parents(main)):
        if (place / FOLDER).is_dir():
            return Location(place / FOLDER / FILE, f"{place / FOLDER} exists")
    for place in _parents(main):
        mark = next((mark for mark in _PROJECT_MARKS if (place / mark).exists()), None)
        if mark is not None:
            return Location(place / FOLDER / FILE, f"the project with {mark} in {place}{note}")
    return Location(user_folder() / FILE, "the user's own store: no project here")


def _place(named: str | os.PathLike[str]) -> Path | str:
    return named if is_address(named) else Path(named).expanduser()


def _parents(folder: Path) -> list[Path]:
    """Return a folder and those above it that may hold a store, nearest first."""
    return [place for place in (folder, *folder.parents) if _may_hold_a_store(place)]


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


def user_folder() -> Path:
    """Return the platform's folder for a user's data of ours."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local")) / "strata"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "strata"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "strata"


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
