"""Lists that follow the conversation: only where allowed, and only for clients that listen."""

import logging

import pytest

from strata.base import limits
from strata.hooks.detection import NOTHING, Context
from strata.hooks.listing import MODES, ToolList, client_id, context_of, mode_of
from strata.tools import registry

OLD, NEW = "2025-11-25", "2026-07-28"
RESUMING = Context("resuming", 0.9, {})
SEARCHING = Context("searching", 0.9, {})
UNCLEAR = Context("none", 0.6, {"searching": 0.6})


TOOLS = [
    tool
    for tool in registry().tools("decisions")
    if tool.name in ("save_checkpoint", "save_decision", "load_checkpoint")
]


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def names(dynamic: ToolList) -> list[str]:
    return [tool.name for tool in dynamic.visible(TOOLS)]


def test_a_context_is_told_and_shown_to_a_client_that_listens(clock: Clock) -> None:
    dynamic = ToolList("auto", era=OLD, clock=clock)
    assert dynamic.saw_context(RESUMING) == "notify"
    assert dynamic.deadline == clock.now + limits.RELIST_S
    assert names(dynamic) == ["load_checkpoint", "save_decision"]
    clock.now += 0.1
    dynamic.listed()
    assert dynamic.listens is True
    assert dynamic.tick() == "remember"
    clock.now += 10
    assert dynamic.tick() == "nothing"
    assert names(dynamic) == ["load_checkpoint", "save_decision"]


def test_a_client_that_does_not_ask_again_keeps_the_whole_list(clock: Clock) -> None:
    dynamic = ToolList("auto", era=OLD, clock=clock)
    dynamic.saw_context(RESUMING)
    clock.now += limits.RELIST_S - 0.001
    assert dynamic.tick() == "nothing"
    clock.now += 0.001
    assert dynamic.tick() == "remember"
    assert dynamic.listens is False
    assert not dynamic.is_on
    assert names(dynamic) == [tool.name for tool in TOOLS]
    assert dynamic.tick() == "nothing"
    assert dynamic.saw_context(SEARCHING) == "nothing", "static for the rest of the session"
    dynamic.listed()
    assert dynamic.listens is False, "too late"
    assert dynamic.tick() == "nothing"


def test_what_is_remembered_of_a_client_counts_from_the_start(clock: Clock) -> None:
    deaf = ToolList("auto", era=OLD, listens=False, clock=clock)
    assert not deaf.is_on
    assert deaf.saw_context(RESUMING) == "nothing"
    known = ToolList("auto", era=OLD, listens=True, clock=clock)
    assert known.saw_context(RESUMING) == "notify"
    known.listed()
    assert known.tick() == "nothing", "the store knows it already"


def test_a_listener_that_stops_to_listen_is_noticed(clock: Clock) -> None:
    dynamic = ToolList("auto", era=OLD, listens=True, clock=clock)
    dynamic.saw_context(RESUMING)
    assert dynamic.tick(clock.now + 1) == "remember"
    assert dynamic.listens is False


def test_the_same_context_again_is_no_change_and_none_widens_the_list(clock: Clock) -> None:
    dynamic = ToolList("auto", era=OLD, clock=clock)
    assert dynamic.saw_context(UNCLEAR) == "nothing"
    assert dynamic.saw_context(None) == "nothing"
    dynamic.saw_context(RESUMING)
    dynamic.listed()
    assert dynamic.saw_context(Context("resuming", 0.95, {})) == "nothing"
    assert dynamic.saw_context(SEARCHING) == "notify"
    dynamic.listed()
    assert dynamic.saw_context(UNCLEAR) == "notify"
    assert names(dynamic) == [tool.name for tool in TOOLS]
    dynamic.listed()
    assert dynamic.saw_context(None) == "nothing"


@pytest.mark.parametrize("mode", MODES)
def test_the_stateless_revision_never_changes_its_list(mode: str, clock: Clock) -> None:
    dynamic = ToolList(mode_of(mode), era=NEW, listens=True, clock=clock)
    assert not dynamic.is_on
    assert dynamic.saw_context(RESUMING) == "nothing"
    assert names(dynamic) == [tool.name for tool in TOOLS]


@pytest.mark.parametrize("era", ["2024-11-05", "2025-03-26", "2025-06-18", OLD])
def test_force_static_never_changes_the_list(era: str, clock: Clock) -> None:
    dynamic = ToolList("force_static", era=era, listens=True, clock=clock)
    assert dynamic.saw_context(RESUMING) == "nothing"
    assert names(dynamic) == [tool.name for tool in TOOLS]
    assert dynamic.tick(clock.now + 10) == "nothing"


def test_force_dynamic_goes_on_with_a_client_that_seems_deaf(clock: Clock) -> None:
    dynamic = ToolList("force_dynamic", era=OLD, listens=False, clock=clock)
    assert dynamic.saw_context(RESUMING) == "notify"
    assert dynamic.tick(clock.now + 1) == "nothing", "known already"
    assert names(dynamic) == ["load_checkpoint", "save_decision"]
    assert dynamic.saw_context(SEARCHING) == "notify"
    dynamic.listed()
    assert dynamic.tick() == "remember"


def test_an_unknown_mode_is_the_default_with_a_warning(caplog: pytest.LogCaptureFixture) -> None:
    assert [mode_of(mode) for mode in MODES] == list(MODES)
    with caplog.at_level(logging.WARNING):
        assert mode_of("always") == "force_static"
        assert mode_of(None) == "force_static"
    assert "force_dynamic" in caplog.text


def test_contexts_and_clients_have_names_that_a_store_can_keep() -> None:
    assert context_of("resuming", 0.8) == Context("resuming", 0.8, {"resuming": 0.8})
    assert context_of("nonsense", 0.8) == NOTHING
    assert context_of("none", 0.8) == NOTHING
    assert client_id(" codex ", "1.4.0") == "codex 1.4.0"
    assert client_id("", "") == "unknown"
