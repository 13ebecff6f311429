"""Exact search: the same answer as comparing with every vector by hand."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import strata
from strata import CollectionNotFound, Match, MergeConflict, StrataError, Workspace

DIMENSION = 8
METRICS = ("cosine", "euclidean", "dot_product")


@pytest.fixture
def db() -> Iterator[Workspace]:
    with strata.open(durability="cache") as db:
        db.vectors.create("c", dimension=DIMENSION)
        yield db


def rows(count: int, seed: int) -> dict[str, np.ndarray[Any, Any]]:
    made = np.random.default_rng(seed).normal(size=(count, DIMENSION)).astype(np.float32)
    return {f"키/{number}": made[number] for number in range(count)}


def fill(db: Workspace, vectors: dict[str, np.ndarray[Any, Any]]) -> None:
    entries = [
        {"key": key, "vector": row, "metadata": {"n": int(key[2:]) % 5}}
        for key, row in vectors.items()
    ]
    db.vectors.upsert_many("c", entries)


def score(row: np.ndarray[Any, Any], query: np.ndarray[Any, Any], metric: str) -> float:
    a, b = row.astype(np.float64), query.astype(np.float64)
    if metric == "euclidean":
        return -float(np.linalg.norm(a - b))
    norms = float(np.linalg.norm(a) * np.linalg.norm(b)) or 1.0
    return float(a @ b) / (norms if metric == "cosine" else 1.0)


def check(
    found: list[Match], vectors: dict[str, np.ndarray[Any, Any]], query: Any, **how: Any
) -> None:
    """Compare a search with the brute force over what should be there."""
    scores = {key: score(row, query, how["metric"]) for key, row in vectors.items()}
    best = sorted(scores, key=lambda key: (-scores[key], key))[: how["k"]]
    assert [match.key for match in found] == best
    assert [match.score for match in found] == pytest.approx([scores[k] for k in best], abs=1e-4)


def search_all_ways(
    db: Workspace, vectors: dict[str, np.ndarray[Any, Any]], seed: int = 99
) -> None:
    query = np.random.default_rng(seed).normal(size=DIMENSION).astype(np.float32)
    for metric in METRICS:
        for k in (1, 7, 1000):
            found = db.vectors.search("c", query, limit=k, metric=metric)  # pyright: ignore[reportArgumentType]
            check(found, vectors, query, metric=metric, k=k)


def test_a_search_finds_what_comparing_with_all_finds(db: Workspace) -> None:
    vectors = rows(200, seed=1)
    fill(db, vectors)
    search_all_ways(db, vectors)


def test_later_writes_and_deletions_are_followed(db: Workspace) -> None:
    vectors = rows(130, seed=2)
    fill(db, vectors)
    search_all_ways(db, vectors)
    changed = rows(20, seed=3)
    fill(db, changed)
    vectors |= changed
    for number in range(0, 130, 7):
        assert db.vectors.delete("c", f"키/{number}")
        del vectors[f"키/{number}"]
    fill(db, {"키/500": rows(1, seed=4)["키/0"]})
    vectors["키/500"] = rows(1, seed=4)["키/0"]
    search_all_ways(db, vectors)
    assert db.vectors.stats("c").count == len(vectors)


def test_branches_and_the_past_have_their_own_neighbours(db: Workspace) -> None:
    first = rows(60, seed=5)
    fill(db, first)
    before = db.resolve("now").version
    db.branches.fork("try")
    theirs = rows(30, seed=6)
    fill(db.on("try"), theirs)
    db.on("try").vectors.delete("c", "키/59")
    db.vectors.delete("c", "키/0")
    search_all_ways(db.on("try"), {k: v for k, v in (first | theirs).items() if k != "키/59"})
    search_all_ways(db, {k: v for k, v in first.items() if k != "키/0"})
    search_all_ways(db.at(before), first)
    db.branches.fork("deep", source="try", at=before)
    search_all_ways(db.on("deep"), first)


def test_a_merge_is_searched_like_a_write(db: Workspace) -> None:
    first, theirs = rows(20, seed=7), rows(10, seed=8)
    fill(db, first)
    db.branches.fork("try")
    search_all_ways(db, first)
    fill(db.on("try"), theirs)
    db.branches.merge("try")
    search_all_ways(db, first | theirs)
    db.undo()
    search_all_ways(db, first)


def test_a_transaction_searches_what_it_staged_and_others_do_not(db: Workspace) -> None:
    first, staged = rows(30, seed=9), rows(5, seed=10)
    fill(db, first)
    query = np.ones(DIMENSION, dtype=np.float32)
    with db.transaction() as tx:
        for key, row in staged.items():
            tx.vectors.upsert("c", key, row)  # pyright: ignore[reportArgumentType]
        tx.vectors.delete("c", "키/20")
        inside = tx.vectors.search("c", query, limit=100)  # pyright: ignore[reportArgumentType]
        mine = {k: v for k, v in (first | staged).items() if k != "키/20"}
        check(inside, mine, query, metric="cosine", k=100)
        search_all_ways(db, first)
        tx.rollback()
    search_all_ways(db, first)


def test_a_filter_leaves_the_nearest_of_those_that_pass(db: Workspace) -> None:
    vectors = rows(100, seed=11)
    fill(db, vectors)
    query = np.random.default_rng(12).normal(size=DIMENSION).astype(np.float32)
    passing = {key: row for key, row in vectors.items() if int(key[2:]) % 5 in {1, 3}}
    conditions = [{"field": "n", "op": "in", "value": [1, 3]}]
    for metric in METRICS:
        found = db.vectors.search("c", query, limit=10, filter=conditions, metric=metric)  # pyright: ignore[reportArgumentType]
        check(found, passing, query, metric=metric, k=10)
        assert all(match.metadata == {"n": int(match.key[2:]) % 5} for match in found)
    nothing = [{"field": "n", "op": "gt", "value": 99}]
    assert db.vectors.search("c", query, filter=nothing) == []  # pyright: ignore[reportArgumentType]


def test_equal_scores_come_in_order_of_keys(db: Workspace) -> None:
    for key in ("나", "b", "가", "a", "c"):
        db.vectors.upsert("c", key, [1.0] * DIMENSION)
    found = db.vectors.search("c", [1.0] * DIMENSION, limit=3)
    assert [match.key for match in found] == ["a", "b", "c"]


def test_a_vector_of_zeros_is_near_to_nothing(db: Workspace) -> None:
    db.vectors.upsert("c", "zero", [0.0] * DIMENSION)
    db.vectors.upsert("c", "one", [1.0] * DIMENSION)
    found = db.vectors.search("c", [1.0] * DIMENSION)
    assert [(match.key, round(match.score, 5)) for match in found] == [("one", 1.0), ("zero", 0.0)]
    assert all(match.score == 0.0 for match in db.vectors.search("c", [0.0] * DIMENSION))


@pytest.mark.parametrize("metric", METRICS)
def test_the_largest_numbers_have_an_order_or_are_refused(db: Workspace, metric: Any) -> None:
    huge = 3e38
    try:
        db.vectors.upsert("c", "near", [huge] * DIMENSION)
        db.vectors.upsert("c", "far", [-huge] * DIMENSION)
    except StrataError:
        return  # refusing them is as good
    found = db.vectors.search("c", [huge] * DIMENSION, metric=metric)
    assert [match.key for match in found] == ["near", "far"]
    assert all(match.score == match.score for match in found), "no score may be NaN"


def test_a_dropped_collection_made_again_is_empty(db: Workspace) -> None:
    fill(db, rows(5, seed=13))
    assert len(db.vectors.search("c", [1.0] * DIMENSION)) == 5
    past = db.at("now")
    db.vectors.drop("c")
    with pytest.raises(CollectionNotFound):
        db.vectors.search("c", [1.0] * DIMENSION)
    db.vectors.create("c", dimension=DIMENSION)
    assert db.vectors.search("c", [1.0] * DIMENSION) == []
    assert len(past.vectors.search("c", [1.0] * DIMENSION)) == 5


def test_a_collection_made_anew_shows_nothing_that_a_merge_left_behind(db: Workspace) -> None:
    db.branches.fork("try")
    db.on("try").vectors.drop("c")
    db.vectors.upsert("c", "left over", [1.0] * DIMENSION)
    db.branches.merge("try", strategy="source_wins")
    assert db.vectors.list() == []
    db.vectors.create("c", dimension=DIMENSION)
    assert db.vectors.search("c", [1.0] * DIMENSION) == []
    assert db.vectors.stats("c").count == 0


def dropped_and_used(db: Workspace) -> None:
    """Drop a collection on one branch while the other puts something into it."""
    db.vectors.upsert("c", "old", [1.0] * DIMENSION)
    db.branches.fork("try")
    db.on("try").vectors.drop("c")
    db.vectors.upsert("c", "새것", [2.0] * DIMENSION)


def keys(db: Workspace) -> list[str]:
    return sorted(match.key for match in db.vectors.search("c", [1.0] * DIMENSION, limit=100))


def test_dropping_what_the_other_side_fills_is_asked(db: Workspace) -> None:
    dropped_and_used(db)
    with pytest.raises(MergeConflict) as caught:
        db.branches.merge("try")
    conflict: Any
    (conflict,) = caught.value.conflicts
    assert (conflict.kind, conflict.key, conflict.source) == ("collection", "c", None)
    assert conflict.target == conflict.base == {"dimension": DIMENSION, "metric": "cosine"}
    assert keys(db) == ["old", "새것"]


def test_the_side_that_wins_decides_about_a_dropped_collection(db: Workspace) -> None:
    dropped_and_used(db)
    db.branches.fork("kept")
    db.branches.merge("try", into="kept", strategy="target_wins")
    assert keys(db.on("kept")) == ["새것"]
    db.branches.merge("try", strategy="source_wins")
    assert db.vectors.list() == []
    assert db.undo().applied == 3
    assert keys(db) == ["old", "새것"]


def test_filling_what_the_target_has_dropped_is_asked(db: Workspace) -> None:
    dropped_and_used(db)
    there = db.on("try")
    with pytest.raises(MergeConflict):
        there.branches.merge("default")
    assert there.vectors.list() == []
    there.branches.merge("default", strategy="source_wins")
    assert keys(there) == ["새것"]
    assert there.vectors.stats("c").count == 1


def test_a_collection_remade_in_another_dimension_takes_no_old_vectors(db: Workspace) -> None:
    db.branches.fork("try")
    there = db.on("try")
    there.vectors.drop("c")
    there.vectors.create("c", dimension=2)
    there.vectors.upsert("c", "small", [1.0, 0.0])
    db.vectors.upsert("c", "large", [1.0] * DIMENSION)
    with pytest.raises(MergeConflict):
        db.branches.merge("try")
    db.branches.fork("kept")
    db.branches.merge("try", into="kept", strategy="target_wins")
    assert keys(db.on("kept")) == ["large"]
    assert db.on("kept").vectors.get("c", "small") is None
    db.branches.merge("try", strategy="source_wins")
    assert [match.key for match in db.vectors.search("c", [1.0, 0.0])] == ["small"]
    assert db.vectors.get("c", "large") is None
    assert db.vectors.stats("c").count == 1


def test_two_dimensions_for_one_new_collection_are_asked(db: Workspace) -> None:
    db.branches.fork("try")
    for view, size in ((db, 2), (db.on("try"), 3)):
        view.vectors.create("둘", dimension=size)
        view.vectors.upsert("둘", f"of {size}", [1.0] * size)
    with pytest.raises(MergeConflict):
        db.branches.merge("try")
    db.branches.merge("try", strategy="source_wins")
    assert db.vectors.stats("둘").dimension == 3
    assert [match.key for match in db.vectors.search("둘", [1.0] * 3)] == ["of 3"]
    assert db.vectors.stats("둘").count == 1


def test_a_picked_vector_needs_its_collection_or_brings_it(db: Workspace) -> None:
    db.branches.create_empty("empty")
    picked = db.vectors.upsert("c", "k", [1.0] * DIMENSION).version
    there = db.on("empty")
    with pytest.raises(MergeConflict):
        there.cherry_pick(picked)
    assert there.cherry_pick(picked, strategy="target_wins").commit is None
    assert there.cherry_pick(picked, strategy="source_wins").applied == 2
    assert keys(there) == ["k"]
    again = db.vectors.upsert("c", "둘", [2.0] * DIMENSION).version
    assert there.cherry_pick(again).applied == 1
    assert keys(there) == ["k", "둘"]


def test_a_collection_in_use_is_not_reverted_away(db: Workspace) -> None:
    made = db.log()[-1].version
    db.vectors.upsert("c", "k", [1.0] * DIMENSION)
    with pytest.raises(MergeConflict):
        db.revert(made)
    db.revert(made, strategy="source_wins")
    assert db.vectors.list() == []
    assert db.undo().applied == 2
    assert keys(db) == ["k"]


def test_a_purged_collection_made_again_is_empty(db: Workspace) -> None:
    db.vectors.upsert("c", "k", [1.0] * DIMENSION)
    db.purge("c", kind="collection")
    assert db.vectors.list() == []
    db.vectors.create("c", dimension=2)
    assert db.vectors.get("c", "k") is None
    assert db.vectors.stats("c").count == 0


def test_collections_and_spaces_do_not_mix(db: Workspace) -> None:
    db.vectors.create("c2", dimension=DIMENSION)
    db.space("메모").vectors.create("c", dimension=2)
    db.vectors.upsert("c", "k", [1.0] * DIMENSION)
    db.space("메모").vectors.upsert("c", "k2", [1.0, 0.0])
    assert db.vectors.search("c2", [1.0] * DIMENSION) == []
    assert [match.key for match in db.space("메모").vectors.search("c", [1.0, 0.0])] == ["k2"]
    assert [found.name for found in db.vectors.list()] == ["c", "c2"]


def test_what_was_stored_is_float32_exactly(db: Workspace) -> None:
    row = [0.1, -1e-30, 16777217.0, 3e38, 0.0, -0.0, 1 / 3, 1e-45]
    db.vectors.upsert("c", "k", row)
    found = db.vectors.get("c", "k")
    assert found is not None
    assert found.vector == [float(np.float32(number)) for number in row]


def test_the_best_of_many_are_those_that_sorting_finds(db: Workspace) -> None:
    import numpy

    dice = numpy.random.default_rng(3)
    db.vectors.create("많이", dimension=2, metric="dot_product")
    # Few different scores, so that ties stand at every border.
    rows = dice.integers(0, 12, size=(2_000, 2)).astype(float)
    db.vectors.upsert_many(
        "많이", [{"key": f"k{n:04d}", "vector": row.tolist()} for n, row in enumerate(rows)]
    )
    for k in (1, 7, 100, 1_999):
        scores = rows @ numpy.array([1.0, 2.0])
        expected = sorted(range(2_000), key=lambda n: (-scores[n], f"k{n:04d}"))[:k]
        found = db.vectors.search("많이", [1.0, 2.0], limit=k)
        assert [match.key for match in found] == [f"k{n:04d}" for n in expected]
