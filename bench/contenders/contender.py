"""What a contender of the key-value figures can do."""

from pathlib import Path
from typing import Protocol

from measure.records import Record

Pairs = list[tuple[str, Record]]


class Contender(Protocol):
    """A key-value store. Each `put` and each `put_many` is one transaction."""

    def get(self, key: str) -> object:
        """Return the decoded value."""
        ...

    def put(self, key: str, value: Record) -> None:
        """Keep one value."""
        ...

    def put_many(self, pairs: Pairs) -> None:
        """Keep many values at once."""
        ...

    def close(self) -> None:
        """Close the store."""
        ...


def size_bytes(path: Path) -> int:
    """Return what a file with its neighbours of the same name, or a folder, takes on the disk."""
    if path.is_dir():
        return sum(inner.stat().st_size for inner in path.rglob("*") if inner.is_file())
    return sum(part.stat().st_size for part in path.parent.glob(f"{path.name}*"))
