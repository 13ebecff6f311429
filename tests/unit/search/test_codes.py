"""The signs of vectors: few bytes that lead to the nearest of many, and go when a text goes."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import strata
from strata import Workspace
from strata.base import limits
from strata.search.vectors import codes
from strata.search.vectors.coded import CodedVectors
from strata.search.vectors.embeddings import Embeddings
from strata.search.vectors.held import HeldVectors
from strata.search.vectors.nearest import VectorIndex
from tests.unit.search.embedders import Words, counted, follower, run, store_of
from tests.unit.search.test_nearest import among, clustered_vectors, filled, random_vectors, unit


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a few hundred vectors be many, and a part small."""
    monkeypatch.setattr(codes, "PART", 64)
    monkeypatch.setattr(limits, "NEAREST_HELD_MAX", 256)


def sealed(db: Workspace, vectors: Any) -> VectorIndex:
    """Return an index over the codes of vectors; version n has the nth, counted from one."""
    filled(db, vectors)
    embeddings = Embeddings(store_of(db))
    while embeddings.seal(embeddings.models()[0]):
        pass
    index = VectorIndex(store_of(db), "main")
    assert index.refresh()
    assert isinstance(index._vectors, CodedVectors)
    return index


@pytest.mark.parametrize("dimension", [3, 64, 100, 384])
def test_codes_come_back_as_they_were_kept(dimension: int) -> None:
    numbers = np.array([128, 130, 191])
    made = codes.encode(numbers, random_vectors(3, dimension))
    found = codes.unpack(2, codes.pack(2, made), dimension)
    assert found.numbers.tolist() == numbers.tolist()
    assert (found.words == made.words).all()
    with pytest.raises(ValueError, match="part 2"):
        codes.unpack(2, codes.pack(2, made)[:-1], dimension)


def test_the_nearest_by_signs_are_those_with_the_fewest_other_signs() -> None:
    rows, query = random_vectors(3_000, 100), random_vectors(1, 100)[0]
    whole = codes.encode(np.arange(3_000), rows)
    found = codes.nearest(query, [whole], 50)
    apart = ((rows > 0) != (query > 0)).sum(axis=1)
    limit = np.sort(apart)[49]
    assert found.tolist() == np.flatnonzero(apart <= limit).tolist()
    assert 50 <= len(found) < 200
    assert len(codes.nearest(query, [codes.encode(np.arange(7), rows[:7])], 50)) == 7
    cut = [
        codes.encode(np.arange(at, at + 1_000), rows[at : at + 1_000]) for at in (0, 1_000, 2_000)
    ]
    assert codes.nearest(query, cut, 50).tolist() == found.tolist()


def test_the_nearest_of_many_are_found_by_their_codes(db: Workspace) -> None:
    rows = clustered_vectors(3_000, 128)
    index = sealed(db, rows)
    found = wanted = 0
    for query in rows[:40] + 0.2 * random_vectors(40, 128):
        exact = rows @ unit(query)
        nearest = index.nearest(query, 10)
        found += int((exact[nearest.versions - 1] >= np.sort(exact)[-10] - 0.005).sum())
        wanted += 10
        assert np.abs(nearest.cosines - exact[nearest.versions - 1]).max() < 0.02
        some = np.array([2_999, 5, 70_000])
        assert np.abs(index.cosines(query, some)[:2] - exact[some[:2] - 1]).max() < 0.02
        assert np.isnan(index.cosines(query, some)[2])
    assert found / wanted >= 0.99
    assert index.memory_bytes / len(rows) < 128 / 8 + 10


def test_a_process_reads_few_vectors_of_a_large_store(
    db: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "NEAREST_RESCORED", 20)
    rows = random_vectors(2_000)
    sealed(db, rows)
    connection = store_of(db).connection()
    read: list[int] = []
    ask = type(connection).rows

    def counting(self: Any, statement: str, *values: Any) -> Any:
        found = ask(self, statement, *values)
        read.append(sum(isinstance(row[-1], bytes) and len(row[-1]) == 64 for row in found))
        return found

    monkeypatch.setattr(type(connection), "rows", counting)
    index = VectorIndex(store_of(db), "main")
    assert index.refresh()
    assert sum(read) < codes.PART, "what is not yet a full part"
    assert index.nearest(rows[1_234], 1).versions.tolist() == [1_235]
    assert sum(read) < 250


def test_more_are_looked_at_while_too_few_pass(
    db: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "NEAREST_RESCORED", 20)
    monkeypatch.setattr(CodedVectors, "looked_at_max", 1_280)
    rows = random_vectors(1_000)
    index = sealed(db, rows)
    order = np.argsort(-(rows @ rows[7])) + 1
    looked_at: list[int] = []

    def passes(versions: Any) -> Any:
        looked_at.append(len(versions))
        return np.isin(versions, order[30:35])

    assert set(index.nearest(rows[7], 5, passes).versions.tolist()) == set(order[30:35].tolist())
    assert 1 < len(looked_at) <= 4
    assert looked_at == sorted(looked_at)
    assert len(index.nearest(rows[7], 5, among([])).versions) == 0, "and then it ends"


def test_a_store_that_grows_is_held_by_its_codes_from_then_on(db: Workspace) -> None:
    index = filled(db, random_vectors(500))
    assert isinstance(index._vectors, HeldVectors)
    embeddings = Embeddings(store_of(db))
    model = embeddings.models()[0]
    assert embeddings.has_part_to_seal(model)
    assert run(follower(db, main=Words())) > 0, "the follower makes the codes"
    assert index.refresh()
    assert isinstance(index._vectors, CodedVectors)
    assert counted(db, "embedding_codes") == 500 // codes.PART
    assert not embeddings.has_part_to_seal(embeddings.models()[0])


def test_what_is_erased_leaves_no_code(db: Workspace) -> None:
    rows = random_vectors(600)
    index = sealed(db, rows)
    embeddings = Embeddings(store_of(db))
    assert index.nearest(rows[99], 1).versions.tolist() == [100]
    assert embeddings.forget([100, 101], erased=True) == 2
    model = embeddings.models()[0]
    statement = embeddings.store.queries.codes_after
    kept = dict(store_of(db).connection().rows(statement, (model.id, -1, 100)))
    numbers = [n for part, blob in kept.items() for n in codes.unpack(part, blob, 64).numbers]
    assert 100 not in numbers
    assert 101 not in numbers
    assert 102 in numbers
    # Every process that has the codes in memory drops them with its next look.
    index.refresh()
    assert index.nearest(rows[99], 1).versions.tolist() != [100]
    assert list(embeddings.wrong_codes()) == []


def test_a_number_of_a_full_part_is_not_given_again(db: Workspace) -> None:
    sealed(db, random_vectors(600))
    embeddings = Embeddings(store_of(db))
    embeddings.forget(range(500, 601), erased=False)
    assert embeddings._last_number() + 1 == 576, "nine parts of 64 were full"


def test_damaged_codes_are_found_and_made_again(tmp_path: Path) -> None:
    with strata.open(tmp_path / "부호.db", durability="standard", auto_embed=False) as db:
        rows = random_vectors(400)
        index = sealed(db, rows)
        assert db.verify().problems == ()
        with store_of(db).writing() as connection:
            connection.run("UPDATE embedding_codes SET codes = zeroblob(660) WHERE part = 3")
        (problem,) = db.verify().problems
        assert problem.kind == "index"
        assert "part 3" in problem.message
        db.reindex()
        assert db.verify().ok
        index.refresh()
        assert index.nearest(rows[199], 1).versions.tolist() == [200]
