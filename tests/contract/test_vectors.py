"""Vector search is exact: on any branch, at any time, with any filter."""

import math
import random
from collections.abc import Callable
from typing import Any, Literal

import pytest

import strata
from strata import Workspace

Metric = Literal["cosine", "euclidean", "dot_product"]
METRICS: tuple[Metric, ...] = ("cosine", "euclidean", "dot_product")
Rows = dict[str, list[float]]


def score(metric: str, a: list[float], b: list[float]) -> float:
    if metric == "euclidean":
        return -math.dist(a, b)
    product = math.fsum(x * y for x, y in zip(a, b, strict=True))
    if metric == "dot_product":
        return product
    norms = math.hypot(*a) * math.hypot(*b)
    return product / norms if norms else 0.0


def nearest(rows: Rows, query: list[float], metric: str) -> list[tuple[str, float]]:
    scored = [(key, score(metric, row, query)) for key, row in rows.items()]
    return sorted(scored, key=lambda pair: (-pair[1], pair[0]))


def check(workspace: Workspace, rows: Rows, query: list[float], *, collection: str = "c") -> None:
    """Compare a search under every metric with one by hand."""
    for metric in METRICS:
        found = workspace.vectors.search(collection, query, limit=7, metric=metric)
        expected = nearest(rows, query, metric)[:7]
        assert [match.key for match in found] == [key for key, _score in expected]
        assert [match.score for match in found] == pytest.approx(
            [number for _key, number in expected], rel=1e-4, abs=1e-4
        )


def cloud(seed: int, count: int, dimension: int = 12) -> Rows:
    chance = random.Random(seed)
    return {
        f"점 {number:03}": [chance.gauss(0, 1) for _ in range(dimension)] for number in range(count)
    }


def keep(workspace: Workspace, rows: Rows, collection: str = "c") -> None:
    entries = [{"key": key, "vector": row, "metadata": {"key": key}} for key, row in rows.items()]
    workspace.vectors.upsert_many(collection, entries)


@pytest.mark.parametrize("seed", range(4))
def test_search_equals_brute_force_under_every_metric(db: Workspace, seed: int) -> None:
    rows = cloud(seed, 200)
    db.vectors.create("c", 12)
    keep(db, rows)
    for query in cloud(seed + 100, 10).values():
        check(db, rows, query)
    assert len(db.vectors.search("c", rows["점 000"], limit=500)) == 200
    assert db.vectors.stats("c").count == 200
    assert db.vectors.stats("c").memory_bytes > 0


@pytest.mark.parametrize("metric", METRICS)
def test_a_collection_searches_by_its_own_metric(db: Workspace, metric: Metric) -> None:
    rows = {"가까이": [1.0, 0.1], "멀리": [9.0, 9.0], "맞은편": [-1.0, 0.0]}
    db.vectors.create("c", 2, metric)
    keep(db, rows)
    found = [(match.key, match.score) for match in db.vectors.search("c", [1, 0])]
    expected = nearest(rows, [1, 0], metric)
    assert [key for key, _score in found] == [key for key, _score in expected]
    assert db.vectors.list()[0].metric == metric


def test_ties_fall_by_key_and_zeros_are_no_error(db: Workspace) -> None:
    db.vectors.create("c", 2)
    keep(db, {"나": [1, 0], "가": [2, 0], "다": [0, 0], "라": [3, 0]})
    assert [match.key for match in db.vectors.search("c", [1, 0], limit=2)] == ["가", "나"]
    assert [match.score for match in db.vectors.search("c", [0, 0])] == [0, 0, 0, 0]
    assert db.vectors.search("c", [1, 0])[-1].key == "다"


def test_what_is_overwritten_or_deleted_is_followed(db: Workspace) -> None:
    rows, chance = cloud(1, 150), random.Random(1)
    db.vectors.create("c", 12)
    keep(db, rows)
    query = rows["점 005"]
    check(db, rows, query)
    for turn in range(30):
        key = f"점 {chance.randrange(150):03}"
        if turn % 3:
            rows[key] = [chance.gauss(0, 1) for _ in range(12)]
            db.vectors.upsert("c", key, rows[key])
        elif rows.pop(key, None) is not None:
            assert db.vectors.delete("c", key)
            assert not db.vectors.delete("c", key)
        check(db, rows, query)
    assert db.vectors.stats("c").count == len(rows)


def test_every_branch_and_every_time_has_its_own_vectors(db: Workspace) -> None:
    first = cloud(1, 60)
    db.vectors.create("c", 12)
    keep(db, first)
    point = db.info().versions
    query = first["점 007"]
    check(db, first, query)
    db.branches.fork("가지")
    fork = db.on("가지")
    theirs, ours = first | cloud(2, 30), first | {"새": [0.5] * 12}
    keep(fork, cloud(2, 30))
    db.vectors.upsert("c", "새", [0.5] * 12)
    del theirs["점 059"], ours["점 000"]
    fork.vectors.delete("c", "점 059")
    db.vectors.delete("c", "점 000")
    for _ in range(2):
        check(db, ours, query)
        check(fork, theirs, query)
        check(db.at(point), first, query)
        check(fork.at(point), first, query)
    db.branches.merge("가지", strategy="source_wins")
    check(db, theirs | {"새": [0.5] * 12}, query)


def test_collections_with_a_common_prefix_stay_apart(db: Workspace) -> None:
    sets = {"글": cloud(1, 20), "글자": cloud(2, 20), "글.": cloud(4, 20)}
    for name, rows in sets.items():
        db.vectors.create(name, 12)
        keep(db, rows, name)
    db.space("방").vectors.create("글", 12)
    for name, rows in sets.items():
        check(db, rows, rows["점 003"], collection=name)
    db.vectors.drop("글")
    assert [found.name for found in db.vectors.list()] == ["글.", "글자"]
    check(db, sets["글자"], sets["글"]["점 003"], collection="글자")
    assert db.space("방").vectors.search("글", [1] * 12) == []
    with pytest.raises(strata.CollectionNotFound):
        db.vectors.search("글", [1] * 12)
    db.vectors.create("글", 2)
    assert db.vectors.search("글", [1, 0]) == []
    assert db.vectors.stats("글").count == 0


def test_a_transaction_searches_its_own_vectors(db: Workspace) -> None:
    rows = cloud(1, 40)
    db.vectors.create("c", 12)
    keep(db, rows)
    query = rows["점 001"]
    check(db, rows, query)
    with db.transaction() as tx:
        tx.vectors.upsert("c", "새", query, metadata={"n": 1})
        tx.vectors.delete("c", "점 001")
        found = tx.vectors.search("c", query, limit=1)
        assert [(match.key, match.metadata) for match in found] == [("새", {"n": 1})]
        check(db, rows, query)
        tx.rollback()
    check(db, rows, query)


def test_a_purged_vector_is_found_no_more(db: Workspace) -> None:
    rows = cloud(1, 20)
    db.vectors.create("c", 12)
    keep(db, rows)
    point = db.info().versions
    check(db, rows, rows["점 001"])
    check(db.at(point), rows, rows["점 001"])
    query = rows.pop("점 001")
    db.purge("c/점 001", kind="vector")
    check(db, rows, query)
    check(db.at(point), rows, query)
    assert db.vectors.get("c", "점 001") is None
    assert db.vectors.stats("c").count == 19


def test_other_openers_are_followed_at_once(
    db: Workspace, open_store: Callable[..., Workspace]
) -> None:
    rows, other = cloud(1, 30), open_store()
    db.vectors.create("c", 12)
    keep(db, rows)
    query = rows["점 002"]
    check(other, rows, query)
    rows["점 002"] = [9.0] * 12
    db.vectors.upsert("c", "점 002", rows["점 002"])
    del rows["점 003"]
    db.vectors.delete("c", "점 003")
    check(other, rows, query)


def test_numbers_are_kept_as_float32(db: Workspace) -> None:
    import numpy

    db.vectors.create("c", 3)
    db.vectors.upsert("c", "a", [0.1, -2.5, 1e-30])
    db.vectors.upsert("c", "b", numpy.array([1, 2, 3], dtype=numpy.float64))  # pyright: ignore[reportArgumentType]
    found, array = db.vectors.get("c", "a"), db.vectors.get("c", "b")
    assert found is not None
    assert array is not None
    assert found.vector == [float(numpy.float32(number)) for number in (0.1, -2.5, 1e-30)]
    assert array.vector == [1, 2, 3]
    assert db.vectors.get("c", "없음") is None


METADATA: dict[str, Any] = {
    "가": {"n": 1, "말": "한국어", "꼬리": ["빨강", "파랑"], "깊": {"이": {"값": 5}}, "ok": True},
    "나": {"n": 2.5, "말": "日本語", "꼬리": [], "깊": {"이": {"값": None}}, "a.b": 1},
    "다": {"n": "2", "말": "Deutsch", "꼬리": "빨강", "깊": 7, "ok": 1},
    "라": {"n": None, "말": "", "ok": False, "깊": {"이": [1, {"x": 1}]}},
    "마": None,
    "바": ["목록", "n"],
    "사": "n",
}


@pytest.mark.parametrize(
    ("field", "op", "value", "expected"),
    [
        ("n", "eq", 1, "가"),
        ("n", "eq", 1.0, "가"),
        ("n", "eq", True, ""),
        ("n", "eq", None, "라"),
        ("n", "eq", "2", "다"),
        ("ok", "eq", True, "가"),
        ("ok", "eq", 1, "다"),
        ("꼬리", "eq", ["빨강", "파랑"], "가"),
        ("n", "ne", 1, "나다라마바사"),
        ("없는", "ne", 1, "가나다라마바사"),
        ("없는", "eq", None, ""),
        ("n", "gt", 1, "나"),
        ("n", "gte", 1, "가나"),
        ("n", "lt", 2.5, "가"),
        ("n", "lte", 2.5, "가나"),
        ("n", "gt", "1", "다"),
        ("말", "gte", "日", "가나"),
        ("말", "lt", "a", "다라"),
        ("ok", "gt", 0, "다"),
        ("n", "in", [1, "2"], "가다"),
        ("n", "in", [], ""),
        ("n", "in", [None], "라"),
        ("꼬리", "contains", "빨강", "가다"),
        ("꼬리", "contains", "빨", "다"),
        ("말", "contains", "국", "가"),
        ("말", "contains", "", "가나다라"),
        ("깊", "contains", "이", "가나라"),
        ("깊", "contains", ["이"], ""),
        ("깊.이", "contains", {"x": 1}, "라"),
        ("깊.이.값", "eq", 5, "가"),
        ("깊.이.값", "eq", None, "나"),
        ("깊.이.값", "gte", 0, "가"),
        ("깊.이.없는", "eq", 5, ""),
        ("a.b", "eq", 1, "나"),
    ],
)
def test_filters_mean_what_they_say(
    db: Workspace, field: str, op: str, value: Any, expected: str
) -> None:
    db.vectors.create("c", 2)
    for key, metadata in METADATA.items():
        db.vectors.upsert("c", key, [1, 0], metadata=metadata)
    condition = {"field": field, "op": op, "value": value}
    found = db.vectors.search("c", [1, 0], filter=[condition])
    assert "".join(match.key for match in found) == expected
    assert all(match.metadata == METADATA[match.key] for match in found)
    with db.transaction(read_only=True) as tx:
        inside = tx.vectors.search("c", [1, 0], filter=[condition])
    assert inside == found


def test_all_of_several_filters_must_hold_and_k_counts_what_passes(db: Workspace) -> None:
    db.vectors.create("c", 1, "euclidean")
    entries = [
        {"key": f"{n:02}", "vector": [n], "metadata": {"n": n, "짝": n % 2 == 0}} for n in range(50)
    ]
    db.vectors.upsert_many("c", entries)
    both = [{"field": "짝", "value": True}, {"field": "n", "op": "gte", "value": 31}]
    assert [m.key for m in db.vectors.search("c", [0], limit=3, filter=both)] == ["32", "34", "36"]
    assert len(db.vectors.search("c", [0], limit=50, filter=both)) == 9
    assert len(db.vectors.search("c", [0], limit=50, filter=[])) == 50
