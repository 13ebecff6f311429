"""Strata through its public SDK."""

from pathlib import Path
from typing import Literal

from measure.records import Record

import strata
from contenders.contender import Pairs


class Ours:
    """The key-value part of a store of ours."""

    def __init__(
        self, path: Path, durability: Literal["always", "standard", "cache"] = "standard"
    ) -> None:
        self.path = path
        self.db = strata.open(path, durability=durability)

    def get(self, key: str) -> object:
        """Return the decoded value."""
        found = self.db.kv.get(key)
        return found and found.value

    def put(self, key: str, value: Record) -> None:
        """Keep one value: a version, a commit, its hash."""
        self.db.kv.put(key, value)

    def put_many(self, pairs: Pairs) -> None:
        """Keep many values in one commit."""
        self.db.kv.put_many(pairs)

    def close(self) -> None:
        """Close, which folds the log into the main file."""
        self.db.close()
