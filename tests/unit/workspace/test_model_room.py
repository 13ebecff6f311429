"""Models as the SDK shows them."""

import pytest

from strata import InvalidArgument, Unavailable, Workspace
from strata.models import judge_loader


def test_a_model_is_remembered_with_its_time_limit_and_forgotten_limits_go(db: Workspace) -> None:
    db.models.configure("http://localhost:1/v1", "qwen3", timeout_ms=1500)
    assert db.settings.get("model_timeout_ms") == "1500"
    db.models.configure("http://localhost:1/v1", "qwen3")
    assert db.settings.get("model_timeout_ms") is None
    assert db.settings.get("model_endpoint") == "http://localhost:1/v1"


@pytest.mark.parametrize(
    ("endpoint", "model", "timeout_ms"),
    [("nowhere", "m", None), ("http://a/v1", "", None), ("http://a/v1", "m", 0)],
)
def test_what_cannot_be_asked_is_not_remembered(
    db: Workspace, endpoint: str, model: str, timeout_ms: int | None
) -> None:
    with pytest.raises(InvalidArgument):
        db.models.configure(endpoint, model, timeout_ms=timeout_ms)
    assert db.settings.get("model_endpoint") is None
    assert db.settings.get("model_name") is None


def test_a_wrong_time_limit_of_the_environment_is_passed_over(
    db: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STRATA_MODEL_TIMEOUT_MS", "soon")
    db.models.configure("http://127.0.0.1:1/v1", "m")
    assert [one.name for one in db.models.list()][-1] == "m"


def test_the_listed_models_tell_what_they_are(db: Workspace) -> None:
    english, multilingual, judge = db.models.local()
    assert (english.architecture, english.quantization, english.task) == ("bert", "int8", "embed")
    assert multilingual.path is not None
    assert (judge.task, judge.dimension) == ("judge", None)
    assert all(":" in one.name or one.origin != "library" for one in db.models.list())


def test_an_embedder_writes_no_text(db: Workspace) -> None:
    with pytest.raises(InvalidArgument, match="writes no text"):
        db.models.generate("x", model="minilm")
    with pytest.raises(InvalidArgument, match="writes no text"):
        db.models.generate("x", model="judge")
    with pytest.raises(Unavailable):
        db.models.generate("x", model="anything")
    with pytest.raises(InvalidArgument):
        db.models.generate("x", model="endpoint:#m")


def test_unloading_says_whether_there_was_anything(db: Workspace) -> None:
    db.models.unload("minilm")
    assert not db.models.unload("minilm")
    db.embeddings.embed("loads the model")
    assert db.models.unload("minilm")


def test_the_judge_gives_its_memory_back(db: Workspace) -> None:
    judge_loader().wait(30)
    assert db.models.unload("judge")
    assert not db.models.unload("judge")
