"""Packs: commits of any branches as one compressed file, in an order in which parents come first.

A pack is a zstd stream of frames. A frame is a four-byte length and a msgpack record; an empty
frame ends the pack, so that one that was cut off is noticed. Each commit says on which line of
the sender it is, and what is before it there: a line is a branch, or what a branch was forked
from or has merged.
"""

from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from heapq import merge
from itertools import chain
from pathlib import Path
from typing import IO

import msgspec

from strata.base import limits
from strata.base.errors import StoreNotFound, Unavailable
from strata.store import (
    NO_HASH,
    Ancestry,
    CommitRow,
    Point,
    Store,
    commit_rows,
    onward,
    visible_tip,
)
from strata.upkeep.bundle import (
    BundledCommit,
    Unpacked,
    bundled,
    damage_named,
    damaged_bundle,
    frame_of,
    frames_of,
)

_PAGE = 500
_CHUNK_BYTES = 1 << 20
_MAGIC = b"strata-pack-1\n"


class PackedCommit(msgspec.Struct, frozen=True, array_like=True):
    """A commit on its way, and where it belongs.

    `line` is a number of the sender. `previous` is the hash of the commit before it, with its
    time; a time of zero means that there is none. `second_time` is the time of what a merge took
    in, or zero.
    """

    line: int
    previous: bytes
    previous_time: int
    second_time: int
    commit: BundledCommit


class PackInfo(msgspec.Struct, frozen=True):
    """A pack that was written: its name is the digest of the file."""

    name: str
    commits: int
    versions: int
    size_bytes: int


def reach_of(store: Store, points: Iterable[Point]) -> dict[int, int]:
    """Return, for every branch, up to which version any of the points contains it."""
    ancestry = Ancestry(store)
    found: dict[int, int] = {}
    for point in points:
        for branch, upto in ancestry.reach(point).items():
            found[branch] = max(upto, found.get(branch, 0))
    return found


def missing_commits(
    store: Store, wanted: Mapping[int, int], known: Mapping[int, int], *, after: int = 0
) -> Iterator[CommitRow]:
    """Yield the commits of one reach that another lacks, oldest first, behind a version.

    Numbers grow with time over the whole store, so a commit comes behind everything it contains.
    """
    lines = (
        _between(store, branch, after=max(known.get(branch, 0), after), upto=upto)
        for branch, upto in wanted.items()
        if upto > known.get(branch, 0)
    )
    yield from merge(*lines, key=lambda row: row.version)


def _between(store: Store, branch: int, *, after: int, upto: int) -> Iterator[CommitRow]:
    while True:
        rows = commit_rows(store, branch, after=after, upto=upto, most=_PAGE)
        yield from (CommitRow(*row) for row in rows)
        if len(rows) < _PAGE:
            return
        after = onward(rows[-1][0], after)


class Packer:
    """Turns commits into packs; remembers the last one of each line."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._tips: dict[int, tuple[bytes, int]] = {}

    def write(self, path: Path, commits: Iterator[CommitRow]) -> tuple[PackInfo, int] | None:
        """Write one pack of a bounded size; return it and its last version, None for no commit."""
        first = next(commits, None)
        if first is None:
            return None
        try:
            count, versions, last = self._write_frames(path, chain((first,), commits))
            checksum = sha256()
            with path.open("rb") as file:
                while chunk := file.read(_CHUNK_BYTES):
                    checksum.update(chunk)
        except OSError as error:
            raise Unavailable(
                f"A pack cannot be written: {error.strerror}.",
                hint=f"Make room where {path.parent} lies, and try again.",
            ) from error
        info = PackInfo(checksum.hexdigest(), count, versions, path.stat().st_size)
        return info, last

    def _write_frames(self, path: Path, commits: Iterator[CommitRow]) -> tuple[int, int, int]:
        """Write frames until the pack is full; return how many commits and versions, and the last.

        The commit that fills it is part of it.
        """
        import zstandard

        count = versions = size = last = 0
        compressor = zstandard.ZstdCompressor(level=6, write_checksum=True)
        with path.open("wb") as file, compressor.stream_writer(file, closefd=False) as stream:
            file.write(_MAGIC)
            while size < limits.PACK_BYTES and count < limits.PACK_COMMITS:
                commit = next(commits, None)
                if commit is None:
                    break
                frame = frame_of(self.packed(commit))
                stream.write(frame)
                count, versions = count + 1, versions + commit.version - commit.first + 1
                size, last = size + len(frame), commit.version
            stream.write((0).to_bytes(4, "big"))
        return count, versions, last

    def packed(self, commit: CommitRow) -> PackedCommit:
        """Return a commit as it travels."""
        previous, time = self._tips.get(commit.branch) or self._before(commit)
        self._tips[commit.branch] = (commit.hash, commit.timestamp)
        return PackedCommit(
            commit.branch, previous, time, self._second_time(commit), bundled(self._store, commit)
        )

    def _before(self, commit: CommitRow) -> tuple[bytes, int]:
        _version, time, hash_ = visible_tip(self._store, commit.branch, commit.first - 1)
        return (hash_, time) if hash_ else (NO_HASH, 0)

    def _second_time(self, commit: CommitRow) -> int:
        if commit.second_branch is None or commit.second_version is None:
            return 0
        return visible_tip(self._store, commit.second_branch, commit.second_version)[1]


def read_pack(path: Path, *, source: str) -> Iterator[PackedCommit]:
    """Yield the commits of a pack; raise DamagedBundle at the first flaw."""
    try:
        file: IO[bytes] = path.open("rb")
    except FileNotFoundError:
        raise StoreNotFound(f"There is no pack at {path}.", path=str(path)) from None
    with file, damage_named(source):
        if file.read(len(_MAGIC)) != _MAGIC:
            raise damaged_bundle(source, "what it sent is no pack of Strata")
        size = path.stat().st_size * limits.BUNDLE_RATIO_MAX
        most = min(max(size, limits.BUNDLE_HARMLESS_BYTES), limits.BUNDLE_BYTES_MAX)
        stream = Unpacked(file, most)
        largest = min(
            max(size, limits.BUNDLE_COMMIT_HARMLESS_BYTES), limits.BUNDLE_COMMIT_BYTES_MAX
        )
        for frame in frames_of(stream, source, largest):
            if not frame:
                stream.check_end()
                return
            yield msgspec.msgpack.decode(frame, type=PackedCommit)
        raise damaged_bundle(source, "a pack of it is cut off")
