"""What a language model adds to a search, and what happens without one."""

from collections.abc import Iterator

import pytest

import strata
from strata.base.errors import Unavailable
from strata.search import reciprocal
from strata.workspace import advice
from strata.workspace.advice import Advisor
from strata.workspace.settings import Settings


class Scripted:
    """A model that gives prepared answers, and keeps what it was asked."""

    name = "scripted"

    def __init__(self, *answers: str) -> None:
        self.answers, self.prompts = list(answers), list[str]()

    def generate(self, prompt: str, tokens_max: int) -> str:
        self.prompts.append(prompt)
        if not self.answers:
            raise Unavailable("The model sleeps.")
        return self.answers.pop(0)


@pytest.fixture
def db() -> Iterator[strata.Workspace]:
    with strata.open(durability="cache", auto_embed=False) as db:
        db.kv.put("cache", "Prices are cached for sixty seconds")
        db.kv.put("배포", "배포는 금요일에 하지 않는다")
        db.kv.put("deploy", "Deployments never happen on a friday")
        yield db


def _advise(monkeypatch: pytest.MonkeyPatch, model: Scripted | None) -> None:
    advisor = None if model is None else Advisor(model)
    monkeypatch.setattr(advice, "advisor_of", lambda _settings: advisor)


def test_without_a_model_both_wishes_are_ignored_and_the_answer_says_so(
    db: strata.Workspace,
) -> None:
    answer = db.search("friday", expand=True, rerank=True)
    assert [hit.key for hit in answer] == ["deploy"]
    assert len(answer.notes) == 2
    assert all("no model is configured" in note for note in answer.notes)


def test_other_wordings_find_what_the_question_alone_does_not(
    db: strata.Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    _advise(monkeypatch, Scripted("1. 금요일 배포\n- cached price"))
    assert [hit.key for hit in db.search("friday")] == ["deploy"]
    found = [hit.key for hit in db.search("friday", expand=True)]
    assert found[0] == "deploy"
    assert set(found) == {"deploy", "배포", "cache"}


def test_a_model_can_change_the_order_but_not_what_was_found(
    db: strata.Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = Scripted("2, 99, 2")
    _advise(monkeypatch, model)
    plain = [hit.key for hit in db.search("friday seconds")]
    answer = db.search("friday seconds", rerank=True)
    assert [hit.key for hit in answer] == [plain[1], plain[0]]
    assert [hit.rank for hit in answer] == [1, 2]
    assert "1. " in model.prompts[0]


def test_a_model_that_fails_leaves_the_answer_as_it_is(
    db: strata.Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    _advise(monkeypatch, Scripted())
    answer = db.search("friday", expand=True, rerank=True)
    assert [hit.key for hit in answer] == ["deploy"]
    assert ["sleeps" in note for note in answer.notes] == [True, True]


def test_an_endpoint_that_is_no_address_is_refused(db: strata.Workspace) -> None:
    with pytest.raises(strata.InvalidArgument):
        db.settings.set("model_endpoint", "not a url")
    assert Settings(db._store).get("model_endpoint") is None


def test_reciprocal_fusion_prefers_what_several_lists_rank_high() -> None:
    assert reciprocal([["a", "b", "c"], ["b", "d"], ["b", "a"]]) == ["b", "a", "d", "c"]
    assert reciprocal([]) == []
    assert reciprocal([["x", "x", "y"]]) == ["x", "y"]
