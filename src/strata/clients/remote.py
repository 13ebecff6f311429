"""What a user copies into a client's file so that it uses a server elsewhere, over HTTP."""

from strata.base.values import Json
from strata.clients import toml_edit
from strata.clients.catalogue import Client, entry_of
from strata.clients.parts import server_part

# How each client spells the address of a server; "url" where it is not named here.
_ADDRESS = {"gemini": "httpUrl", "windsurf": "serverUrl", "antigravity": "serverUrl"}
_TYPES = {"claude-code": "http", "vscode": "http", "opencode": "remote"}
# Its file takes programs only; this one, from npm, passes everything on to an address.
_BRIDGED = "claude-desktop"
# Without a space in an argument: some clients on Windows cut it there.
_VARIABLE = "MCP_AUTHORIZATION"


def remote_text(client: Client, name: str, *, address: str, token: str) -> str:
    """Return a whole file that lets a client use a server at an address, with a token."""
    authorization = f"Bearer {token}"
    if client.format == "toml":
        path = (client.container, name)
        text = toml_edit.put("", path, {"url": address})
        return toml_edit.put(text, (*path, "http_headers"), {"Authorization": authorization})
    return server_part(client, name).write("", remote_entry(client, address, authorization))


def remote_entry(client: Client, address: str, authorization: str) -> dict[str, Json]:
    """Return the members with which a client uses a server at an address."""
    if client.name == _BRIDGED:
        words: list[Json] = ["-y", "mcp-remote", address]
        words += ["--header", f"Authorization:${{{_VARIABLE}}}"]
        return {"command": "npx", "args": words, "env": {_VARIABLE: authorization}}
    entry: dict[str, Json] = {_ADDRESS.get(client.name, "url"): address}
    if client.name in _TYPES:
        entry = {"type": _TYPES[client.name], **entry}
    entry["headers"] = {"Authorization": authorization}
    return {**entry, "enabled": True} if client.spelling == "one list" else entry


def local_text(client: Client, name: str, words: tuple[str, ...]) -> str:
    """Return a whole file that lets a client start a server of its own."""
    return server_part(client, name).write("", entry_of(client, words))


def remote_command(client: Client, name: str, *, address: str, token: str) -> str | None:
    """Return the line that does the same in a shell, for a client that has such a command."""
    if client.name != "claude-code":
        return None
    header = f'--header "Authorization: Bearer {token}"'
    return f"claude mcp add --transport http {name} {address} {header}"
