"""Secrets in what is imported: they are listed, and masked only when asked for.

The user already has the imported file, so nothing in it is refused.
"""

from typing import TypeVar

import msgspec

from strata.base.values import Json
from strata.exchange.outcome import Secret
from strata.exchange.records import CommitRecord, EventRecord, Item, value_of
from strata.secrets import SecretInValue, find_in, mask

T = TypeVar("T", bound=Item)


def secrets_in(line: int, space: str, record: Item) -> list[Secret]:
    """Return where secrets are in a record, without naming them."""
    found = [*_beside("key", _name(record)), *find_in(value_of(record), name=_name_of(record))]
    for tag in getattr(record, "tags", ()):
        found += _beside("tag", tag)
    # The key may hold one itself.
    key = masked_text(_name(record)) if found else ""
    return [Secret(line, space, key, one.path, one.kind) for one in found]


def masked(record: T) -> T:
    """Return a record without its secrets."""
    value = record.value
    if value is not msgspec.UNSET:
        value = mask(value_of(record), name=_name_of(record))[0]
    if isinstance(record, EventRecord):
        return msgspec.structs.replace(record, value=value, type=masked_text(record.type))
    tags = tuple(masked_text(tag) for tag in record.tags)
    return msgspec.structs.replace(record, value=value, key=masked_text(record.key), tags=tags)


def masked_commit(commit: CommitRecord) -> CommitRecord:
    """Return a commit without the secrets of its notes."""
    actor, message = (note and masked_text(note) for note in (commit.actor, commit.message))
    return msgspec.structs.replace(commit, actor=actor, message=message)


def secrets_of_commit(line: int, commit: CommitRecord) -> list[Secret]:
    """Return where secrets are in the notes of a commit."""
    notes = (("actor", commit.actor), ("message", commit.message))
    found = [one for what, note in notes for one in _beside(what, note)]
    return [Secret(line, "", "", one.path, one.kind) for one in found]


def _beside(what: str, text: Json) -> list[SecretInValue]:
    return [SecretInValue(one.kind, f"the {what}") for one in find_in(text)]


def _name(record: Item) -> str:
    return record.type if isinstance(record, EventRecord) else record.key


def _name_of(record: Item) -> str:
    """Return what may say of a value that it is a password: a key, but not a type."""
    return "" if isinstance(record, EventRecord) else record.key


def masked_text(text: str) -> str:
    """Return text as it may be told."""
    return str(mask(text)[0])
