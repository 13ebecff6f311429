"""LMDB without versions, beside the others for context."""

from pathlib import Path

import lmdb
import msgspec
from measure.records import Record

from contenders.contender import Pairs

_MAP_BYTES = 4 * 1024**3


class Lmdb:
    """An environment that, like WAL with NORMAL, does not sync at each commit."""

    def __init__(self, path: Path) -> None:
        self._environment = lmdb.open(str(path), map_size=_MAP_BYTES, sync=False, metasync=False)
        self._encode, self._decode = msgspec.json.encode, msgspec.json.decode

    def get(self, key: str) -> object:
        """Return the decoded value."""
        with self._environment.begin() as transaction:
            found = transaction.get(key.encode())
        return found and self._decode(found)

    def put(self, key: str, value: Record) -> None:
        """Keep one value in a transaction of its own."""
        with self._environment.begin(write=True) as transaction:
            transaction.put(key.encode(), self._encode(value))

    def put_many(self, pairs: Pairs) -> None:
        """Keep many values in one transaction."""
        with self._environment.begin(write=True) as transaction:
            for key, value in pairs:
                transaction.put(key.encode(), self._encode(value))

    def close(self) -> None:
        """Sync and close."""
        self._environment.sync(True)
        self._environment.close()
