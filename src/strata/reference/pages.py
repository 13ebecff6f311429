"""The reference pages as Markdown."""

from collections.abc import Iterable, Iterator, Sequence
from textwrap import fill

import msgspec

from strata.workspace import SETTINGS, Setting

WRITTEN = "<!-- Written by `./dev python -m strata.reference`; do not edit. -->"


class ParameterLine(msgspec.Struct, frozen=True):
    """An argument or an option: how it is typed, and what it is for."""

    spelling: str
    about: str
    is_option: bool
    is_shared: bool


class CommandPage(msgspec.Struct, frozen=True):
    """The reference of one command."""

    name: str
    usage: str
    about: str
    parameters: tuple[ParameterLine, ...]
    examples: tuple[str, ...]


_COMMANDS = """\
# Command line

{written}

`strata COMMAND --help` says the same in the terminal. The examples of each command can be pasted
in an empty folder, one after the other.

## Where the store is

`--db PATH` or the variable `STRATA_DB` names the store's file, or the address of a workspace in
PostgreSQL (`postgresql://USER@HOST/DATABASE?workspace=NAME`). Otherwise it is `.strata/store.db`
in the nearest parent folder that has `.strata`, else in the nearest one with `.git`,
`pyproject.toml` or `package.json`; outside of any project, and in the home folder, it is your own
store in the platform's folder for data. Commands that read never make a store; the first one that
writes does, and says where. `strata status` and `strata doctor` show the path and the reason.

## Shared options

They may come before or after the command; the last one wins.

{shared}

## Exit codes

| code | meaning |
|---|---|
| 0 | done |
| 1 | an expected failure: not found, a conflict, damage found |
| 2 | the command line, or a value in it, cannot be used |
| 130 | stopped by Ctrl-C |

An error is one line on stderr that begins with `strata:`, and often a line that begins with
`hint:`. With `--json` it is a JSON object with `code`, `message`, `hint` and `details`. Answers
stand on stdout alone; with `--json` they are one document, with times as microseconds
(`timestamp`) and as ISO 8601 (`time`).
"""

_SETTINGS = """\
# Settings

{written}

A store keeps settings for all its users. `strata config` lists them, `strata config NAME
VALUE` sets one and `strata config --unset NAME` forgets it. What a command says wins over the
environment, the environment over the store, and the store over the default. Settings that reach
outside, or let secrets in, are taken only from a store that you
[trust](../explain/what-leaves-the-machine.md#stores-that-came-from-elsewhere).

The store itself is found by `--db` or the variable `STRATA_DB`; see
[where the store is](cli.md#where-the-store-is).
"""


def command_page(commands: Sequence[CommandPage]) -> str:
    """Return the page about the command line."""
    root = commands[0]
    shared = _table("option", [one for one in root.parameters if one.is_shared])
    sections = [_COMMANDS.format(written=WRITTEN, shared=shared)]
    sections += ["\n".join(_command(one)) for one in commands]
    return "\n".join(sections)


def setting_page() -> str:
    """Return the page about the settings."""
    sections = [_SETTINGS.format(written=WRITTEN)]
    sections += ["\n".join(_setting(one)) for one in SETTINGS.values()]
    return "\n".join(sections)


def _command(command: CommandPage) -> Iterator[str]:
    yield f"## `{command.name}`\n"
    yield f"```\n{command.usage}\n```\n"
    yield from (f"{_paragraph(text)}\n" for text in command.about.split("\n\n"))
    own = [one for one in command.parameters if not one.is_shared]
    for title, is_option in (("argument", False), ("option", True)):
        lines = [one for one in own if one.is_option == is_option]
        if lines:
            yield f"{_table(title, lines)}\n"
    shared = [one.spelling.split()[0] for one in command.parameters if one.is_shared]
    names = ", ".join(f"`{name}`" for name in shared)
    yield f"{_paragraph(f'[Shared](#shared-options): {names}.')}\n"
    if command.examples:
        yield "\n".join(("```sh", *command.examples, "```\n"))


def _setting(setting: Setting) -> Iterator[str]:
    yield f"## `{setting.name}`\n"
    yield f"{setting.about}\n"
    default = "not set" if setting.default is None else f"`{setting.default}`"
    trusted = " Only from a trusted store." if setting.needs_trust else ""
    yield f"Default: {default}. In the environment: `{setting.variable}`.{trusted}\n"


def _paragraph(text: str) -> str:
    joined = " ".join(text.split())
    return fill(joined, 100, break_long_words=False, break_on_hyphens=False)


def _table(title: str, lines: Iterable[ParameterLine]) -> str:
    rows = [f"| `{_cell(one.spelling)}` | {_cell(one.about)} |" for one in lines]
    return "\n".join((f"| {title} | |", "|---|---|", *rows))


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
