"""Tokens that propose: over HTTP their holders write to branches of proposals, and nowhere else."""

import json
from typing import Any

import anyio
from mcp import Client, MCPError
from mcp_types import TextContent

from strata import Workspace
from strata.access import Tokens
from tests.surface.http.conftest import ERAS, Serve

GROUPS = "memory,core,comments,decisions,developer"


async def call(client: Client, tool: str, /, **arguments: Any) -> dict[str, Any]:
    result = await client.call_tool(tool, arguments)
    (content,) = result.content
    assert isinstance(content, TextContent)
    return {**json.loads(content.text), "is_error": bool(result.is_error)}


async def is_refused(client: Client, tool: str, arguments: dict[str, Any]) -> bool:
    """Whether a call gives an error, or the tool is not there for the caller."""
    try:
        return (await call(client, tool, **arguments))["is_error"]
    except MCPError as error:
        return "not for callers" in str(error)


def keys(db: Workspace) -> list[str]:
    return sorted(one.key for one in db.proposals.list())


@ERAS
def test_the_holder_of_a_token_proposes(serve: Serve, era: str) -> None:
    running = serve(no_auth=False)
    running.db.kv.put("limit", 10)
    secret = running.token("claude", proposes=True)

    async def work() -> None:
        async with running.client(era, token=secret, X_Strata_Tool_Groups=GROUPS) as client:
            stored = await call(client, "strata_store", key="limit", value=20)
            assert stored["branch"].startswith("proposals/")
            assert (await call(client, "strata_recall", key="limit"))["value"] == 10
            for tool, arguments in (
                ("strata_branch", {"action": "merge", "source": stored["branch"]}),
                ("strata_branch_merge", {"source": stored["branch"]}),
                ("strata_txn_begin", {}),
                ("strata_branch", {"action": "revert", "version": 1}),
            ):
                assert await is_refused(client, tool, arguments)

    anyio.run(work)
    assert running.db.kv["limit"] == 10
    assert keys(running.db) == ["limit"]
    running.db.proposals.accept("limit")
    assert running.db.kv["limit"] == 20


def test_two_users_do_not_reach_each_others_proposals(serve: Serve) -> None:
    running = serve(no_auth=False)
    ann, bob = (running.db.users.add(f"{name}@example.com", name) for name in ("소연", "Bob"))
    secrets = [
        running.token(one.name, user=one.id, groups=["memory"], proposes=True) for one in (ann, bob)
    ]

    async def work() -> None:
        branches: list[str] = []
        for secret in secrets:
            async with running.client(token=secret) as client:
                branches.append(
                    (await call(client, "strata_store", key="k", value=secret[-3:]))["branch"]
                )
        assert len(set(branches)) == 2
        async with running.client(token=secrets[1]) as client:
            theirs = await call(client, "strata_store", key="k", value="mine", branch=branches[0])
            assert theirs["is_error"]
            own = await call(client, "strata_store", key="k", value="again", branch=branches[1])
            assert own["branch"] == branches[1]

    anyio.run(work)
    by = {one.person_name: one.after for one in running.db.proposals.list()}
    assert by == {"소연": secrets[0][-3:], "Bob": "again"}


def test_a_token_cannot_be_made_less_narrow_in_the_file(serve: Serve) -> None:
    running = serve(no_auth=False)
    made = running.db.tokens.create("claude", proposes=True)
    tokens: Tokens = running.db.tokens
    assert tokens.check(made.secret) is not None
    store = running.db.serving.store
    with store.writing() as connection:
        connection.run("UPDATE tokens SET suggest_only = 0")
    assert tokens.check(made.secret) is None
