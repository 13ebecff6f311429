"""The model that reads question and text together: the answer above what only resembles it."""

import json
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from strata.base import limits
from strata.base.embedder import TextInContext
from strata.base.errors import Unavailable
from strata.models import Judge, MiniLM, judge
from strata.models.files import Files

# A question, the turn that answers it behind the one before, and a near miss.
TALKS = [
    (
        "When did Ines start pottery?",
        TextInContext(
            "Ines: I signed up for the wheel course last autumn, right after the move.",
            "Marek: Since when do you make bowls?",
        ),
        TextInContext("Marek: I could never do pottery, I have no patience for clay at all."),
    ),
    (
        "What is the name of Jonas's dog?",
        TextInContext("Jonas: We called him Pretzel because of the way he sleeps."),
        TextInContext("Ada: Your dog is adorable, Jonas! How old is he?"),
    ),
    (
        "Why did the team drop the old queue?",
        TextInContext("Femi: It lost messages whenever the broker restarted, so we removed it."),
        TextInContext("Priya: Does anybody still have the old queue running somewhere?"),
    ),
    (
        "민서는 왜 이사했어?",
        TextInContext(
            "민서: 회사가 판교로 옮겨서 출퇴근이 두 시간이나 걸렸거든.", "지호: 갑자기 집은 왜?"
        ),
        TextInContext("지호: 나도 내년에는 이사 가고 싶다."),
    ),
]


@pytest.fixture(scope="module")
def reader() -> Judge:
    return Judge()


@pytest.mark.parametrize(("question", "answer", "miss"), TALKS)
def test_an_answer_scores_higher_than_a_near_miss(
    reader: Judge, question: str, answer: TextInContext, miss: TextInContext
) -> None:
    found, other = reader.score(question, [answer, miss])
    assert found > other


def test_scores_are_near_those_of_the_trained_model(reader: Judge) -> None:
    """As PyTorch says with the same weights in 32 bits."""
    stored = json.loads(Path(__file__).with_name("judged.json").read_text(encoding="utf-8"))
    assert len(stored) >= 20
    for question, text, before, score in stored:
        [found] = reader.score(question, [TextInContext(text, before)])
        assert found == pytest.approx(score, abs=0.75), text


def test_a_score_depends_on_its_own_text_alone(reader: Judge) -> None:
    question, answer, miss = TALKS[0]
    together = reader.score(question, [answer, miss, answer])
    assert together == [*reader.score(question, [answer]), *reader.score(question, [miss, answer])]


def test_threads_may_share_it(reader: Judge) -> None:
    expected = [reader.score(question, [one, other]) for question, one, other in TALKS]
    with ThreadPoolExecutor(4) as pool:
        for _ in range(3):
            asked = [pool.submit(reader.score, q, [one, other]) for q, one, other in TALKS]
            assert [one.result() for one in asked] == expected


def test_it_reads_as_many_texts_as_fit_and_at_least_one(
    reader: Judge, monkeypatch: pytest.MonkeyPatch
) -> None:
    question, answer, miss = TALKS[0]
    every = reader.score(question, [answer, miss] * 10)
    assert len(every) == 20
    monkeypatch.setattr(limits, "JUDGED_PIECES_MAX", 100)
    few = reader.score(question, [answer, miss] * 10)
    assert 1 < len(few) < 20
    assert few == every[: len(few)]
    monkeypatch.setattr(limits, "JUDGED_PIECES_MAX", 1)
    assert reader.score(question, [answer, miss]) == every[:1]
    assert reader.score(question, []) == []


@pytest.mark.parametrize("text", ["", " ", "\x00", "꿀벌" * 4000, "word " * 20_000, "🦊", "[SEP]"])
def test_any_text_can_be_judged(reader: Judge, text: str) -> None:
    [score] = reader.score(text, [TextInContext(text, text)])
    assert -100 < score < 100


def test_it_cuts_text_by_the_vocabulary_of_the_main_model(reader: Judge) -> None:
    assert MiniLM()._tokenizer is reader._cutter


def test_a_long_text_is_read_where_the_question_is() -> None:
    text = list(range(1000, 1400))
    assert judge.window(text, set()) == text[: judge.TEXT]
    part = judge.window(text, {1301, 1310, 1333})
    assert {1301, 1310, 1333} <= set(part)
    assert len(part) == judge.TEXT
    assert judge.window(text[:50], {1020}) == text[:50]


def test_one_for_another_edition_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judge, "metadata", lambda _graph: {"table": "of another edition"})
    with pytest.raises(Unavailable, match="another edition"):
        Judge()


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    shutil.copytree(Files("judge").folder.parent, tmp_path / "files")
    weights = tmp_path / "files" / "judge" / "model.weights"
    data = bytearray(weights.read_bytes())
    data[5000] ^= 1
    weights.write_bytes(data)
    with pytest.raises(Unavailable, match="not what was shipped"):
        Judge(Files("judge", tmp_path / "files"))
