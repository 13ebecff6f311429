"""The clients: their files on each system, what an entry looks like there, and their prompt hook.

`docs/clients.md` says where each of these facts comes from.
"""

from collections.abc import Callable
from pathlib import PurePath
from typing import Literal

import msgspec

from strata.base.values import Json
from strata.clients.host import ClientHost

Scope = Literal["project", "user"]
Format = Literal["json", "toml"]
Finder = Callable[[ClientHost], PurePath]
# How an entry is spelt: the words that start the server become its members.
Spelling = Literal["plain", "typed", "one list"]


class Hook(msgspec.Struct, frozen=True):
    """Where a client reads what to run at every prompt, and how long it waits for it.

    `turn_events` are those after which its transcript has something new: the end of a turn and of
    a session, and the moment before the context is compacted.
    """

    event: str
    timeout: int
    files: dict[Scope, Finder]
    turn_events: tuple[str, ...]


# The forms in which a client takes commands: a plugin, a skill, or a file for each.
Form = Literal["plugin", "skill", "toml", "markdown", "plain"]


class Extras(msgspec.Struct, frozen=True):
    """Where a client reads commands and skills, and in which form."""

    form: Form
    folders: dict[Scope, Finder]


class Client(msgspec.Struct, frozen=True):
    """A program that speaks MCP, and all we need to know of it."""

    name: str
    title: str
    container: str
    files: dict[Scope, Finder]
    programs: tuple[str, ...]
    folders: tuple[Finder, ...]
    format: Format = "json"
    spelling: Spelling = "plain"
    hook: Hook | None = None
    extras: Extras | None = None
    # Where a client without such hooks reads a plugin that can run at the end of a turn.
    turn_plugins: dict[Scope, Finder] | None = None
    # Whether a server of the project's file finds the project by the folder it is started in.
    starts_in_project: bool = True
    # What the client calls the project's folder in its own files, where it has a word for it.
    project_word: str | None = None
    # What the user does after set-up in a project, and for all projects where that differs.
    next_step: str = ""
    next_step_of_user: str | None = None

    @property
    def default_scope(self) -> Scope:
        """The project where the client has one, since that is where the store is."""
        return "project" if "project" in self.files else "user"


def entry_of(client: Client, words: tuple[str, ...]) -> dict[str, Json]:
    """Return the members with which a client starts a server."""
    if client.spelling == "one list":
        return {"type": "local", "command": list(words), "enabled": True}
    plain: dict[str, Json] = {"command": words[0], "args": list(words[1:])}
    if client.name == "claude-code":
        # Eight tools are few: without this the model sees their names only, until it looks one up.
        plain["alwaysLoad"] = True
    return {"type": "stdio", **plain} if client.spelling == "typed" else plain


def words_of(entry: Json) -> list[str]:
    """Return the words that an entry starts its server with, however it spells them."""
    if not isinstance(entry, dict):
        return []
    command: Json = entry.get("command")
    arguments: Json = entry.get("args")
    words = command if isinstance(command, list) else [command]
    more = arguments if isinstance(arguments, list) else []
    return [word for word in (*words, *more) if isinstance(word, str)]


def hook_entry(hook: Hook, line: str) -> Json:
    """Return what makes a client run a line."""
    return {"type": "command", "command": line, "timeout": hook.timeout}


def _project(*parts: str) -> Finder:
    def find(host: ClientHost) -> PurePath:
        assert host.project is not None, "asked for only in a project"
        return host.project.joinpath(*parts)

    return find


def _home(*parts: str) -> Finder:
    return lambda host: host.home.joinpath(*parts)


def claude_folder(host: ClientHost) -> PurePath:
    """Return the folder of Claude Code."""
    return host.variable("CLAUDE_CONFIG_DIR", host.home / ".claude")


def _claude_user_file(host: ClientHost) -> PurePath:
    # Beside the folder .claude by default, but inside the one that the variable names.
    return host.variable("CLAUDE_CONFIG_DIR", host.home) / ".claude.json"


def _desktop_folder(host: ClientHost) -> PurePath:
    if host.system == "win32":
        # The store package sees its own copy of AppData and ignores the real one.
        local = host.variable("LOCALAPPDATA", host.home / "AppData" / "Local")
        package = local / "Packages" / "Claude_pzs8sxrjxfjjc"
        if host.exists(package):
            return package / "LocalCache" / "Roaming" / "Claude"
    return host.configuration / "Claude"


def codex_folder(host: ClientHost) -> PurePath:
    """Return the folder of Codex."""
    return host.variable("CODEX_HOME", host.home / ".codex")


def _code_folder(host: ClientHost) -> PurePath:
    portable = host.variable("VSCODE_PORTABLE", host.home)
    if portable != host.home:
        return portable / "user-data" / "User"
    return host.configuration / "Code" / "User"


def gemini_folder(host: ClientHost) -> PurePath:
    """Return the folder of Gemini CLI."""
    return host.variable("GEMINI_CLI_HOME", host.home) / ".gemini"


def _opencode_folder(host: ClientHost) -> PurePath:
    # The same on all systems: it follows the XDG rules everywhere.
    default = host.variable("XDG_CONFIG_HOME", host.home / ".config") / "opencode"
    return host.variable("OPENCODE_CONFIG_DIR", default)


def _opencode_file(folder: Finder) -> Finder:
    def find(host: ClientHost) -> PurePath:
        with_comments = folder(host) / "opencode.jsonc"
        return with_comments if host.exists(with_comments) else folder(host) / "opencode.json"

    return find


def _antigravity_file(host: ClientHost) -> PurePath:
    # Version 1 had a folder of its own; since version 2 editor and terminal share one.
    first = host.home / ".gemini" / "antigravity" / "mcp_config.json"
    shared = host.home / ".gemini" / "config"
    return first if host.exists(first) and not host.exists(shared) else shared / "mcp_config.json"


_ALL = (
    Client(
        "claude-code",
        "Claude Code",
        "mcpServers",
        files={"project": _project(".mcp.json"), "user": _claude_user_file},
        programs=("claude",),
        folders=(claude_folder,),
        spelling="typed",
        hook=Hook(
            "UserPromptSubmit",
            5,
            {
                "project": _project(".claude", "settings.json"),
                "user": lambda host: claude_folder(host) / "settings.json",
            },
            ("Stop", "PreCompact", "SessionEnd"),
        ),
        extras=Extras(
            "plugin",
            {
                "project": _project(".claude", "skills", "strata"),
                "user": lambda host: claude_folder(host) / "skills" / "strata",
            },
        ),
        next_step="Start `claude` in the project again; it asks once whether to use the server.",
        next_step_of_user="Start `claude` again.",
    ),
    Client(
        "claude-desktop",
        "Claude Desktop",
        "mcpServers",
        files={"user": lambda host: _desktop_folder(host) / "claude_desktop_config.json"},
        programs=("claude-desktop",),
        folders=(_desktop_folder,),
        next_step="Quit Claude Desktop and start it again.",
    ),
    Client(
        "codex",
        "Codex",
        "mcp_servers",
        files={
            "project": _project(".codex", "config.toml"),
            "user": lambda host: codex_folder(host) / "config.toml",
        },
        programs=("codex",),
        folders=(codex_folder,),
        format="toml",
        hook=Hook(
            "UserPromptSubmit",
            5,
            {
                "project": _project(".codex", "hooks.json"),
                "user": lambda host: codex_folder(host) / "hooks.json",
            },
            ("Stop", "PreCompact", "SessionEnd"),
        ),
        extras=Extras(
            "skill",
            {
                "project": _project(".agents", "skills", "strata"),
                "user": _home(".agents", "skills", "strata"),
            },
        ),
        next_step="Start `codex` again. It reads files of a project it trusts, and runs the hook "
        "once you have trusted it with /hooks.",
        next_step_of_user="Start `codex` again. It runs the hook once you have trusted it with "
        "/hooks.",
    ),
    Client(
        "cursor",
        "Cursor",
        "mcpServers",
        files={"project": _project(".cursor", "mcp.json"), "user": _home(".cursor", "mcp.json")},
        programs=("cursor", "cursor-agent"),
        folders=(_home(".cursor"),),
        spelling="typed",
        starts_in_project=False,
        project_word="${workspaceFolder}",
        extras=Extras(
            "plain",
            {"project": _project(".cursor", "commands"), "user": _home(".cursor", "commands")},
        ),
        next_step="Switch the server on under Settings, MCP.",
    ),
    Client(
        "vscode",
        "VS Code",
        "servers",
        files={
            "project": _project(".vscode", "mcp.json"),
            "user": lambda host: _code_folder(host) / "mcp.json",
        },
        programs=("code",),
        folders=(_code_folder,),
        spelling="typed",
        starts_in_project=False,
        project_word="${workspaceFolder}",
        next_step="Run `MCP: List Servers` and start it.",
    ),
    Client(
        "gemini",
        "Gemini CLI",
        "mcpServers",
        files={
            "project": _project(".gemini", "settings.json"),
            "user": lambda host: gemini_folder(host) / "settings.json",
        },
        programs=("gemini",),
        folders=(lambda host: gemini_folder(host) / "settings.json",),
        # It counts in milliseconds.
        hook=Hook(
            "BeforeAgent",
            5000,
            {
                "project": _project(".gemini", "settings.json"),
                "user": lambda host: gemini_folder(host) / "settings.json",
            },
            ("AfterAgent", "PreCompress", "SessionEnd"),
        ),
        extras=Extras(
            "toml",
            {
                "project": _project(".gemini", "commands", "strata"),
                "user": lambda host: gemini_folder(host) / "commands" / "strata",
            },
        ),
        next_step="Start `gemini` again; it reads files of a project only in a folder it trusts.",
        next_step_of_user="Start `gemini` again.",
    ),
    Client(
        "opencode",
        "opencode",
        "mcp",
        files={
            "project": _opencode_file(_project()),
            "user": _opencode_file(_opencode_folder),
        },
        programs=("opencode",),
        folders=(_opencode_folder,),
        spelling="one list",
        extras=Extras(
            "markdown",
            {
                "project": _project(".opencode", "commands"),
                "user": lambda host: _opencode_folder(host) / "commands",
            },
        ),
        turn_plugins={
            "project": _project(".opencode", "plugins"),
            "user": lambda host: _opencode_folder(host) / "plugins",
        },
        next_step="Start `opencode` again.",
    ),
    Client(
        "windsurf",
        "Windsurf",
        "mcpServers",
        files={"user": _home(".codeium", "windsurf", "mcp_config.json")},
        programs=("windsurf",),
        folders=(_home(".codeium", "windsurf"),),
        next_step="Press refresh under MCP servers in Cascade.",
    ),
    Client(
        "antigravity",
        "Antigravity",
        "mcpServers",
        files={"user": _antigravity_file},
        programs=("antigravity", "agy"),
        folders=(_home(".gemini", "antigravity"), _home(".gemini", "config")),
        next_step="Press refresh under Manage MCP Servers.",
    ),
)
CLIENTS: dict[str, Client] = {client.name: client for client in _ALL}


def seems_installed(client: Client, host: ClientHost) -> bool:
    """Guess by the client's programs and folders whether it is on this machine."""
    return any(map(host.on_path, client.programs)) or any(
        host.exists(folder(host)) for folder in client.folders
    )
