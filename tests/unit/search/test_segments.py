"""Sealed segments: the same answers as without them, whatever happens to them."""

import random
import threading
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from unittest.mock import patch

import msgspec
import pytest

import strata
from strata.base import limits
from strata.search import Sealer, wrong_segments
from strata.search.index.parts import LAYOUT
from strata.store import Store
from tests import opened

WORDS = (
    "deploy cache price login retry queue index merge branch token 서버 배포 캐시 설정 결정".split()
)
QUESTIONS = ["deploy the cache", "서버 배포", "retry queue 17", "merge branch token", "login 결정"]


@pytest.fixture(autouse=True)
def _small() -> Iterator[None]:
    """Let segments be small, so that a test has many of them."""
    with (
        patch.object(limits, "SEAL_VERSIONS", 20),
        patch.object(limits, "UNSEALED_MAX", 10_000),
        patch.object(limits, "SEGMENT_ITEMS_FEW", 100),
    ):
        yield


def text(rng: random.Random, number: int) -> str:
    return f"{' '.join(rng.choices(WORDS, k=8))} {number}"


def fill(db: strata.Workspace, count: int, *, start: int = 0) -> None:
    rng = random.Random(start)
    for number in range(start, start + count):
        folder = f"talk{number // 12}/" if number % 3 else ""
        db.kv.put(f"{folder}{number}", text(rng, number), tags=["even"] if number % 2 else [])


def seal(db: strata.Workspace) -> int:
    """Seal what there is; return how many segments there are then."""
    store = store_of(db)
    opened.seal(store)
    return len(store.connection().rows(store.queries.segments))


def store_of(db: strata.Workspace) -> Store:
    return db._store


def answers(db: strata.Workspace, **filters: object) -> list[list[tuple[str, float]]]:
    return [
        [(hit.key, hit.score) for hit in db.search(question, 20, mode="keyword", **filters)]  # type: ignore[arg-type]
        for question in QUESTIONS
    ]


@pytest.fixture
def db(tmp_path: Path) -> Iterator[strata.Workspace]:
    with strata.open(tmp_path / "s.db", durability="standard", auto_embed=False) as db:
        yield db


def test_answers_do_not_change_when_entries_are_sealed_and_merged(db: strata.Workspace) -> None:
    for start in range(0, 360, 60):
        fill(db, 60, start=start)
        before = answers(db)
        assert all(before)
        assert seal(db) >= 1
        assert answers(db) == before


def test_branches_and_the_past_are_answered_from_segments(db: strata.Workspace) -> None:
    fill(db, 90)
    past = db.log(limit=1)[0].version
    there = db.branches.fork("실험")
    branch = db.on(there.name)
    branch.kv.put("12", "서버 배포 of the branch")
    branch.kv.delete("15")
    fill(db, 60, start=45)  # replaces half of them
    views = [db, branch, db.at(past)]
    before = [answers(view) for view in views]
    assert seal(db) >= 1
    assert [answers(view) for view in views] == before
    assert before[0] != before[1] != before[2]


def test_what_was_replaced_since_is_not_found(db: strata.Workspace) -> None:
    fill(db, 60)
    seal(db)
    db.kv.put("0", "something else entirely")
    db.kv.delete("3")
    found = {key for answer in answers(db) for key, _score in answer}
    assert "3" not in found
    assert "0" not in found
    assert [hit.key for hit in db.search("something entirely", mode="keyword")] == ["0"]


def test_another_process_s_segments_are_read(db: strata.Workspace, tmp_path: Path) -> None:
    fill(db, 100)
    before = answers(db)
    with strata.open(tmp_path / "s.db", auto_embed=False) as other:
        assert answers(other) == before
        seal(other)
        fill(db, 40, start=100)
        seal(other)
        assert answers(other) == answers(db)
        assert answers(db) != before


def test_two_processes_that_seal_leave_segments_that_fit(
    db: strata.Workspace, tmp_path: Path
) -> None:
    fill(db, 300)
    before = answers(db)
    with strata.open(tmp_path / "s.db", auto_embed=False) as other:
        threads = [threading.Thread(target=seal, args=(one,)) for one in (db, other)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    store = store_of(db)
    rows = store.connection().rows(store.queries.segments)
    assert all(older[2] < newer[1] for older, newer in pairwise(rows))
    assert answers(db) == before
    assert db.verify().ok


@pytest.mark.parametrize("harm", ["flip", "remove", "summary"])
def test_a_damaged_segment_is_found_and_made_again(db: strata.Workspace, harm: str) -> None:
    fill(db, 100)
    before = answers(db)
    seal(db)
    damage(db, harm)
    found = db.verify()
    assert [problem.kind for problem in found.problems] == ["index"]
    assert "reindex" in found.problems[0].message
    assert db.reindex().segments == 1
    assert db.verify().ok
    assert answers(db) == before


@pytest.mark.parametrize("harm", ["flip", "remove", "summary"])
def test_a_search_does_without_a_damaged_segment(
    db: strata.Workspace, tmp_path: Path, harm: str
) -> None:
    fill(db, 100)
    before = answers(db)
    seal(db)
    damage(db, harm)
    with strata.open(tmp_path / "s.db", read_only=True) as reader:
        assert answers(reader) == before
    with strata.open(tmp_path / "s.db", auto_embed=False) as other:
        assert answers(other) == before
        assert not list(wrong_segments(store_of(other)))


@pytest.mark.parametrize("harm", ["layout", "summary", "flip"])
def test_the_sealer_makes_segments_it_cannot_read_once_again(
    db: strata.Workspace, harm: str, caplog: pytest.LogCaptureFixture
) -> None:
    fill(db, 100)
    before = answers(db)
    seal(db)
    fill(db, 100, start=100)
    seal(db)
    if harm == "layout":
        age_segments(db)
    else:
        damage(db, harm)
    fill(db, 20, start=200)
    sealer = Sealer(store_of(db), opened.OwnTurn())
    with caplog.at_level("INFO"):
        steps = [sealer.step() for _attempt in range(20)]
    assert steps.index(False) == sum(steps)
    assert not any(sealer.step() for _attempt in range(3))
    if harm != "flip":  # Only a part of it is wrong, and planning reads none of the parts.
        assert caplog.text.count("are made again") == 1
        assert not list(wrong_segments(store_of(db)))
        assert db.verify().ok
    assert len(answers(db)) == len(before)


def age_segments(db: strata.Workspace) -> None:
    """Give all segments the number of a layout from before."""
    with store_of(db).writing() as connection:
        for row in connection.rows("SELECT id, summary FROM segments"):
            _layout, *rest = msgspec.msgpack.decode(row[1])
            aged = msgspec.msgpack.encode([LAYOUT - 1, *rest])
            connection.run("UPDATE segments SET summary = ? WHERE id = ?", (aged, row[0]))


def damage(db: strata.Workspace, harm: str) -> None:
    """Change one segment behind the program's back."""
    with store_of(db).writing() as connection:
        if harm == "summary":
            connection.run("UPDATE segments SET summary = x'93' WHERE id = 1")
        elif harm == "remove":
            connection.run("DELETE FROM segment_parts WHERE id = 65536 + 64")
        else:
            row = connection.row("SELECT id, data FROM segment_parts WHERE id > 65536 + 63")
            assert row is not None
            data = bytearray(row[1])
            data[-1] ^= 1
            connection.run("UPDATE segment_parts SET data = ? WHERE id = ?", (bytes(data), row[0]))


def test_a_purge_leaves_no_posting_in_any_segment(db: strata.Workspace, tmp_path: Path) -> None:
    fill(db, 100)
    db.kv.put("secret", "xylophone under the 비밀번호 staircase")
    fill(db, 40, start=100)
    seal(db)
    with strata.open(tmp_path / "s.db", auto_embed=False) as other:
        assert [hit.key for hit in other.search("xylophone", mode="keyword")] == ["secret"]
        version = db.kv.get("secret").version  # type: ignore[union-attr]
        db.purge("secret")
        assert version not in held_versions(db)
        seal(db)
        assert version not in held_versions(db)
        for one in (db, other):
            assert not one.search("xylophone", mode="keyword").hits
            assert not one.search("비밀번호", mode="keyword").hits
    assert db.verify().ok


def held_versions(db: strata.Workspace) -> set[int]:
    """Return every version that an item or a posting of a segment belongs to."""
    search = db._followers.search
    with search.index() as index:
        return {int(one) for segment in index.segments for one in segment.column("version")}


def test_retention_takes_what_it_trims_out_of_segments(db: strata.Workspace) -> None:
    for number in range(40):
        db.kv.put("k", f"heron number {number}")
    seal(db)
    db.retention.set(max_versions=1)
    assert db.retention.apply().versions == 39
    seal(db)
    assert len(held_versions(db)) == 1
    assert db.verify().ok


# ---------------------------------------------------------------- two stages


@pytest.fixture
def _two_stages() -> Iterator[None]:
    with (
        patch.object(limits, "RANKED_WHOLE_MAX", 10),
        patch.object(limits, "CANDIDATES_MIN", 120),
    ):
        yield


def test_two_stages_find_the_same_best(db: strata.Workspace) -> None:
    fill(db, 600)
    seal(db)
    fill(db, 15, start=600)
    exact = answers(db)
    with patch.object(limits, "RANKED_WHOLE_MAX", 10), patch.object(limits, "CANDIDATES_MIN", 120):
        found = answers(db)
    for one, other in zip(found, exact, strict=True):
        same = {key for key, _score in one[:10]} & {key for key, _score in other[:10]}
        assert len(same) >= 9


@pytest.mark.usefixtures("_two_stages")
def test_filters_reach_what_few_items_have(db: strata.Workspace) -> None:
    fill(db, 400)
    db.kv.put("rare", "deploy", tags=["only"])
    db.kv.put("odd", {"text": "deploy", "colour": "보라"})
    since = db.log(limit=1)[0].timestamp
    db.events.append("deployed", "deploy the cache")
    fill(db, 100, start=400)
    seal(db)
    assert [hit.key for hit in db.search("deploy", tags=["only"], mode="keyword")] == ["rare"]
    assert [h.event for h in db.search("deploy", kinds=["event"], mode="keyword")] == ["deployed"]
    wanted = [{"field": "colour", "op": "eq", "value": "보라"}]
    assert [h.key for h in db.search("deploy", 1, filter=wanted, mode="keyword")] == ["odd"]
    found = db.search("deploy", 5, since=since, until=since + 10**9, mode="keyword")
    assert all(hit.timestamp >= since for hit in found)


@pytest.mark.usefixtures("_two_stages")
def test_a_sequence_is_ranked_across_the_border_of_segments(db: strata.Workspace) -> None:
    fill(db, 138)
    db.kv.put("chat/1", "Anna: which bird did you see at the estuary?")
    seal(db)
    db.kv.put("chat/2", "Bo: a curlew")
    fill(db, 10, start=200)
    found = [hit.key for hit in db.search("which bird at the estuary", 2, mode="keyword")]
    assert sorted(found) == ["chat/1", "chat/2"]
