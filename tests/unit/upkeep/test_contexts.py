"""What hooks leave for the servers of a store: for a minute, and without a word of the prompt."""

from pathlib import Path

import pytest

import strata
from strata.base import limits
from tests.unit.conftest import Bench

SECOND = 1_000_000


def test_a_context_counts_for_a_minute_and_then_no_more(bench: Bench) -> None:
    left = bench.db.serving.contexts.leave("대화-1", "resuming", confidence=0.9)
    assert left.expires == bench.clock.us + 60 * SECOND
    bench.clock.us += 60 * SECOND - 1
    assert bench.db.serving.contexts.current() == left
    bench.clock.us += 1
    assert bench.db.serving.contexts.current() is None
    assert bench.db.serving.contexts.list() == []


def test_the_next_prompt_of_a_conversation_replaces_what_the_last_one_left(bench: Bench) -> None:
    bench.db.serving.contexts.leave("a", "resuming", confidence=0.9)
    bench.clock.us += 10 * SECOND
    bench.db.serving.contexts.leave("a", "deciding", confidence=0.75)
    (left,) = bench.db.serving.contexts.list()
    assert (left.context, left.confidence) == ("deciding", 0.75)
    assert left.expires == bench.clock.us + 60 * SECOND
    assert bench.db.serving.contexts.clear("a")
    assert not bench.db.serving.contexts.clear("a")
    assert bench.db.serving.contexts.current() is None


def test_a_server_that_cannot_know_its_conversation_is_not_told_another_ones(bench: Bench) -> None:
    bench.db.serving.contexts.leave("a", "resuming", confidence=0.9)
    bench.db.serving.contexts.leave("b", "deciding", confidence=0.9)
    assert bench.db.serving.contexts.current() is None
    found = bench.db.serving.contexts.current("a")
    assert found is not None
    assert found.context == "resuming"
    assert bench.db.serving.contexts.current("c") is None
    bench.clock.us += 61 * SECOND
    bench.db.serving.contexts.leave("b", "tracking", confidence=0.9)
    found = bench.db.serving.contexts.current()
    assert found is not None
    assert found.conversation == "b"


def test_what_has_expired_is_removed_by_the_next_one(bench: Bench) -> None:
    for number in range(5):
        bench.db.serving.contexts.leave(f"c{number}", "resuming", confidence=0.9)
    bench.clock.us += 61 * SECOND
    bench.db.serving.contexts.leave("new", "resuming", confidence=0.9)
    rows = bench.store.connection().rows(bench.store.queries.contexts_after, (0, 100))
    assert [row[0] for row in rows] == ["new"]


def test_another_process_reads_what_a_hook_left(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with strata.open(path) as server, strata.open(path) as hook:
        assert server.serving.contexts.current() is None
        hook.serving.contexts.leave("a", "searching", confidence=0.8)
        found = server.serving.contexts.current()
        assert found is not None
        assert found.context == "searching"


def test_contexts_are_no_versions_and_leave_the_log_alone(bench: Bench) -> None:
    bench.db.kv.put("k", 1)
    before = bench.db.info().versions
    bench.db.serving.contexts.leave("a", "resuming", confidence=0.9)
    bench.db.serving.contexts.remember_client("codex 1.4.0", listens=False)
    assert bench.db.info().versions == before
    assert len(bench.db.log()) == 1
    assert bench.db.verify().ok


def test_how_a_client_behaves_is_remembered_for_a_month(bench: Bench) -> None:
    contexts = bench.db.serving.contexts
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
    bench.db.serving.contexts.remember_client(name, listens=False)
    assert bench.db.serving.contexts.client_listens(name) is False


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
        bench.db.serving.contexts.leave(**given)  # pyright: ignore[reportArgumentType]
    assert bench.db.serving.contexts.list() == []


def test_a_store_that_is_read_only_tells_contexts_and_takes_none(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with strata.open(path) as db:
        db.serving.contexts.leave("a", "resuming", confidence=0.9)
    with strata.open(path, read_only=True) as db:
        assert db.serving.contexts.current() is not None
        with pytest.raises(strata.ReadOnly):
            db.serving.contexts.leave("a", "deciding", confidence=0.9)


def test_the_setting_takes_only_modes_that_exist(bench: Bench) -> None:
    settings = bench.db.settings
    assert settings.get("dynamic_tools") == "force_static"
    settings.set("dynamic_tools", "auto")
    assert settings.get("dynamic_tools") == "auto"
    with pytest.raises(strata.InvalidArgument) as caught:
        settings.set("dynamic_tools", "sometimes")
    assert "force_dynamic" in (caught.value.hint or "")
    assert settings.get("dynamic_tools") == "auto"
