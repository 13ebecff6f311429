"""Bundles: a branch with its whole history as one compressed, checksummed file.

A bundle is a tar archive inside a zstd stream with exactly two members: `manifest.json`,
which states sizes and checksums, and `history`, one frame a commit, oldest first. A frame
is a four-byte length and a msgpack record. The commits keep their times and their hashes,
so the branch proves itself in whatever store it arrives.
"""

from collections.abc import Iterator
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypeGuard, cast

import msgspec

from strata.base import clock, limits
from strata.base.errors import AlreadyExists, DamagedBundle, StoreNotFound, Unavailable
from strata.base.results import Result
from strata.store import (
    COMPRESSED,
    NOW,
    CommitRow,
    Store,
    check_digest,
    commits_forward,
    decompress,
    labels_of,
    version_rows,
    visible_tip,
)
from strata.upkeep.partial_files import PartialFiles
from strata.upkeep.retention import Progress

if TYPE_CHECKING:
    import tarfile  # 5 ms that only bundles pay, so it is imported where it is used

FORMAT = 1
MANIFEST, HISTORY = "manifest.json", "history"
_MANIFEST_BYTES_MAX = 1024 * 1024
_CHUNK_BYTES = 64 * 1024
# What is unpacked at once: zstd may make 16 MiB of so few bytes, and then the size is looked at.
_PACKED_BYTES = 512


class BundleInfo(Result, frozen=True):
    """What a bundle holds. `head` is the hash that seals the branch's history."""

    branch: str
    path: Path
    commits: int
    versions: int
    size_bytes: int
    format: int
    head: str


class BundleImport(BundleInfo, frozen=True):
    """What became of a bundle that was taken in.

    `outcome` is "created" for a new branch, "forwarded" for one that ended where the bundle goes
    on, and "unchanged" for one that has all of it. `note` tells what is left to do.
    """

    outcome: str
    new_commits: int
    new_versions: int
    note: str | None = None


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first member of a bundle."""

    format: int
    branch: str
    created: int
    commits: int
    versions: int
    head: str
    history_bytes: int
    history_sha256: str


class BundledVersion(msgspec.Struct, frozen=True, array_like=True):
    """One version in a bundle; `data` is plain, None where it was trimmed or erased."""

    space: str
    kind: str
    key: str
    flags: int
    digest: bytes
    meta: bytes | None
    data: bytes | None
    tags: tuple[str, ...]
    attributes: tuple[tuple[str, str], ...]
    links: tuple[tuple[str, str], ...]


class BundledCommit(msgspec.Struct, frozen=True, array_like=True):
    """One commit in a bundle, with nothing in it that is local to a store."""

    timestamp: int
    actor: str | None
    operation: str
    message: str | None
    second_hash: bytes | None
    hash: bytes
    versions: tuple[BundledVersion, ...]


def export_bundle(
    store: Store, path: Path, *, branch: str, force: bool = False, progress: Progress | None = None
) -> BundleInfo:
    """Write a branch, as it is now, with all its history to a new file."""
    if path.exists() and not force:
        raise AlreadyExists(
            f"{path} exists already.",
            hint="Name another file; --force (in Python, force=True) replaces it.",
            path=str(path),
        )
    if not path.parent.is_dir():
        raise StoreNotFound(f"There is no folder {path.parent}.", hint="Create it first.")
    with PartialFiles(path) as unfinished:
        try:
            raw, part = unfinished.file(".history"), unfinished.file(".part")
            manifest = _write_history(store, raw, branch=branch, progress=progress)
            _write_archive(part, raw, manifest)
            unfinished.settle(part)
        except OSError as error:
            raise Unavailable(
                f"The bundle cannot be written: {error.strerror}.", hint="Check the disk."
            ) from error
    return as_info(manifest, path)


def as_info(manifest: Manifest, path: Path) -> BundleInfo:
    """Return the public form of a manifest."""
    return BundleInfo(
        branch=manifest.branch,
        path=path,
        commits=manifest.commits,
        versions=manifest.versions,
        size_bytes=path.stat().st_size,
        format=manifest.format,
        head=manifest.head,
    )


def _write_history(store: Store, raw: Path, *, branch: str, progress: Progress | None) -> Manifest:
    checksum = sha256()
    commits = versions = size = 0
    with store.database.reading() as connection, raw.open("wb") as file:
        row = store.catalog.readable(branch, connection)
        total = sum(1 for _ in commits_forward(store, row.id))
        for commit in commits_forward(store, row.id):
            frame = frame_of(bundled(store, commit))
            checksum.update(frame)
            file.write(frame)
            size += len(frame)
            commits, versions = commits + 1, versions + commit.version - commit.first + 1
            if progress is not None and (commits % 200 == 0 or commits == total):
                progress("commits", commits, total)
        head = visible_tip(store, row.id, NOW)[2]
    return Manifest(
        format=FORMAT,
        branch=branch,
        created=clock.now_us(),
        commits=commits,
        versions=versions,
        head=head.hex(),
        history_bytes=size,
        history_sha256=checksum.hexdigest(),
    )


def bundled(store: Store, commit: CommitRow) -> BundledCommit:
    """Return a commit as it travels, its values checked against their digests."""
    versions: list[BundledVersion] = []
    rows = version_rows(store, commit.first, commit.version)
    labels = labels_of(store, [row[0] for row in rows])
    for number, time, flags, value, meta, _branch, keyspace, key, content in rows:
        # A bundle with a damaged value could not be loaded anywhere.
        check_digest((number, time, flags, value, meta), content)
        noted = labels[number]
        data = decompress(value) if value is not None and flags & COMPRESSED else value
        versions.append(
            BundledVersion(
                *store.keyspace_name(keyspace),
                key,
                flags & ~COMPRESSED,
                content,
                meta,
                data,
                noted.tags,
                noted.attributes,
                noted.links,
            )
        )
    return BundledCommit(
        commit.timestamp,
        commit.actor,
        commit.operation,
        commit.message,
        commit.second_hash,
        commit.hash,
        tuple(versions),
    )


def frame_of(commit: msgspec.Struct) -> bytes:
    """Return a record with its length before it."""
    body = msgspec.msgpack.encode(commit)
    return len(body).to_bytes(4, "big") + body


def _write_archive(part: Path, raw: Path, manifest: Manifest) -> None:
    import tarfile  # noqa: PLC0415  (5 ms that only bundles pay)

    import zstandard

    head = msgspec.json.encode(manifest)
    compressor = zstandard.ZstdCompressor(level=6, write_checksum=True)
    with (
        part.open("wb") as file,
        compressor.stream_writer(file, closefd=False) as stream,
        tarfile.open(fileobj=stream, mode="w|", format=tarfile.PAX_FORMAT) as archive,
        raw.open("rb") as history,
    ):
        archive.addfile(_member(MANIFEST, len(head), manifest.created), BytesIO(head))
        member = _member(HISTORY, manifest.history_bytes, manifest.created)
        archive.addfile(member, history)


def _member(name: str, size: int, created: int) -> "tarfile.TarInfo":
    import tarfile  # noqa: PLC0415  (5 ms that only bundles pay)

    member = tarfile.TarInfo(name)
    member.size, member.mode, member.mtime = size, 0o600, created // 1_000_000
    return member


class BundleReader:
    """A bundle opened for reading; everything it yields has been checked."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file = _open(path)
        try:
            self._archive, self._stream = self._open_archive()
            self.manifest = self._read_manifest()
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> "BundleReader":
        return self

    def __exit__(self, *_exception: object) -> None:
        self._file.close()

    def _open_archive(self) -> "tuple[tarfile.TarFile, Unpacked]":
        import tarfile  # noqa: PLC0415  (5 ms that only bundles pay)

        allowed = max(self._ratio_bytes(), limits.BUNDLE_HARMLESS_BYTES)
        stream = Unpacked(self._file, min(allowed, limits.BUNDLE_BYTES_MAX))
        with damage_named(self.path):
            return tarfile.open(fileobj=cast("IO[bytes]", stream), mode="r|"), stream

    def _ratio_bytes(self) -> int:
        return self.path.stat().st_size * limits.BUNDLE_RATIO_MAX

    def _read_manifest(self) -> Manifest:
        with damage_named(self.path):
            member = self._archive.next()
            if not _is_plain(member, MANIFEST) or member.size > _MANIFEST_BYTES_MAX:
                raise damaged_bundle(self.path, "it does not begin with a manifest")
            source = self._archive.extractfile(member)
            assert source is not None, "a regular member can be read"
            manifest = msgspec.json.decode(source.read(), type=Manifest)
        if manifest.format > FORMAT:
            raise damaged_bundle(self.path, f"its format {manifest.format} is newer than {FORMAT}")
        return manifest

    def commits(self) -> Iterator[BundledCommit]:
        """Yield the commits oldest first; raise DamagedBundle at the first flaw."""
        manifest = self.manifest
        checksum = sha256()
        size = commits = versions = 0
        with damage_named(self.path):
            member = self._archive.next()
            if not _is_plain(member, HISTORY) or member.size != manifest.history_bytes:
                raise damaged_bundle(self.path, "its history is not what the manifest states")
            source = self._archive.extractfile(member)
            assert source is not None, "a regular member can be read"
            most = max(self._ratio_bytes(), limits.BUNDLE_COMMIT_HARMLESS_BYTES)
            for frame in frames_of(source, self.path, min(most, limits.BUNDLE_COMMIT_BYTES_MAX)):
                checksum.update(len(frame).to_bytes(4, "big"))
                checksum.update(frame)
                size += 4 + len(frame)
                commit = msgspec.msgpack.decode(frame, type=BundledCommit)
                commits, versions = commits + 1, versions + len(commit.versions)
                yield commit
            if self._archive.next() is not None:
                raise damaged_bundle(self.path, "it holds more than it should")
            self._stream.check_end()
        found = (size, commits, versions, checksum.hexdigest())
        stated = (
            manifest.history_bytes,
            manifest.commits,
            manifest.versions,
            manifest.history_sha256,
        )
        if found != stated:
            raise damaged_bundle(self.path, "its checksum is wrong")


def _open(path: Path) -> IO[bytes]:
    try:
        return path.open("rb")
    except FileNotFoundError:
        raise StoreNotFound(
            f"There is no bundle at {path}.", hint="Check the path.", path=str(path)
        ) from None
    except OSError as error:
        raise Unavailable(f"{path} cannot be read: {error.strerror}.") from error


def _is_plain(member: "tarfile.TarInfo | None", name: str) -> "TypeGuard[tarfile.TarInfo]":
    """Whether a member is the regular file of that very name: no link, no path, no device."""
    return member is not None and member.isreg() and member.name == name


def frames_of(source: "IO[bytes] | Unpacked", path: Path | str, most: int) -> Iterator[bytes]:
    """Yield the frames of a stream, none longer than `most`."""
    while head := source.read(4):
        length = int.from_bytes(head, "big")
        if len(head) < 4 or length > most:
            raise damaged_bundle(path, "a commit in it is cut off or too large")
        frame = source.read(length)
        if len(frame) < length:
            raise damaged_bundle(path, "a commit in it is cut off")
        yield frame


class Unpacked:
    """The plain bytes of one zstd frame, no more than a bundle of this size can hold.

    A reader of the library takes a frame that is cut off for its end; this one does not.
    """

    def __init__(self, file: IO[bytes], allowed: int) -> None:
        import zstandard

        self._file = file
        self._frame: Any = zstandard.ZstdDecompressor(max_window_size=2**27).decompressobj()
        self._buffer = bytearray()
        self._left = allowed

    def read(self, size: int) -> bytes:
        """Return the next bytes; fewer only at the end of a whole frame."""
        while len(self._buffer) < size and not self._frame.eof:
            packed = self._file.read(_PACKED_BYTES)
            if not packed:
                raise ValueError("it is cut off")
            self._append(self._frame.decompress(packed))
        data = bytes(self._buffer[:size])
        del self._buffer[:size]
        return data

    def _append(self, data: bytes) -> None:
        self._left -= len(data)
        if self._left < 0:
            raise ValueError("it expands to more than any bundle holds")
        self._buffer += data

    def check_end(self) -> None:
        """Refuse anything but padding behind what was read, and anything behind the frame."""
        while rest := self.read(_CHUNK_BYTES):
            if rest.strip(b"\0"):
                raise ValueError("it holds more than it should")
        if self._frame.unused_data or self._file.read(1):
            raise ValueError("there is text after its end")


class damage_named:  # noqa: N801  (reads as a clause: with damage_named(path))
    """Turn what the readers below raise for bad bytes into DamagedBundle."""

    def __init__(self, path: Path | str) -> None:
        self._path = path

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, _trace: object) -> None:
        import tarfile  # noqa: PLC0415  (5 ms that only bundles pay)

        import zstandard

        expected = (
            tarfile.TarError,
            zstandard.ZstdError,
            msgspec.DecodeError,
            msgspec.ValidationError,
            ValueError,
            EOFError,
            OverflowError,
            OSError,
        )
        if isinstance(error, expected):
            # Of the libraries' own words for what is wrong with bytes, nothing helps a user.
            is_foreign = isinstance(error, (tarfile.TarError, zstandard.ZstdError))
            reason = "it was changed, or Strata did not write it" if is_foreign else str(error)
            raise damaged_bundle(self._path, reason or "it is cut off") from error


def damaged_bundle(path: Path | str, reason: str) -> DamagedBundle:
    """Return the error that refuses a bundle, by its path, or what a remote sends, by its name."""
    again = (
        "Export it again or copy it once more."
        if isinstance(path, Path)
        else "Pull again; if it stays so, `db.remotes.push(full=True)` in the store that "
        "pushed it writes it anew."
    )
    return DamagedBundle(
        f"{path} cannot be used: {reason}.",
        hint=f"Nothing was taken from it. {again}",
        path=str(path),
    )
