"""Commands and a skill for people who type them: whole files of ours, in each client's own form.

They are written once, as a plugin for Claude Code in the folder `plugin`; the forms of other
clients follow from that.
"""

import re
from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import PurePath
from typing import Any

import msgspec

from strata.base.values import Json
from strata.base.version import __version__
from strata.clients.catalogue import Client, Scope
from strata.clients.host import ClientHost

# What tells that a file is ours, one of which each of them holds.
_MARKS = ("Written by `strata setup`", "The Strata authors", '"description": "Strata: ')
_ARGUMENTS = "$ARGUMENTS"
# Where a text has a command to run: in backticks, or in a rule of what may be run.
_COMMAND = re.compile(r"((?<!Written by )`|Bash\()strata (?!setup CLIENT)")
_NAMELESS = "(what the user wrote behind the command)"


class Extra(msgspec.Struct, frozen=True):
    """A file to write: where, below the folder that the client reads, and what."""

    path: PurePath
    text: str


class WholeFile:
    """A file that is ours from its first letter to its last; one that is not is left alone."""

    about = "command"

    def read(self, text: str) -> Json:
        """Return the text if it is ours."""
        return text if any(mark in text for mark in _MARKS) else None

    def write(self, text: str, value: Json) -> str:
        """Return our text, unless the file there is not Strata's."""
        assert isinstance(value, str), "a file is a text"
        return text if text and self.read(text) is None else value

    def clear(self, text: str, before: str) -> str:
        """Return nothing in the place of what is ours."""
        return text if self.read(text) is None else before


def extras_of(
    client: Client,
    host: ClientHost,
    scope: Scope,
    *,
    session_line: str,
    command_line: str = "strata",
) -> list[Extra]:
    """Return the files that give a client our commands, or the skill, or both.

    They name the program by `command_line`.
    """
    if client.extras is None or scope not in client.extras.folders:
        return []
    folder = client.extras.folders[scope](host)
    made = _FORMS[client.extras.form](session_line)
    return [
        Extra(folder.joinpath(*name.split("/")), _run_by(text, command_line)) for name, text in made
    ]


def turn_plugin(client: Client, host: ClientHost, scope: Scope, *, line: str = "") -> Extra | None:
    """Return the plugin that lets a client without hooks run a line at the end of each turn."""
    if client.turn_plugins is None or scope not in client.turn_plugins:
        return None
    folder = client.turn_plugins[scope](host)
    text = _TURN_PLUGIN.replace("LINE", msgspec.json.encode(line).decode())
    return Extra(folder / "strata-turns.js", text)


# For opencode, which tells its plugins when a session waits for the user again.
_TURN_PLUGIN = """\
// Written by `strata setup`: keeps what was said in the store of the project.
import { spawnSync } from "node:child_process"
import { homedir } from "node:os"
import { join } from "node:path"

const command = LINE

export const StrataTurns = async ({ directory }) => ({
  event: async ({ event }) => {
    if (event.type !== "session.idle") return
    const data = process.env.XDG_DATA_HOME || join(homedir(), ".local", "share")
    const told = {
      hook_event_name: "Stop",
      session_id: event.properties?.sessionID,
      cwd: directory,
      transcript_path: join(data, "opencode", "opencode.db"),
    }
    const stdio = ["pipe", "ignore", "ignore"]
    const input = JSON.stringify(told)
    spawnSync(command, { shell: true, cwd: directory, timeout: 20000, stdio, input })
  },
})
"""


def _run_by(text: str, command_line: str) -> str:
    """Return a text whose commands are run by these words; the marks of our files stay."""
    return _COMMAND.sub(lambda found: f"{found[1]}{command_line} ", text)


def plugin_files() -> dict[str, str]:
    """Return the plugin as it is shipped, by path."""
    return dict(_walk(files("strata.clients").joinpath("plugin"), ""))


def _walk(folder: Traversable, prefix: str) -> Iterator[tuple[str, str]]:
    for entry in sorted(folder.iterdir(), key=lambda one: one.name):
        if entry.is_dir():
            yield from _walk(entry, f"{prefix}{entry.name}/")
        else:
            yield prefix + entry.name, entry.read_text(encoding="utf-8")


def _commands() -> Iterator[tuple[str, str, str]]:
    """Yield each command: its name, its line of description and its text."""
    for path, text in plugin_files().items():
        if path.startswith("commands/"):
            _start, head, body = text.split("---\n", 2)
            lines = dict(line.split(": ", 1) for line in head.splitlines())
            yield path.removeprefix("commands/").removesuffix(".md"), lines["description"], body


def _plugin(session_line: str) -> Iterator[tuple[str, str]]:
    """The plugin, without the prompt hook, which is in the client's settings."""
    for path, text in plugin_files().items():
        if path == "hooks/hooks.json":
            yield path, _session_hook(text, session_line)
        elif path == ".claude-plugin/plugin.json":
            # Any: the members of a manifest.
            manifest: dict[str, Any] = msgspec.json.decode(text)
            yield path, _json({**manifest, "version": __version__})
        else:
            yield path, text


def _session_hook(text: str, line: str) -> str:
    found: dict[str, Any] = msgspec.json.decode(text)  # Any: what hooks are made of
    (group,) = found["hooks"]["SessionStart"]
    group["hooks"][0]["command"] = line
    return _json({**found, "hooks": {"SessionStart": [group]}})


def _json(value: dict[str, Any]) -> str:
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode() + "\n"


def _skill(_session_line: str) -> Iterator[tuple[str, str]]:
    yield "SKILL.md", plugin_files()["skills/strata/SKILL.md"]


def _toml(_session_line: str) -> Iterator[tuple[str, str]]:
    for name, about, body in _commands():
        prompt = body.strip().replace(_ARGUMENTS, "{{args}}")
        assert "'''" not in prompt, "a literal text of TOML has no way to hold its own end"
        yield f"{name}.toml", f"description = \"{about}\"\nprompt = '''\n{prompt}\n'''\n"


def _markdown(_session_line: str) -> Iterator[tuple[str, str]]:
    for name, about, body in _commands():
        yield f"{_prefixed(name)}.md", f"---\ndescription: {about}\n---\n{body}"


def _plain(_session_line: str) -> Iterator[tuple[str, str]]:
    for name, _about, body in _commands():
        yield f"{_prefixed(name)}.md", body.replace(_ARGUMENTS, _NAMELESS)


def _prefixed(name: str) -> str:
    """Return a name that says whose command it is, where a folder does not."""
    return name if name.startswith("strata-") else f"strata-{name}"


_FORMS = {
    "plugin": _plugin,
    "skill": _skill,
    "toml": _toml,
    "markdown": _markdown,
    "plain": _plain,
}
