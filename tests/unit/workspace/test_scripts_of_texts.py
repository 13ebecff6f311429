"""Which texts the multilingual model reads: those that need it, and the others once asked."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import strata
from strata.base import limits
from strata.workspace.meaning import StoreMeaning
from tests.unit.search.embedders import Words

ENGLISH = {
    "cache": "Prices are cached for sixty seconds, then they are computed again.",
    "deploy": "Nothing is deployed on a Friday.",
    "photo": "Pictures may have at most 12 megapixels.",
}


@pytest.fixture(name="path")
def fixture_path(tmp_path: Path) -> Path:
    return tmp_path / "언어.db"


def embedded(db: strata.Workspace) -> dict[str, int]:
    assert db.embeddings.wait(60)
    return {model.role: model.embedded for model in db.embeddings.status().models}


def test_one_korean_note_makes_no_second_vector_for_the_others(path: Path) -> None:
    with strata.open(path, durability="standard") as db:
        db.kv.put_many(ENGLISH)
        assert embedded(db) == {"main": 3}
        db.kv.put("배포", "배포는 금요일에 하지 않는다")
        assert embedded(db) == {"main": 4, "multilingual": 1}
        db.kv.put("цены", "Цены хранятся шестьдесят секунд")
        db.kv.put("queue", "The queue is drained first")
        assert embedded(db) == {"main": 6, "multilingual": 2}


def test_a_question_in_another_script_has_the_others_read_too(path: Path) -> None:
    with strata.open(path, durability="standard") as db:
        db.kv.put_many(ENGLISH)
        db.kv.put("점심", "점심은 열두 시에 먹는다")
        db.search("시간이 얼마나 걸려?")
        assert embedded(db) == {"main": 4, "multilingual": 1, "crosslingual": 3}
        found = db.search("금요일에 배포해도 됩니까?", 1)
        assert [hit.key for hit in found] == ["deploy"]
    # The next program knows it from the store.
    with strata.open(path, durability="standard") as db:
        db.kv.put("log", "Logs are kept for a week")
        db.kv.put("회의", "회의는 월요일에 한다")
        assert embedded(db) == {"main": 6, "multilingual": 2, "crosslingual": 4}
        assert [hit.key for hit in db.search("로그는 며칠 동안 보관됩니까?", 1)] == ["log"]


def test_a_program_that_ends_soon_has_the_others_read_before_it_answers(path: Path) -> None:
    with strata.open(path, durability="standard") as db:
        db.kv.put_many(ENGLISH)
        assert embedded(db) == {"main": 3}
    with strata.open(path, durability="standard", auto_embed="before_search") as db:
        assert [hit.key for hit in db.search("금요일에 배포해도 됩니까?", 1)] == ["deploy"]


def test_a_program_that_only_reads_has_the_others_read_in_the_background(path: Path) -> None:
    with strata.open(path, durability="standard") as db:
        db.kv.put_many(ENGLISH)
        assert embedded(db) == {"main": 3}
    with strata.open(path, durability="standard") as db:
        db.search("금요일에 배포해도 됩니까?")
        assert db.embeddings.is_working
        assert embedded(db) == {"main": 3, "crosslingual": 3}
        assert [hit.key for hit in db.search("금요일에 배포해도 됩니까?", 1)] == ["deploy"]


def test_an_english_question_finds_the_korean_note(path: Path) -> None:
    with strata.open(path, durability="standard") as db:
        db.kv.put_many(ENGLISH)
        db.kv.put("점심", "점심은 열두 시에 먹는다")
        assert embedded(db) == {"main": 4, "multilingual": 1}
        assert [hit.key for hit in db.search("at what time do we have lunch?", 1)] == ["점심"]


def test_the_words_of_a_korean_question_are_compared_one_by_one(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared: dict[str, Any] = {}
    compare = StoreMeaning.words

    def words(meaning: StoreMeaning, question: str, versions: Any) -> Any:
        found = compare(meaning, question, versions)
        assert found is not None
        compared[question] = dict(zip(versions.tolist(), found.tolist(), strict=True))
        return found

    monkeypatch.setattr(StoreMeaning, "words", words)
    with strata.open(path, durability="standard") as db:
        db.kv.put_many(ENGLISH)
        lunch = db.kv.put("점심", "점심은 열두 시에 먹는다").version
        db.kv.put("회의", "회의는 월요일에 한다")
        db.search("준비")
        assert embedded(db) == {"main": 5, "multilingual": 2, "crosslingual": 3}
        db.search("점심은 언제 먹나요?")
        db.search("昼食は何時ですか")
        db.search("когда обед?")
    (near,) = [one for question, one in compared.items() if question.startswith("점심")]
    assert len(near) == 5
    assert not np.isnan(list(near.values())).any()
    assert max(near, key=near.__getitem__) == lunch
    assert not [question for question in compared if question[0] in "昼к"]


def test_a_model_without_words_is_not_asked_a_korean_question(path: Path) -> None:
    own = Words("own")
    with strata.open(path, durability="standard") as db:
        db.embeddings.use(own)
        db.kv.put("점심", "점심은 열두 시에 먹는다")
        db.kv.put("회의", "회의는 월요일에 한다")
        assert embedded(db) == {"main": 2, "multilingual": 2}
        assert [hit.key for hit in db.search("식사는 언제 하나요?")][:1] == ["점심"]
        assert len(own.asked) == 2


def test_memories_are_read_by_it_since_they_are_linked_across_languages(path: Path) -> None:
    with strata.open(path, durability="standard") as db:
        db.settings.set("linking", "off")
        db.kv.put_many(ENGLISH)
        db.decisions.save("errors", "Keep typed errors", "Codes were not understood")
        db.decisions.save("오류", "오류 코드는 영어로 둔다", "이해하지 못했다")
        assert embedded(db) == {"main": 5, "multilingual": 2}


@pytest.mark.parametrize("mode", ["hybrid", "semantic"])
@pytest.mark.parametrize("whole_max", [limits.RANKED_WHOLE_MAX, 1])
def test_the_main_model_answers_a_korean_question_until_the_other_has_read_the_texts(
    path: Path, mode: Any, whole_max: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "RANKED_WHOLE_MAX", whole_max)
    with strata.open(path, durability="standard") as db:
        db.kv.put_many(ENGLISH)
        db.kv.put("점심", "점심은 열두 시에 먹는다")
        assert embedded(db) == {"main": 4, "multilingual": 1}
    with strata.open(path, durability="standard", auto_embed=False) as db:
        found = db.search("금요일에 배포해도 됩니까?", 1, mode=mode)
        assert [hit.key for hit in found] == ["deploy"]
        assert {model.role: model.embedded for model in db.embeddings.status().models} == {
            "main": 4,
            "multilingual": 1,
        }
