"""Files of a project that facts and decisions name as their sources: there, gone, or changed since.

In a checkout of git, a file has changed when a later commit did it: the times of files say only
when they were checked out. Elsewhere the time of the file counts.
"""

import re
import subprocess
from functools import cached_property
from pathlib import Path

from strata.base import clock, limits

# A path below the project, perhaps with a line or a heading: no address, no name of a version.
_PATH = re.compile(r"(?P<path>[^\s:#]+\.[A-Za-z][A-Za-z0-9]{0,7})(?P<place>:\d+(-\d+)?|#.*)?")
_MICROSECOND = 1_000_000


class CitedFiles:
    """The files below a folder, as sources name them. Made for one look at them."""

    def __init__(self, root: Path | None) -> None:
        self._root = None if root is None else root.resolve()
        self._states: dict[Path, int | None] = {}

    def problem(self, source: str, written: int) -> str | None:
        """Say what is wrong with a source that something of a time names; None for all else."""
        path = self._named(source)
        if path is None or len(self._states) >= limits.CURATOR_FILES_MAX:
            return None
        if path not in self._states:
            self._states[path] = self._changed(path) if path.is_file() else None
        changed = self._states[path]
        if changed is None:
            return f"it cites {source}, which is gone"
        # Times of git are whole seconds.
        if changed // _MICROSECOND <= written // _MICROSECOND:
            return None
        return f"it cites {source}, which changed on {clock.iso(changed)[:10]}"

    def _named(self, source: str) -> Path | None:
        """Return the file that a source means; None for other sources, and other folders."""
        found = _PATH.fullmatch(source)
        if self._root is None or found is None or Path(found["path"]).is_absolute():
            return None
        path = self._root / found["path"]
        # A link that leads elsewhere is not followed: what is outside is no business of the store.
        is_inside = path.resolve().is_relative_to(self._root)
        # A name without a folder may be anything; it counts where there is such a file, or was.
        is_meant = "/" in found["path"] or path.exists()
        return path if is_inside and is_meant else None

    def _changed(self, path: Path) -> int:
        """Return when a file changed last, in microseconds."""
        if self._is_checkout and not self._says_git("status", "--porcelain", "--", str(path)):
            committed = self._says_git("log", "-1", "--format=%ct", "--", str(path))
            if committed.isdecimal():
                return int(committed) * _MICROSECOND
        return path.stat().st_mtime_ns // 1000

    @cached_property
    def _is_checkout(self) -> bool:
        return self._says_git("rev-parse", "--is-inside-work-tree") == "true"

    def _says_git(self, *words: str) -> str:
        """Return what git says; nothing where there is no git, or it fails."""
        git = ["git", "--no-optional-locks", "-C", str(self._root), *words]
        try:
            done = subprocess.run(  # noqa: S603  (no shell; a path follows two hyphens)
                git, capture_output=True, check=False, timeout=limits.GIT_S
            )
        except (OSError, subprocess.TimeoutExpired):
            return ""
        return done.stdout.decode(errors="replace").strip() if done.returncode == 0 else ""
