"""The passage of a long text that a search shows: the one that answers, wherever it is."""

from pathlib import Path

import numpy as np
import pytest

import strata
from strata.search.tokens import Finder
from strata.search.vectors.passages import PassageRequest, best_passage
from strata.search.vectors.pieces import stretches

LOREM = {
    "en": [
        "The office plants are watered by the cleaning crew every other Tuesday.",
        "Parking permits are renewed in the spring and cost forty euros.",
        "The canteen closes early on public holidays and before long weekends.",
        "Visitors sign in at the front desk and wear a badge all day.",
        "The coffee machine is descaled on the first Monday of each month.",
    ],
    "ko": [
        "사무실 화분은 청소팀이 격주 화요일에 물을 준다.",
        "주차권은 봄에 갱신하며 비용은 사만 원이다.",
        "구내식당은 공휴일과 연휴 전날에 일찍 닫는다.",
        "방문객은 안내 데스크에서 등록하고 명찰을 단다.",
        "커피 기계는 매달 첫째 월요일에 석회를 제거한다.",
    ],
}
ANSWERS = {
    "en": ("My sister moved to Lisbon last winter.", "who has a relative in Portugal?"),
    "ko": (
        "데이터베이스에 연결할 수 없으면 삼십 초 뒤에 포기하고 캐시에서 응답한다.",
        "서버 접속 실패 시 동작",
    ),
}


def _page(language: str, answer: str, at: float) -> str:
    lines = LOREM[language] * 5
    lines.insert(round(at * len(lines)), answer)
    return " ".join(lines)


@pytest.mark.parametrize("at", [0.3, 0.6, 1.0])
@pytest.mark.parametrize("language", ["en", "ko"])
def test_the_passage_that_answers_in_other_words_is_shown(
    tmp_path: Path, language: str, at: float
) -> None:
    answer, question = ANSWERS[language]
    with strata.open(tmp_path / "s.db", auto_embed=False) as db:
        db.kv.put("page", f"[2026-05-02] {_page(language, answer, at)}")
        db.events.append("said", {"speaker": "Ann", "text": _page(language, answer, at)})
        assert db.embeddings.wait(60)
        found = db.search(question, mode="hybrid", strict=False)
        assert {hit.kind for hit in found} == {"kv", "event"}
        for hit in found:
            assert answer in hit.snippet
            assert len(hit.snippet) <= 200


def test_a_passage_that_has_the_words_of_a_question_is_shown_as_before(tmp_path: Path) -> None:
    answer, _question = ANSWERS["en"]
    with strata.open(tmp_path / "s.db", auto_embed=False) as db:
        db.kv.put("page", _page("en", answer, 0.6))
        assert db.embeddings.wait(60)
        by_words = db.search("sister in Lisbon", mode="keyword")
        both = db.search("sister in Lisbon", mode="hybrid")
        assert both[0].snippet == by_words[0].snippet
        assert [both[0].snippet[start:end] for start, end in both[0].marks] == ["sister", "Lisbon"]


def test_rare_words_choose_the_passage(db: strata.Workspace) -> None:
    common = "The team at work takes its time to say hello on the way to work."
    db.kv.put("page", f"{common} {' '.join(LOREM['en'] * 3)} Postgres it is.")
    for number in range(20):
        db.kv.put(f"note{number}", f"{common} {number}")
    [hit] = [one for one in db.search("Postgres team", 30, mode="keyword") if one.key == "page"]
    assert "Postgres it is." in hit.snippet


def test_text_and_tokens_that_do_not_belong_together_give_no_passage() -> None:
    text = "One two three. Four five six."
    near = np.zeros((6, 1), np.float32)
    near[4] = 0.5

    def passage(*tokens: np.ndarray, terms: dict[str, float] | None = None) -> object:
        wanted = PassageRequest("q", terms or {}, Finder(terms or {}), 40)
        return best_passage(
            text, [[(text, 6)]], tokens, count=lambda part: len(part.split()), wanted=wanted
        )

    assert passage(near) == (15, 29)
    assert passage(near, terms={"two": 1.0}) == (0, 14)
    assert passage(near[:5]) is None
    assert passage(near, near) is None


def test_long_sentences_are_taken_in_parts_of_whole_words() -> None:
    text = "A short one. " + "word " * 30 + "end. 짧다."
    parts = list(stretches(text, 40))
    assert "".join(parts) == text
    assert parts[0] == "A short one. "
    assert all(len(part) <= 40 for part in parts)
    assert all(part.endswith(" ") for part in parts[:-1])
