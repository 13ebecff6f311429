"""stratadb, the product nearest to ours: versions, branches and time travel in one store.

It is opened without its socket for other processes, which is its quickest mode.
"""

from pathlib import Path

import msgspec
import stratadb
from measure.records import Record

from contenders.contender import Pairs


class StratadbKv:
    """Its key-value part holds bytes, so values are encoded and decoded around it."""

    def __init__(self, path: Path) -> None:
        self.db = stratadb.open(path, durability="standard", ipc="off")
        self._encode, self._decode = msgspec.json.encode, msgspec.json.decode

    def get(self, key: str) -> object:
        """Return the decoded value."""
        found = self.db.kv.get(key)
        return found and self._decode(found)

    def put(self, key: str, value: Record) -> None:
        """Keep one value."""
        self.db.kv.put(key, self._encode(value))

    def put_many(self, pairs: Pairs) -> None:
        """Keep many values in one commit."""
        self.db.kv.put_many([(key, self._encode(value)) for key, value in pairs])

    def get_at(self, key: str, timestamp: int) -> object:
        """Return the decoded value of the past."""
        found = self.db.kv.get(key, as_of=timestamp)
        return found and self._decode(found)

    def history(self, key: str) -> list[object]:
        """Return every value a key held, decoded, newest first."""
        return [self._decode(found.value) for found in self.db.kv.history(key) or ()]

    def now(self) -> int:
        """Return the place of the newest commit on its timeline, which takes one write."""
        return self.db.kv.put("now", b"0").commit.timestamp

    def fork(self, name: str, changes: Pairs) -> None:
        """Make a branch of `default` with some changes of its own."""
        self.db.branches.fork("default", name)
        pairs = [(key, self._encode(value)) for key, value in changes]
        self.db.at(branch=name).kv.put_many(pairs)

    def diff(self, name: str) -> int:
        """Return how many entries a branch added or changed."""
        spaces = self.db.branches.diff("default", name).spaces
        return sum(len(space.added) + len(space.modified) for space in spaces)

    def merge(self, name: str) -> int:
        """Merge a branch into `default` and return how many entries that wrote."""
        return len(self.db.branches.merge(name, "default").applied)

    def close(self) -> None:
        """Close the store."""
        self.db.close()


class StratadbJson:
    """Its JSON part, which takes and gives values as they are."""

    def __init__(self, path: Path) -> None:
        self._db = stratadb.open(path, durability="standard", ipc="off")

    def get(self, key: str) -> object:
        """Return the value."""
        return self._db.json.get(key)

    def put(self, key: str, value: Record) -> None:
        """Keep one document."""
        self._db.json.set(key, value)

    def put_many(self, pairs: Pairs) -> None:
        """Keep many documents at once."""
        self._db.json.set_many(pairs)

    def close(self) -> None:
        """Close the store."""
        self._db.close()
