"""Writing documents out as a folder of markdown: as they were found, byte for byte."""

import os
from collections.abc import Collection, Generator, Iterable, Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path, PurePosixPath

import msgspec

from strata.base.errors import AlreadyExists, Damaged, InvalidArgument, StrataError, Unavailable
from strata.documents import Storage, find_head, open_storage, read_blob
from strata.exchange.place import pinned, view_of, whole_file
from strata.exchange.vault.attachments import VaultFile, all_files
from strata.exchange.vault.known_notes import KnownNote, known_documents
from strata.exchange.vault.layout import OutgoingFile, VaultPaths
from strata.exchange.vault.links import Names, links_in
from strata.exchange.vault.manifest import (
    NAME,
    AttachedImage,
    ManifestNote,
    VaultManifest,
    read_manifest,
)
from strata.exchange.vault.notes import VaultNote, title_of
from strata.exchange.vault.pictures import Pictures
from strata.exchange.vault.places import Places, file_name
from strata.exchange.vault.report import VaultReport, VaultTally
from strata.sql import sync_folder
from strata.upkeep import Progress
from strata.workspace import Workspace

_NAMED = 5


def export_vault(
    db: Workspace,
    target_path: str | os.PathLike[str],
    *,
    folder: str | None = None,
    documents: Collection[str] | None = None,
    progress: Progress | None = None,
    force: bool = False,
    plain: bool = False,
    skip_damaged: bool = False,
) -> VaultReport:
    """Write the documents of a folder, one's own by default, as files of markdown.

    What was imported gets the path and the bytes that it had, apart from what was changed
    since; files that came with it are written too, and images that were attached here, in a
    folder of their own. A hidden file tells an import which document and which image is which
    file, unless `plain` asks for the files alone. With `documents` only those are written, and
    the files that they show or link to. Files that are there already with other bytes are
    foreign: without `force` they are named and nothing is written. With `skip_damaged` what cannot
    be read is left out and listed as skipped, instead of failing.

    >>> from strata.exchange import export_vault
    >>> _ = db.documents.create("계획", "# 목표")
    >>> export_vault(db, folder / "vault").notes
    1
    >>> (folder / "vault" / "계획.md").read_text(encoding="utf-8")
    '# 목표'
    """
    giving = _VaultExport(
        pinned(db), Path(target_path), folder, is_plain=plain, skips_damaged=skip_damaged
    )
    return giving.run(documents, progress or (lambda _what, _done, _total: None), force=force)


class _VaultExport:
    """One export under way."""

    def __init__(
        self,
        db: Workspace,
        target: Path,
        folder: str | None,
        *,
        is_plain: bool,
        skips_damaged: bool = False,
    ) -> None:
        self._db, self._target, self._is_plain = db, target, is_plain
        self._skips_damaged = skips_damaged
        self._root = db.folders.personal() if folder is None else db.folders.require(folder)
        self._places = Places(db, self._root)
        self._snapshot = view_of(db).snapshot
        self._layout = VaultPaths(self._places)
        self._before = read_manifest(self._target)
        self._tally = VaultTally()

    def run(
        self, documents: Collection[str] | None, progress: Progress, *, force: bool
    ) -> VaultReport:
        """Write everything, after looking whether it may be written."""
        notes = self._notes(documents)
        if self._skips_damaged:
            notes = [one for one in notes if self._is_readable(one)]
        files = self._files(None if documents is None else notes)
        pictures = Pictures(self._db, self._layout, (self._before or VaultManifest()).files())
        attached = pictures.attached(notes, files)
        outgoing = notes + files + pictures.files
        empty = set(self._empty(outgoing)) if documents is None else set[PurePosixPath]()
        self._check(outgoing, empty, force=force)
        self._make_folders(empty)
        for done, one in enumerate(outgoing, 1):
            self._write(one)
            progress("files", done, len(outgoing))
        if not self._is_plain:
            self._write_manifest(self._make_manifest(notes, attached))
        for folder in {(self._target / one.path).parent for one in outgoing}:
            if folder.is_dir():  # what was skipped may have been all of it
                sync_folder(folder)
        above = {parent for one in outgoing for parent in one.path.parents if parent.parts}
        self._tally.counts["folders"] = len(above | empty)
        return self._tally.report(str(self._target), self._root.id, self._db.branch)

    def _notes(self, documents: Collection[str] | None) -> list[OutgoingFile]:
        for document in documents or ():
            self._db.documents.get(document)  # raises NotFound for what one may not read
        found: list[tuple[KnownNote, str]] = []
        for known in self._known():
            folder = self._db.rights.placement(known.id).folder
            is_inside = folder in self._places.paths and not known.card.trashed
            if is_inside if documents is None else known.id in documents:
                found.append((known, folder))
        return self._layout.documents(found)

    def _known(self) -> list[KnownNote]:
        """Return the documents that one sees; those that can be read, where some may be damaged.

        Which documents there are is known apart from what they hold.
        """
        if not self._skips_damaged:
            return known_documents(self._db)
        found: list[KnownNote] = []
        for document in sorted(self._db.rights.visible()):
            try:
                found += known_documents(self._db, document)
            except Damaged as error:
                self._skip_damaged(document, error)
        return found

    def _is_readable(self, one: OutgoingFile) -> bool:
        try:
            self._bytes(one)
        except Damaged as error:
            self._skip_damaged(one.path.as_posix(), error)
            return False
        return True

    def _skip_damaged(self, path: str, error: Damaged) -> None:
        self._tally.skip(path, error.message)
        self._tally.counts["damaged"] += 1

    def _files(self, notes: list[OutgoingFile] | None) -> list[OutgoingFile]:
        """Return the files of the folder, or those that some notes point at."""
        try:
            placed = self._layout.files(all_files(self._snapshot))
        except Damaged as error:
            if not self._skips_damaged:
                raise
            self._skip_damaged("files that came with a folder", error)
            return []
        if notes is None:
            return placed
        names = Names(one.path for one in placed)
        wanted = {
            names.find(link.target, one.path)
            for one in notes
            for link in links_in(self._note(one.what).text)
        }
        return [one for one in placed if one.path in wanted]

    def _note(self, what: KnownNote | VaultFile) -> VaultNote:
        assert isinstance(what, KnownNote), "only documents have a text"
        return VaultNote(self._db.documents.text(what.id), what.origin.bom)

    @cached_property
    def _storage(self) -> Storage:
        return open_storage(self._db.settings.get)

    def _bytes(self, one: OutgoingFile) -> bytes:
        if isinstance(one.what, VaultFile):
            return read_blob(self._snapshot, one.what.blob, self._storage)
        return self._note(one.what).as_bytes()

    def _check(
        self, outgoing: list[OutgoingFile], empty: set[PurePosixPath], *, force: bool
    ) -> None:
        """Refuse to write over what others wrote, or outside of the target."""
        home = self._target.resolve()
        for folder in empty | {one.path.parent for one in outgoing}:
            if not (home / folder).resolve().is_relative_to(home):
                raise InvalidArgument(
                    f"{self._target / folder} leads out of {self._target}.",
                    hint="Remove the link, or name another folder.",
                    parameter="target_path",
                )
        store = self._db.path
        if store is not None and store.resolve().parent.is_relative_to(home):
            own = {f"{store.resolve()}{end}" for end in ("", "-wal", "-shm")}
            if any(str((home / one.path).resolve()) in own for one in outgoing):
                raise InvalidArgument(
                    f"The store itself lies in {self._target}, under the name of one of the files.",
                    hint="Name another folder.",
                    parameter="target_path",
                )
        foreign = [one.path.as_posix() for one in outgoing if self._is_foreign(one, force=force)]
        if self._before is None and not force:
            foreign.append(NAME)
        if foreign:
            more = "…" if len(foreign) > _NAMED else ""
            raise AlreadyExists(
                f"{len(foreign):,} of the files in {self._target} are there already and differ: "
                f"{', '.join(foreign[:_NAMED])}{more}.",
                hint="Nothing was written. Name another folder; --force (in Python, force=True) "
                "writes into it.",
                path=str(self._target),
                files=foreign[:100],
            )

    def _is_foreign(self, one: OutgoingFile, *, force: bool) -> bool:
        place = self._target / one.path
        if place.is_dir():
            return True
        return not force and place.exists() and not _holds(place, self._bytes(one))

    def _make_folders(self, empty: Iterable[PurePosixPath]) -> None:
        """Make the target, and in it the folders that hold nothing yet."""
        with _explained(self._target):
            self._target.mkdir(parents=True, exist_ok=True)
            for path in empty:
                (self._target / path).mkdir(parents=True, exist_ok=True)

    def _empty(self, outgoing: list[OutgoingFile]) -> Iterator[PurePosixPath]:
        used = set[str]()
        for folder in {parent for one in outgoing for parent in one.path.parents}:
            found = self._places.find(folder)
            used |= {found.id} if found else set()
        for id_, names in self._places.paths.items():
            if id_ not in used:
                yield PurePosixPath(*map(file_name, names))

    def _write(self, one: OutgoingFile) -> None:
        place = self._target / one.path
        try:
            data = self._bytes(one)
        except StrataError as error:
            self._tally.skip(one.path.as_posix(), error.message)
            return
        how = "unchanged"
        if not _holds(place, data):
            how = "changed" if place.exists() else "created"
            with _explained(place):
                place.parent.mkdir(parents=True, exist_ok=True)
            with whole_file(place, force=True, sync=False) as part:
                part.write_bytes(data)
        self._count(one, how)

    def _make_manifest(
        self, notes: list[OutgoingFile], attached: dict[PurePosixPath, tuple[AttachedImage, ...]]
    ) -> VaultManifest:
        """Return what an import should know, and what an earlier manifest tells of other notes."""
        told = {
            one.path.as_posix(): self._manifest_note(one, attached.get(one.path, ()))
            for one in notes
        }
        before = self._before.notes if self._before else {}
        rest = {path: old for path, old in before.items() if path not in told}
        kept = {path: old for path, old in rest.items() if (self._target / path).is_file()}
        return VaultManifest(
            notes={path: one for path, one in (kept | told).items() if one != ManifestNote()}
        )

    def _manifest_note(self, one: OutgoingFile, images: tuple[AttachedImage, ...]) -> ManifestNote:
        assert isinstance(one.what, KnownNote), "only documents are notes"
        known, title = one.what, one.what.card.title
        told = ManifestNote(title="" if title_of(one.path) == title else title, images=images)
        origin = known.origin.inside(self._root.id, self._target.resolve().name)
        if origin is not None and origin.path == one.path.as_posix():
            return told
        head = find_head(self._snapshot, known.id)
        return msgspec.structs.replace(told, document=known.id, version=head.version if head else 0)

    def _write_manifest(self, manifest: VaultManifest) -> None:
        place, data = self._target / NAME, manifest.as_bytes()
        if not manifest.notes and not place.exists():
            return
        if not _holds(place, data):
            with whole_file(place, force=True) as part:
                part.write_bytes(data)

    def _count(self, one: OutgoingFile, how: str) -> None:
        if isinstance(one.what, VaultFile):
            self._tally.counts["images" if one.what.is_image else "files"] += 1
        else:
            self._tally.counts["notes"] += 1
        if how == "unchanged":
            self._tally.counts[how] += 1
        else:
            self._tally.did(how, one.path.as_posix())
        if one.is_renamed:
            self._tally.renamed.append(one.path.as_posix())


def _holds(place: Path, data: bytes) -> bool:
    """Whether a file has these bytes; what is none, such as a pipe, is not even opened."""
    return place.is_file() and place.stat().st_size == len(data) and place.read_bytes() == data


@contextmanager
def _explained(place: Path) -> Generator[None]:
    """Tell in the words of this program what the file system refuses."""
    try:
        yield
    except OSError as error:
        raise Unavailable(
            f"{place} cannot be written: {error.strerror}.",
            hint="Check the disk, and that the folder is writable.",
            path=str(place),
        ) from error
