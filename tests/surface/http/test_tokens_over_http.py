"""Who may come in: tokens that are missing, wrong, revoked, expired, narrow or for reading."""

import time

import anyio
import pytest

from tests.surface.http.conftest import ERAS, LEGACY, Running, Serve

PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


def status_of(running: Running, authorization: str | None) -> tuple[int, str]:
    headers = {} if authorization is None else {"Authorization": authorization}
    answer = running.post(PING, headers=headers)
    return answer.status_code, answer.headers.get("www-authenticate", "")


def begin(running: Running, token: str) -> str:
    """Begin a session of the older era and return its id."""
    info = {"name": "t", "version": "1"}
    params = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": info}
    body = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}
    answer = running.post(body, headers={"Authorization": f"Bearer {token}"})
    return answer.headers["mcp-session-id"]


def ask(running: Running, token: str, session: str) -> int:
    headers = {"Authorization": f"Bearer {token}", "Mcp-Session-Id": session}
    return running.post(PING, headers=headers).status_code


def test_without_a_token_nobody_comes_in(serve: Serve) -> None:
    running = serve(no_auth=False)
    code, challenge = status_of(running, None)
    assert code == 401
    assert challenge == 'Bearer realm="strata"'
    told = running.post(PING).json()
    assert "strata token create" in told["error_description"]


@pytest.mark.parametrize(
    "authorization",
    [
        "Bearer strata_0123456789ab_" + "x" * 43,
        "Bearer nonsense",
        "Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.",
        "Bearer 열려라",
        "Basic dXNlcjpwYXNz",
        "Bearer",
        "Token x",
    ],
)
def test_a_wrong_token_is_refused(serve: Serve, authorization: str) -> None:
    running = serve(no_auth=False)
    running.token()
    headers = {"Authorization": authorization.encode()}
    answer = running.post(PING, headers=headers)
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"].startswith('Bearer realm="strata"')


def test_a_token_opens_until_it_is_revoked(serve: Serve) -> None:
    running = serve(no_auth=False)
    good, other = running.token("하나"), running.token("둘")
    session = begin(running, good)
    assert ask(running, good, session) == 200
    running.db.tokens.revoke("하나")
    assert ask(running, good, session) == 401
    code, challenge = status_of(running, f"Bearer {good}")
    assert code == 401
    assert 'error="invalid_token"' in challenge
    assert ask(running, other, begin(running, other)) == 200


def test_an_expired_token_is_refused(serve: Serve) -> None:
    running = serve(no_auth=False)
    short, long = running.token(expires=0.2), running.token(expires=3_600)
    time.sleep(0.3)
    assert status_of(running, f"Bearer {short}")[0] == 401
    assert status_of(running, f"Bearer {long}")[0] != 401


def test_a_token_for_none_of_the_groups_asked_for_is_told_what_it_lacks(serve: Serve) -> None:
    running = serve(no_auth=False)
    token = running.token(groups=["memory"])
    headers = {"Authorization": f"Bearer {token}", "X-Strata-Tool-Groups": "developer"}
    answer = running.post(PING, headers=headers)
    assert answer.status_code == 403
    assert 'error="insufficient_scope"' in answer.headers["www-authenticate"]
    assert 'scope="strata:developer"' in answer.headers["www-authenticate"]


@ERAS
def test_a_token_for_reading_cannot_write(serve: Serve, era: str) -> None:
    running = serve(no_auth=False)
    reader = running.token(read_only=True)

    async def talk() -> None:
        async with running.client(era, token=reader) as client:
            listed = [tool.name for tool in (await client.list_tools()).tools]
            assert "strata_store" not in listed
            assert "strata_search" in listed
            with pytest.raises(Exception, match="for reading only"):
                await client.call_tool("strata_store", {"key": "k", "value": 1})

    anyio.run(talk)
    assert running.db.kv.get("k") is None


@ERAS
def test_a_token_for_reading_lists_comments_and_suggestions(serve: Serve, era: str) -> None:
    running = serve(no_auth=False)
    made = running.db.documents.create("계획", "Ship in May.")
    running.db.review.comment(made.document, "정말?", quote="May")
    reader = running.token(read_only=True)

    async def talk() -> None:
        wanted = {"X_Strata_Tool_Groups": "core,comments"}
        async with running.client(era, token=reader, **wanted) as client:
            listed = {tool.name: tool for tool in (await client.list_tools()).tools}
            assert "edit_document" not in listed
            named = listed["manage_comments"].input_schema["properties"]["action"]["enum"]
            assert named == ["list"]
            about = {"documentId": made.document}
            found = await client.call_tool("manage_comments", {"action": "list", **about})
            assert found.structured_content is not None
            assert found.structured_content["comments"][0]["body"] == "정말?"
            none = await client.call_tool("manage_suggestions", {"action": "list", **about})
            assert not none.is_error
            said = {"action": "create", "body": "no", **about}
            refused = await client.call_tool("manage_comments", said)
            assert refused.is_error
            assert "this token is for reading only" in refused.content[0].text  # pyright: ignore[reportAttributeAccessIssue]

    anyio.run(talk)
    assert len(running.db.review.comments(made.document)) == 1


@ERAS
def test_commits_name_whom_a_token_is_for(serve: Serve, era: str) -> None:
    running = serve(no_auth=False)
    token = running.token("소연의 노트북")

    async def talk() -> None:
        async with running.client(era, token=token) as client:
            await client.call_tool("strata_store", {"key": "k", "value": 1})

    anyio.run(talk)
    assert running.db.log(limit=1)[0].actor == "소연의 노트북"


def test_it_is_noted_when_a_token_was_used(serve: Serve) -> None:
    running = serve(no_auth=False)
    token = running.token()
    assert running.db.tokens.list()[0].last_used is None
    status_of(running, f"Bearer {token}")
    deadline = time.monotonic() + 60
    while running.db.tokens.list()[0].last_used is None and time.monotonic() < deadline:
        time.sleep(0.02)
    assert running.db.tokens.list()[0].last_used is not None


def test_a_session_belongs_to_the_token_that_began_it(serve: Serve) -> None:
    running = serve(no_auth=False)
    mine, yours = running.token("mine"), running.token("yours")
    session = begin(running, mine)
    assert ask(running, mine, session) == 200
    assert ask(running, yours, session) == 404


def test_a_server_without_tokens_lets_local_programs_in(serve: Serve) -> None:
    running = serve(no_auth=True)

    async def talk() -> None:
        async with running.client(LEGACY) as client:
            assert not (await client.call_tool("strata_status", {})).is_error

    anyio.run(talk)
