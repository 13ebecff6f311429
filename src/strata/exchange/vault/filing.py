"""Writing the files of a vault into the store, many of them by one commit."""

import msgspec

from strata.documents import BLOB, IMAGE, SPACE, Storage, open_storage
from strata.exchange.place import view_of
from strata.exchange.vault.attachments import (
    KeptFile,
    change_of_file,
    change_of_image,
    removal_of_file,
)
from strata.store import Change
from strata.workspace import Workspace

_CHANGES_A_COMMIT = 500
_BYTES_A_COMMIT = 16 * 1024 * 1024


class Filing:
    """Collects what belongs to files, and commits it from time to time."""

    def __init__(self, db: Workspace, folder: str, *, preview: bool) -> None:
        self._db, self._folder, self._preview = db, folder, preview
        self._view = view_of(db)
        self._storage: Storage | None = None
        self._waiting: dict[tuple[str, str, str], Change] = {}
        self._waiting_bytes = 0
        self._shown = {key for key, _version in self._view.snapshot.keys(SPACE, IMAGE)}
        self._blobs = {key for key, _version in self._view.snapshot.keys(SPACE, BLOB)}

    def keep(self, file: KeptFile, data: bytes, before: KeptFile | None) -> None:
        """Keep a file in the place of what was at its path."""
        if self._preview:
            return
        if before is not None:
            self.drop(before)
        if file.blob not in self._blobs:
            self._blobs.add(file.blob)
            self._add(self._bytes_of(file.blob, data))
        self._add(change_of_file(self._folder, file))

    def drop(self, file: KeptFile) -> None:
        """Let a file go; its bytes stay for the past and for others."""
        self._add(removal_of_file(self._folder, file))

    def show(self, document: str, file: KeptFile) -> None:
        """Let a document show a picture."""
        change = change_of_image(document, file)
        if change.key not in self._shown:
            self._shown.add(change.key)
            self._add(change)

    def end(self) -> None:
        """Commit what is waiting."""
        if not self._waiting or self._preview:
            return
        with self._view.writing("vault import") as transaction:
            if transaction.header.actor is None:
                name = self._db.rights.person.name
                transaction.header = msgspec.structs.replace(transaction.header, actor=name)
            for change in self._waiting.values():
                transaction.stage(change)
        self._waiting, self._waiting_bytes = {}, 0

    def _bytes_of(self, blob: str, data: bytes) -> Change:
        if self._storage is None:
            self._storage = open_storage(self._db.settings.get)
        return self._storage.keep(blob, data)

    def _add(self, change: Change) -> None:
        self._waiting[change.address] = change
        self._waiting_bytes += len(change.data)
        if len(self._waiting) >= _CHANGES_A_COMMIT or self._waiting_bytes >= _BYTES_A_COMMIT:
            self.end()
