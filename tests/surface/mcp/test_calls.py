"""Several calls at once: a slow one blocks nobody, a cancelled one leaves nothing."""

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import strata
from strata.base import limits
from strata.mcp import protocol
from strata.mcp.stdio import Threads
from strata.tools import Session, StoreHost
from tests.databases import IS_POSTGRES
from tests.surface.mcp import odd_tools
from tests.surface.mcp.conftest import ODD
from tests.surface.mcp.wire import PATIENCE_S, Talk, call, hello, modern, notification, request

# A call that writes so many keys, one a millisecond, does not end by itself while a test runs.
ENDLESS = 1_000_000


@pytest.fixture
def pool() -> Threads:
    return Threads(4)


@pytest.fixture
def busy(host: StoreHost, pool: Threads) -> Iterator[Talk]:
    """A greeted connection whose calls run in threads, with tools that wait and write."""
    odd_tools.gate.clear()
    odd_tools.begun.clear()
    talk = Talk(Session(host, caller="owner", exposure=ODD), pool)
    talk.tell(hello())
    yield talk
    odd_tools.gate.set()
    talk.core.close()
    assert pool.wait(PATIENCE_S)


def begin(talk: Talk, request_id: object, name: str, **arguments: object) -> None:
    talk.core.receive(request(request_id, "tools/call", call(name, **arguments)))


def cancel(talk: Talk, request_id: object) -> None:
    talk.core.receive(notification("notifications/cancelled", {"requestId": request_id}))


def test_a_slow_call_does_not_keep_a_fast_one_waiting(busy: Talk) -> None:
    begin(busy, "느린", "odd_waits")
    begin(busy, "빠른", "odd_hurries")
    fast = busy.answer_to("빠른")
    assert fast["result"]["isError"] is False
    assert busy.ask("ping")["result"] == {}
    assert busy.ask("tools/list")["result"]["tools"]
    assert not any(message.get("id") == "느린" for message in busy.others)
    odd_tools.gate.set()
    slow = busy.answer_to("느린")["result"]["structuredContent"]
    assert slow["thread"] != fast["result"]["structuredContent"]["thread"]


def test_calls_beyond_the_threads_wait_their_turn_and_all_are_answered(busy: Talk) -> None:
    before = threading.active_count()
    # Of the store, which the first call opens: its watch, and those of the pool of connections.
    watch = 4 if IS_POSTGRES else 1
    for number in range(40):
        begin(busy, number, "odd_waits")
    time.sleep(0.1)
    assert threading.active_count() <= before + watch + 4
    odd_tools.gate.set()
    assert all(busy.answer_to(number)["result"]["isError"] is False for number in range(40))


def test_an_id_that_is_in_use_is_refused_and_free_again_afterwards(busy: Talk) -> None:
    begin(busy, 7, "odd_waits")
    (refused,) = busy.tell(request(7, "tools/call", call("odd_hurries")))
    assert refused["error"]["code"] == protocol.INVALID_REQUEST
    odd_tools.gate.set()
    assert "result" in busy.answer_to(7)
    begin(busy, 7, "odd_hurries")
    assert "result" in busy.answer_to(7)


def test_a_number_and_the_same_digits_as_text_are_two_ids(busy: Talk) -> None:
    begin(busy, 1, "odd_waits")
    begin(busy, "1", "odd_waits")
    odd_tools.gate.set()
    assert busy.answer_to("1")["id"] == "1"
    assert busy.answer_to(1)["id"] == 1


def test_too_many_calls_are_refused_until_some_have_ended(
    busy: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "CALLS_MAX", 10)
    for number in range(10):
        begin(busy, number, "odd_waits")
    (refused,) = busy.tell(request("zu viel", "tools/call", call("odd_hurries")))
    assert refused["error"]["code"] == protocol.INTERNAL_ERROR
    assert "10 calls" in refused["error"]["message"]
    odd_tools.gate.set()
    for number in range(10):
        busy.answer_to(number)
    begin(busy, "nun", "odd_hurries")
    assert "result" in busy.answer_to("nun")


def test_a_defect_in_a_tool_is_an_answer_and_the_server_goes_on(busy: Talk) -> None:
    begin(busy, 0, "odd_breaks")
    result = busy.answer_to(0)["result"]
    assert result["isError"] is True
    assert "internal" in result["content"][0]["text"]
    assert "a defect" not in result["content"][0]["text"]
    begin(busy, 1, "odd_hurries")
    assert "result" in busy.answer_to(1)


# Progress.


def test_progress_is_told_under_its_token_before_the_answer(busy: Talk) -> None:
    params = call("odd_reports", steps=3) | {"_meta": {"progressToken": "표"}}
    busy.core.receive(request(1, "tools/call", params))
    busy.answer_to(1)
    told = [message["params"] for message in busy.others]
    assert {params["progressToken"] for params in told} == {"표"}
    assert [params["progress"] for params in told] == [1, 2, 3, 4]
    assert [params.get("total") for params in told] == [3, 3, 3, None]
    assert told[0]["message"] == "세는 중"
    assert {message["method"] for message in busy.others} == {"notifications/progress"}


@pytest.mark.parametrize("meta", [None, {}, {"progressToken": None}, {"progressToken": True}, 3])
def test_without_a_token_no_progress_is_told(busy: Talk, meta: object) -> None:
    busy.core.receive(request(1, "tools/call", call("odd_reports") | {"_meta": meta}))
    busy.answer_to(1)
    assert busy.others == []


# Cancelling.


def test_a_cancelled_call_is_never_answered(busy: Talk, pool: Threads) -> None:
    begin(busy, 1, "odd_waits")
    time.sleep(0.05)
    cancel(busy, 1)
    odd_tools.gate.set()
    assert pool.wait(PATIENCE_S)
    begin(busy, 2, "odd_hurries")
    busy.answer_to(2)
    assert busy.others == []


def test_a_call_cancelled_before_its_turn_does_nothing(
    busy: Talk, pool: Threads, host: StoreHost
) -> None:
    for number in range(4):
        begin(busy, number, "odd_waits")
    begin(busy, "뒤", "odd_writes", key="없어야 한다")
    cancel(busy, "뒤")
    odd_tools.gate.set()
    assert pool.wait(PATIENCE_S)
    assert not host.db.kv.exists("없어야 한다")
    assert all(busy.answer_to(number) for number in range(4))
    assert busy.sent.empty()


def test_the_transaction_of_a_cancelled_call_leaves_nothing(
    busy: Talk, pool: Threads, host: StoreHost, path: Path
) -> None:
    host.writing().kv.put("vorher", 1)
    begin(busy, 1, "odd_fills", keys=ENDLESS, label="halb")
    assert odd_tools.begun.wait(PATIENCE_S)
    cancel(busy, 1)
    assert pool.wait(PATIENCE_S), "the cancelled call went on"
    assert host.db.kv.count("halb") == 0
    assert host.db.kv.count() == 1
    assert host.db.verify().ok
    begin(busy, 2, "odd_fills", keys=5, label="ganz")
    assert busy.answer_to(2)["result"]["isError"] is False
    assert busy.others == []
    assert host.db.kv.count("ganz") == 5


def test_a_call_cancelled_while_it_reads_no_statement_writes_nothing(
    busy: Talk, pool: Threads, host: StoreHost
) -> None:
    host.writing()
    begin(busy, 1, "odd_writes", key="spät", waits=True)
    assert odd_tools.begun.wait(PATIENCE_S)
    cancel(busy, 1)
    odd_tools.gate.set()
    assert pool.wait(PATIENCE_S)
    assert not host.db.kv.exists("spät")


def test_a_cancellation_stops_no_other_call(busy: Talk, pool: Threads, host: StoreHost) -> None:
    host.writing()
    begin(busy, "a", "odd_fills", keys=ENDLESS, label="a")
    assert odd_tools.begun.wait(PATIENCE_S)
    begin(busy, "b", "odd_fills", keys=150, label="b")
    cancel(busy, "a")
    assert busy.answer_to("b")["result"]["isError"] is False
    assert pool.wait(PATIENCE_S)
    assert (host.db.kv.count("a/"), host.db.kv.count("b/")) == (0, 150)


def test_a_cancellation_that_comes_too_late_harms_no_later_call(
    busy: Talk, pool: Threads, host: StoreHost
) -> None:
    for number in range(50):
        begin(busy, number, "odd_writes", key=f"k{number}")
        busy.answer_to(number)
        cancel(busy, number)
    assert host.db.kv.count() == 50


def test_cancelling_works_for_requests_that_stand_alone(host: StoreHost, pool: Threads) -> None:
    odd_tools.gate.clear()
    talk = Talk(Session(host, caller="owner", exposure=ODD), pool)
    talk.core.receive(request(1, "tools/call", modern(call("odd_waits"))))
    cancel(talk, 1)
    odd_tools.gate.set()
    assert pool.wait(PATIENCE_S)
    assert talk.sent.empty()


def test_closing_stops_what_runs_and_rolls_back_what_was_open(path: Path, pool: Threads) -> None:
    host = StoreHost(lambda: strata.open(path, durability="standard", auto_embed=False))
    talk = Talk(Session(host, caller="owner", exposure=ODD), pool)
    talk.tell(hello())
    host.writing().kv.put("k", 1)
    odd_tools.begun.clear()
    begin(talk, 1, "odd_fills", keys=ENDLESS, label="x")
    assert odd_tools.begun.wait(PATIENCE_S)
    talk.core.close()
    assert pool.wait(PATIENCE_S)
    assert host.db.kv.count() == 1
    host.close()
