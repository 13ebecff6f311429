"""The clients: how each is told of a server and a model, and how it runs one prompt to its end.

Every run has a home of its own, so that nothing of this machine's settings is read or changed,
and the model is the only proxy, so that a client that wants to reach anything else is noticed.
"""

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tests.journey.model import ScriptedModel, Step
from tests.journey.wires import Result
from tests.node.packages import node, npm_bin

RUN_SECONDS = 90
# Features of Codex that ask the network at each start.
CODEX_ASKS_OUTSIDE = ("apps", "plugins", "remote_plugin", "plugin_discovery_prefetch")
PROMPT = "기억해 줘: do what the script says."


class Server(NamedTuple):
    """A server for a client to start, or to reach by a URL with a token.

    With neither it stands in a configuration that somebody else writes. Codex begins without the
    tools of a server that has not answered after a second, unless it is told to wait.
    """

    command: Sequence[str] = ()
    url: str = ""
    token: str = ""
    is_awaited: bool = True

    @property
    def remote(self) -> dict[str, Any]:
        """What most clients want to know of a server that they reach by HTTP."""
        return {"url": self.url, "headers": {"Authorization": f"Bearer {self.token}"}}

    @property
    def local(self) -> dict[str, Any]:
        """What most clients want to know of a server that they start."""
        return {"command": "".join(self.command[:1]), "args": list(self.command[1:])}

    def chosen(self, local: dict[str, Any], remote: dict[str, Any]) -> dict[str, Any]:
        """Return the servers of a configuration, as the client spells the one or the other."""
        if not self.command and not self.url:
            return {}
        return {"strata": remote if self.url else local}


class Launch(NamedTuple):
    """How a client starts."""

    arguments: list[str]
    environment: dict[str, str]


class Client(NamedTuple):
    """A client: its npm set and program, the name it gives a server, our tools in its mouth."""

    name: str
    actor: str
    pattern: str
    set_up: Callable[[Path, Server, str], Launch]

    def mangled(self, tools: Sequence[str]) -> set[str]:
        """Return tools under the names by which this client offers them to the model."""
        return {self.pattern.format(tool) for tool in tools}


class Talk(NamedTuple):
    """What came of one run of a client."""

    model: ScriptedModel
    exit_code: int
    output: str
    seconds: float

    @property
    def results(self) -> list[Result]:
        """The results of the calls, as the client told the model."""
        return self.model.results

    @property
    def answers(self) -> list[Any]:
        """The JSON of the results."""
        return [result.data for result in self.results]


def claude(home: Path, server: Server, model: str) -> Launch:
    servers = server.chosen(server.local, {"type": "http", **server.remote})
    path = write_json(home / "mcp.json", {"mcpServers": servers})
    arguments = ["-p", PROMPT, "--output-format", "json", "--allowedTools", "mcp__strata"]
    strictly = ["--mcp-config", path, "--strict-mcp-config"] if servers else []
    return Launch(
        [*arguments, *strictly],
        {
            "ANTHROPIC_BASE_URL": model,
            "ANTHROPIC_API_KEY": "scripted",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "CLAUDE_CONFIG_DIR": str(home / "claude"),
            "DISABLE_AUTOUPDATER": "1",
            "DISABLE_TELEMETRY": "1",
        },
    )


def codex(home: Path, server: Server, model: str, *, brain: str = "scripted") -> Launch:
    quoted = json.dumps
    token = {"url": server.url, "bearer_token_env_var": "STRATA_TOKEN"}
    waits = {"required": server.is_awaited}
    servers = server.chosen(server.local | waits, token | waits)
    lines = [
        f"model = {quoted(brain)}",
        'model_provider = "scripted"',
        'approval_policy = "never"',
        'sandbox_mode = "danger-full-access"',
        # What it allows for models that it knows.
        "tool_output_token_limit = 10000",
        "check_for_update_on_startup = false",
        "[analytics]",
        "enabled = false",
        "[features]",
        *(f"{feature} = false" for feature in CODEX_ASKS_OUTSIDE),
        "[model_providers.scripted]",
        'name = "scripted"',
        f"base_url = {quoted(model + '/v1')}",
        'wire_api = "responses"',
        *(f"[mcp_servers.{name}]" for name in servers),
        *(f"{key} = {quoted(value)}" for key, value in servers.get("strata", {}).items()),
    ]
    folder = home / "codex"
    folder.mkdir()
    (folder / "config.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    # A user trusts a hook once, by /hooks; here there is none to ask.
    arguments = ["exec", "--skip-git-repo-check", "--dangerously-bypass-hook-trust", PROMPT]
    return Launch(arguments, {"CODEX_HOME": str(folder), "STRATA_TOKEN": server.token})


def gemini(home: Path, server: Server, model: str) -> Launch:
    trusted = {"trust": True}
    remote = {"httpUrl": server.url, "headers": server.remote["headers"]}
    settings = {
        "security": {
            "auth": {"selectedType": "gemini-api-key"},
            "folderTrust": {"enabled": False},
        },
        "privacy": {"usageStatisticsEnabled": False},
        "telemetry": {"enabled": False},
        "general": {"enableAutoUpdate": False, "enableAutoUpdateNotification": False},
        "mcpServers": server.chosen(server.local | trusted, remote | trusted),
    }
    write_json(home / ".gemini" / "settings.json", settings)
    arguments = ["--model", "gemini-2.5-flash", "--yolo", "--prompt", PROMPT]
    environment = {
        "GEMINI_API_KEY": "scripted",
        "GOOGLE_GEMINI_BASE_URL": model,
        "GEMINI_CLI_TRUST_WORKSPACE": "true",
        "NO_BROWSER": "1",
    }
    return Launch(arguments, environment)


def opencode(home: Path, server: Server, model: str) -> Launch:
    local = {"type": "local", "command": list(server.command), "enabled": True}
    remote = {"type": "remote", **server.remote, "enabled": True}
    # Without this the client tells the model that there is a picture, and does not send it.
    sees = {"input": ["text", "image"], "output": ["text"]}
    provider = {
        "npm": "@ai-sdk/openai-compatible",
        "name": "scripted",
        "options": {"baseURL": f"{model}/v1", "apiKey": "scripted"},
        "models": {"scripted": {"name": "scripted", "tool_call": True, "modalities": sees}},
    }
    settings = {
        "autoupdate": False,
        "share": "disabled",
        "model": "scripted/scripted",
        "small_model": "scripted/scripted",
        "provider": {"scripted": provider},
        "mcp": server.chosen(local, remote),
    }
    path = write_json(home / "opencode.json", settings)
    switches = ["AUTOUPDATE", "MODELS_FETCH", "LSP_DOWNLOAD", "DEFAULT_PLUGINS", "SHARE"]
    off = {f"OPENCODE_DISABLE_{switch}": "1" for switch in switches}
    # It would fetch a package for writers of plugins at each start; the model has none to give.
    return Launch(["run", PROMPT], {"OPENCODE_CONFIG": path, "NPM_CONFIG_REGISTRY": model, **off})


CLIENTS: Mapping[str, Client] = {
    client.name: client
    for client in (
        Client("claude", "claude-code", "mcp__strata__{}", claude),
        Client("codex", "codex-mcp-client", "mcp__strata::{}", codex),
        Client("gemini", "gemini-cli-mcp-client", "mcp_strata_{}", gemini),
        Client("opencode", "opencode", "strata_{}", opencode),
    )
}


def converse(
    client: Client,
    server: Server,
    script: Sequence[Step],
    home: Path,
    *,
    before: Sequence[str] = (),
) -> Talk:
    """Run a client on one prompt with a model that follows the script.

    `before` is a command that is run first, in the same folder and environment.
    """
    work = home / "work"
    for folder in (home, work, home / "tmp"):
        folder.mkdir()
    with ScriptedModel(script) as model:
        launch = client.set_up(home, server, model.url)
        command = [*npm_bin(client.name, client.name), *launch.arguments]
        environment = {**isolated(home, model.url), **launch.environment}
        if before:
            exit_code, output = run(before, environment, work)
            assert exit_code == 0, output
        started = time.monotonic()
        exit_code, output = run(command, environment, work)
        return Talk(model, exit_code, output, time.monotonic() - started)


def isolated(home: Path, proxy: str) -> dict[str, str]:
    """Return an environment in which home is elsewhere and every way out ends at the model."""
    folders = {f"XDG_{kind}_HOME": str(home / kind.lower()) for kind in XDG}
    proxies = dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"), proxy)
    proxies |= {name.lower(): proxy for name in proxies}
    loopback = "127.0.0.1,localhost"
    return {
        "PATH": os.pathsep.join([str(node().parent), os.environ["PATH"]]),
        "HOME": str(home),
        "TMPDIR": str(home / "tmp"),
        "LANG": "C.UTF-8",
        "TERM": "dumb",
        "NO_COLOR": "1",
        "NO_PROXY": loopback,
        "no_proxy": loopback,
        **folders,
        # Where these stores are noted as trusted: the user who made them runs the client.
        "XDG_DATA_HOME": os.environ["XDG_DATA_HOME"],
        "STRATA_HOOK_SECONDS": "30",
        **proxies,
    }


XDG = ("CONFIG", "DATA", "CACHE", "STATE")


def run(command: Sequence[str], environment: dict[str, str], folder: Path) -> tuple[int, str]:
    """Run a program in a group of its own, and end the group when it is over."""
    process = subprocess.Popen(
        command,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
    )
    try:
        output, _nothing = process.communicate(timeout=RUN_SECONDS)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, _nothing = process.communicate()
        raise AssertionError(f"no end after {RUN_SECONDS} s:\n{output[-4000:]}") from None
    return process.returncode, output


def write_json(path: Path, value: object) -> str:
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")
    return str(path)
