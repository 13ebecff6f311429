"""The official SDK's client talks to our server, over real pipes and within one process."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, MCPError, StdioServerParameters
from mcp_types import TextContent

import strata
from strata.base.version import __version__
from strata.mcp import protocol
from strata.tools import INSTRUCTIONS, Session, StoreHost
from tests.surface.mcp.sdk import sdk_server
from tests.surface.mcp.wire import ROOT, mounted_mcp, strata_mcp

OLD, NEW, EITHER = "legacy", protocol.MODERN_REVISION, "auto"
MODES = [OLD, NEW, EITHER]
Work = Callable[[Client], Awaitable[None]]


def run(server: Any, mode: str, work: Work, **options: Any) -> None:
    """Connect in one of the client's modes and do something."""

    async def connected() -> None:
        async with Client(server, mode=mode, read_timeout_seconds=30, **options) as client:
            await work(client)

    asyncio.run(connected())


def process(command: list[str]) -> StdioServerParameters:
    return StdioServerParameters(command=command[0], args=command[1:], cwd=str(ROOT))


def text_of(result: Any) -> str:
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


@pytest.fixture(params=["process", "memory"])
def server(request: pytest.FixtureRequest, path: Path, host: StoreHost) -> Any:
    """Our core as a process, and the SDK's server over the same tools in this one."""
    return (
        process(strata_mcp(path))
        if request.param == "process"
        else sdk_server(Session(host, caller="owner"))
    )


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
def test_the_client_works_with_the_tools(server: Any, mode: str, path: Path) -> None:
    async def work(client: Client) -> None:
        listed = await client.list_tools()
        assert len(listed.tools) == 8
        stored = await client.call_tool(
            "strata_store", {"key": "배포/대상", "value": {"색": "파랑"}, "tags": ["운영"]}
        )
        assert stored.is_error is False
        found = await client.call_tool("strata_recall", {"key": "배포/대상"})
        assert found.structured_content is not None
        assert found.structured_content["value"] == {"색": "파랑"}
        assert json.loads(text_of(found)) == found.structured_content
        wrong = await client.call_tool("strata_store", {"key": "k"})
        assert wrong.is_error is True
        assert json.loads(text_of(wrong))["parameter"] == "value"

    run(server, mode, work)
    with strata.open(path) as db:
        assert db.kv.get("배포/대상") is not None
        assert db.verify().ok


@pytest.mark.parametrize("mode", MODES)
def test_the_client_learns_who_serves(server: Any, mode: str) -> None:
    async def work(client: Client) -> None:
        if mode != NEW:  # which takes over without asking
            assert client.instructions == INSTRUCTIONS
            assert client.server_info is not None
            assert client.server_info.version == __version__
        prompts = await client.list_prompts()
        assert [prompt.name for prompt in prompts.prompts] == ["resume", "decide", "review"]
        got = await client.get_prompt("decide", {"question": "어느 색?"})
        content = got.messages[0].content
        assert isinstance(content, TextContent)
        assert "어느 색?" in content.text

    run(server, mode, work)


def test_the_client_takes_the_newer_era_where_it_may_choose(path: Path) -> None:
    async def work(client: Client) -> None:
        assert client.protocol_version == protocol.MODERN_REVISION

    run(process(strata_mcp(path)), EITHER, work)


@pytest.mark.parametrize("mode", MODES)
def test_an_unknown_tool_is_an_error_of_the_protocol(server: Any, mode: str) -> None:
    async def work(client: Client) -> None:
        with pytest.raises(MCPError) as caught:
            await client.call_tool("strata_kv_put", {"key": "k", "value": 1})
        assert caught.value.code == protocol.INVALID_PARAMS
        assert "developer" in caught.value.message

    run(server, mode, work)


@pytest.mark.parametrize("mode", [OLD, NEW])
def test_many_calls_at_once_are_all_answered(server: Any, mode: str) -> None:
    async def work(client: Client) -> None:
        calls = [
            client.call_tool("strata_store", {"key": f"키/{number}", "value": number})
            for number in range(60)
        ]
        results = await asyncio.gather(*calls)
        assert not any(result.is_error for result in results)
        listed = await client.call_tool("strata_recall", {"prefix": "키/", "limit": 100})
        assert listed.structured_content is not None
        assert len(listed.structured_content["keys"]) == 60

    run(server, mode, work)


@pytest.mark.parametrize("mode", [OLD, NEW])
def test_progress_reaches_the_client(path: Path, mode: str) -> None:
    told: list[tuple[float, float | None, str | None]] = []

    async def heard(progress: float, total: float | None, message: str | None) -> None:
        told.append((progress, total, message))

    async def work(client: Client) -> None:
        await client.call_tool("odd_reports", {"steps": 3}, progress_callback=heard)

    run(process(mounted_mcp("tests.surface.mcp.odd_tools", path)), mode, work)
    assert told[:3] == [(1, 3, "세는 중"), (2, 3, "세는 중"), (3, 3, "세는 중")]


@pytest.mark.parametrize("mode", [OLD, NEW])
def test_a_call_that_the_client_gives_up_blocks_nothing(path: Path, mode: str) -> None:
    async def work(client: Client) -> None:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.5):
                await client.call_tool("odd_sleeps", {"seconds": 2})
        done = await client.call_tool("odd_hurries", {})
        assert done.is_error is False

    run(process(mounted_mcp("tests.surface.mcp.odd_tools", path)), mode, work)


def test_the_client_hears_of_changed_tools_where_it_listens(path: Path) -> None:
    async def work(client: Client) -> None:
        async with client.listen(tools_list_changed=True) as subscription:
            assert subscription.honored.tools_list_changed is True
            await client.list_tools()

    run(process(strata_mcp(path)), NEW, work)
