"""Parts of guarded things: who names their kind finds them, among those that may be seen."""

from typing import Any

import numpy as np
import pytest

import strata
from strata.base import limits
from strata.base.values import encode
from strata.search import Query, Ranking, Search, rank
from strata.store import StagedChange

KINDS = ("document", "section")


def _add(db: strata.Workspace, whole: str, title: str, *texts: str) -> None:
    with db._view.writing("test") as transaction:
        transaction.stage(StagedChange("documents", "document", whole, encode({"title": title})))
        for number, text in enumerate(texts):
            value = encode({"path": [f"Part {number}"], "text": text})
            transaction.stage(StagedChange("documents", "section", f"{whole}/c{number}", value))


def _rank(db: strata.Workspace, text: str, *among: str, **more: Any) -> Ranking:
    by_whole = more.pop("by_whole", True)
    query = Query(text, more.pop("k", 10), kinds=KINDS, among=frozenset(among), **more)
    return Search(db._store).rank(db._view.snapshot, query, by_whole=by_whole)


def _wholes(ranking: Ranking) -> list[str]:
    return [part.whole for part in ranking.parts]


def test_only_what_is_among_the_wholes_is_found(db: strata.Workspace) -> None:
    for name in ("a", "b", "c"):
        _add(db, name, "새", "heron", "stork")
    assert _wholes(_rank(db, "heron", "b")) == ["b"]
    assert set(_wholes(_rank(db, "heron", "a", "c", "nowhere"))) == {"a", "c"}
    assert _wholes(_rank(db, "heron")) == []


def test_what_is_not_among_them_counts_in_no_score(db: strata.Workspace) -> None:
    _add(db, "a", "새", "heron in the river")
    _add(db, "b", "새", "heron heron", "river")
    before = _rank(db, "heron river", "a", "b").parts
    for number in range(50):
        _add(db, f"x{number}", "heron", "heron river " * number, "river")
    assert [(part.whole, part.score) for part in _rank(db, "heron river", "a", "b").parts] == [
        (part.whole, part.score) for part in before
    ]


def test_a_whole_is_ranked_by_its_best_part(db: strata.Workspace) -> None:
    _add(db, "many", "집", "nothing", *["a heron among many other birds"] * 20)
    _add(db, "best", "집", "heron heron heron", "nothing")
    found = _rank(db, "heron", "many", "best", k=2)
    assert sorted(_wholes(found)) == ["best", "many"]
    others = {part.whole: part.others for part in found.parts}
    assert others == {"many": 19, "best": 0}
    parts = _rank(db, "heron", "many", "best", k=5, by_whole=False)
    assert len(parts.parts) == 5


def test_a_title_is_a_part_of_its_whole(db: strata.Workspace) -> None:
    _add(db, "a", "왜가리 조사", "spring")
    _add(db, "b", "기타", "spring")
    search = Search(db._store)
    query = Query("왜가리", kinds=KINDS, among=frozenset({"a", "b"}))
    best = search.rank(db._view.snapshot, query, by_whole=True).parts[0]
    assert best.whole == "a"
    assert search.part(best.version) == ("document", "a")


def test_a_beginning_of_a_word_is_completed_by_what_may_be_seen(db: strata.Workspace) -> None:
    hidden = " ".join(f"heraa{number:03}x" for number in range(3 * limits.COMPLETIONS_MAX))
    _add(db, "hidden", "h", hidden)
    _add(db, "seen", "s", "herzeleid")
    assert _wholes(_rank(db, "her", "seen")) == ["seen"]


def test_without_their_kind_nothing_guarded_is_found(db: strata.Workspace) -> None:
    _add(db, "a", "heron", "heron")
    search = Search(db._store)
    for query in (
        Query("heron"),
        Query("heron", namespaces=("documents",)),
        Query("heron", kinds=("kv", "json")),
        Query("heron", among=frozenset({"b"})),
    ):
        assert len(search.find(db._view.snapshot, query)) == 0
    permitted = search.find(db._view.snapshot, Query("heron", among=frozenset({"a"})))
    assert {hit.key.partition("/")[0] for hit in permitted} == {"a"}
    named = search.find(db._view.snapshot, Query("heron", kinds=("section",)))
    assert [hit.key for hit in named] == ["a/c0"]


@pytest.mark.parametrize("text", [None, "two herons wade in the river Han"])
def test_a_glance_passes_over_documents(db: strata.Workspace, text: str | None) -> None:
    db.kv.put("fact", "two herons wade in the river")
    for number in range(600):
        _add(db, f"d{number}", "herons wade in the river Han", "two herons wade")
    assert [hit.key for hit in db.glance(text)] == ["fact"]


def test_ids_of_documents_are_no_words(db: strata.Workspace) -> None:
    _add(db, "doc_HERONHERONHERONHERON", "새", "글")
    ranked = _rank(db, "doc_HERONHERONHERONHERON", "doc_HERONHERONHERONHERON")
    assert _wholes(ranked) == []


def test_documents_that_are_changed_or_removed_are_followed(db: strata.Workspace) -> None:
    search = Search(db._store)

    def found() -> list[str]:
        query = Query("heron", kinds=KINDS, among=frozenset({"a", "b"}))
        return _wholes(search.rank(db._view.snapshot, query, by_whole=True))

    _add(db, "a", "하나", "heron")
    assert found() == ["a"]
    _add(db, "b", "둘", "heron")
    assert set(found()) == {"a", "b"}
    _add(db, "a", "하나", "stork")
    assert found() == ["b"]


def test_only_what_is_nearer_than_usual_is_found_by_meaning() -> None:
    near = np.array([np.nan, -0.2, 0.05, 0.5])
    found = np.asarray(rank.stands_out(near, rank.WITH_TOKENS))
    assert found.tolist() == [False, False, False, True]
    assert rank.stands_out(None, rank.WORDS_ONLY) is False


def test_meaning_counts_more_for_a_text_without_a_sequence_and_less_in_a_talk() -> None:
    near = np.array([0.6, 0.2] * 3)
    single, talk = np.arange(6) < 2, np.arange(6) > 3
    weights = rank.Weights(context=0.0, vector=4.0, alone=0.75, talk=-0.5)
    found = rank.by_meaning(
        near, is_read=near > 0, is_single=single, is_talk=talk, weights=weights
    ).reshape(3, 2)
    assert np.ptp(found, axis=1) == pytest.approx(4 * 0.4 * np.array([1.75, 1.0, 0.5]))
    assert found.mean(axis=1) == pytest.approx(found.mean(), abs=1e-6), "no kind gains as such"
    plain = rank.by_meaning(
        near, is_read=near > 0, is_single=single, is_talk=talk, weights=rank.MEANING_ONLY
    )
    assert plain.tolist() == (4 * near).tolist()


def test_a_long_question_counts_more_by_its_words_and_a_brief_one_by_its_meaning() -> None:
    weights = rank.Weights(context=0.7, own=0.5, wordy=2.0, brief=1.0)
    brief, middle, long = (weights.for_question(words) for words in (3, 14, 60))
    assert (brief.own, brief.brief) == (0.5, 1.0)
    assert (middle.own, middle.brief) == (1.5, 0.5)
    assert (long.own, long.brief) == (2.5, 0.0)
    assert rank.MEANING_ONLY.for_question(60).own == 0


def test_to_a_brief_question_only_the_nearest_single_texts_gain() -> None:
    near = np.array([0.9, 0.6, 0.0, 0.9, 0.0, 0.0])
    is_single, no_talk = np.arange(6) < 3, np.zeros(6, dtype=bool)

    def gained(brief: float, *, pending: int = 6) -> list[float]:
        weights = rank.Weights(context=0.0, vector=1.0, alone=0.0, brief=brief)
        is_read = np.arange(6) != pending
        found = rank.by_meaning(
            near, is_read=is_read, is_single=is_single, is_talk=no_talk, weights=weights
        )
        return (found - near).tolist()

    assert gained(0.0) == [0.0] * 6
    nearest, near_enough, far, *turns = gained(3.0)
    assert nearest == pytest.approx(3 * (0.5 / 3)), "a third of the way from the mean, .4, to .9"
    assert near_enough == pytest.approx(3 * (0.2 - 1 / 3))
    assert far < near_enough < 0 < nearest
    assert turns == [0.0] * 3
    assert gained(3.0, pending=1) == [nearest, 0.0, far, *turns], "its vector is still to be made"
