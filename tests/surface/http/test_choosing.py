"""Which tools a client gets: header, then address, then options, then default; never more than
its token allows."""

from pathlib import Path
from typing import Any

import anyio
import pytest

from strata.access import OWNER, Grant
from strata.mcp.http import ServerConfig, choose
from strata.tools import expose
from tests.surface.http.conftest import ERAS, LEGACY, MODERN, Running, Serve


async def names(running: Running, era: str = LEGACY, **how: Any) -> list[str]:
    async with running.client(era, **how) as client:
        return [tool.name for tool in (await client.list_tools()).tools]


def of(groups: str) -> list[str]:
    return [tool.name for tool in expose(groups).tools]


@ERAS
def test_the_header_counts_before_the_address_and_that_before_the_options(
    serve: Serve, era: str
) -> None:
    running = serve(groups="developer_compact")

    async def talk() -> None:
        assert await names(running, era) == of("developer_compact")
        assert await names(running, era, query="?groups=memory") == of("memory")
        both = {"query": "?groups=memory", "X_Strata_Tool_Groups": "developer"}
        assert await names(running, era, **both) == of("developer")

    anyio.run(talk)


def test_without_a_choice_the_default_group_is_shown(serve: Serve) -> None:
    running = serve(groups=None)
    assert anyio.run(names, running) == of("memory") == [tool.name for tool in expose().tools]


def test_single_tools_can_be_served_alone(serve: Serve) -> None:
    running = serve(groups=None, tools="strata_recall,strata_kv_get")
    assert anyio.run(names, running) == ["strata_recall", "strata_kv_get"]


@ERAS
def test_an_unknown_group_warns_in_the_log_and_in_the_status(
    serve: Serve, era: str, caplog: pytest.LogCaptureFixture
) -> None:
    running = serve()

    async def talk() -> None:
        async with running.client(era, X_Strata_Tool_Groups="memory, momory") as client:
            status = await client.call_tool("strata_status", {})
            assert status.structured_content is not None
            assert any("momory" in one for one in status.structured_content["warnings"])
            assert status.structured_content["tool_groups"] == ["memory"]
            assert "/" not in status.structured_content["path"], "the server's folders are shown"
            # Who pins the newer revision asks for no instructions.
            assert era == MODERN or "'momory'" in (client.instructions or "")

    anyio.run(talk)
    assert sum("momory" in record.getMessage() for record in caplog.records) == 1


@ERAS
def test_a_server_for_reading_only_lists_and_calls_no_tool_that_writes(
    serve: Serve, era: str
) -> None:
    serve().db.kv.put("k", "읽기")
    running = serve(read_only=True)

    async def talk() -> None:
        async with running.client(era) as client:
            listed = [tool.name for tool in (await client.list_tools()).tools]
            assert "strata_recall" in listed
            assert "strata_store" not in listed
            assert not (await client.call_tool("strata_recall", {"key": "k"})).is_error
            with pytest.raises(Exception, match="for reading only"):
                await client.call_tool("strata_store", {"key": "k", "value": 1})
            branches = await client.call_tool("strata_branch", {"action": "list"})
            assert branches.structured_content is not None
            assert branches.structured_content["branches"][0]["name"] == "default"
            merged = await client.call_tool("strata_branch", {"action": "fork", "name": "n"})
            assert merged.is_error
            told = merged.content[0].text  # pyright: ignore[reportAttributeAccessIssue]
            assert "with action fork writes, and this server is for reading only" in told

    anyio.run(talk)
    kept = running.db.kv.get("k")
    assert kept is not None
    assert kept.value == "읽기"


@ERAS
def test_a_header_never_widens_what_a_token_allows(serve: Serve, era: str) -> None:
    running = serve(no_auth=False)
    token = running.token(groups=["memory"])

    async def talk() -> None:
        wide = {"X_Strata_Tool_Groups": "memory,developer,developer_compact"}
        assert await names(running, era, token=token, **wide) == of("memory")
        assert await names(running, era, token=token, query="?groups=all,developer") == of("memory")
        async with running.client(era, token=token, **wide) as client:
            with pytest.raises(Exception, match="which this token may not use"):
                await client.call_tool("strata_kv_put", {"key": "k", "value": 1})

    anyio.run(talk)
    assert running.db.kv.get("k") is None


def test_the_compact_tools_do_not_reach_around_a_token(serve: Serve) -> None:
    running = serve(no_auth=False, groups=None)
    reader = running.token(groups=["developer_compact"], read_only=True)

    async def talk() -> None:
        for era in (LEGACY, MODERN):
            async with running.client(era, token=reader) as client:
                refused = await client.call_tool("strata_kv_put", {"key": "k", "value": 1})
                assert refused.is_error
                assert "for reading only" in refused.content[0].text  # pyright: ignore[reportAttributeAccessIssue]

    anyio.run(talk)
    assert running.db.kv.get("k") is None


@ERAS
def test_clients_elsewhere_do_not_reach_files_of_this_machine(
    serve: Serve, era: str, tmp_path: Path
) -> None:
    here, there = (
        serve(groups="developer,developer_compact"),
        serve(groups="developer,developer_compact", hosts=("strata.intern",)),
    )
    here.db.kv.put("k", 1)
    export = {"branch": "default", "path": "나간것.bundle"}

    async def talk() -> None:
        async with there.client(era) as client:
            around = {"name": "strata_bundle_export", "arguments": export}
            for name, how in (("strata_bundle_export", export), ("strata_tools_call", around)):
                refused = await client.call_tool(name, how)
                assert refused.is_error
                assert "access_denied" in refused.content[0].text  # pyright: ignore[reportAttributeAccessIssue]
        async with here.client(era) as client:
            assert not (await client.call_tool("strata_bundle_export", export)).is_error

    anyio.run(talk)
    assert here.db.bundles.place("나간것.bundle").is_file()


def test_a_token_for_some_groups_shows_these_by_default() -> None:
    serving = ServerConfig()
    grant = Grant("대시보드", OWNER, groups=frozenset({"developer"}))
    assert choose(serving, grant).groups == ("developer",)
    assert choose(ServerConfig(groups="memory"), grant).groups == ()
    assert choose(serving, grant, header="memory developer").groups == ("developer",)
    both = Grant("x", OWNER, groups=frozenset({"all"}))
    assert choose(serving, both, header="memory,developer").groups == ("memory",)
    assert choose(serving, Grant("x", OWNER, groups=frozenset({"gone"}))).groups == ()


def test_a_token_does_not_get_single_tools_of_other_groups() -> None:
    serving = ServerConfig(tools="strata_recall strata_kv_get")
    found = choose(serving, Grant("x", OWNER, groups=frozenset({"memory"})))
    assert found.extra == ("strata_recall",)
    assert "strata_kv_get" in found.warnings[0]


def test_a_blank_choice_is_none() -> None:
    assert choose(ServerConfig(groups="developer"), header="  ", query="").groups == ("developer",)
    assert choose(ServerConfig(), header=" ", query="developer").groups == ("developer",)


def test_an_endless_header_is_cut() -> None:
    found = choose(ServerConfig(), header="x," * 100_000)
    assert len(found.warnings) <= 500
    assert found.groups == ("memory",)
