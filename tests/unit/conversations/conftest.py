"""Conversations of every program, as files in a folder of the test."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

import strata

FIXTURES = Path(__file__).parents[2] / "fixtures" / "conversations"


@pytest.fixture
def db() -> Iterator[strata.Workspace]:
    with strata.open(durability="cache", auto_embed=False) as made:
        yield made


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    """A file of each program, by the program's name."""
    found = {
        path.stem: Path(shutil.copy(path, tmp_path))
        for path in FIXTURES.iterdir()
        if path.suffix != ".sql"
    }
    database = tmp_path / "opencode.db"
    with closing(sqlite3.connect(database)) as connection:
        connection.executescript((FIXTURES / "opencode.sql").read_text(encoding="utf-8"))
    return found | {"opencode": database}
