"""Vectors of a store from before they took less room: they answer until new ones are made."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from strata.search.vectors.embeddings import Embeddings
from strata.search.vectors.nearest import TokenQuestion, VectorIndex
from strata.sql import SqliteDatabase, migrate
from strata.store import Store
from tests.unit.search.embedders import Tokens

TEXTS = ("파란 바다 깊은 고래", "높은 산 흰 구름")
MODEL = "INSERT INTO models VALUES (1, 'main', 'tokens', 'tokens-1', 32, ?, 2, 0, 2, 0, 2, 9.0, 5)"


@pytest.fixture(name="store")
def fixture_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    """A store that was of the format before, with the vectors of two texts."""
    path, steps, model = tmp_path / "가게.db", migrate.steps(), Tokens("tokens")
    before = next(n for n, step in enumerate(steps) if "embedding_codes" in step)
    with monkeypatch.context() as patch:
        patch.setattr(migrate, "steps", lambda: steps[:before])
        database = SqliteDatabase(path)
        with database.writing() as connection:
            connection.run(MODEL, ("active",))
            for number, text in enumerate(TEXTS, 1):
                found = model.encode(text)
                scale = float(np.abs(found.vector).max() / 127)
                vector = np.rint(found.vector / scale).astype(np.int8).tobytes()
                connection.run(
                    "INSERT INTO embeddings VALUES (?, 1, ?, 0, ?, ?, x'01000000', ?)",
                    (number, bytes([number]) * 16, scale, vector, bytes(32)),
                )
                connection.run(
                    "INSERT INTO embedding_tokens VALUES (1, ?, ?)",
                    (number, found.tokens.tobytes()),
                )
                connection.run(
                    "INSERT INTO embedded VALUES (1, ?, NULL, ?, 1, NULL)", (number, number)
                )
        database.close()
    store = Store(SqliteDatabase(path))
    yield store
    store.close()


def test_they_answer_as_before(store: Store) -> None:
    index, model = VectorIndex(store, "main"), Tokens("tokens")
    assert index.refresh()
    found = model.encode("깊은 바다")
    assert index.nearest(found.vector, 1).versions.tolist() == [1]
    weights = index.token_weights(found.token_ids)
    assert weights[0] == weights[1] > 0
    question = TokenQuestion(found.vector, found.tokens / np.float32(127), weights)
    scores = index.token_scores(question, np.array([1, 2]))
    assert scores[0] == pytest.approx(1, abs=0.02)
    assert scores[1] < 0.9


def test_others_in_the_smaller_form_are_to_replace_them(store: Store) -> None:
    old, new = Embeddings(store).models()
    assert (old.state, old.tokens) == ("active", 2)
    assert (new.state, new.embedder, new.position) == ("building", old.embedder, 0)
