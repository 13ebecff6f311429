"""What was moved or renamed in a vault: told from what is new by what it holds."""

from collections.abc import Hashable, Iterable, Mapping
from pathlib import PurePosixPath

from strata.base.values import Json

# Marks of one thing, the surest first; None where it has none of that sort.
Marks = tuple[Hashable | None, ...]


def note_marks(path: str, front: dict[str, Json], text_hash: str, *, is_blank: bool) -> Marks:
    """Return what a note is known by: an id of its own, its name and text, its text."""
    id_ = front.get("id")
    own = str(id_) if isinstance(id_, str | int) and str(id_).strip() else None
    # Blank texts are all alike; only the name tells one from another.
    return own, (_name(path), text_hash), None if is_blank else text_hash


def file_marks(path: str, blob: str, size: int) -> Marks:
    """Return what a file is known by: its name and bytes, its bytes."""
    return (_name(path), blob), blob if size else None


def moves(missing: Mapping[str, Marks], new: Mapping[str, Marks]) -> dict[str, str]:
    """Return where things that are missing are now, by their old paths.

    Only where one missing and one new thing have a mark, and no other: what is in doubt stays.
    """
    found: dict[str, str] = {}
    for sort in range(max(map(len, missing.values()), default=0)):
        were = _single((path, marks[sort]) for path, marks in missing.items() if path not in found)
        taken = {*found.values()}
        are = _single((path, marks[sort]) for path, marks in new.items() if path not in taken)
        found |= {were[mark]: are[mark] for mark in were.keys() & are.keys()}
    return found


def _single(marked: Iterable[tuple[str, Hashable | None]]) -> dict[Hashable, str]:
    """Return the one thing that has a mark, by the mark; nothing where several have it."""
    groups: dict[Hashable, list[str]] = {}
    for path, mark in marked:
        if mark is not None:
            groups.setdefault(mark, []).append(path)
    return {mark: paths[0] for mark, paths in groups.items() if len(paths) == 1}


def _name(path: str) -> str:
    return PurePosixPath(path).name
