"""The first search of a process on PostgreSQL waits as often for a large store as for a small one.

Sealed segments are read in parts, of which each would take a round trip.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

import strata
from strata.base import limits
from strata.search.quick.scan import look
from strata.store import Snapshot
from tests import opened
from tests.counting import counting_trips
from tests.databases import address_of

# The most round trips, however many segments there are.
FIRST = {"now": 13, "on a branch": 13, "in the past": 15, "a prompt": 18}
# The same in new words, once the columns are in memory.
LATER = {"now": 6, "on a branch": 6, "in the past": 6}
WORDS = "deploy cache price retry queue merge branch token window export".split()


@pytest.fixture(autouse=True)
def small_segments(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let segments be small and stay apart, and let a search choose what it ranks."""
    monkeypatch.setattr(limits, "SEAL_VERSIONS", 40)
    monkeypatch.setattr(limits, "SEGMENT_ITEMS_FEW", 1)
    monkeypatch.setattr(limits, "SEGMENT_REPLACED_SHARE", 1.0)
    monkeypatch.setattr(limits, "RANKED_WHOLE_MAX", 20)
    monkeypatch.setattr(limits, "CANDIDATES_MIN", 20)


def segments_of(address: str, count: int) -> int:
    """Make a store of so many segments; return a version in the middle of one."""
    with strata.open(address, durability="standard", auto_embed=False) as db:
        store = db.serving.store
        for number in range(count):
            db.kv.put_many({f"talk/{number:02}/{at:03}": text(number, at) for at in range(40)})
            # Half of the next segment is of values that replace some of this one.
            db.kv.put_many({f"talk/{number:02}/{at:03}": text(at, number) for at in range(20)})
            opened.seal(store)
        found = store.connection().rows(store.queries.segments)
        assert len(found) >= count
        db.branches.fork("가지")
        db.on("가지").kv.put("own", "a deploy of its own")
        return int(found[-1][1]) + 10


def text(number: int, at: int) -> str:
    words = [WORDS[(at + step * (number % 3 + 1)) % len(WORDS)] for step in range(4)]
    return f"{' '.join(words)} item{number}x{at}"


def view_of(db: strata.Workspace, where: str, version: int) -> strata.Workspace:
    views: dict[str, Callable[[], strata.Workspace]] = {
        "now": lambda: db,
        "on a branch": lambda: db.on("가지"),
        "in the past": lambda: db.at(version),
    }
    return views[where]()


@pytest.mark.parametrize("count", [3, 9])
@pytest.mark.parametrize("where", LATER)
def test_a_search_waits_a_few_times_however_many_segments_there_are(
    where: str, count: int, tmp_path: Path
) -> None:
    address = address_of(None)
    version = segments_of(address, count)
    with counting_trips(tmp_path / "trips") as trips, strata.open(address) as db:
        view = view_of(db, where, version)
        first = trips.of(lambda: view.search("deploy the cache", mode="keyword"))
        later = trips.of(lambda: view.search("queue of Branch", mode="keyword"))
    assert len(first) <= FIRST[where], "\n".join(first)
    assert len(later) <= LATER[where], "\n".join(later)


@pytest.mark.parametrize("count", [3, 9])
def test_a_look_at_a_prompt_waits_a_few_times(count: int, tmp_path: Path) -> None:
    address = address_of(None)
    segments_of(address, count)
    with counting_trips(tmp_path / "trips") as trips, strata.open(address) as db:
        snapshot = Snapshot(db.serving.store, "default")
        found = trips.of(lambda: look(snapshot, "deploy the cache, then retry the queue", 3))
    assert len(found) <= FIRST["a prompt"], "\n".join(found)
