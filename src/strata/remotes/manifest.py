"""Manifests: what a store has to give, where its branches end, and what it erased."""

from hashlib import sha256

import msgspec

from strata.base import limits
from strata.base.clock import LAST_US
from strata.base.errors import DamagedBundle
from strata.base.results import Result
from strata.store import check_name
from strata.upkeep import BranchTip, ErasedContent, PackInfo, damaged_bundle

FORMAT = 1
_NAME_CHARACTERS = frozenset("0123456789abcdef")


class CommitName(msgspec.Struct, frozen=True, array_like=True):
    """A commit as stores speak of it: its hash, and the time by which it is found."""

    hash: str
    time: int


class RemoteTag(msgspec.Struct, frozen=True):
    """A tag of another store."""

    name: str
    hash: str
    time: int
    actor: str | None = None
    message: str | None = None


class StoreManifest(Result, frozen=True):
    """What one store gives to others.

    `packs` are files that together hold all commits that no other store at the same place has.
    A server makes packs when it is asked; it lists as `known` the ends of all lines that it has.
    """

    format: int
    store: str
    label: str
    branches: dict[str, BranchTip]
    tags: tuple[RemoteTag, ...] = ()
    packs: tuple[PackInfo, ...] = ()
    erased: tuple[ErasedContent, ...] = ()
    known: tuple[CommitName, ...] = ()


def encode_manifest(manifest: StoreManifest) -> bytes:
    """Return a manifest as it is kept: one line of JSON, and its digest on the next."""
    body = msgspec.json.encode(manifest)
    return body + b"\n" + sha256(body).hexdigest().encode() + b"\n"


def decode_manifest(data: bytes, *, source: str) -> StoreManifest:
    """Read a manifest; raise DamagedBundle for one that is cut off, forged or newer."""
    body, _newline, seal = data.rstrip(b"\n").rpartition(b"\n")
    if len(data) > limits.REMOTE_MANIFEST_BYTES_MAX:
        raise damaged_bundle(source, "its manifest is too large")
    if sha256(body).hexdigest().encode() != seal:
        raise damaged_bundle(source, "its manifest is cut off or was changed")
    try:
        if msgspec.json.decode(body, type=_Format).format > FORMAT:
            raise damaged_bundle(source, "it was written by a newer version of Strata")
        manifest = msgspec.json.decode(body, type=StoreManifest)
        _check(manifest)
    except DamagedBundle:
        raise
    except (msgspec.MsgspecError, ValueError) as error:
        raise damaged_bundle(source, f"its manifest is malformed: {error}") from error
    return manifest


class _Format(msgspec.Struct):
    format: int


def _check(manifest: StoreManifest) -> None:
    """Refuse names that would lead out of their place, and hashes that are none."""
    check_store_id(manifest.store)
    for name, tip in manifest.branches.items():
        check_name(name, what="branch")
        _check_hash(tip.hash)
    for pack in manifest.packs:
        _check_hash(pack.name)
    for tag in manifest.tags:
        _check_hash(tag.hash)
        if not 0 < tag.time <= LAST_US:
            raise ValueError("it names a tag with a time that is none")
    for commit in manifest.known:
        _check_hash(commit.hash)


def _check_hash(text: str) -> None:
    if len(text) != 64 or not set(text) <= _NAME_CHARACTERS:
        raise ValueError("it names a commit or a pack by what is no hash")


def check_store_id(text: str) -> str:
    """Return the id of a store; raise ValueError for what cannot be the name of a folder."""
    if not text or len(text) > 64 or not text.isascii() or not text.isalnum():
        raise ValueError("it names a store by what is no id")
    return text
