"""Where the links of a vault lead: by path, by name, by alias."""

from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath
from posixpath import normpath

from strata.documents import Reference, normal_title, references
from strata.exchange.vault.tree import NOTES


class Names:
    """Everything in a vault that a link may name."""

    def __init__(self, paths: Iterable[PurePosixPath]) -> None:
        self._paths: dict[str, PurePosixPath] = {}
        self._names: dict[str, list[PurePosixPath]] = {}
        self._aliases: dict[str, PurePosixPath] = {}
        for path in paths:
            for spelled in {path.as_posix(), _bare(path.as_posix())}:
                self._paths.setdefault(normal_title(spelled), path)
                self._names.setdefault(normal_title(spelled.rpartition("/")[2]), []).append(path)

    def add_aliases(self, path: PurePosixPath, aliases: Iterable[str]) -> None:
        """Note other names that a note gives itself."""
        for alias in aliases:
            self._aliases.setdefault(normal_title(alias), path)

    def find(self, target: str, source: PurePosixPath) -> PurePosixPath | None:
        """Return what a link in a note leads to: the nearest of several of a name."""
        whole, named = target, target.partition("#")[0]
        found = self._find(normal_title(whole), source)
        # A name may have the sign that introduces a heading.
        return found or (self._find(normal_title(named), source) if named != whole else None)

    def _find(self, target: str, source: PurePosixPath) -> PurePosixPath | None:
        written = target.strip("/")
        near = normpath(f"{normal_title(source.parent.as_posix())}/{written}").lstrip("/")
        for path in (near, written):
            if path in self._paths:
                return self._paths[path]
        found = self._names.get(written.rpartition("/")[2])
        if found and "/" in written:
            # A path may be cut short in front, as long as it names one.
            found = [path for path in found if f"/{_spelled(path)}".endswith(f"/{_bare(written)}")]
        if found:
            return next((path for path in found if path.parent == source.parent), found[0])
        return self._aliases.get(written)


def _bare(path: str) -> str:
    """Return a path without the ending of a note."""
    return next((path[: -len(end)] for end in NOTES if path.lower().endswith(end)), path)


def _spelled(path: PurePosixPath) -> str:
    return _bare(normal_title(path.as_posix()))


def links_in(text: str) -> Iterator[Reference]:
    """Yield the links of a note that lead to something in the vault, or should."""
    for link in references(text):
        is_elsewhere = "://" in link.target or link.target.startswith(
            ("mailto:", "data:", "image:")
        )
        # A link within the same note names only a heading.
        if link.target.strip("#") and not is_elsewhere and link.kind != "mention":
            yield link
