"""Two or three stores and a place between them."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

import strata


class Stores:
    """Stores on files of their own, and a folder that all of them know as `hub`."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self._folder = folder
        self._stack = stack
        self.hub = folder / "hub"
        self.hub.mkdir()

    def open(
        self, name: str, address: str | Path | None = None, *, trusts: bool = False
    ) -> strata.Workspace:
        db = strata.open(self._folder / f"{name}.db", auto_embed=False)
        self._stack.callback(db.close)
        if trusts:
            db.trust.give()
        db.remotes.add("hub", address or self.hub)
        return db

    def part(self, db: strata.Workspace) -> Path:
        """Return the folder that a store has written to."""
        return self.hub / db.remotes.offer().store

    def pack(self, db: strata.Workspace) -> Path:
        """Return the only pack of a store."""
        [found] = [file for file in self.part(db).iterdir() if file.name != "manifest"]
        return found


@pytest.fixture
def stores(tmp_path: Path) -> Iterator[Stores]:
    with ExitStack() as stack:
        yield Stores(tmp_path, stack)
