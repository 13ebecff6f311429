"""Writing the files of a vault into the store, many of them by one commit."""

from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec

from strata.documents import BLOB, SPACE, Storage, open_storage
from strata.exchange.place import view_of
from strata.exchange.vault.attachments import (
    VaultFile,
    change_of_file,
    change_of_image,
    image_names,
    removal_of_file,
    removal_of_image,
)
from strata.store import Signature, StagedChange, with_person
from strata.workspace import Workspace

_CHANGES_A_COMMIT = 500
_BYTES_A_COMMIT = 16 * 1024 * 1024


class FileWriter:
    """Collects what belongs to files, and commits it from time to time."""

    def __init__(self, db: Workspace, folder: str, *, preview: bool) -> None:
        self._db, self._folder, self._preview = db, folder, preview
        self._view = view_of(db)
        self._storage: Storage | None = None
        self._waiting: dict[tuple[str, str, str], StagedChange] = {}
        self._waiting_bytes = 0
        self._shown = image_names(self._view.snapshot)
        self._blobs = {key for key, _version in self._view.snapshot.keys(SPACE, BLOB)}

    def keep(self, file: VaultFile, data: bytes, before: VaultFile | None) -> None:
        """Keep a file in the place of what was at its path."""
        if self._preview:
            return
        if before is not None:
            self.drop(before)
        if file.blob not in self._blobs:
            self._blobs.add(file.blob)
            self._add(self._bytes_of(file.blob, data))
        self._add(change_of_file(self._folder, file))

    def drop(self, file: VaultFile) -> None:
        """Let a file go; its bytes stay for the past and for others."""
        self._add(removal_of_file(self._folder, file))

    def show(
        self,
        document: str,
        linked: Sequence[VaultFile],
        attached: Sequence[tuple[VaultFile, str | None]],
    ) -> None:
        """Let a document show pictures that its text names, and others that belong to it.

        Their names lead from the text to them: of two that are called the same, their paths.
        """
        files = {file.blob: file for file in reversed(linked)}
        names = Counter(file.name for file in files.values())
        for file in files.values():
            self._show(document, file, file.name if names[file.name] == 1 else file.path)
        for file, name in attached:
            if file.blob not in files:
                self._show(document, file, name)

    def _show(self, document: str, file: VaultFile, name: str | None) -> None:
        """Let a document show a picture; without a name it keeps the one that it has."""
        key = f"{document}/{file.blob}"
        if key not in self._shown or (name is not None and self._shown[key] != name):
            self._shown[key] = name or file.name
            self._add(change_of_image(document, file, self._shown[key]))

    def hide(self, document: str, blobs: Iterable[str]) -> None:
        """Take pictures from a document that does not show them any more."""
        for blob in blobs:
            if self._shown.pop(f"{document}/{blob}", None) is not None:
                self._add(removal_of_image(document, blob))

    def end(self) -> None:
        """Commit what is waiting."""
        if not self._waiting or self._preview:
            return
        with self._view.writing("vault import") as transaction:
            user = self._db.rights.user
            by = Signature(person=user.id, name=user.name)
            actor = with_person(transaction.header.actor, by)
            transaction.header = msgspec.structs.replace(transaction.header, actor=actor)
            for change in self._waiting.values():
                transaction.stage(change)
        self._waiting, self._waiting_bytes = {}, 0

    def _bytes_of(self, blob: str, data: bytes) -> StagedChange:
        if self._storage is None:
            self._storage = open_storage(self._db.settings.get)
        return self._storage.keep(blob, data)

    def _add(self, change: StagedChange) -> None:
        self._waiting[change.address] = change
        self._waiting_bytes += len(change.data)
        if len(self._waiting) >= _CHANGES_A_COMMIT or self._waiting_bytes >= _BYTES_A_COMMIT:
            self.end()
