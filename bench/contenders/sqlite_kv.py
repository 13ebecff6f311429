"""Raw SQLite: one table, no versions, no branches. The floor that no store on it can pass."""

from pathlib import Path

import apsw
import msgspec
from measure.records import Record

from contenders.contender import Pairs

_TABLE = "CREATE TABLE kv (k TEXT PRIMARY KEY, v BLOB) WITHOUT ROWID"
_GET = "SELECT v FROM kv WHERE k = ?"
_PUT = "INSERT INTO kv VALUES (?, ?) ON CONFLICT (k) DO UPDATE SET v = excluded.v"


class RawSqlite:
    """A connection as apsw makes it by default, with WAL and synchronous NORMAL."""

    def __init__(self, path: Path, *, cache_kib: int | None = None) -> None:
        self._connection = apsw.Connection(str(path))
        self._execute = self._connection.execute
        self._connection.pragma("journal_mode", "WAL")
        self._connection.pragma("synchronous", "NORMAL")
        if cache_kib is not None:
            self._connection.pragma("cache_size", -cache_kib)
        self._execute(_TABLE)
        self._encode, self._decode = msgspec.json.encode, msgspec.json.decode

    def get(self, key: str) -> object:
        """Return the decoded value."""
        row = self._execute(_GET, (key,)).fetchone()
        return row and self._decode(row[0])

    def put(self, key: str, value: Record) -> None:
        """Keep one value in a transaction of its own."""
        self._execute(_PUT, (key, self._encode(value)))

    def put_many(self, pairs: Pairs) -> None:
        """Keep many values in one transaction."""
        self._execute("BEGIN IMMEDIATE")
        self._connection.executemany(_PUT, [(key, self._encode(value)) for key, value in pairs])
        self._execute("COMMIT")

    def close(self) -> None:
        """Close, which folds the log into the main file."""
        self._connection.close()
