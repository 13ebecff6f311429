"""One way to change what rights depend on: together, written down, and noticed everywhere."""

import os
from collections.abc import Generator
from contextlib import contextmanager

import msgspec

from strata.base.values import Json
from strata.sql import Connection
from strata.store import Store


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


def access_mark(store: Store) -> tuple[int, int, int]:
    """Return what differs after every change of users, permissions or branches."""
    look = store.connection().look()
    return look.access, look.generation, look.removals


def note(store: Store, actor: str, action: str, *, subject: str, **details: Json) -> None:
    """Write a change down, inside its transaction, and let every process notice it."""
    connection, queries = store.connection(), store.queries
    values = (store.clock(), actor, action, subject, msgspec.json.encode(details).decode())
    connection.run(queries.insert_audit, values)
    connection.run(queries.change_access_mark, (int.from_bytes(os.urandom(8), signed=True),))
