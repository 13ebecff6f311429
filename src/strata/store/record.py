"""One version as the store keeps it: flags, bytes, and what they mean."""

import threading
from typing import Any, TypeAlias

import msgspec

from strata.base import limits
from strata.base.digests import digest
from strata.base.errors import (
    DamagedStore,
    InvalidArgument,
    InvalidKey,
    LimitExceeded,
    TooOld,
)
from strata.base.values import Json, decode

# Bits of versions.flags.
DELETED = 1
TRIMMED = 2
ERASED = 4
COMPRESSED = 8
BINARY = 16
GONE = DELETED | ERASED

# No version number is larger; as a bound it means "now".
NOW = (1 << 63) - 1
# A key with this behind it is the next one that there may be: no key holds NUL.
NEXT_KEY = "\x01"

# version, timestamp, flags, stored value, meta: the columns that every read returns first.
# It stays a plain tuple, because building anything else costs a tenth of a get.
Record: TypeAlias = tuple[int, int, int, bytes | None, bytes | None]
Address: TypeAlias = tuple[str, str, str]  # space, kind, key


class IndexEntry(msgspec.Struct, frozen=True, gc=False):
    """What the text index keeps of a version, and the words it has not seen before.

    `epoch` says how often the indexer had forgotten what it knew when it compared them.
    """

    data: bytes
    new_words: tuple[str, ...] = ()
    epoch: int = 0


class StagedChange(msgspec.Struct, frozen=True):
    """A version not yet committed. `data` is plain: not yet compressed."""

    space: str
    kind: str
    key: str
    data: bytes = b""
    flags: int = 0
    meta: bytes | None = None
    tags: tuple[str, ...] = ()
    attributes: tuple[tuple[str, str], ...] = ()
    links: tuple[tuple[str, str], ...] = ()
    # None until the text index was asked; see Store.indexed.
    text: IndexEntry | None = None

    @property
    def address(self) -> Address:
        """Where the change goes: space, kind and key."""
        return (self.space, self.kind, self.key)


def plain(record: Record) -> bytes:
    """Return the bytes that were put; raise TooOld when retention removed them."""
    version, timestamp, flags, stored, _meta = record
    if flags & TRIMMED:
        raise TooOld(
            "The version that answers this was removed by retention.",
            hint="Ask for a later time; `db.kv.history(KEY)` shows what is left.",
            timestamp=timestamp,
        )
    if stored is None:
        return b""
    if flags & COMPRESSED:
        try:
            return decompress(stored)
        except ValueError as error:
            raise damaged(version) from error
    return stored


def value_of(record: Record) -> Json:
    """Return the JSON value of a version; None for one that is gone."""
    if record[2] & GONE:
        return None
    return read_json(plain(record), record[0])


def read_json(data: bytes, version: int) -> Json:
    """Decode a stored value; bytes that are no JSON any more are damage."""
    try:
        return decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise damaged(version) from error


def check_digest(record: Record, content: bytes) -> None:
    """Raise DamagedStore unless a version's value and notes have the digest of what was written.

    Of a value that was trimmed or erased there is nothing to compare.
    """
    version, _timestamp, flags, _stored, meta = record
    if not flags & (TRIMMED | ERASED) and digest(plain(record), meta) != content:
        raise damaged(version)


def damaged(version: int) -> DamagedStore:
    """Return the error for a version whose bytes are not what was written."""
    return DamagedStore(
        f"The value of version {version} is damaged.",
        hint="`db.verify()` finds all damage; restore a backup with "
        "`strata.restore(BACKUP, PATH)`.",
        version=version,
    )


def onward(version: int, after: int) -> int:
    """Return where a listing of versions goes on; raise where the file leads back.

    Numbers that a failing disk has changed may be in any order, and a listing that goes on
    behind the last of them would never end.
    """
    if version <= after:
        raise damaged(version)
    return version


def meta_of(record: Record) -> dict[str, Any]:
    """Return what the kind keeps beside the value. Its shape is the kind's own."""
    if not record[4]:
        return {}
    meta = read_json(record[4], record[0])
    if not isinstance(meta, dict):
        raise damaged(record[0])
    return meta


def state_of(flags: int) -> str:
    """Name what became of a version: live, deleted, trimmed or erased."""
    if flags & ERASED:
        return "erased"
    if flags & TRIMMED:
        return "trimmed"
    return "deleted" if flags & DELETED else "live"


def meta_of_deletion(kind: str, record: Record | None) -> bytes | None:
    """Return what a deletion keeps of a version's notes.

    A cell keeps counting, so that an old expectation never fits again; an event keeps its
    link, so that its log can go on.
    """
    if record is None or record[4] is None:
        return None
    if kind == "event":
        return record[4]
    meta = meta_of(record)
    return msgspec.json.encode({"counter": meta["counter"] + 1}) if "counter" in meta else None


def packed(data: bytes, flags: int) -> tuple[int, bytes]:
    """Return flags and bytes to store: compressed where that makes them smaller."""
    if len(data) < limits.COMPRESS_BYTES_MIN or flags & BINARY:
        return flags, data
    small = _codecs()[0].compress(data)
    return (flags | COMPRESSED, small) if len(small) < len(data) else (flags, data)


def decompress(stored: bytes) -> bytes:
    """Undo `packed` for a compressed value; raise ValueError for damaged bytes."""
    codec, failure = _codecs()[1:]
    try:
        return codec.decompress(stored, max_output_size=limits.VALUE_BYTES_MAX + 1)
    except (failure, MemoryError) as error:  # a damaged header may state any size
        raise ValueError(str(error)) from error


_local = threading.local()


def _codecs() -> tuple[Any, Any, Any]:
    """Return this thread's zstd compressor, decompressor and error, imported when needed."""
    try:
        return _local.codecs
    except AttributeError:
        import zstandard

        compressor = zstandard.ZstdCompressor(level=3)
        _local.codecs = (compressor, zstandard.ZstdDecompressor(), zstandard.ZstdError)
        return _local.codecs


def check_key(key: object, *, what: str = "key") -> str:
    """Return the key, or raise InvalidKey or LimitExceeded."""
    if type(key) is str and key.isascii() and 0 < len(key) <= limits.KEY_BYTES_MAX:
        if "\0" not in key:
            return key
    elif isinstance(key, str) and key:
        size = _encoded_size(key, what)
        if size > limits.KEY_BYTES_MAX:
            raise LimitExceeded(
                f"The {what} is {size:,} bytes of UTF-8; the limit is {limits.KEY_BYTES_MAX:,}.",
                hint="Use a shorter key and keep long text in the value.",
                limit=limits.KEY_BYTES_MAX,
                size=size,
            )
        if "\0" not in key:
            return key
    raise InvalidKey(
        f"{key!r} cannot be a {what}.",
        hint=f"A {what} is text of 1 to {limits.KEY_BYTES_MAX} bytes without NUL characters.",
        parameter=what,
    )


def _encoded_size(key: str, what: str) -> int:
    try:
        return len(key.encode())
    except UnicodeEncodeError:
        raise InvalidKey(
            f"The {what} {key!r} holds half a surrogate pair.",
            hint="Pass well-formed text.",
            parameter=what,
        ) from None


def check_name(name: object, *, what: str) -> str:
    """Return the name of a branch, space, tag or collection, or raise InvalidArgument."""
    if (
        isinstance(name, str)
        and 0 < len(name) <= limits.NAME_CHARACTERS_MAX
        and name.isprintable()
        and name == name.strip()
        and not name.startswith("-")
    ):
        return name
    raise InvalidArgument(
        f"{name!r} cannot be the name of a {what}.",
        hint=f"Use 1 to {limits.NAME_CHARACTERS_MAX} printable characters, "
        "no blanks at the ends and no leading hyphen.",
        parameter=what,
        longest=limits.NAME_CHARACTERS_MAX,
    )


def after_prefix(prefix: str) -> str:
    """Return the smallest text greater than every text with this prefix."""
    for cut in range(len(prefix) - 1, -1, -1):
        code = ord(prefix[cut]) + 1
        if code == 0xD800:
            code = 0xE000  # surrogates are no characters
        if code <= 0x10FFFF:
            return prefix[:cut] + chr(code)
    return "\U0010ffff" * (limits.KEY_BYTES_MAX // 4 + 1)
