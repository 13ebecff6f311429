"""What was moved or renamed in a vault: told from what is new by what it holds."""

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any

from strata.access import Permissions
from strata.base import limits
from strata.base.errors import NotAllowed
from strata.documents import frontmatter, image_id, text_hash
from strata.exchange.vault.attachments import VaultFile
from strata.exchange.vault.known_notes import KnownNote
from strata.exchange.vault.notes import NoteOrigin, read_note
from strata.exchange.vault.places import Places
from strata.exchange.vault.tree import Tree
from strata.workspace import Workspace

# Marks of one thing, the surest first; None where it has none of that sort.
Marks = tuple[Hashable | None, ...]


_NOTHING = (text_hash(b""), image_id(b""))


def note_marks(path: str | PurePosixPath, front: dict[str, Any], text_hash: str) -> Marks:
    """Return what a note is known by: an id of its own, its name and text, its text."""
    id_ = front.get("id")
    own = str(id_).strip() or None if isinstance(id_, str | int) else None
    return own, *file_marks(path, text_hash)


def file_marks(path: str | PurePosixPath, held: str) -> Marks:
    """Return what a file is known by: its name and what it holds, what it holds."""
    # Empty ones are all alike; only the name tells one from another.
    return (PurePosixPath(path).name, held), None if held in _NOTHING else held


def moved_notes(tree: Tree, known: Mapping[str, KnownNote], rights: Permissions) -> dict[str, str]:
    """Return where notes are now that are not where they were, by their old paths."""
    present = {path.as_posix() for path in tree.notes}
    missing = {
        path: note_marks(path, one.card.frontmatter, one.origin.hash)
        for path, one in known.items()
        if path not in present and not one.card.trashed and rights.may_manage(one.id)
    }
    new = [path for path in tree.notes if path.as_posix() not in known]
    return moves(missing, dict(_notes(tree, new))) if missing else {}


def _notes(tree: Tree, paths: Iterable[PurePosixPath]) -> Iterator[tuple[str, Marks]]:
    for path in paths:
        data = tree.peek(path, limits.DOCUMENT_BYTES_MAX)
        note = None if data is None else read_note(data)
        if note is not None:
            hashed = text_hash(note.text.encode())
            yield path.as_posix(), note_marks(path, frontmatter(note.text).values, hashed)


def moved_files(tree: Tree, kept: Mapping[str, VaultFile]) -> dict[str, str]:
    """Return where files are now that are not where they were, by their old paths."""
    present = {path.as_posix() for path in (*tree.files, *tree.notes)}
    missing = {
        path: file_marks(path, one.blob) for path, one in kept.items() if path not in present
    }
    new = [path for path in tree.files if path.as_posix() not in kept]
    return moves(missing, dict(_files(tree, new))) if missing else {}


def _files(tree: Tree, paths: Iterable[PurePosixPath]) -> Iterator[tuple[str, Marks]]:
    for path in paths:
        data = tree.peek(path, limits.IMAGE_BYTES_MAX)
        if data is not None:
            yield path.as_posix(), file_marks(path, image_id(data))


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


class Mover:
    """Brings documents to where their notes are now."""

    def __init__(self, db: Workspace, places: Places, folders: Collection[PurePosixPath]) -> None:
        self._db, self._places, self._folders = db, places, folders
        self._left: set[PurePosixPath] = set()

    def move(self, known: KnownNote, origin: NoteOrigin) -> None:
        """Give a document the title and the folder of its note, unless it has others by now."""
        before, after = PurePosixPath(known.origin.path), PurePosixPath(origin.path)
        if known.card.title == known.origin.called != origin.called:
            self._db.documents.rename(known.id, origin.called)
        was = self._places.find(before.parent)
        if was is not None and was.id == self._db.rights.placement(known.id).folder:
            target = self._places.make(after.parent)[0]
            if target.id != was.id:
                self._db.documents.move(known.id, target.id)
                self._left.add(before.parent)

    def tidy(self) -> None:
        """Remove folders that the vault has no longer, where nothing is in them now."""
        above = {path for left in self._left for path in (left, *left.parents) if path.parts}
        for path in sorted(above.difference(self._folders), key=lambda path: -len(path.parts)):
            folder = self._places.find(path)
            if folder is None:
                continue
            try:
                self._db.folders.remove(folder.id)
            except NotAllowed:  # something else is in it, or it is not one's own to remove
                continue
