"""The machine and the project a client is set up on, as values: tests make up any of them."""

import os
import shutil
import sys
from collections.abc import Callable, Mapping
from pathlib import Path, PurePath
from typing import Literal

import msgspec

System = Literal["linux", "darwin", "win32"]

# The same marks by which a store is found; see strata.workspace.
_PROJECT_MARKS = (".git", "pyproject.toml", "package.json")


class ClientHost(msgspec.Struct, frozen=True):
    """What paths of configuration follow from."""

    system: System
    home: PurePath
    environment: Mapping[str, str]
    project: PurePath | None
    exists: Callable[[PurePath], bool]
    on_path: Callable[[str], bool]

    def variable(self, name: str, default: PurePath) -> PurePath:
        """Return the folder that a variable names; the default where it is unset or relative."""
        path = type(self.home)(self.environment.get(name, ""))
        return path if path.is_absolute() else default

    @property
    def configuration(self) -> PurePath:
        """The folder in which programs with windows keep their settings."""
        if self.system == "win32":
            return self.variable("APPDATA", self.home / "AppData" / "Roaming")
        if self.system == "darwin":
            return self.home / "Library" / "Application Support"
        return self.variable("XDG_CONFIG_HOME", self.home / ".config")

    @property
    def user_store(self) -> PurePath:
        """The user's own store, for what belongs to no project."""
        if self.system == "win32":
            folder = self.variable("LOCALAPPDATA", self.home / "AppData" / "Local")
        elif self.system == "darwin":
            folder = self.configuration
        else:
            folder = self.variable("XDG_DATA_HOME", self.home / ".local" / "share")
        return folder / "strata" / "store.db"


def this_host(start: Path | None = None) -> ClientHost:
    """Describe the machine this runs on, and the project around a folder."""
    system: System = "linux"
    if sys.platform in ("win32", "darwin"):
        system = sys.platform
    home = Path.home()
    return ClientHost(
        system=system,
        home=home,
        environment=dict(os.environ),
        project=_project(start or Path.cwd(), home),
        exists=lambda path: Path(path).exists(),
        on_path=lambda name: shutil.which(name) is not None,
    )


def _project(start: Path, home: Path) -> Path | None:
    """Return the nearest parent with `.strata`, else the nearest with a mark of a project."""
    folder, never = start.resolve(), home.resolve()
    parents = [one for one in (folder, *folder.parents) if one not in (never, one.parent)]
    for marks in ((".strata",), _PROJECT_MARKS):
        for place in parents:
            if any((place / mark).exists() for mark in marks):
                return place
    return None
