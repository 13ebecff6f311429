"""Where the bytes of images lie: in the store, or in S3-compatible storage elsewhere."""

import re
from collections.abc import Callable, Generator
from contextlib import contextmanager
from datetime import timedelta
from hashlib import sha256
from typing import Any, Protocol
from urllib.parse import urlsplit

import msgspec

from strata.base import limits
from strata.base.errors import Damaged, InvalidArgument, NotFound, StrataError, Unavailable
from strata.base.values import Json
from strata.documents.records import BLOB, SPACE
from strata.store import BINARY, GONE, Record, Snapshot, StagedChange, damaged, plain

# What the names of buckets and regions are made of; providers besides Amazon allow more than it.
_BUCKET = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{1,254}")
_REGION = re.compile(r"[A-Za-z0-9._-]{1,100}")
_ENDPOINT = re.compile(r"https?://(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:]+\])(?::[0-9]{1,5})?(?:/[!-~]*)?")
# What the library reports of an answer.
_STATUS = re.compile(r"status code: (\d{3}[A-Za-z ]*)")
_CODE = re.compile(r"<Code>(\w{1,60})</Code>")


class BlobPlace(msgspec.Struct, frozen=True):
    """What the record of a blob says when its bytes are elsewhere."""

    place: str
    bytes: int


class Storage(Protocol):
    """Keeps bytes by their SHA-256, and takes in what is uploaded past the server."""

    def keep(self, image: str, data: bytes) -> StagedChange:
        """Put bytes where they belong; return the record to commit with what needs them."""
        ...

    def fetch(self, place: BlobPlace) -> bytes:
        """Return bytes that lie elsewhere."""
        ...

    def remove(self, place: BlobPlace) -> None:
        """Erase bytes that lie elsewhere; what is not there is as good as erased."""
        ...

    def upload_url(self, upload: str, seconds: float) -> str | None:
        """Return where a client may put an upload; None when that is a server of ours."""
        ...

    def fetch_upload(self, upload: str, length: int) -> bytes | None:
        """Return what was put there, None as long as nothing was; other lengths are refused."""
        ...

    def drop(self, upload: str) -> None:
        """Remove what was put there, if anything was."""
        ...


def open_storage(setting: Callable[[str], Json]) -> Storage:
    """Return the storage that the settings name; the store itself if they name none."""
    place = setting("storage")
    if not place:
        return InStore()
    endpoint, region = setting("storage_endpoint"), setting("storage_region")
    return InBucket(
        str(place),
        endpoint=str(endpoint) if endpoint else None,
        region=str(region) if region else None,
    )


def read_blob(snapshot: Snapshot, image: str, storage: Storage) -> bytes:
    """Return the bytes of an image, checked against its id.

    Raises NotFound when there are none, Unavailable when they are elsewhere and cannot be
    reached, and Damaged when they are not what was kept.
    """
    record = snapshot.get(SPACE, BLOB, image)
    if record is None or record[2] & GONE:
        raise NotFound(
            f"There is no image {image[:80]!r} here.",
            hint="Its id is in the document's text, as image:ID.",
        )
    is_here = bool(record[2] & BINARY)
    data = plain(record) if is_here else storage.fetch(_place_of(record))
    if sha256(data).hexdigest() != image:
        if is_here:
            raise damaged(record[0])
        raise Damaged(
            f"The bytes of image {image} are not what was kept.",
            hint=f"Another program has replaced {_place_of(record).place}; attach the image again.",
        )
    return data


def _place_of(record: Record) -> BlobPlace:
    try:
        return msgspec.json.decode(plain(record), type=BlobPlace)
    except msgspec.MsgspecError as error:
        raise damaged(record[0]) from error


class InStore:
    """Bytes in the store: they travel with branches, backups and bundles."""

    def keep(self, image: str, data: bytes) -> StagedChange:
        """Return the record that holds the bytes."""
        return StagedChange(SPACE, BLOB, image, data, BINARY)

    def fetch(self, place: BlobPlace) -> bytes:
        """Raise because the bytes are elsewhere, where they cannot be read."""
        raise Unavailable(
            f"The bytes of this image are at {place.place}, and no storage is set here.",
            hint="Name it: `db.settings.set('storage', 's3://BUCKET/PREFIX')`.",
        )

    def remove(self, place: BlobPlace) -> None:
        """Say that the bytes are elsewhere, where nothing can be erased from here."""
        self.fetch(place)

    def upload_url(self, upload: str, seconds: float) -> str | None:  # noqa: ARG002
        """Return None: uploads come to a server of ours."""
        return None

    def fetch_upload(self, upload: str, length: int) -> bytes | None:  # noqa: ARG002
        """Return None: nothing is put anywhere else."""
        return None

    def drop(self, upload: str) -> None:
        """Do nothing: nothing was put anywhere else."""


class InBucket:
    """Bytes in a bucket: the store keeps only where they are.

    Who may use the bucket is read from the environment, as other programs for AWS do:
    AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN. None of it is ever stored.
    """

    def __init__(
        self, place: str, *, endpoint: str | None = None, region: str | None = None
    ) -> None:
        self._bucket, self._prefix = bucket_of(place)
        check_endpoint(endpoint, region)
        self._endpoint = endpoint
        self._region = region
        self.library, self.client = self._open()

    def _open(self) -> tuple[Any, Any]:
        """Return the library and its store. Any: it may not be installed."""
        try:
            import obstore  # noqa: PLC0415  (an extra, and 30 ms)
            from obstore.store import S3Store  # noqa: PLC0415
        except ImportError as error:
            raise Unavailable(
                "Storage in S3 needs obstore, which is not installed.",
                hint='Install it: pip install "strata-workspace[s3]"',
            ) from error
        options: dict[str, Any] = {}
        if self._endpoint:
            options["endpoint"] = self._endpoint
        if self._region:
            options["region"] = self._region
        pause = timedelta(seconds=limits.STORAGE_TIMEOUT_S)
        store = S3Store(
            self._bucket,
            prefix=self._prefix or None,
            client_options={
                "timeout": pause,
                "connect_timeout": pause / 4,
                "allow_http": (self._endpoint or "").startswith("http://"),
            },
            retry_config={"max_retries": 2, "retry_timeout": pause},
            **options,
        )
        return obstore, store

    def keep(self, image: str, data: bytes) -> StagedChange:
        """Put the bytes under their hash; return the record that says where."""
        with self._asking("kept"):
            self.library.put(self.client, _blob_path(image), data)
        record = BlobPlace(self._address(_blob_path(image)), len(data))
        return StagedChange(SPACE, BLOB, image, msgspec.json.encode(record))

    def fetch(self, place: BlobPlace) -> bytes:
        """Return the bytes at a place of this bucket."""
        data = self._get(self._inside(place))
        if data is None:
            raise NotFound(
                f"The bytes of this image are gone: {place.place} does not exist.",
                hint="Restore the object, or attach the image again.",
            )
        return data

    def _inside(self, place: BlobPlace) -> str:
        """Return where in this bucket a place is; raise Unavailable for one elsewhere."""
        inside = place.place.removeprefix(self._address(""))
        if inside == place.place:
            raise Unavailable(
                f"The bytes of this image are at {place.place}, not in {self._address('')}.",
                hint="Move the objects, or set `storage` back to where they are.",
            )
        return inside

    def remove(self, place: BlobPlace) -> None:
        """Erase the bytes at a place of this bucket."""
        self._delete(self._inside(place))

    def upload_url(self, upload: str, seconds: float) -> str | None:
        """Return a signed address in the bucket that takes one PUT, and more of the same."""
        with self._asking("signed for"):
            return str(
                self.library.sign(
                    self.client, "PUT", _upload_path(upload), timedelta(seconds=seconds)
                )
            )

    def fetch_upload(self, upload: str, length: int) -> bytes | None:
        """Return what was put there if it has the length; look before loading it."""
        with self._asking("read"):
            try:
                found = int(self.library.head(self.client, _upload_path(upload))["size"])
            except FileNotFoundError:
                return None
        if found != length:
            raise InvalidArgument(
                f"{length:,} bytes were announced, and {found:,} were put.",
                hint="PUT the whole file again, or announce its real length.",
                parameter="content_length",
            )
        return self._get(_upload_path(upload))

    def drop(self, upload: str) -> None:
        """Remove what was put there; what is not there is as good as removed."""
        self._delete(_upload_path(upload))

    def _delete(self, path: str) -> None:
        with self._asking("removed"):
            try:
                self.library.delete(self.client, path)
            except FileNotFoundError:
                return

    def _get(self, path: str) -> bytes | None:
        with self._asking("read"):
            try:
                return bytes(self.library.get(self.client, path).bytes())
            except FileNotFoundError:
                return None

    def _address(self, path: str) -> str:
        inside = f"{self._prefix}/{path}" if self._prefix else path
        return f"s3://{self._bucket}/{inside}"

    @contextmanager
    def _asking(self, what: str) -> Generator[None]:
        """Turn whatever the storage says into one error that may be tried again."""
        try:
            yield
        except (StrataError, FileNotFoundError):
            raise
        except Exception as error:
            raise bucket_failure(self._address(""), what, error) from error


def bucket_failure(
    address: str,
    what: str,
    error: Exception,
    *,
    settings: str = "the settings storage, storage_endpoint and storage_region",
) -> Unavailable:
    """Return the error for a bucket that does not do what was asked."""
    text = str(error)
    status, code = _STATUS.search(text), _CODE.search(text)
    if status is None:
        reason = f"does not answer, so nothing could be {what}: {_first_line(error)}"
    else:
        named = f" ({code[1]})" if code else ""
        reason = f"answered {status[1]}{named}, so nothing could be {what}."
    return Unavailable(
        f"{address} {reason}",
        hint=f"Nothing was lost; try again. If it stays so, check {settings}, "
        "and AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.",
    )


def check_endpoint(endpoint: str | None, region: str | None) -> None:
    """Refuse what cannot be the address of a server for buckets, or the name of a region."""
    if endpoint is not None and not _ENDPOINT.fullmatch(endpoint):
        raise InvalidArgument(
            f"{endpoint!r} is no address of a server for buckets.",
            hint="Write its URL, such as https://s3.example.com.",
            parameter="endpoint",
        )
    if region is not None and not _REGION.fullmatch(region):
        raise InvalidArgument(
            f"{region!r} is no name of a region.",
            hint="Write it as the provider does, such as eu-north-1.",
            parameter="region",
        )


def bucket_of(place: str) -> tuple[str, str]:
    """Return bucket and prefix of an address such as s3://bucket/prefix."""
    parts = urlsplit(place)
    is_plain = not (parts.query or parts.fragment or "@" in parts.netloc or ":" in parts.netloc)
    if parts.scheme != "s3" or not _BUCKET.fullmatch(parts.netloc) or not is_plain:
        raise InvalidArgument(
            "Storage is named as s3://BUCKET/PREFIX, and nothing else.",
            hint="BUCKET is made of letters, digits, dots and hyphens. Keys belong into the "
            "environment: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY.",
            parameter="storage",
        )
    return parts.netloc, parts.path.strip("/")


def _blob_path(image: str) -> str:
    return f"blobs/{image}"


def _upload_path(upload: str) -> str:
    return f"uploads/{upload}"


def _first_line(error: Exception) -> str:
    """Return what went wrong without the library's debugging output."""
    text = str(error).strip()
    return (text.splitlines()[0] if text else type(error).__name__)[:300]
