"""Leases: background work is done by one process at a time, and survives its death."""

import os

import msgspec

from strata.base import ids, limits
from strata.base.errors import InvalidArgument
from strata.base.results import TimedResult
from strata.store import Store, check_name


class Lease(TimedResult, frozen=True):
    """The right to do one kind of work until `expires`, in microseconds."""

    TIME = "expires"

    name: str
    holder: str
    token: str
    expires: int


class StoreLeases:
    """Rights to background work. Reached as `db.leases`."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def acquire(
        self, name: str, *, holder: str | None = None, seconds: float = limits.LEASE_S
    ) -> Lease | None:
        """Take a lease if it is free or its holder has gone silent; None when it is held.

        >>> lease = db.leases.acquire("embedding")
        >>> db.leases.acquire("embedding") is None
        True
        """
        check_name(name, what="lease")
        who = holder or f"{_host()}:{os.getpid()}"
        now = self._store.clock()
        lease = Lease(name, who, ids.token(), now + _microseconds(seconds))
        values = (name, who, lease.token, lease.expires, now)
        with self._store.writing() as connection:
            row = connection.row(self._store.queries.take_lease, values)
        return lease if row is not None else None

    def renew(self, lease: Lease, *, seconds: float = limits.LEASE_S) -> Lease | None:
        """Keep a lease for longer; None when it ended or another process has it.

        >>> lease = db.leases.acquire("pruning")
        >>> db.leases.renew(lease, seconds=60).expires > lease.expires
        True
        """
        now = self._store.clock()
        expires = now + _microseconds(seconds)
        with self._store.writing() as connection:
            row = connection.row(
                self._store.queries.renew_lease, (lease.name, lease.token, expires, now)
            )
        return msgspec.structs.replace(lease, expires=expires) if row is not None else None

    def release(self, lease: Lease) -> bool:
        """Give a lease back; tell whether it was still ours.

        >>> lease = db.leases.acquire("pruning")
        >>> db.leases.release(lease)
        True
        """
        with self._store.writing() as connection:
            values = (lease.name, lease.token)
            return connection.row(self._store.queries.release_lease, values) is not None

    def list(self) -> "list[Lease]":
        """Return the leases that are held now.

        >>> _ = db.leases.acquire("embedding", holder="me")
        >>> [(lease.name, lease.holder) for lease in db.leases.list()]
        [('embedding', 'me')]
        """
        now = self._store.clock()
        rows = self._store.connection().rows(self._store.queries.leases)
        return [Lease(*row) for row in rows if row[3] > now]


def _host() -> str:
    import socket  # noqa: PLC0415  (2 ms that only leases need)

    return socket.gethostname()


def _microseconds(seconds: object) -> int:
    if (
        isinstance(seconds, bool)
        or not isinstance(seconds, (int, float))
        or not 0 < seconds <= limits.LEASE_S_MAX
    ):
        raise InvalidArgument(
            f"A lease lasts more than 0 and at most {limits.LEASE_S_MAX:.0f} seconds.",
            parameter="seconds",
        )
    return int(seconds * 1_000_000)
