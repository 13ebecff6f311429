"""Both eras of the protocol over real HTTP, through the SDK's own client."""

import anyio
import pytest
from mcp import Client

import strata
from strata.mcp.http import ServerConfig, http_app
from strata.mcp.serving.app import App
from strata.tools import INSTRUCTIONS, PROMPTS, StoreHost, expose
from tests.surface.http.conftest import ERAS, LEGACY, MODERN, Serve


@ERAS
def test_a_value_is_stored_and_recalled(serve: Serve, era: str) -> None:
    running = serve()

    async def talk() -> None:
        async with running.client(era) as client:
            kept = await client.call_tool("strata_store", {"key": "배포", "value": "서울"})
            found = await client.call_tool("strata_recall", {"key": "배포"})
            assert not kept.is_error
            assert found.structured_content is not None
            assert found.structured_content["value"] == "서울"

    anyio.run(talk)
    stored = running.db.kv.get("배포")
    assert stored is not None
    assert stored.value == "서울"


@ERAS
def test_tools_instructions_and_prompts_are_the_registrys(serve: Serve, era: str) -> None:
    running = serve()

    async def talk() -> None:
        async with running.client("auto" if era == MODERN else era) as client:
            assert client.protocol_version == (MODERN if era == MODERN else "2025-11-25")
            assert client.server_info is not None
            assert client.server_info.name == "strata"
            assert client.instructions == INSTRUCTIONS
            listed = await client.list_tools()
            assert [tool.name for tool in listed.tools] == [t.name for t in expose("memory").tools]
            assert all(tool.output_schema and tool.annotations for tool in listed.tools)
            prompts = await client.list_prompts()
            assert [one.name for one in prompts.prompts] == [one.name for one in PROMPTS]
            text = await client.get_prompt("resume", {"topic": "검색"})
            assert "검색" in text.messages[0].content.text  # pyright: ignore[reportAttributeAccessIssue]
            if era == MODERN:
                assert (listed.cache_scope, listed.ttl_ms) == ("private", 300_000)

    anyio.run(talk)


@ERAS
def test_the_prompt_resume_begins_with_where_work_stopped(serve: Serve, era: str) -> None:
    running = serve(no_auth=False)
    running.db.decisions.checkpoint("색인을 반쯤 옮겼다", next_steps="검색을 잰다")

    async def resumed(*groups: str) -> str:
        async with running.client(era, token=running.token(groups=groups)) as client:
            prompt = await client.get_prompt("resume", {})
            return prompt.messages[0].content.text  # pyright: ignore[reportAttributeAccessIssue]

    assert "색인을 반쯤 옮겼다" in anyio.run(resumed, "memory", "decisions")
    assert "색인" not in anyio.run(resumed, "memory"), "a token that may not read decisions"


@ERAS
def test_an_unknown_tool_is_a_protocol_error_that_helps(serve: Serve, era: str) -> None:
    running = serve()

    async def talk() -> None:
        async with running.client(era) as client:
            with pytest.raises(Exception, match="Did you mean strata_recall"):
                await client.call_tool("strata_recal", {})
            with pytest.raises(Exception, match="developer"):
                await client.call_tool("strata_kv_put", {"key": "k", "value": 1})
            wrong = await client.call_tool("strata_recall", {"kee": "k"})
            assert wrong.is_error

    anyio.run(talk)


def test_what_a_session_would_keep_is_refused_where_there_is_none(serve: Serve) -> None:
    running = serve()
    switch = {"action": "switch", "name": "try"}

    async def talk() -> None:
        async with running.client(MODERN) as client:
            await client.call_tool("strata_branch", {"action": "fork", "name": "try"})
            refused = await client.call_tool("strata_branch", switch)
            assert refused.is_error
            assert "branch" in refused.content[0].text  # pyright: ignore[reportAttributeAccessIssue]
            there = {"key": "k", "value": "가지", "branch": "try"}
            assert not (await client.call_tool("strata_store", there)).is_error
        async with running.client(LEGACY) as client:
            assert not (await client.call_tool("strata_branch", switch)).is_error
            status = await client.call_tool("strata_status", {})
            assert status.structured_content is not None
            assert status.structured_content["branch"] == "try"

    anyio.run(talk)
    on_try = running.db.on("try").kv.get("k")
    assert on_try is not None
    assert on_try.value == "가지"
    assert running.db.kv.get("k") is None


def test_a_client_may_listen_for_changes(serve: Serve) -> None:
    running = serve()

    async def talk() -> None:
        async with running.client(MODERN) as client:
            with anyio.fail_after(60):
                async with client.listen(tools_list_changed=True):
                    found = await client.call_tool("strata_status", {})
                    assert not found.is_error

    anyio.run(talk)


@ERAS
def test_the_same_server_answers_a_client_in_its_own_process(era: str) -> None:
    async def talk() -> None:
        host = StoreHost(lambda: strata.open(durability="cache", auto_embed=False))
        app = App(host, ServerConfig(no_auth=True, groups="memory"))
        async with Client(app.handlers.server, mode=era, cache=None) as client:
            await client.call_tool("strata_store", {"key": "k", "value": [1, "둘"]})
            found = await client.call_tool("strata_recall", {"key": "k"})
            assert found.structured_content is not None
            assert found.structured_content["value"] == [1, "둘"]
        host.close()

    anyio.run(talk)


def test_the_application_can_be_run_by_another_server() -> None:
    host = StoreHost(lambda: strata.open(durability="cache", auto_embed=False))
    assert callable(http_app(host, ServerConfig(no_auth=True)))
    with pytest.raises(strata.NotAllowed):
        http_app(host, ServerConfig(no_auth=True, address="0.0.0.0"))
