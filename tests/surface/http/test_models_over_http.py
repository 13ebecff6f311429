"""Models asked through a server: whose key goes where, who chooses, and what is told of it."""

from collections.abc import Iterator
from typing import Any

import anyio
import pytest

from tests.surface.developer.loopback import Endpoint
from tests.surface.http.conftest import Running, Serve

KEY = "sk-operator-" + "0001" * 6


class Internal(Endpoint):
    """A program beside the server that is nobody's business."""

    def reply(self, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        return 404, {"error": {"message": "INTERNAL-METADATA 비밀"}}


@pytest.fixture
def internal() -> Iterator[Internal]:
    made = Internal()
    yield made
    made.close()


@pytest.fixture
def running(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> Running:
    monkeypatch.setenv("STRATA_API_KEY", KEY)
    return serve(no_auth=False, groups="developer")


def call(running: Running, token: str, name: str, **arguments: Any) -> dict[str, Any]:
    """Call a tool with a token; return the answer or the error."""

    async def ask() -> dict[str, Any]:
        async with running.client(token=token) as client:
            found = await client.call_tool(name, arguments)
            return {"error": found.is_error, "text": str(found.content)}

    return anyio.run(ask)


def tools(running: Running, token: str) -> dict[str, Any]:
    """Return the tools that a token is shown, by name."""

    async def ask() -> dict[str, Any]:
        async with running.client(token=token) as client:
            return {tool.name: tool for tool in (await client.list_tools()).tools}

    return anyio.run(ask)


def test_a_token_cannot_choose_which_machine_the_server_asks(
    running: Running, internal: Internal
) -> None:
    token = running.token(groups=["developer"])
    model = f"endpoint:{internal.url}#x"
    answer = call(running, token, "strata_generate", model=model, prompt="p")
    assert answer["error"]
    assert "access_denied" in answer["text"]
    assert internal.asked == []


def test_the_key_goes_to_the_endpoint_of_the_settings_and_to_no_other(
    running: Running, internal: Internal
) -> None:
    own = Endpoint()
    running.db.models.configure(own.url, "writer")
    assert running.db.models.generate("안녕").text == "답: 안녕"
    assert own.keys == [f"Bearer {KEY}"]
    own.close()
    with pytest.raises(Exception, match="answered 404"):
        running.db.models.generate("안녕", model=f"endpoint:{internal.url}#x")
    assert internal.keys == [None]


def test_an_error_does_not_repeat_what_the_endpoint_answered(
    running: Running, internal: Internal
) -> None:
    running.db.models.configure(internal.url, "x")
    token = running.token(groups=["developer"])
    answer = call(running, token, "strata_generate", model="x", prompt="p")
    assert "404" in answer["text"]
    assert "INTERNAL" not in answer["text"]


def test_only_the_owner_chooses_the_model_of_everybody(running: Running) -> None:
    running.db.users.add("ann@example.com")
    ann = running.token(groups=["developer"], user="ann@example.com")
    wanted = {"endpoint": "http://127.0.0.1:9/v1", "model": "m"}
    answer = call(running, ann, "strata_configure_model", **wanted)
    assert answer["error"]
    assert "access_denied" in answer["text"]
    assert running.db.settings.get("model_endpoint") is None
    owner = running.token("mine", groups=["developer"])
    assert not call(running, owner, "strata_configure_model", **wanted)["error"]


def test_asking_a_model_is_listed_as_reaching_outside(running: Running) -> None:
    shown = tools(running, running.token(groups=["developer"]))["strata_generate"].annotations
    assert shown.open_world_hint
    assert not shown.read_only_hint
    reader = running.token("reader", groups=["developer"], read_only=True)
    assert "strata_generate" not in tools(running, reader)
