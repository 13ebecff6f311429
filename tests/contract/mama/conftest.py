"""Databases that MAMA's own server wrote, and stores to take them into."""

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
import zstandard

import strata
from strata import Workspace
from strata.decisions import Link, Memory, MemoryReader
from strata.exchange.place import view_of

FILES = Path(__file__).parent / "files"
Given = Callable[[str], Path]
State = tuple[dict[str, Memory], dict[str, Link]]


@pytest.fixture
def given(tmp_path: Path) -> Given:
    """Lay a file out as it was left: small, novec, dirty, or live with its log."""

    def lay_out(name: str) -> Path:
        folder = tmp_path / "mama"
        folder.mkdir(exist_ok=True)
        place = folder / f"{name}.db"
        place.write_bytes(_unpacked(name))
        if name == "live":
            place.with_name("live.db-wal").write_bytes(_unpacked("live-wal"))
        return place

    return lay_out


def _unpacked(name: str) -> bytes:
    return zstandard.ZstdDecompressor().decompress((FILES / f"{name}.zst").read_bytes())


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Workspace]:
    with strata.open(tmp_path / "store.strata", auto_embed=False) as db:
        yield db


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Workspace]:
    with strata.open(tmp_path / "other.strata", auto_embed=False) as db:
        yield db


def state(db: Workspace) -> State:
    """All memories and links, without the numbers that differ from store to store."""
    keyspace = MemoryReader(view_of(db).snapshot)
    bare = msgspec.structs.replace
    memories = {memory.id: bare(memory, version=0) for memory in keyspace.all()}
    return memories, {link.id: bare(link, version=0) for link in keyspace.all_links()}


def rows(path: Path, table: str) -> list[dict[str, Any]]:
    """All rows of a table, read by another library than ours."""
    db = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)
    db.row_factory = sqlite3.Row
    try:
        return [dict(row) for row in db.execute(f"SELECT rowid AS _row, * FROM {table}")]
    finally:
        db.close()
