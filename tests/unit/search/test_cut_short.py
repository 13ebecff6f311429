"""A search that is cut short, by a lost connection or its caller, does no harm to the next ones."""

from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest

import strata
from strata.base import limits
from strata.base.errors import Unavailable
from strata.search.vectors import held
from strata.search.vectors.nearest import VectorIndex
from strata.sql.postgres.connection import PostgresConnection
from strata.sql.sqlite import SqliteConnection
from tests import opened
from tests.databases import address_of
from tests.unit.search.embedders import Words, follower, run, store_of

WORDS = "deploy cache price retry queue merge branch token window export".split()
# The methods that send a read.
READING = ((SqliteConnection, "row"), (SqliteConnection, "rows"), (PostgresConnection, "_read"))


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let segments and pages be small, so that a search reads many of them."""
    monkeypatch.setattr(limits, "SEAL_VERSIONS", 20)
    monkeypatch.setattr(limits, "SEGMENT_ITEMS_FEW", 1)
    monkeypatch.setattr(held, "_PAGE", 7)


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Path | str:
    """A store with some segments, values that replace others, and entries behind them."""
    place = address_of(None) if request.param == "postgres" else tmp_path / "store.db"
    with strata.open(place, durability="standard", auto_embed=False) as db:
        for start in range(3):
            db.kv.put_many({f"k{at:02}": text(at + start) for at in range(start * 5, 25)})
            opened.seal(store_of(db))
        db.kv.put_many({f"k{at:02}": text(at) for at in range(22, 28)})
    return place


def text(number: int) -> str:
    return " ".join(WORDS[(number + step) % len(WORDS)] for step in range(3)) + f" n{number}"


def is_cut(number: int, call: Callable[[], object]) -> bool:
    """Tell whether a call was cut short: its read with this number fails."""
    left = count(number - 1, -1)

    def cutting(method: Callable[..., Any]) -> Callable[..., Any]:
        def read(self: object, statement: str, *values: Any, **limit: Any) -> Any:
            if next(left) == 0:
                raise Unavailable("The connection was cut.")
            return method(self, statement, *values, **limit)

        return read

    with pytest.MonkeyPatch().context() as patched:
        for kind, name in READING:
            patched.setattr(kind, name, cutting(getattr(kind, name)))
        try:
            call()
        except Unavailable:
            return True
    return False


def answer_of(db: strata.Workspace) -> list[tuple[str, float]]:
    return [(hit.key, hit.score) for hit in db.search("deploy the cache", 20, strict=False)]


def test_the_text_index_is_whole_wherever_reading_it_was_cut_short(place: Path | str) -> None:
    with strata.open(place, auto_embed=False) as db:
        expected = answer_of(db)
        assert len(expected) > 5
    for number in count(1):
        with strata.open(place, auto_embed=False) as db:
            was_cut = is_cut(number, lambda db=db: answer_of(db))
            assert answer_of(db) == expected, number
        if not was_cut:
            assert number > 5
            return


def test_the_text_index_is_whole_wherever_following_it_was_cut_short(place: Path | str) -> None:
    for number in count(1):
        with strata.open(place, auto_embed=False) as db:
            answer_of(db)
            db.kv.put("k03", f"deploy the cache again {number}")
            was_cut = is_cut(number, lambda db=db: answer_of(db))
            found = answer_of(db)
        with strata.open(place, auto_embed=False) as afresh:
            assert answer_of(afresh) == found, number
        if not was_cut:
            assert number > 3
            return


def test_vectors_are_whole_wherever_reading_them_was_cut_short(place: Path | str) -> None:
    words = Words()
    with strata.open(place, auto_embed=False) as db:
        run(follower(db, main=words))
        written = db.info().versions
        for number in count(1):
            index = VectorIndex(store_of(db), "main")
            was_cut = is_cut(number, index.refresh)
            assert index.refresh()
            found, _cosines = index.nearest(words.vector("deploy the cache"), 100)
            assert sorted(found.tolist()) == list(range(1, written + 1)), number
            if not was_cut:
                assert number > 5
                return
