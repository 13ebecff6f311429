"""The vectors of versions, as those who compare many of them with each other take them."""

import numpy as np
import pytest

from strata import Workspace
from strata.search import VectorIndex
from tests.unit.search.embedders import Words, follower, run, store_of


def index_of(db: Workspace, *, tokens_max: int = 34) -> VectorIndex:
    run(follower(db, main=Words(tokens_max=tokens_max)))
    index = VectorIndex(store_of(db), "main")
    assert index.refresh()
    return index


def test_a_version_has_its_texts_vector_and_one_that_waits_has_none(db: Workspace) -> None:
    texts = [f"기억 {number} of words" for number in range(30)]
    versions = [db.kv.put(f"k{number}", text).version for number, text in enumerate(texts)]
    index = index_of(db)
    later = db.kv.put("later", "아직 없다").version
    found = index.vectors(np.array([versions[7], later, versions[3]]))
    assert np.isnan(found).all(axis=1).tolist() == [False, True, False]
    words = Words()
    for row, text in ((0, texts[7]), (2, texts[3])):
        assert np.linalg.norm(found[row]) == pytest.approx(1, abs=1e-5)
        assert found[row] @ words.vector(text) == pytest.approx(1, abs=0.002)


def test_a_long_text_has_the_middle_of_its_chunks(db: Workspace) -> None:
    halves = ("하나 둘 셋 넷 다섯", "one two three four five")
    version = db.kv.put("long", "\n\n".join(halves)).version
    [found] = index_of(db, tokens_max=9).vectors(np.array([version]))
    middle = sum(Words().vector(half) for half in halves)
    assert found @ middle / np.linalg.norm(middle) > 0.99


def test_no_version_has_no_vectors(db: Workspace) -> None:
    db.kv.put("k", "글")
    assert index_of(db).vectors(np.array([], int)).shape[0] == 0
