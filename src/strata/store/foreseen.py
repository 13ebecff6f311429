"""A snapshot that reads many keys at once, for code that then asks for them one by one."""

from collections.abc import Iterator, Sequence

import msgspec

from strata.sql import Read
from strata.store.record import Address, Record
from strata.store.snapshot import Snapshot
from strata.store.store import Store

# How many versions of a key are read ahead; a reader who wants more asks the store.
_VERSIONS = 32


class ForeseenSnapshot(Snapshot):
    """A state of a branch, by its number, of which some keys were read ahead.

    What it has read does not follow later commits, so it lasts no longer than one transaction.
    """

    def __init__(self, store: Store, branch: int, bound: int) -> None:
        super().__init__(store, "", bound, branch_id=branch)
        self._records: dict[Address, Record | None] = {}
        self._histories: dict[Address, list[Record]] = {}

    def reads_ahead(self, space: str, kinds: Sequence[str], keys: Sequence[str]) -> Iterator[Read]:
        """Yield the reads of `foresee_histories` for the first kind, of `foresee` for the others.

        Several states may so be read in one round trip.
        """
        wanted = msgspec.json.encode(keys).decode()
        for at, kind in enumerate(kinds):
            keyspace = self._catalog.keyspaces.get((space, kind))
            if keyspace is not None:
                values = (self.branch_id, keyspace, wanted, self.bound)
                if at:
                    yield self._queries.versions_of_keys, values
                else:
                    yield self._queries.histories_of_keys, (*values, _VERSIONS)

    def foresee(self, space: str, kind: str, keys: Sequence[str]) -> None:
        """Read what keys hold, by one statement."""
        found = self.get_many(space, kind, keys)
        self._records |= {(space, kind, key): found.get(key) for key in keys}

    def foresee_histories(self, space: str, kind: str, keys: Sequence[str]) -> None:
        """Read what keys hold and the newest of their versions, by one statement."""
        connection = self._database.connection()
        keyspace = self._catalog.keyspace(space, kind, connection) or 0
        wanted = msgspec.json.encode(keys).decode()
        values = (self.branch_id, keyspace, wanted, self.bound, _VERSIONS)
        found: dict[str, list[Record]] = {key: [] for key in keys}
        for key, *record in connection.rows(self._queries.histories_of_keys, values):
            number, timestamp, flags, value, meta = record
            found[key].append((number, timestamp, flags, value, meta))
        for key, records in found.items():
            self._histories[space, kind, key] = records
            self._records[space, kind, key] = records[0] if records else None

    def get(self, space: str, kind: str, key: str) -> Record | None:
        """Return the visible version of a key, read ahead or now."""
        address = (space, kind, key)
        if address in self._records:
            return self._records[address]
        return super().get(space, kind, key)

    def history(self, space: str, kind: str, key: str, *, limit: int | None = None) -> list[Record]:
        """Return the versions of a key, newest first, read ahead or now."""
        known = self._histories.get((space, kind, key))
        if known is not None and (len(known) < _VERSIONS or (limit or _VERSIONS + 1) <= _VERSIONS):
            return known[:limit]
        return super().history(space, kind, key, limit=limit)
