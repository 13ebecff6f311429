"""Checks of a commit that comes from another store: nothing in it is taken on trust."""

from pathlib import Path
from typing import Any, cast

import msgspec

from strata.base import limits
from strata.base.clock import LAST_US
from strata.base.digests import digest
from strata.base.errors import StrataError
from strata.base.values import decode
from strata.store import (
    BINARY,
    DELETED,
    ERASED,
    EVENT,
    NO_HASH,
    TRIMMED,
    Header,
    check_header,
    check_key,
    check_name,
    commit_body,
    commit_hash,
    event_hash,
    event_key,
    hash_entry,
)
from strata.upkeep.bundle import BundledCommit, BundledVersion, damaged_bundle

_FLAGS = DELETED | TRIMMED | ERASED | BINARY
# Kinds whose values are bytes, and one that holds bytes or tells where they are.
_BINARY = frozenset({"vector", "text", "snapshot"})
_EITHER = frozenset({"blob"})


class EventLinks:
    """The links of logs as far as they were read: by space and number, and whether hidden."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, int], tuple[str, bool]] = {}

    def get(self, space: str, sequence: int) -> tuple[str, bool] | None:
        """Return the link of an event and whether it is hidden; None where there is no event."""
        return self._known.get((space, sequence))

    def put(self, space: str, sequence: int, *, link: str, is_hidden: bool) -> None:
        """Note what a commit says about an event."""
        self._known[space, sequence] = (link, is_hidden)


class Seal:
    """What the commits read so far say about the next one."""

    def __init__(self, events: EventLinks, *, hash_: bytes = NO_HASH, time: int = 0) -> None:
        self.events = events
        self.hash = hash_
        self.time = time


def check_commit(source: Path | str, commit: BundledCommit, seal: Seal) -> None:
    """Check a commit by itself and against the ones before; `source` is named in the error."""
    header = header_of(commit)
    try:
        check_header(header)
        entries = [_check_version(version, seal) for version in commit.versions]
    except (StrataError, ValueError, KeyError, TypeError) as error:
        reason = error.message.rstrip(".") if isinstance(error, StrataError) else str(error)
        raise damaged_bundle(source, reason or "a version in it is malformed") from error
    if not entries or not seal.time < commit.timestamp <= LAST_US:
        raise damaged_bundle(source, "its commits are empty or out of order")
    body = commit_body(header, commit.second_hash or NO_HASH, entries)
    if commit_hash(seal.hash, commit.timestamp, body) != commit.hash:
        raise damaged_bundle(source, "a commit in it does not have the hash it states")
    seal.hash, seal.time = commit.hash, commit.timestamp


def header_of(commit: BundledCommit, second: tuple[int, int] | None = None) -> Header:
    """Return the header of a commit; `second` is where the store has what a merge took in."""
    return Header(commit.operation, commit.actor, commit.message, second, commit.second_hash)


def _check_version(version: BundledVersion, seal: Seal) -> bytes:
    """Check one version; return what its commit's hash covers. Raises ValueError."""
    check_key(version.key)
    check_name(version.kind, what="kind")
    if version.space:
        check_name(version.space, what="space")
    _check_flags(version)
    meta = _notes(version)
    if not version.flags & (TRIMMED | ERASED):
        _check_value(version)
    if version.kind == EVENT:
        _check_event(version, meta, seal.events)
    return hash_entry((version.space, version.kind, version.key), version.flags, version.digest)


def _check_flags(version: BundledVersion) -> None:
    removed = version.flags & (TRIMMED | ERASED)
    if version.flags & ~_FLAGS or removed == TRIMMED | ERASED:
        raise ValueError(f"{version.key!r} has marks that do not go together")
    is_empty, is_binary = bool(version.flags & DELETED), bool(version.flags & BINARY)
    fits = version.kind in _EITHER or is_binary == (version.kind in _BINARY and not is_empty)
    if not removed and not fits:
        raise ValueError(f"{version.key!r} is not of the kind it says")


def _notes(version: BundledVersion) -> dict[str, Any]:
    """Return what is noted about a version: an object, its tags a list of texts."""
    meta: Any = decode(version.meta) if version.meta is not None else {}
    if not isinstance(meta, dict):
        raise ValueError(f"what is noted about {version.key!r} is malformed")
    notes = cast("dict[str, Any]", meta)
    if not {*msgspec.convert(notes.get("tags", []), list[str])} <= {*version.tags}:
        raise ValueError(f"{version.key!r} does not carry the tags it says")
    return notes


def _check_value(version: BundledVersion) -> None:
    data = version.data if version.data is not None else b""
    if len(data) > limits.VALUE_BYTES_MAX or digest(data, version.meta) != version.digest:
        raise ValueError(f"the value of {version.key!r} is not what was exported")
    if version.flags & BINARY:
        if not data or (version.kind == "vector" and len(data) % 4):
            raise ValueError(f"the {version.kind} {version.key!r} is malformed")
    elif not version.flags & DELETED:
        decode(data)


def _check_event(version: BundledVersion, meta: dict[str, Any], events: EventLinks) -> None:
    """An event is the next of its log, or one that was hidden and comes back as it was."""
    space, sequence = version.space, int(version.key)
    here = events.get(space, sequence)
    if version.flags & DELETED:
        if here is not None:
            events.put(space, sequence, link=here[0], is_hidden=True)
        return
    before = events.get(space, sequence - 1) if sequence > 1 else ("", False)
    is_next = here is None and before is not None and sequence > 0
    returns = here is not None and here[1]
    if version.key != event_key(sequence) or before is None or not (is_next or returns):
        raise ValueError(f"event {version.key!r} is out of order")
    link, type_, id_ = (str(meta[name]) for name in ("hash", "type", "id"))
    bytes.fromhex(link)
    is_whole = not version.flags & (TRIMMED | ERASED)
    if is_whole and link != event_hash(before[0], version.data or b"", type_=type_, id_=id_):
        raise ValueError(f"event {version.key!r} does not continue its chain")
    if is_whole and ("type", type_) not in version.attributes:
        raise ValueError(f"event {version.key!r} is not of the type it says")
    if here is not None and here[0] != link:
        raise ValueError(f"event {version.key!r} comes back as another one")
    events.put(space, sequence, link=link, is_hidden=False)
