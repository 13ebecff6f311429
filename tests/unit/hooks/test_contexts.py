"""What hooks leave for the servers of a store: for a minute, and without a word of the prompt."""

from pathlib import Path

import pytest

import strata
from strata.base import limits
from strata.hooks.contexts import Contexts
from tests.unit.conftest import Bench

SECOND = 1_000_000


def test_a_context_counts_for_a_minute_and_then_no_more(bench: Bench) -> None:
    left = Contexts(bench.db.serving.store).leave("대화-1", "resuming", confidence=0.9)
    assert left.expires == bench.clock.us + 60 * SECOND
    bench.clock.us += 60 * SECOND - 1
    assert Contexts(bench.db.serving.store).current() == left
    bench.clock.us += 1
    assert Contexts(bench.db.serving.store).current() is None
    assert Contexts(bench.db.serving.store).list() == []


def test_the_next_prompt_of_a_conversation_replaces_what_the_last_one_left(bench: Bench) -> None:
    Contexts(bench.db.serving.store).leave("a", "resuming", confidence=0.9)
    bench.clock.us += 10 * SECOND
    Contexts(bench.db.serving.store).leave("a", "deciding", confidence=0.75)
    (left,) = Contexts(bench.db.serving.store).list()
    assert (left.context, left.confidence) == ("deciding", 0.75)
    assert left.expires == bench.clock.us + 60 * SECOND
    assert Contexts(bench.db.serving.store).clear("a")
    assert not Contexts(bench.db.serving.store).clear("a")
    assert Contexts(bench.db.serving.store).current() is None


def test_a_server_that_cannot_know_its_conversation_is_not_told_another_ones(bench: Bench) -> None:
    Contexts(bench.db.serving.store).leave("a", "resuming", confidence=0.9)
    Contexts(bench.db.serving.store).leave("b", "deciding", confidence=0.9)
    assert Contexts(bench.db.serving.store).current() is None
    found = Contexts(bench.db.serving.store).current("a")
    assert found is not None
    assert found.context == "resuming"
    assert Contexts(bench.db.serving.store).current("c") is None
    bench.clock.us += 61 * SECOND
    Contexts(bench.db.serving.store).leave("b", "tracking", confidence=0.9)
    found = Contexts(bench.db.serving.store).current()
    assert found is not None
    assert found.conversation == "b"


def test_what_has_expired_is_removed_by_the_next_one(bench: Bench) -> None:
    for number in range(5):
        Contexts(bench.db.serving.store).leave(f"c{number}", "resuming", confidence=0.9)
    bench.clock.us += 61 * SECOND
    Contexts(bench.db.serving.store).leave("new", "resuming", confidence=0.9)
    rows = bench.store.connection().rows(bench.store.queries.contexts_after, (0, 100))
    assert [row[0] for row in rows] == ["new"]


def test_another_process_reads_what_a_hook_left(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with strata.open(path) as server, strata.open(path) as hook:
        assert Contexts(server.serving.store).current() is None
        Contexts(hook.serving.store).leave("a", "searching", confidence=0.8)
        found = Contexts(server.serving.store).current()
        assert found is not None
        assert found.context == "searching"


def test_contexts_are_no_versions_and_leave_the_log_alone(bench: Bench) -> None:
    bench.db.kv.put("k", 1)
    before = bench.db.info().versions
    Contexts(bench.db.serving.store).leave("a", "resuming", confidence=0.9)
    Contexts(bench.db.serving.store).remember_client("codex 1.4.0", listens=False)
    assert bench.db.info().versions == before
    assert len(bench.db.log()) == 1
    assert bench.db.verify().ok


def test_how_a_client_behaves_is_remembered_for_a_month(bench: Bench) -> None:
    contexts = Contexts(bench.db.serving.store)
    assert contexts.client_listens("codex 1.4.0") is None
    contexts.remember_client("codex 1.4.0", listens=False)
    contexts.remember_client("claude-code 2.3", listens=True)
    assert contexts.client_listens("codex 1.4.0") is False
    assert contexts.client_listens("claude-code 2.3") is True
    assert contexts.client_listens("codex 1.5.0") is None, "a new version is asked anew"
    contexts.remember_client("codex 1.4.0", listens=True)
    assert contexts.client_listens("codex 1.4.0") is True
    bench.clock.us += limits.CLIENT_KEPT_S * SECOND
    assert contexts.client_listens("codex 1.4.0") is None


def test_a_client_may_call_itself_anything(bench: Bench) -> None:
    name = "긴 이름 " * 1000
    Contexts(bench.db.serving.store).remember_client(name, listens=False)
    assert Contexts(bench.db.serving.store).client_listens(name) is False


@pytest.mark.parametrize(
    "wrong",
    [
        {"conversation": ""},
        {"conversation": "x" * 300},
        {"conversation": 7},
        {"context": ""},
        {"confidence": 1.5},
        {"confidence": "high"},
        {"seconds": 0},
        {"seconds": float("nan")},
    ],
    ids=str,
)
def test_what_cannot_be_a_context_is_refused(bench: Bench, wrong: dict[str, object]) -> None:
    given = {"conversation": "a", "context": "resuming", "confidence": 0.9} | wrong
    with pytest.raises(strata.StrataError):
        Contexts(bench.db.serving.store).leave(**given)  # pyright: ignore[reportArgumentType]
    assert Contexts(bench.db.serving.store).list() == []


def test_a_store_that_is_read_only_tells_contexts_and_takes_none(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with strata.open(path) as db:
        Contexts(db.serving.store).leave("a", "resuming", confidence=0.9)
    with strata.open(path, read_only=True) as db:
        assert Contexts(db.serving.store).current() is not None
        with pytest.raises(strata.ReadOnly):
            Contexts(db.serving.store).leave("a", "deciding", confidence=0.9)


def test_the_setting_takes_only_modes_that_exist(bench: Bench) -> None:
    settings = bench.db.settings
    assert settings.get("dynamic_tools") == "force_static"
    settings.set("dynamic_tools", "auto")
    assert settings.get("dynamic_tools") == "auto"
    with pytest.raises(strata.InvalidArgument) as caught:
        settings.set("dynamic_tools", "sometimes")
    assert "force_dynamic" in (caught.value.hint or "")
    assert settings.get("dynamic_tools") == "auto"
