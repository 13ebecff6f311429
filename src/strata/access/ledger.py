"""One way to change what rights depend on: together, written down, and noticed everywhere."""

import os
from collections.abc import Generator
from contextlib import contextmanager

import msgspec

from strata.access.records import AuditEntry
from strata.base import limits
from strata.base.checks import check_number
from strata.base.values import Json
from strata.sql import Connection
from strata.store import Store, unreadable

_NEWEST = 2**63 - 1


@contextmanager
def changing(store: Store) -> Generator[Connection]:
    """Give a write transaction: this thread's open one, or else one of its own.

    A document is placed by the transaction that commits it, so that neither is there alone.
    """
    connection = store.connection()
    if connection.in_transaction:
        yield connection
    else:
        with store.writing() as connection:
            yield connection


def note(store: Store, person: str, action: str, *, subject: str, **details: Json) -> None:
    """Write a change down, inside its transaction, and let every process notice it."""
    connection, queries = store.connection(), store.queries
    values = (store.clock(), person, action, subject, msgspec.json.encode(details).decode())
    connection.run(queries.insert_audit, values)
    connection.run(queries.change_access_mark, (int.from_bytes(os.urandom(8), signed=True),))


class Audit:
    """Every change to people, teams, places and shares. Reached as `db.audit`."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def list(
        self,
        limit: int = 100,
        *,
        before: int | None = None,
        person: str | None = None,
        subject: str | None = None,
    ) -> "list[AuditEntry]":
        """Return the newest changes first; `before` is the number of an entry to go on from.

        `person` is the id of who made them, `subject` the id of what was changed.

        >>> _ = db.people.add("ann@example.com")
        >>> [(entry.action, entry.details["email"]) for entry in db.audit.list()]
        [('user.add', 'ann@example.com')]
        """
        check_number(limit, name="limit", most=limits.PAGE_ITEMS_MAX)
        values = (_NEWEST if before is None else before, person, subject, limit)
        rows = self._store.connection().rows(self._store.queries.audit_entries, values)
        return [_entry(row) for row in rows]


def _entry(row: tuple[object, ...]) -> AuditEntry:
    try:
        details = msgspec.json.decode(str(row[5]), type=dict[str, Json])
        named = zip(AuditEntry.__struct_fields__, (*row[:5], details), strict=True)
        return msgspec.convert(dict(named), AuditEntry)
    except msgspec.MsgspecError as error:
        raise unreadable("an entry of the audit log") from error
