"""Uploads: an address to send a file to, the file that arrives, and what becomes of it.

Nothing of an upload is versioned. It becomes a document or an image when it is finalized.
"""

import logging
from collections.abc import Callable, Iterable
from hashlib import sha256
from typing import Any, TypeAlias

import msgspec

from strata.base import ids, limits
from strata.base.errors import (
    Conflict,
    InvalidArgument,
    LimitExceeded,
    NotAllowed,
    StrataError,
    Unavailable,
)
from strata.base.results import TimedResult
from strata.documents.files.announcements import (
    PRESIGN,
    UploadAnnouncement,
    check_length,
    check_target,
    checked_type,
    unknown,
    wrong_length,
)
from strata.documents.files.converting import markdown_of_file
from strata.documents.files.drawings import is_drawing
from strata.documents.files.finalizing import FinishedUpload, ImageDocuments, make_of
from strata.documents.files.servers import Servers
from strata.documents.files.signing import Signer
from strata.documents.files.storage import Storage
from strata.store import Store

_log = logging.getLogger(__name__)
_ELSEWHERE = "storage"


class Upload(TimedResult, frozen=True):
    """Where to send a file, with which headers, and until when, in microseconds."""

    TIME = "expires_at"

    id: str
    url: str
    required_headers: dict[str, str]
    expires_at: int


class ReceivedUpload(msgspec.Struct, frozen=True):
    """A file that has arrived whole; `repeated` when it had before."""

    id: str
    bytes: int
    sha256: str
    repeated: bool = False


_Values: TypeAlias = tuple[Any, ...]


class Uploads:
    """Files on their way into documents. Reached as `db.serving.uploads(…)`."""

    def __init__(
        self,
        store: Store,
        storage: Callable[[], Storage],
        *,
        is_trusted: Callable[[], bool],
        base_url: Callable[[], str] | None = None,
    ) -> None:
        self._store = store
        self._storage = storage
        self._base_url = base_url
        self.signer = Signer(store)
        self.servers = Servers(store, self.signer, is_trusted)

    # Asking for an address.

    def presign(
        self,
        user: str,
        *,
        length: int,
        content_type: str = "text/markdown",
        document: str | None = None,
        title: str | None = None,
        folder: str | None = None,
    ) -> Upload:
        """Return an address that takes one file of exactly so many bytes, for a quarter hour.

        Text becomes a new document with a `title`, or the new text of a `document`. An image
        becomes one of a `document`; its `title` is its alternative text. A PDF or DOCX file is
        kept with a `document`, or its text becomes a new one; its `title` is the file's name.
        """
        kind = checked_type(content_type)
        check_target(kind, document=document, title=title, folder=folder)
        check_length(kind, length)
        self._sweep()
        self._check_open(user, length)
        now = self._store.clock()
        # In whole seconds, as the address says it; never less than was promised.
        expires = -(-now // 1_000_000) + int(limits.UPLOAD_S)
        upload = ids.new_id("upload")
        url = self._storage().upload_url(upload, limits.UPLOAD_S)
        place = None if url is None else _ELSEWHERE
        row = (
            upload,
            user,
            document,
            self._screened(title),
            folder,
            kind,
            length,
            now,
            expires * 1_000_000,
            place,
        )
        url = url or self._own_base() + self.signer.signed(upload, expires)
        with self._store.writing() as connection:
            connection.run(self._store.queries.insert_upload, row)
        headers = {"Content-Type": kind, "Content-Length": str(length)}
        return Upload(upload, url, headers, expires * 1_000_000)

    def _own_base(self) -> str:
        if self._base_url is None:
            raise Unavailable(
                "Nothing listens for uploads here.", hint="Start `strata serve` on this store."
            )
        return self._base_url().rstrip("/")

    def _screened(self, title: str | None) -> str | None:
        if title is not None and self._store.screen is not None:
            self._store.screen.screen_note(title, "title", is_name=True)
        return title

    def _check_open(self, user: str, length: int) -> None:
        values = (user, self._store.clock())
        row = self._store.connection().row(self._store.queries.open_upload_bytes, values)
        size = length + (row[0] if row else 0)
        if size > limits.UPLOADS_OPEN_BYTES_MAX:
            raise LimitExceeded(
                f"Uploads that are not finalized may have {limits.UPLOADS_OPEN_BYTES_MAX:,} bytes "
                f"together; with this one they have {size:,}.",
                hint="Finalize those that have arrived, or wait until their addresses expire.",
                limit=limits.UPLOADS_OPEN_BYTES_MAX,
                size=size,
            )

    def _sweep(self) -> None:
        """Remove what was never finalized in time, and what was long ago."""
        now = self._store.clock()
        bounds = (
            now - int(limits.UPLOAD_KEPT_S * 1_000_000),
            now - int(limits.UPLOAD_FINISHED_KEPT_S * 1_000_000),
        )
        rows = self._store.connection().rows(self._store.queries.old_uploads, bounds)
        gone = [row[0] for row in rows if row[1] is None or self._dropped(row[0])]
        if gone:
            with self._store.writing() as connection:
                connection.run_many(self._store.queries.delete_upload, [(one,) for one in gone])

    def _dropped(self, upload: str) -> bool:
        """Remove an upload from the storage elsewhere; tell whether that went well."""
        try:
            self._storage().drop(upload)
        except StrataError as error:
            _log.info("an upload could not be removed and is tried again later: %s", error)
            return False
        return True

    # Receiving.

    def receive(
        self,
        upload: str,
        expires: str,
        signature: str,
        *,
        chunks: Iterable[bytes],
        declared_length: int | None = None,
        declared_type: str | None = None,
    ) -> ReceivedUpload:
        """Take in a file piece by piece; it is kept whole or not at all."""
        arriving = self.begin(
            upload,
            expires,
            signature,
            declared_length=declared_length,
            declared_type=declared_type,
        )
        for chunk in chunks:
            arriving.add(chunk)
        return arriving.finish()

    def begin(
        self,
        upload: str,
        expires: str,
        signature: str,
        *,
        declared_length: int | None = None,
        declared_type: str | None = None,
    ) -> "IncomingFile":
        """Check everything that can be checked before the first byte."""
        self.signer.check(upload, expires, signature)
        row = self._row(upload)
        if row is None or row.place is not None:
            raise unknown(upload)
        if declared_length is not None and declared_length != row.length:
            raise wrong_length(row.length, declared_length)
        told = (declared_type or "").partition(";")[0].strip().lower()
        if told and told != row.content_type:
            raise InvalidArgument(
                f"This address is for {row.content_type}, not for {told[:80]}.",
                hint=f"Send the header Content-Type: {row.content_type}",
                parameter="content_type",
            )
        return IncomingFile(row.length, lambda data: self._keep(row, data))

    def _keep(self, row: UploadAnnouncement, data: bytes) -> ReceivedUpload:
        digest = sha256(data).hexdigest()
        kept = self._checked(row, data) if row.is_binary else self._cleaned(data)
        values = (row.id, self._store.clock(), digest, kept)
        with self._store.writing() as connection:
            is_first = connection.row(self._store.queries.receive_upload, values) is not None
        if not is_first:
            before = self._row(row.id)
            if before is None:
                raise unknown(row.id)
            if before.sha256 != digest:
                raise Conflict(
                    "Another file has arrived at this address before, and that one is kept.",
                    hint=f"Ask for another address with {PRESIGN}.",
                )
        return ReceivedUpload(row.id, len(data), digest, not is_first)

    def _checked(self, row: UploadAnnouncement, data: bytes) -> bytes:
        """Refuse secrets in a drawing or a file; masked, it would be another one."""
        if row.is_file:
            text = markdown_of_file(data, row.content_type)
            if self._store.screen is not None:
                self._store.screen.screen_note(text, "uploaded file", is_name=True)
        elif self._store.screen is not None and is_drawing(data):
            text = data.decode("utf-8", "replace")
            self._store.screen.screen_note(text, "uploaded drawing", is_name=True)
        return data

    def _cleaned(self, data: bytes) -> bytes:
        """Refuse or mask secrets in a text before it reaches the disk."""
        screen = self._store.screen
        if screen is None:
            return data
        text = data.decode("utf-8", "replace")
        noted = screen.screen_note(text, "uploaded text")
        return data if noted is text or noted == text else str(noted).encode()

    # Finalizing.

    def finalize(self, user: str, upload: str, documents: ImageDocuments) -> FinishedUpload:
        """Make of a file what it was announced for; a repeated call gets the same answer."""
        row = self._row(upload)
        if row is None or row.user != user:
            raise unknown(upload)
        data = None if row.finished is not None else self._arrived(row)
        if data is None:
            return self._answered(row)
        done = make_of(row, data, documents)
        answer = msgspec.json.encode(done).decode()
        values = (row.id, answer, self._store.clock(), row.sha256 or sha256(data).hexdigest())
        with self._store.writing() as connection:
            connection.run(self._store.queries.finish_upload, values)
        if row.place is not None:
            self._dropped(row.id)
        return done

    def _arrived(self, row: UploadAnnouncement) -> bytes | None:
        if row.place is not None:
            return self._storage().fetch_upload(row.id, row.length)
        found = self._store.connection().row(self._store.queries.upload_data, (row.id,))
        return None if found is None or found[0] is None else bytes(found[0])

    def _answered(self, row: UploadAnnouncement) -> FinishedUpload:
        """Return what an upload has become, perhaps just now; raise if nothing has arrived."""
        now = self._row(row.id)
        if now is not None and now.finished is not None:
            return msgspec.json.decode(now.finished, type=FinishedUpload)
        if self._store.clock() >= row.expires:
            raise NotAllowed(
                f"Nothing arrived for upload {row.id}, and its address has expired.",
                hint=f"Ask for another address with {PRESIGN}.",
            )
        raise Unavailable(
            f"Nothing has arrived for upload {row.id} yet.",
            hint="PUT the file to `url` first, and look at what that answers.",
        )

    def _row(self, upload: str) -> UploadAnnouncement | None:
        name = upload.encode("utf-8", "replace").decode()
        row: _Values | None = self._store.connection().row(self._store.queries.upload, (name,))
        return None if row is None else UploadAnnouncement(*row)


class IncomingFile:
    """A file that arrives piece by piece, in memory until it is whole."""

    def __init__(self, length: int, keep: Callable[[bytes], ReceivedUpload]) -> None:
        self._length = length
        self._keep = keep
        self._data = bytearray()

    def add(self, chunk: bytes) -> None:
        """Take a piece; what is too much is refused at once."""
        if len(self._data) + len(chunk) > self._length:
            self._data.clear()
            raise LimitExceeded(
                f"{self._length:,} bytes were announced, and more arrived; nothing was kept.",
                hint="Count the file's bytes (wc -c) and ask for another address.",
                limit=self._length,
                size=self._length + 1,
            )
        self._data += chunk

    def finish(self) -> ReceivedUpload:
        """Keep the file, if it is whole."""
        if len(self._data) != self._length:
            raise wrong_length(self._length, len(self._data))
        whole = bytes(self._data)
        self._data.clear()
        return self._keep(whole)
