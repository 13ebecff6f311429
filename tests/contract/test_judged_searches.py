"""Searches in conversations: the first hits are read once more, each together with the question."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import strata
from strata import models
from strata.base import limits
from strata.base.embedder import TextInContext
from strata.base.errors import Unavailable
from strata.search import Answer
from tests.counting import counting_trips
from tests.databases import address_of

# Turns of two friends. What answers shares few words with the question; others share more.
TURNS = {
    "monday": """
        Ines: Did you hear about the marathon? Everybody at work is training for the marathon.
        Marek: I did! My sister ran the marathon twice. Are you thinking of running the marathon?
        Ines: Me? Never. What about you, Marek, would you run a marathon with your knee?
        Marek: The doctor says no sport before the operation, so I swim a little and read a lot.
        Ines: Poor knee. When is the operation?
        Marek: On the third of June, in the small clinic behind the station.
        """,
    "friday": """
        Marek: How was the concert, Ines?
        Ines: Loud and wonderful. We missed the last train, so we walked home along the canal.
        Marek: The whole way? That takes two hours!
        Ines: Two and a half. My shoes are in the bin now. How is the knee?
        Marek: They cut on Tuesday instead, a week earlier, because somebody cancelled.
        Ines: Oh! And how do you feel, do they let you walk already?
        Marek: With crutches, as far as the kitchen. I live on soup that my neighbour brings.
        """,
    "금요일": """
        민서: 새 집은 어때? 이사는 잘 했어?
        지호: 이사는 끝났는데 상자가 아직 서른 개나 남았어.
        민서: 그런데 왜 갑자기 그 동네로 갔어?
        지호: 회사가 판교로 옮겼잖아. 출퇴근이 두 시간이라 못 버티겠더라고.
        민서: 나도 이사하고 싶다. 고양이는 적응했어?
        지호: 아직 옷장 밑에서 안 나와.
        """,
}


@pytest.fixture(scope="module")
def talks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[strata.Workspace]:
    with strata.open(tmp_path_factory.mktemp("talks") / "s.db", durability="cache") as db:
        for session, text in TURNS.items():
            for number, line in enumerate(text.strip().splitlines()):
                db.kv.put(f"{session}-{number}", line.strip(), tags=[f"session:{session}"])
        for number in range(8):
            db.kv.put(f"note {number}", f"The marathon of year {number} was won by a stranger.")
        db.embeddings.wait()
        yield db


@pytest.fixture(autouse=True)
def _as_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("STRATA_JUDGING", raising=False)


def ask(db: strata.Workspace, question: str, limit: int = 10) -> Answer:
    return db.search(question, limit, mode="hybrid", strict=False)


def keys(answer: Answer) -> list[str]:
    return [hit.key for hit in answer]


QUESTIONS = [
    ("Why can Marek not do any sport?", "monday-3"),
    ("Why did Ines walk home?", "friday-1"),
    ("지호네 고양이는 어디에 숨어 있어?", "금요일-5"),
]


@pytest.mark.parametrize(("question", "key"), QUESTIONS)
def test_what_answers_comes_first(talks: strata.Workspace, question: str, key: str) -> None:
    assert keys(ask(talks, question))[0] == key


def test_the_order_is_judged_unless_the_setting_says_no(
    talks: strata.Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the same hits another order, by another judge; none of them is lost or added."""
    usual = {question: keys(ask(talks, question, 30)) for question, _key in QUESTIONS}
    monkeypatch.setenv("STRATA_JUDGING", "off")
    plain = {question: keys(ask(talks, question, 30)) for question, _key in QUESTIONS}
    assert usual != plain
    assert {q: sorted(found) for q, found in usual.items()} == {
        q: sorted(found) for q, found in plain.items()
    }
    talks.settings.set("judging", "off")
    monkeypatch.delenv("STRATA_JUDGING")
    assert {question: keys(ask(talks, question, 30)) for question in plain} == plain
    talks.settings.unset("judging")
    assert {question: keys(ask(talks, question, 30)) for question in usual} == usual


@pytest.mark.parametrize("limit", [1, 3, 10, 25])
def test_ranks_and_scores_fall_whatever_was_judged(talks: strata.Workspace, limit: int) -> None:
    answer = ask(talks, "Would Marek run the marathon with his knee?", limit)
    scores = [hit.score for hit in answer]
    assert [hit.rank for hit in answer] == list(range(1, limit + 1))
    assert scores == sorted(scores, reverse=True)
    more = keys(ask(talks, "Would Marek run the marathon with his knee?", 20))
    assert keys(answer)[:20] == more[:limit]


def test_without_the_model_the_order_of_words_and_vectors_stays(
    talks: strata.Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STRATA_JUDGING", "off")
    plain = keys(ask(talks, QUESTIONS[0][0]))
    monkeypatch.delenv("STRATA_JUDGING")

    def fail() -> models.Judge:
        raise Unavailable("The file model.onnx of the model judge cannot be read.")

    broken = models.Loader("judge", fail)
    monkeypatch.setattr("strata.workspace.meaning.judge_loader", lambda: broken)
    answer = ask(talks, QUESTIONS[0][0])
    assert keys(answer) == plain
    assert answer.mode == "hybrid"


def reads(
    monkeypatch: pytest.MonkeyPatch, db: strata.Workspace, question: str, mode: strata.Mode
) -> int:
    """Return how many texts a search had judged."""
    found: list[int] = []
    score = models.Judge.score

    def count(judge: models.Judge, asked: str, texts: list[TextInContext]) -> list[float]:
        found.append(len(texts))
        return score(judge, asked, texts)

    with monkeypatch.context() as patch:
        patch.setattr(models.Judge, "score", count)
        db.search(question, mode=mode, strict=False)
    return sum(found)


def test_what_is_no_talk_is_not_read_again(
    talks: strata.Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only turns are judged, of brief questions, by meaning, and twenty at most."""
    assert 0 < reads(monkeypatch, talks, QUESTIONS[0][0], "hybrid") <= 20
    assert reads(monkeypatch, talks, QUESTIONS[0][0], "keyword") == 0
    long = " ".join(f"question{n} about knee{n}" for n in range(20))
    assert reads(monkeypatch, talks, long, "hybrid") == 0
    with strata.open(durability="cache") as db:
        for number in range(12):
            db.kv.put(f"note {number}", f"The marathon of year {number} was won by a stranger.")
        db.embeddings.wait()
        assert reads(monkeypatch, db, "Who won the marathon?", "hybrid") == 0


def test_a_text_before_is_part_of_a_judgement_only_while_it_is_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    befores: list[str] = []
    score = models.Judge.score

    def note(judge: models.Judge, asked: str, texts: list[TextInContext]) -> list[float]:
        befores.extend(text.before for text in texts)
        return score(judge, asked, texts)

    monkeypatch.setattr(models.Judge, "score", note)
    with strata.open(durability="cache") as db:
        for number, line in enumerate(TURNS["monday"].strip().splitlines()):
            db.kv.put(f"t{number}", f"[2024-05-06] {line.strip()}", tags=["session:monday"])
        db.embeddings.wait()
        ask(db, "When is the operation?")
        assert "Ines: Poor knee. When is the operation?" in befores, "without its date"
        befores.clear()
        db.kv.delete("t4")
        ask(db, "When is the operation?")
        assert befores
        assert not any("Poor knee" in before for before in befores)


def test_a_budget_bounds_what_is_read(
    talks: strata.Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "JUDGED_PIECES_MAX", 1)
    assert len(ask(talks, QUESTIONS[0][0])) == 10, "the others keep their order"


def test_a_store_that_cannot_be_written_is_judged_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with strata.open(tmp_path / "s.db") as db:
        for number, line in enumerate(TURNS["monday"].strip().splitlines()):
            db.kv.put(f"t{number}", line.strip(), tags=["session:monday"])
        db.embeddings.wait()
    with strata.open(tmp_path / "s.db", read_only=True) as db:
        assert reads(monkeypatch, db, QUESTIONS[0][0], "hybrid") > 0


def test_on_postgresql_a_judged_search_waits_no_more_often(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The turns before the hits are read in the round trip of the hits."""
    address = address_of(None)
    with counting_trips(tmp_path / "trips") as trips, strata.open(address) as db:
        for number, line in enumerate(TURNS["monday"].strip().splitlines()):
            db.kv.put(f"t{number}", line.strip(), tags=["session:monday"])
        db.embeddings.wait()
        found: dict[str, list[str]] = {}
        for judging in ("off", "on"):
            monkeypatch.setenv("STRATA_JUDGING", judging)
            ask(db, QUESTIONS[0][0])
            # What goes on in the background may look at the store meanwhile.
            asked = [trips.of(lambda: ask(db, "When is the operation?")) for _ in range(5)]
            found[judging] = min(asked, key=len)
    assert 0 < len(found["on"]) <= len(found["off"]), "\n".join(found["on"])
