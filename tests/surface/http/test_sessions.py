"""Sessions of the older era: each with its own branch, space and transaction, and an end."""

import time
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client

from strata.base import limits
from strata.tools import SessionState
from tests.surface.http.conftest import LEGACY, MODERN, Running, Serve

IDLE_S = 1.5


async def ask(client: Client, tool: str, **arguments: Any) -> Any:
    answer = await client.call_tool(tool, arguments)
    assert not answer.is_error, answer.content
    return answer.structured_content


def test_sessions_do_not_see_each_others_choices(serve: Serve) -> None:
    running = serve(groups="memory,developer")

    async def talk() -> None:
        async with running.client() as one, running.client() as two:
            await ask(one, "strata_branch", action="fork", name="try")
            await ask(one, "strata_branch", action="switch", name="try")
            await ask(one, "strata_store", key="k", value="하나")
            await ask(two, "strata_store", key="k", value="둘")
            assert (await ask(one, "strata_recall", key="k"))["value"] == "하나"
            assert (await ask(two, "strata_recall", key="k"))["value"] == "둘"
            assert (await ask(two, "strata_status"))["branch"] == "default"

    anyio.run(talk)


def test_a_transaction_is_seen_by_its_session_alone_until_it_commits(serve: Serve) -> None:
    running = serve(groups="developer")

    async def talk() -> None:
        async with running.client() as one, running.client() as two:
            await ask(one, "strata_txn_begin")
            await ask(one, "strata_kv_put", key="k", value="아직")
            assert (await ask(one, "strata_kv_get", key="k"))["value"] == "아직"
            assert (await ask(two, "strata_kv_get", key="k")) == {"result": None}
            await ask(one, "strata_txn_commit")
            assert (await ask(two, "strata_kv_get", key="k"))["value"] == "아직"

    anyio.run(talk)


async def left_open(running: Running, *, ends: bool) -> None:
    """Begin a transaction and go away: politely, or without a word."""
    async with httpx2.AsyncClient(timeout=30) as http:
        headers = {"Accept": "application/json, text/event-stream"}
        info = {"name": "t", "version": "1"}
        params = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": info}

        async def send(method: str, **params: Any) -> httpx2.Response:
            body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
            return await http.post(running.url, json=body, headers=headers)

        begun = await send("initialize", **params)
        headers["Mcp-Session-Id"] = begun.headers["mcp-session-id"]
        note = {"jsonrpc": "2.0", "method": "notifications/initialized"}
        await http.post(running.url, json=note, headers=headers)
        await send("tools/call", name="strata_txn_begin", arguments={})
        put = {"key": "k", "value": "잃어버릴 것"}
        answer = await send("tools/call", name="strata_kv_put", arguments=put)
        assert '"isError":false' in answer.text.replace(" ", "")
        if ends:
            assert (await http.delete(running.url, headers=headers)).status_code == 200
        # A request would keep the session, so there is one only when it should be gone.
        await anyio.sleep(0 if ends else 2 * IDLE_S)
        assert (await send("ping")).status_code == 404


@pytest.mark.parametrize("ends", [True, False])
def test_what_a_session_leaves_open_is_rolled_back(
    serve: Serve, *, ends: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    rolled_back: list[str] = []
    close = SessionState.close

    def watched(self: SessionState) -> None:
        if self.transaction is not None:
            rolled_back.append(self.transaction.branch)
        close(self)

    monkeypatch.setattr(SessionState, "close", watched)
    running = serve(groups="developer", session_idle_s=30.0 if ends else IDLE_S)
    anyio.run(lambda: left_open(running, ends=ends))
    deadline = time.monotonic() + 60
    while not rolled_back and time.monotonic() < deadline:
        time.sleep(0.02)
    assert rolled_back == ["default"]
    assert running.db.kv.get("k") is None
    assert running.db.log() == []


def test_sessions_are_bounded(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "SERVE_SESSIONS_MAX", 2)
    running = serve()
    info = {"name": "t", "version": "1"}
    params = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": info}
    body = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}
    opened = [running.post(body).headers["mcp-session-id"] for _ in range(3)]
    ping = {"jsonrpc": "2.0", "id": 2, "method": "ping"}
    found = [running.post(ping, headers={"Mcp-Session-Id": one}).status_code for one in opened]
    assert found == [404, 200, 200], "the one that rested longest has ended"

    async def talk() -> None:
        async with running.client(MODERN) as client:
            assert (await ask(client, "strata_status"))["branch"] == "default"

    anyio.run(talk)  # requests that stand alone need no session


def test_a_session_ends_with_its_client(serve: Serve) -> None:
    running = serve()

    async def talk() -> None:
        for _ in range(3):
            async with running.client(LEGACY) as client:
                await ask(client, "strata_status")

    anyio.run(talk)
    deadline = time.monotonic() + 60
    manager = running.listener._app._manager
    while manager._server_instances and time.monotonic() < deadline:
        time.sleep(0.02)
    assert manager._server_instances == {}
