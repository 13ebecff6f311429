"""Importing a vault: what is new and what has changed, and nothing else."""

import os
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path, PurePosixPath

import msgspec

from strata.base import limits
from strata.base.errors import InvalidArgument
from strata.documents import NewDocument, aliases_of, find_head, frontmatter, images_in, text_hash
from strata.exchange.place import view_of
from strata.exchange.vault.attachments import VaultFile, describe, vault_files
from strata.exchange.vault.file_writer import FileWriter
from strata.exchange.vault.known_notes import (
    KnownNote,
    exported_notes,
    known_documents,
    known_notes,
    version_of,
)
from strata.exchange.vault.links import Names, links_in
from strata.exchange.vault.manifest import NAME, VaultManifest, read_manifest
from strata.exchange.vault.moves import Mover, moved_files, moved_notes
from strata.exchange.vault.notes import NoteOrigin, VaultNote, origin_of, read_note
from strata.exchange.vault.places import Places
from strata.exchange.vault.report import VaultReport, VaultTally
from strata.exchange.vault.tree import Tree, read_tree
from strata.secrets import find_in
from strata.upkeep import Progress
from strata.workspace import Workspace

# Documents that are made by one commit: more save no time, and keep others waiting.
_NOTES_A_COMMIT = 100
_BYTES_A_COMMIT = 4 * 1024 * 1024
_TRASHED = "its document is in the trash"


def import_vault(
    db: Workspace,
    folder_path: str | os.PathLike[str],
    *,
    folder: str | None = None,
    progress: Progress | None = None,
    preview: bool = False,
    delete: bool = False,
) -> VaultReport:
    """Take a folder of markdown in as documents, below a folder here: one's own by default.

    The folders of the vault become folders, its notes documents with the name of the file as
    title; other files are kept beside them. Hidden folders are left alone. A second import
    writes only what has changed in the vault since the first; what was changed here and there
    is merged, and a note that was moved or renamed in the vault is moved here. Notes that are
    no longer in the vault are named, and with `delete` put into the trash. What an export wrote
    comes back to its documents, and brings the images that were attached to them. With
    `preview` nothing is written.

    >>> from strata.exchange import import_vault
    >>> (folder / "notes").mkdir()
    >>> _ = (folder / "notes" / "계획.md").write_text("# 목표 ([[Budget]])", encoding="utf-8")
    >>> report = import_vault(db, folder / "notes")
    >>> report.notes, report.created, report.links_unresolved
    (1, 1, 1)
    """
    tree = read_tree(Path(folder_path))
    if delete and not (tree.notes or tree.files):
        raise InvalidArgument(
            f"{tree.root} is empty: everything that came from it would go to the trash.",
            hint="Check that this is the right folder, and that its disk is there.",
            parameter="delete",
        )
    taking = _VaultImport(db.allowing_secrets(), tree, folder, preview=preview, progress=progress)
    taking.run()
    if delete:
        taking.trash_missing()
    return taking.report()


class _Linked(msgspec.Struct, frozen=True):
    """What a note points at, what it shows by name, and what by id."""

    path: PurePosixPath
    targets: tuple[str, ...]
    shown: tuple[str, ...]
    attached: tuple[str, ...]


class _VaultImport:
    """One import under way."""

    def __init__(
        self,
        db: Workspace,
        tree: Tree,
        folder: str | None,
        *,
        preview: bool,
        progress: Progress | None,
    ) -> None:
        self._db, self._tree, self._preview = db, tree, preview
        chosen = None if folder is None else db.folders.require(folder).id
        self._root = db.rights.home(chosen)
        self._vault = tree.root.resolve().name
        self._places = Places(db, self._root)
        self._progress: Progress = progress or (lambda _what, _done, _total: None)
        self._snapshot = view_of(db).snapshot
        found = read_manifest(tree.root)
        self._is_manifest_damaged = found is None
        self._manifest = found or VaultManifest()
        self._known = self._find_known()
        self._notes = frozenset(tree.notes)
        self._names = Names([*tree.notes, *tree.files])
        self._linked: list[_Linked] = []
        self._files: dict[str, VaultFile] = {}
        # What is there and was not imported; that is no reason to remove what it was.
        self._unread: set[str] = set()
        self._kept = vault_files(self._snapshot, self._root.id, self._vault)
        self._replaced: set[str] = set()
        self._mover = Mover(db, self._places, frozenset(tree.folders))
        self._filing = FileWriter(db, self._root.id, preview=preview)
        self._new: list[tuple[PurePosixPath, NewDocument]] = []
        self._new_bytes = 0
        self._tally = VaultTally()
        self._follow()
        self._documents = {path: known.id for path, known in self._known.items()}

    def _find_known(self) -> dict[str, KnownNote]:
        """Return what is here of the vault: by earlier imports, and by an export to it."""
        documents = known_documents(self._db)
        known = known_notes(documents, self._root.id, self._vault)
        ids = {one.id for one in known.values()}
        others = [one for one in documents if one.id not in ids]
        exported = exported_notes(
            self._db, others, self._manifest, places=self._places, vault=self._vault
        )
        return exported | known

    def _follow(self) -> None:
        """Find what was moved in the vault, and know it by its new path."""
        for old, new in moved_notes(self._tree, self._known, self._db.rights).items():
            self._known[new] = self._known.pop(old)
        for old, new in moved_files(self._tree, self._kept).items():
            self._kept[new] = self._kept.pop(old)

    def run(self) -> None:
        """Import folders, then notes and files, then what joins them."""
        self._tally.skipped += self._tree.skipped
        self._tally.counts["folders"] = len(self._tree.folders)
        if self._is_manifest_damaged:
            self._tally.skip(NAME, "damaged: images that were attached may have lost their names")
        if not self._preview:
            for path in self._tree.folders:
                self._places.make(path)
        total = len(self._tree.notes) + len(self._tree.files)
        for done, path in enumerate((*self._tree.notes, *self._tree.files), 1):
            self._import_path(path)
            self._progress("files", done, total)
        self._create()
        self._resolve_links()
        self._filing.end()
        self._mover.tidy()
        notes = {path for path, known in self._known.items() if not known.card.trashed}
        self._tally.missing += sorted({*notes, *self._kept} - self._present)

    def report(self) -> VaultReport:
        """Return what was done."""
        return self._tally.report(
            str(self._tree.root), self._root.id, self._db.branch, preview=self._preview
        )

    def trash_missing(self) -> None:
        """Remove what is no longer in the vault: notes go to the trash."""
        gone = [known for path, known in self._known.items() if path not in self._present]
        files = [file for path, file in self._kept.items() if path not in self._present]
        for known in gone:
            if not known.card.trashed:
                self._tally.did("trashed", known.origin.path)
                if not self._preview:
                    self._db.documents.trash(known.id)
        for file in files:
            self._tally.did("trashed", file.path)
            self._filing.drop(file)
        self._filing.end()

    @property
    def _present(self) -> set[str]:
        linked = {linked.path.as_posix() for linked in self._linked}
        return linked | {*self._files} | self._unread

    def _import_path(self, path: PurePosixPath) -> None:
        """Import one file: as a note if it is one, else as it is."""
        data = self._read(path)
        if data is None:
            return
        note = read_note(data) if path in self._notes else None
        if note is None:
            self._import_file(path, data)
        else:
            self._import_note(path, note)

    def _read(self, path: PurePosixPath) -> bytes | None:
        """Return the bytes of a file; what is too long or cannot be read is left as it is."""
        most, data = limits.IMAGE_BYTES_MAX, b""
        try:
            size = self._tree.size(path)
            if size <= most:
                data = self._tree.read(path)
        except OSError as error:
            reason = f"cannot be read: {error.strerror}"
        else:
            if max(size, len(data)) <= most:
                return data
            reason = f"{max(size, len(data)):,} bytes; a file may have {most:,}"
        self._tally.skip(path.as_posix(), reason)
        self._unread.add(path.as_posix())
        return None

    def _import_file(self, path: PurePosixPath, data: bytes) -> None:
        known = self._kept.get(path.as_posix())
        file = describe(self._vault, path, data, known=known)
        self._files[file.path] = file
        self._tally.counts["images" if file.is_image else "files"] += 1
        if path in self._notes:
            self._tally.as_files.append(file.path)
        if known is None:
            self._tally.did("created", file.path)
        elif known.path != file.path:
            self._tally.did("moved", file.path, known.path)
        elif known != file:
            self._tally.did("changed", file.path)
            self._replaced.add(known.blob)
        else:
            self._tally.counts["unchanged"] += 1
        if known != file:
            self._filing.keep(file, data, known)

    def _import_note(self, path: PurePosixPath, note: VaultNote) -> None:
        self._tally.counts["notes"] += 1
        self._names.add_aliases(path, aliases_of(frontmatter(note.text).values))
        links = list(links_in(note.text))
        shown = tuple(link.target for link in links if link.kind == "image")
        targets, attached = tuple(link.target for link in links), tuple(images_in(note.text))
        self._linked.append(_Linked(path, targets, shown, attached))
        known = self._known.get(path.as_posix())
        if known is None:
            self._import_new_note(path, note)
        else:
            self._renew(known, path, note)

    def _import_new_note(self, path: PurePosixPath, note: VaultNote) -> None:
        self._count("created", path, note)
        if self._preview:
            return
        origin = self._origin(path, note, title=self._manifest.of(path).title)
        self._new.append(
            (
                path,
                NewDocument(
                    title=origin.called,
                    content=note.text,
                    folder=self._places.make(path.parent)[0].id,
                    origin=origin.as_json(),
                ),
            )
        )
        self._new_bytes += len(note.text)
        if len(self._new) >= _NOTES_A_COMMIT or self._new_bytes >= _BYTES_A_COMMIT:
            self._create()

    def _create(self) -> None:
        """Make the documents that are ready, by one commit."""
        if self._new:
            made = self._db.documents.create_many([new for _path, new in self._new])
            for (path, _new), written in zip(self._new, made, strict=True):
                self._documents[path.as_posix()] = written.document
        self._new, self._new_bytes = [], 0

    def _renew(self, known: KnownNote, path: PurePosixPath, note: VaultNote) -> None:
        """Bring a document to what its file is now, without losing what was written here."""
        if known.card.trashed:
            self._tally.skip(path.as_posix(), _TRASHED)
            return
        before = PurePosixPath(known.origin.path)
        title = known.origin.title if before.name == path.name else ""
        origin = self._origin(path, note, title=title)
        if before != path:
            self._tally.did("moved", path.as_posix(), before.as_posix())
        self._renew_text(known, path, note)
        if origin != known.origin and not self._preview:
            if before != path:
                self._mover.move(known, origin)
            whole = origin_of(known.card.origin).noting(origin)
            self._db.documents.set_origin(known.id, whole.as_json())

    def _renew_text(self, known: KnownNote, path: PurePosixPath, note: VaultNote) -> None:
        head = find_head(self._snapshot, known.id)
        here, there = head.hash if head else "", text_hash(note.text.encode())
        if here == there:
            # What was moved is counted as that.
            self._tally.counts["unchanged"] += known.origin.path == path.as_posix()
        elif there == known.origin.hash:
            self._tally.did("kept", path.as_posix())
        else:
            self._write(known, path, note, is_changed_here=here != known.origin.hash)

    def _write(
        self, known: KnownNote, path: PurePosixPath, note: VaultNote, *, is_changed_here: bool
    ) -> None:
        self._count("merged" if is_changed_here else "changed", path, note)
        if not self._preview:
            base = version_of(self._db, known.id, known.origin.hash) if is_changed_here else None
            done = self._db.documents.write(known.id, note.text, base_version=base)
            self._tally.counts["suggestions"] += len(done.suggestions)

    def _count(self, how: str, path: PurePosixPath, note: VaultNote) -> None:
        self._tally.did(how, path.as_posix())
        # The user already has what is imported, so secrets are reported and not refused.
        self._tally.counts["secrets"] += len(find_in(note.text))

    def _origin(self, path: PurePosixPath, note: VaultNote, *, title: str) -> NoteOrigin:
        return NoteOrigin(
            folder=self._root.id,
            vault=self._vault,
            path=path.as_posix(),
            hash=text_hash(note.text.encode()),
            bom=note.bom,
            title=title,
        )

    def _resolve_links(self) -> None:
        """Count where links lead, and let documents show the images that they embed."""
        for linked in self._linked:
            for target in linked.targets:
                found = self._names.find(target, linked.path)
                self._tally.counts["links_resolved" if found else "links_unresolved"] += 1
                if found is None:
                    self._tally.unresolved[target] = None
            document = self._documents.get(linked.path.as_posix())
            if document is not None:
                self._show(document, linked)

    def _show(self, document: str, linked: _Linked) -> None:
        """Let a document show its pictures: those that it links to, shows by id, or had."""
        names_by_id = {image.id: image.called for image in self._manifest.of(linked.path).images}
        names = dict[str, str | None].fromkeys(linked.attached) | names_by_id
        here = [(self._images[id_], name) for id_, name in names.items() if id_ in self._images]
        self._filing.show(document, [*self._embedded_images(linked)], here)
        stale = self._replaced.difference(linked.attached)
        if stale and not self._preview:
            shown = {file.blob for file in self._embedded_images(linked)}
            text = self._db.documents.text(document)
            self._filing.hide(document, stale.difference(shown, images_in(text)))

    def _embedded_images(self, linked: _Linked) -> Iterator[VaultFile]:
        for target in linked.shown:
            found = self._names.find(target, linked.path)
            file = self._files.get(found.as_posix()) if found else None
            if file is not None and file.is_image:
                yield file

    @cached_property
    def _images(self) -> dict[str, VaultFile]:
        return {file.blob: file for file in self._files.values() if file.is_image}
