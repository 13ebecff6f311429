"""Relevance: the same scale in every store, and silence where nothing is relevant."""

import numpy as np
import pytest

import strata
from strata.documents import Request
from strata.search import relevance
from strata.search.cues import named

NONSENSE = "release quantum chromodynamics lattice gauge confinement"


def test_more_of_the_question_is_more_relevant() -> None:
    found = relevance.by_words(np.array([0.0, 0.1, 0.3, 0.6, 1.0]), 0)
    assert (np.diff(found) > 0).all()
    assert found[0] < relevance.FLOOR < found[2]
    assert found[-1] > 0.95


def test_what_is_near_among_many_is_near_by_luck() -> None:
    share, units = np.array([0.0, 0.2]), np.array([3.0, 3.0])
    few = relevance.by_meaning(share, 0, units=units, items=100)
    many = relevance.by_meaning(share, 0, units=units, items=1_000_000)
    assert (many < few).all()
    assert few[1] > few[0]
    assert many[1] > many[0]


def test_a_text_whose_vector_is_to_be_made_is_judged_by_its_words() -> None:
    share = np.array([0.5, 0.5])
    found = relevance.by_meaning(share, 0.5, units=np.array([np.nan, 9.0]), items=50)
    assert found[0] == pytest.approx(relevance.by_words(share, 0.5)[0])
    assert found[1] > found[0]


def test_the_more_that_is_named_occurs_nowhere_the_less_is_relevant() -> None:
    share, units = np.array([0.4]), np.array([5.0])
    by_words = [float(relevance.by_words(share, absent)[0]) for absent in (0, 0.5, 1)]
    by_meaning = [
        float(relevance.by_meaning(share, absent, units=units, items=300)[0])
        for absent in (0, 0.5, 1)
    ]
    for found in (by_words, by_meaning):
        assert found == sorted(found, reverse=True)
        assert found[0] > 2 * found[-1]


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("What did Caroline buy for Mel's friend in March?", ("Caroline", "Mel")),
        ("Caroline bought what?", ()),
        ("what does the StdMapObserver of the API do", ()),
        ("which café does Zoë like, and Zoë only", ("Zoë",)),
        ("김지수 팀장님은 언제 오나요", ("김지수",)),
        ("지수 씨가 말한 배포 날짜", ("지수",)),
        ("선생님이 뭐라고 하셨나요", ()),
    ],
)
def test_what_a_question_names(question: str, names: tuple[str, ...]) -> None:
    assert named(question) == names


@pytest.mark.parametrize(
    ("question", "other"),
    [
        ("when did Caroline move the release to Friday", "Caroline"),
        ("김지수 팀장님이 금요일 배포를 미뤘나요", "김지수"),
    ],
)
def test_an_empty_answer_says_which_name_is_missing(
    db: strata.Workspace, question: str, other: str
) -> None:
    db.kv.put("plan", "The release is due on Friday")
    db.kv.put("배포", "배포는 금요일에 하지 않는다")
    answer = db.search(question, mode="keyword")
    assert answer.missing == (other,)
    before = db.search(question, mode="keyword", strict=False)[0].relevance
    db.kv.put("who", f"{other} 옮김 moved house")
    answer = db.search(question, mode="keyword", strict=False)
    assert answer.missing == ()
    assert answer[0].relevance > before


def test_a_note_names_what_nothing_mentions(db: strata.Workspace) -> None:
    db.kv.put("plan", "The release is due on Friday")
    answer = db.search("where did Caroline go on vacation this summer", mode="keyword")
    assert not answer.known
    assert answer.missing == ("Caroline",)
    db.kv.put("trip", "The release party went on")
    answer = db.search("what did Oliver paint, release the bird", mode="keyword")
    assert not answer.hits
    assert any("mentions Oliver" in note for note in answer.notes)


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
