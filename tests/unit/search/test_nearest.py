"""The vectors in memory: as near as they really are, and always those of what is there."""

import threading
from typing import Any

import numpy as np
import pytest

from strata import Workspace
from strata.search.vectors import held, product
from strata.search.vectors.embeddings import Embeddings
from strata.search.vectors.encode import Chunk
from strata.search.vectors.follow import Texts
from strata.search.vectors.int8 import pack, unpack
from strata.search.vectors.nearest import TokenQuestion, VectorIndex
from tests.unit.search.embedders import (
    DIMENSION,
    TOKEN_DIMENSION,
    Tokens,
    Words,
    follower,
    run,
    store_of,
    text_of,
    token_id,
    unit,
    vector_of,
)


class Given(Words):
    """A model whose vectors the test has chosen, in the order of their versions."""

    def __init__(self, vectors: Any) -> None:
        super().__init__()
        self.vectors = vectors
        self.dimension = vectors.shape[1]


def filled(db: Workspace, vectors: Any) -> VectorIndex:
    """Return an index in which version n has the nth vector, counted from one."""
    embeddings = Embeddings(store_of(db))
    model = embeddings.use("main", Given(vectors))
    with store_of(db).writing() as connection:
        for number, vector in enumerate(vectors, 1):
            chunks = (Chunk(pack(vector)),)
            first, count = embeddings._insert(model.id, number.to_bytes(16, "big"), chunks)
            values = (model.id, number, None, first, count, None)
            connection.run(embeddings.store.queries.insert_embedded, values)
        values = (model.id, 0, len(vectors), 0.0)
        connection.row(embeddings.store.queries.move_model, values)
    index = VectorIndex(store_of(db), "main")
    assert index.refresh()
    return index


def among(versions: Any) -> Any:
    """Return what lets only some versions pass."""
    return lambda found: np.isin(found, versions)


def random_vectors(count: int, dimension: int = 64) -> Any:
    rows = np.random.default_rng(5).standard_normal((count, dimension))
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def clustered_vectors(count: int, dimension: int = 64) -> Any:
    dice = np.random.default_rng(6)
    centres = random_vectors(10, dimension)
    rows = centres[dice.integers(0, 10, count)] + 0.3 * random_vectors(count, dimension)
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def test_a_packed_vector_is_right_to_half_a_step() -> None:
    rows = random_vectors(50)
    packed = [pack(row * 3) for row in rows]
    scales, steps = zip(*((one.scale, one.steps) for one in packed), strict=True)
    found = unpack(scales, steps, 64)
    assert (np.abs(found - rows).max(axis=1) <= np.array(scales) / 2 + 1e-7).all()
    assert np.abs(found @ rows[0] - rows @ rows[0]).max() < 0.01
    zero = pack(np.zeros(8))
    assert not unpack([zero.scale], [zero.steps], 8).any()
    with pytest.raises(ValueError, match="not finite"):
        pack(np.array([1.0, np.nan]))


def test_the_product_of_bytes_is_exact_with_and_without_onnxruntime() -> None:
    dice = np.random.default_rng(1)
    row = dice.integers(0, 2 * product.MIDDLE + 1, (1, 384)).astype(np.uint8)
    block = dice.integers(-127, 128, (384, 700)).astype(np.int8)
    # The worst case for processors that add two products in 16 bits.
    row[0, :20], block[:20] = 2 * product.MIDDLE, 127
    expected = row[0].astype(np.int64) @ block.astype(np.int64)
    assert (product.numpy_product(row, block) == expected).all()
    assert (product.product(row, block) == expected).all()


@pytest.mark.parametrize("runtime", ["onnxruntime", "numpy"])
@pytest.mark.parametrize("vectors", [random_vectors, clustered_vectors])
def test_the_nearest_are_the_nearest(
    db: Workspace, vectors: Any, runtime: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if runtime == "numpy":
        monkeypatch.setattr(product, "_session", lambda: None)
    else:
        assert product._session() is not None
    rows = vectors(5_000)
    index = filled(db, rows)
    found = wanted = 0
    for query in rows[:40] + 0.2 * random_vectors(40):
        exact = rows @ unit(query)
        nearest = index.nearest(query, 10)
        # A byte a component tells no two apart that are nearer to each other than this.
        found += int((exact[nearest.versions - 1] >= np.sort(exact)[-10] - 0.005).sum())
        wanted += 10
        assert np.abs(nearest.cosines - np.sort(exact)[::-1][:10]).max() < 0.02
        cosines = index.cosines(query, np.arange(1, 5_001))
        assert np.abs(cosines - exact).max() < 0.02
    assert found / wanted >= 0.995


def test_a_search_may_be_among_some_versions(db: Workspace) -> None:
    rows = random_vectors(300)
    index = filled(db, rows)
    some = np.array([7, 9, 100, 250, 999])
    nearest = index.nearest(rows[8], 3, among(some))
    assert nearest.versions[0] == 9
    assert set(nearest.versions.tolist()) <= set(some.tolist())
    assert len(index.nearest(rows[8], 10, among(some)).versions) == 4
    assert len(index.nearest(rows[8], 10, among([999])).versions) == 0
    assert np.isnan(index.cosines(rows[8], some)).tolist() == [False] * 4 + [True]


def test_the_newest_of_equals_comes_first(db: Workspace) -> None:
    index = filled(db, np.repeat(random_vectors(1), 50, axis=0))
    assert index.nearest(random_vectors(1)[0], 3).versions.tolist() == [50, 49, 48]


def test_what_waits_has_no_cosine_yet(db: Workspace) -> None:
    first = db.kv.put("a", "파란 하늘").version
    index = VectorIndex(store_of(db), "main")
    assert not index.refresh()
    assert np.isnan(index.cosines(np.ones(DIMENSION, np.float32), np.array([first]))).all()
    model = Words()
    follows = follower(db, main=model)
    run(follows)
    second = db.kv.put("b", "초록 들판").version
    versions = np.array([first, second])
    assert index.refresh()
    assert index.embedder == model.id
    query = model.vector("파란 하늘")
    cosines = index.cosines(query, versions)
    assert cosines[0] == pytest.approx(1, abs=0.01)
    assert np.isnan(cosines[1])
    run(follows)
    index.refresh()
    # The same array again: what was known of it is not what is known now.
    assert not np.isnan(index.cosines(query, versions)).any()
    assert index.nearest(model.vector("초록 들판"), 1).versions.tolist() == [second]


def test_the_first_and_the_best_chunk_count(db: Workspace) -> None:
    model = Tokens(tokens_max=6)
    db.kv.put("short", "고래 노래.")
    long = db.kv.put(
        "long", "one two three four. 바다 깊은 고래 노래. five six seven eight."
    ).version
    db.kv.put("other", "전혀 다른 이야기")
    follows = follower(db, main=model)
    run(follows)
    index = VectorIndex(store_of(db), "main")
    index.refresh()
    question = model.vector("바다 깊은 고래 노래.")
    nearest = index.nearest(question, 2)
    assert nearest.versions[0] == long
    assert nearest.cosines[0] > 0.9
    first = float(np.dot(question, model.vector("one two three four.")))
    [both] = index.cosines(question, np.array([long]))
    assert both == pytest.approx((first + nearest.cosines[0]) / 2, abs=0.05)
    assert both < nearest.cosines[0] - 0.1


def test_it_follows_a_change_of_model_and_what_is_taken_out(db: Workspace) -> None:
    one = db.kv.put("a", "하나").version
    two = db.kv.put("b", "둘").version
    old, new = Words("old"), Words("new")
    run(follower(db, main=old))
    index = VectorIndex(store_of(db), "main")
    index.refresh()
    embeddings = Embeddings(store_of(db))
    embeddings.use("main", new)
    index.refresh()
    assert index.embedder == old.id
    run(follower(db, main=new))
    index.refresh()
    assert index.embedder == new.id
    assert len(index) == 2
    embeddings.forget([one], erased=True)
    index.refresh()
    cosines = index.cosines(new.vector("하나"), np.array([one, two]))
    assert np.isnan(cosines).tolist() == [True, False]


def test_it_follows_what_is_made_again(db: Workspace) -> None:
    secret = db.kv.put("a", "지운 말은 사과나무").version
    answer = db.kv.put("b", "네").version
    model = Tokens()
    follows = follower(db, main=model)
    follows._texts = Texts(text_of, lambda version: secret if version == answer else None)
    run(follows)
    index = VectorIndex(store_of(db), "main")
    index.refresh()
    alone = model.encode("네").vector
    assert index.nearest(alone, 1, among([answer])).cosines[0] < 0.99
    db.purge("a")
    follows.embeddings.forget([secret], erased=True)
    index.refresh()
    assert np.isnan(index.cosines(alone, np.array([answer]))).all()
    run(follows)
    index.refresh()
    assert index.nearest(alone, 1, among([answer])).cosines[0] > 0.99


def test_branches_share_a_vector_and_each_version_has_its_own_place(db: Workspace) -> None:
    first = db.kv.put("a", "같은 글").version
    db.branches.fork("try")
    second = db.on("try").kv.put("b", "같은 글").version
    model = Words()
    run(follower(db, main=model))
    index = VectorIndex(store_of(db), "main")
    index.refresh()
    assert index.nearest(model.vector("같은 글"), 5).versions.tolist() == [second, first]
    assert len(index) == 1


def test_many_vectors_fill_several_blocks(db: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(held, "_BLOCK", 64)
    monkeypatch.setattr(held, "_PAGE", 50)
    rows = random_vectors(333)
    index = filled(db, rows)
    assert isinstance(index._vectors, held.HeldVectors)
    assert len(index._vectors._blocks) == 6
    for at in (0, 63, 64, 200, 332):
        assert index.nearest(rows[at], 1).versions.tolist() == [at + 1]
    index.forget()
    assert len(index) == 0
    assert index.refresh()
    assert len(index) == 333


def test_a_vector_takes_little_more_than_its_bytes(db: Workspace) -> None:
    rows = np.tile(random_vectors(64, 384), (128, 1))
    index = filled(db, rows)
    assert index.memory_bytes / len(rows) < 440


# Tokens.


def test_token_scores_are_weighted_best_matches(db: Workspace) -> None:
    texts = ["고양이가 창가에 앉았다", "강아지가 마당에 누웠다", "고양이 창가", "강아지가 고양이가"]
    versions = np.array([db.kv.put(f"k{n}", text).version for n, text in enumerate(texts)])
    model = Tokens()
    run(follower(db, main=model))
    index = VectorIndex(store_of(db), "main")
    index.refresh()
    weights = np.array([3.0, 1.0], np.float32)
    scores = index.token_scores(asked(model, "고양이가 누웠다", weights), versions)
    for score, text in zip(scores, texts, strict=True):
        # Two bits a component, of only eight components.
        assert score == pytest.approx(by_hand("고양이가 누웠다", weights, text), abs=0.2)
    assert np.argmax(scores) in {0, 3}


def asked(model: Tokens, text: str, weights: Any) -> TokenQuestion:
    found = model.encode(text)
    return TokenQuestion(found.vector, found.tokens / np.float32(127), weights)


def by_hand(question: str, weights: Any, text: str) -> float:
    words = [unit(vector_of(word)[:TOKEN_DIMENSION]) for word in text.split()]
    asked = [unit(vector_of(word)[:TOKEN_DIMENSION]) for word in question.split()]
    best = [max(float(one @ word) for word in words) for one in asked]
    return float(np.average(best, weights=weights))


def test_versions_without_tokens_have_no_token_score(db: Workspace) -> None:
    old = db.kv.put("a", "오래된 글").version
    new = db.kv.put("b", "새 글").version
    model = Tokens()
    follows = follower(db, main=model)
    follows._tokens_max_items = 1
    run(follows)
    waits = db.kv.put("c", "기다리는 글").version
    index = VectorIndex(store_of(db), "main")
    index.refresh()
    versions = np.array([old, new, waits, new])
    scores = index.token_scores(asked(model, "글", np.ones(1, np.float32)), versions)
    assert np.isnan(scores).tolist() == [True, False, True, False]
    assert scores[1] == scores[3] == pytest.approx(1, abs=0.2)
    nothing = index.token_scores(asked(model, "글", np.zeros(1, np.float32)), versions)
    assert np.isnan(nothing).all()


def test_the_first_and_the_best_chunk_count_for_tokens_too(db: Workspace) -> None:
    model = Tokens(tokens_max=6)
    long = db.kv.put("long", "one two three four. 바다 깊은 고래 노래. five six seven.").version
    short = db.kv.put("short", "고래").version
    run(follower(db, main=model))
    index = VectorIndex(store_of(db), "main")
    index.refresh()
    weights = np.ones(2, np.float32)
    scores = index.token_scores(asked(model, "깊은 고래", weights), np.array([short, long]))
    first = by_hand("깊은 고래", weights, "one two three four.")
    assert scores[1] == pytest.approx((first + 1) / 2, abs=0.2)
    assert scores[0] < 0.9


def test_a_rare_token_weighs_more(db: Workspace) -> None:
    for number in range(20):
        db.kv.put(f"k{number}", f"글 글 번호{number}")
    run(follower(db, main=Tokens()))
    index = VectorIndex(store_of(db), "main")
    index.refresh()
    ids = np.array([token_id("글"), token_id("번호7"), 4_999_999])
    common, rare, unknown = index.token_weights(ids)
    assert 0 < common < 0.1 < rare < unknown


def test_threads_may_search_while_the_index_follows(db: Workspace) -> None:
    model = Words()
    follows = follower(db, main=model)
    db.kv.put("k", "처음")
    run(follows)
    index = VectorIndex(store_of(db), "main")
    index.refresh()
    query = model.vector("처음")
    wrong: list[object] = []

    def search() -> None:
        for _ in range(100):
            index.refresh()
            nearest = index.nearest(query, 1)
            if nearest.versions.tolist() != [1] or nearest.cosines[0] < 0.99:
                wrong.append(nearest)

    threads = [threading.Thread(target=search) for _ in range(4)]
    for thread in threads:
        thread.start()
    for number in range(30):
        db.kv.put(f"k{number}", f"다음 글 {number}")
        run(follows)
    for thread in threads:
        thread.join()
    assert wrong == []
    index.refresh()
    assert len(index) == 31
