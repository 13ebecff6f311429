"""The memory that a name means: an id, or a topic by its present decision."""

import pytest

import strata
from strata import Workspace


def test_an_id_and_a_topic_mean_the_same_memory(db: Workspace) -> None:
    db.decisions.save("배포", "금요일에 배포한다", "빠르다")
    saved = db.decisions.save("배포", "월요일에 배포한다", "주말이 있다").memory
    assert db.decisions.called(saved.id).id == saved.id
    assert db.decisions.called("배포").id == saved.id


def test_a_topic_with_two_current_decisions_means_neither(db: Workspace) -> None:
    ids = [
        db.decisions.save("auth", text, "Simple", supersedes="none").memory.id
        for text in ("Use sessions", "Use tokens")
    ]
    with pytest.raises(strata.Conflict) as caught:
        db.decisions.called("auth")
    assert all(id_ in str(caught.value.hint) for id_ in ids)


def test_a_topic_whose_decision_was_replaced_elsewhere_names_the_present_one(
    db: Workspace,
) -> None:
    old = db.decisions.save("cache", "Cache for an hour", "Speed").memory.id
    new = db.decisions.save("freshness", "Ask each time", "Prices", supersedes=old).memory.id
    with pytest.raises(strata.NotFound, match=new):
        db.decisions.called("cache")


def test_an_unknown_name_is_refused_with_what_is_spelled_like_it(db: Workspace) -> None:
    db.decisions.save("caching", "Cache prices", "Speed")
    with pytest.raises(strata.NotFound) as caught:
        db.decisions.called("cachings")
    assert caught.value.details["topics"] == ["caching"]
    with pytest.raises(strata.NotFound, match="no memory and no topic '없는 것'"):
        db.decisions.called("없는 것")
