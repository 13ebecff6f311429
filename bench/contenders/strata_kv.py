"""Strata through its public SDK."""

from pathlib import Path
from typing import Literal

from measure.records import Record

import strata
from contenders.contender import Pairs


class Ours:
    """The key-value part of a store of ours, without the index for search unless said.

    Vectors are never made: a model at work beside would slow down whoever is measured.
    """

    def __init__(
        self,
        path: Path,
        durability: Literal["always", "standard", "cache"] = "standard",
        *,
        text_index: bool = False,
    ) -> None:
        self.path = path
        self.db = strata.open(path, durability=durability, text_index=text_index, auto_embed=False)

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
