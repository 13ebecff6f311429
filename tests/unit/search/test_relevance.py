"""Relevance: the same scale in every store, and silence where nothing is relevant."""

import numpy as np
import pytest

import strata
from strata.documents import Request
from strata.search import rank, relevance
from strata.search.relevance import Background

NONSENSE = "release quantum chromodynamics lattice gauge confinement"
UNRELATED = rank.Usual(0.0, 1.0)


def test_more_of_the_question_is_more_relevant() -> None:
    found = relevance.by_words(np.array([0.0, 0.1, 0.3, 0.6, 1.0]))
    assert (np.diff(found) > 0).all()
    assert found[0] < relevance.FLOOR < found[2]
    assert found[-1] > 0.95


def test_what_is_near_among_many_is_near_by_luck() -> None:
    share, units = np.array([0.0, 0.2]), np.array([3.0, 3.0])
    few = relevance.by_meaning(share, units, Background(100, UNRELATED))
    many = relevance.by_meaning(share, units, Background(1_000_000, UNRELATED))
    assert (many < few).all()
    assert few[1] > few[0]
    assert many[1] > many[0]


def test_a_text_whose_vector_is_to_be_made_is_judged_by_its_words() -> None:
    share = np.array([0.5, 0.5])
    found = relevance.by_meaning(share, np.array([np.nan, 9.0]), Background(50, UNRELATED))
    assert found[0] == pytest.approx(relevance.by_words(share)[0])
    assert found[1] > found[0]


def test_where_nothing_is_relevant_the_answer_is_empty(db: strata.Workspace) -> None:
    db.kv.put("plan", "The release is due on Friday")
    db.kv.put("배포", "배포는 금요일에 하지 않는다")
    answer = db.search(NONSENSE, mode="keyword")
    assert not answer.known
    assert not answer.hits
    assert answer.nearest == "plan: The release is due on Friday"
    assert any("other words" in note for note in answer.notes)


def test_a_search_that_is_not_strict_shows_the_nearest(db: strata.Workspace) -> None:
    db.kv.put("plan", "The release is due on Friday")
    answer = db.search(NONSENSE, mode="keyword", strict=False)
    assert [hit.key for hit in answer] == ["plan"]
    assert 0 < answer[0].relevance < relevance.FLOOR
    assert not answer.known


def test_what_answers_is_known_however_few_hits_are_asked_for(db: strata.Workspace) -> None:
    db.kv.put("plan", "The release is due on Friday")
    db.kv.put("배포", "배포는 금요일에 하지 않는다")
    for question in ("when is the release due", "금요일 배포"):
        answer = db.search(question, 1, mode="keyword")
        assert answer.known
        assert answer.nearest == ""
        assert answer[0].relevance > 0.5


def test_relevance_does_not_depend_on_what_else_is_stored(db: strata.Workspace) -> None:
    db.kv.put("plan", "The release is due on Friday")
    alone = db.search("release due", mode="keyword")[0].relevance
    for number in range(200):
        db.kv.put(f"other-{number}", f"Heron {number} 왜가리 waits at the river")
    among = db.search("release due", mode="keyword")[0].relevance
    assert among == pytest.approx(alone, abs=0.05)


def test_an_empty_store_knows_nothing(db: strata.Workspace) -> None:
    answer = db.search("release")
    assert not answer.known
    assert (answer.hits, answer.nearest) == ((), "")


def test_documents_obey_the_same_floor(db: strata.Workspace) -> None:
    db.documents.create("Plan", "# Plan\n\nThe release is due on Friday. 금요일에 배포한다.")
    assert db.documents.find(Request(query="release due")).items
    assert not db.documents.find(Request(query=NONSENSE)).items
    assert db.documents.find(Request(query=NONSENSE, strict=False)).items
