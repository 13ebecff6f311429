"""Slow calls: beside fast ones, with progress, cancelled, and when the server stops."""

import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import anyio
import httpx2
import pytest

from strata.base import limits
from strata.mcp.http import ServerConfig
from strata.mcp.serving.calls import Workers
from strata.tools import Cancel
from tests.surface.http.conftest import ERAS, LEGACY, MODERN, Serve, Slow


@ERAS
def test_a_slow_call_does_not_keep_a_fast_one_waiting(serve: Serve, slow: Slow, era: str) -> None:
    running = serve()
    order: list[str] = []

    async def talk() -> None:
        async with running.client(era) as client, anyio.create_task_group() as group:

            async def wait() -> None:
                await client.call_tool("strata_recall", {"key": "slow"})
                order.append("slow")

            group.start_soon(wait)
            await anyio.to_thread.run_sync(slow.begun.wait, 60)
            for _ in range(20):
                await client.call_tool("strata_recall", {"key": "fast"})
            order.append("fast")
            slow.released.set()

    anyio.run(talk)
    assert order == ["fast", "slow"]


@ERAS
def test_progress_reaches_who_asked_for_it(serve: Serve, slow: Slow, era: str) -> None:
    running = serve()
    slow.released.set()
    told: list[tuple[float, float | None, str | None]] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        told.append((progress, total, message))

    async def talk() -> None:
        async with running.client(era) as client:
            await client.call_tool("strata_recall", {"key": "slow"}, progress_callback=hear)

    anyio.run(talk)
    assert told == [(1, 3, "느린 일"), (2, 3, "느린 일"), (3, 3, "느린 일")]


@ERAS
def test_a_call_that_its_client_gives_up_is_stopped(serve: Serve, slow: Slow, era: str) -> None:
    running = serve()

    async def talk() -> None:
        async with running.client(era) as client:
            async with anyio.create_task_group() as group:
                group.start_soon(client.call_tool, "strata_recall", {"key": "slow"})
                assert await anyio.to_thread.run_sync(slow.begun.wait, 60)
                group.cancel_scope.cancel()
            assert await anyio.to_thread.run_sync(slow.cancelled.wait, 60)
            assert not (await client.call_tool("strata_recall", {"key": "fast"})).is_error

    anyio.run(talk)


def test_a_call_whose_client_is_gone_is_stopped(serve: Serve, slow: Slow) -> None:
    running = serve()
    meta = {
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    params = {"name": "strata_recall", "arguments": {"key": "slow"}, "_meta": meta}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    headers = {
        "MCP-Protocol-Version": MODERN,
        "Mcp-Method": "tools/call",
        "Mcp-Name": "strata_recall",
    }

    accept = {"Accept": "application/json, text/event-stream"}

    async def give_up() -> None:
        async with httpx2.AsyncClient() as http, anyio.create_task_group() as group:
            group.start_soon(partial(http.post, running.url, json=body, headers=headers | accept))
            assert await anyio.to_thread.run_sync(slow.begun.wait, 60)
            group.cancel_scope.cancel()

    anyio.run(give_up)
    assert slow.cancelled.wait(60)


def test_one_client_does_not_take_every_thread() -> None:
    async def work() -> None:
        workers = Workers()
        begun, released = threading.Semaphore(0), threading.Event()

        def wait() -> None:
            begun.release()
            released.wait(120)

        async with anyio.create_task_group() as group:
            for _ in range(limits.SERVE_CALLS_MAX * 2):
                group.start_soon(workers.run, "greedy", wait, Cancel())
            await anyio.sleep(0.2)
            assert workers.running == limits.SERVE_CALLS_OF_ONE_MAX
            with anyio.fail_after(60):
                assert await workers.run("modest", lambda: "at once", Cancel()) == "at once"
            released.set()
        assert workers.running == 0
        workers.close()

    anyio.run(work)


def test_long_writes_of_one_client_wait_for_each_other_and_for_nobody_else() -> None:
    async def work() -> None:
        workers = Workers()
        begun, released = threading.Semaphore(0), threading.Event()

        def write() -> None:
            begun.release()
            released.wait(120)

        async def long(who: str) -> None:
            await workers.run(who, write, Cancel(), writes=True)

        async with anyio.create_task_group() as group:
            for _ in range(limits.SERVE_CALLS_OF_ONE_MAX * 2):
                group.start_soon(long, "greedy")
            for _ in range(limits.SERVE_WRITES_OF_ONE_MAX):
                assert await anyio.to_thread.run_sync(lambda: begun.acquire(timeout=60))
            with anyio.fail_after(60):
                # Its reads go on, and so does what others write.
                assert await workers.run("greedy", lambda: "읽음", Cancel()) == "읽음"
                assert await workers.run("modest", lambda: "씀", Cancel(), writes=True) == "씀"
            assert workers.running == limits.SERVE_WRITES_OF_ONE_MAX
            released.set()
        assert workers.running == 0
        workers.close()

    anyio.run(work)


@ERAS
def test_too_many_calls_are_told_to_come_back(
    serve: Serve, slow: Slow, era: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "SERVE_CALLS_MAX", 1)
    monkeypatch.setattr(limits, "SERVE_CALLS_WAITING_MAX", 0)
    running = serve()

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        raise AssertionError("nothing was done")

    async def talk() -> None:
        async with running.client(era) as client, anyio.create_task_group() as group:
            group.start_soon(client.call_tool, "strata_recall", {"key": "slow"})
            await anyio.to_thread.run_sync(slow.begun.wait, 60)
            for heard in (None, hear):
                fast = {"key": "fast"}
                busy = await client.call_tool("strata_recall", fast, progress_callback=heard)
                assert busy.is_error
                assert "Try again" in busy.content[0].text  # pyright: ignore[reportAttributeAccessIssue]
            slow.released.set()

    anyio.run(talk)


@ERAS
def test_a_running_call_finishes_when_the_server_stops(serve: Serve, slow: Slow, era: str) -> None:
    running = serve()
    answers: list[bool] = []

    async def talk() -> None:
        async with running.client(era) as client, anyio.create_task_group() as group:
            await client.list_tools()  # the client wants their schemas, and later nobody answers

            async def wait() -> None:
                found = await client.call_tool("strata_recall", {"key": "slow"})
                answers.append(found.is_error)

            group.start_soon(wait)
            await anyio.to_thread.run_sync(slow.begun.wait, 60)
            running.listener.should_exit = True
            await anyio.sleep(0.5)
            slow.released.set()

    anyio.run(talk)
    assert answers == [False]
    assert running.listener.has_ended
    assert not slow.cancelled.is_set()


def test_a_call_that_does_not_finish_in_time_is_stopped(serve: Serve, slow: Slow) -> None:
    running = serve(stop_s=0.2)

    async def talk() -> None:
        async with running.client(LEGACY) as client:
            await client.call_tool("strata_recall", {"key": "slow"})

    with ThreadPoolExecutor(1) as pool:
        talking = pool.submit(anyio.run, talk)
        assert slow.begun.wait(60)
        running.listener.should_exit = True
        assert slow.cancelled.wait(60)
        talking.exception(60)
    assert not slow.released.is_set()


def test_the_limits_of_a_server_have_defaults() -> None:
    assert ServerConfig().stop_s == limits.SHUTDOWN_S
    assert ServerConfig().session_idle_s == limits.SERVE_SESSION_IDLE_S
