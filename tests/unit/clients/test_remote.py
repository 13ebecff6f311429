"""What is copied into a client so that it uses a server over HTTP."""

import json
import tomllib
from typing import Any

import pytest

from strata.clients import CLIENTS, Client, local_text, remote_command, remote_text

ADDRESS, TOKEN = "https://strata.example.com/mcp", "strata_0123456789ab_x"


def entry_in(client: Client, text: str) -> dict[str, Any]:
    """Read the entry of the server out of a file of a client."""
    whole = tomllib.loads(text) if client.format == "toml" else json.loads(text)
    return whole[client.container]["strata"]


@pytest.mark.parametrize("client", CLIENTS.values(), ids=lambda client: client.name)
def test_every_client_gets_the_address_and_the_token(client: Client) -> None:
    entry = entry_in(client, remote_text(client, "strata", address=ADDRESS, token=TOKEN))
    assert ADDRESS in str(entry)
    assert f"Bearer {TOKEN}" in str(entry)


@pytest.mark.parametrize(
    ("name", "member"),
    [
        ("claude-code", "url"),
        ("codex", "url"),
        ("cursor", "url"),
        ("vscode", "url"),
        ("gemini", "httpUrl"),
        ("opencode", "url"),
        ("windsurf", "serverUrl"),
        ("antigravity", "serverUrl"),
    ],
)
def test_a_client_finds_the_address_under_its_own_name(name: str, member: str) -> None:
    client = CLIENTS[name]
    entry = entry_in(client, remote_text(client, "strata", address=ADDRESS, token=TOKEN))
    assert entry[member] == ADDRESS


def test_a_client_that_takes_programs_only_starts_a_bridge() -> None:
    client = CLIENTS["claude-desktop"]
    entry = entry_in(client, remote_text(client, "strata", address=ADDRESS, token=TOKEN))
    assert entry["command"] == "npx"
    assert not any(" " in word for word in entry["args"])


def test_a_client_with_a_command_is_set_up_by_one_line() -> None:
    line = remote_command(CLIENTS["claude-code"], "strata", address=ADDRESS, token=TOKEN)
    assert line is not None
    assert line.endswith(f'--header "Authorization: Bearer {TOKEN}"')
    assert remote_command(CLIENTS["cursor"], "strata", address=ADDRESS, token=TOKEN) is None


@pytest.mark.parametrize("client", CLIENTS.values(), ids=lambda client: client.name)
def test_every_client_can_start_its_own_server(client: Client) -> None:
    words = ("/opt/strata-mcp", "--db", "/data/가게.db")
    entry = entry_in(client, local_text(client, "strata", words))
    assert "/data/가게.db" in str(entry)
