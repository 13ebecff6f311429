"""Hints of errors name calls of the SDK, and each of them has a command in the shell."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import click

from strata.base import shell
from strata.cli.main import cli

# Packages that speak to people at a terminal, or to agents, themselves.
OUTER = {"agents", "cli", "clients", "hooks", "mcp", "reference", "tools", "web"}
COMMAND = re.compile(r"`strata [a-z]")


def hints(root: Path) -> Iterator[tuple[str, str]]:
    """Yield every hint that is passed to an error, with its place."""
    source = root / "src" / "strata"
    for path in sorted(source.rglob("*.py")):
        if path.relative_to(source).parts[0] in OUTER:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.keyword) and node.arg == "hint":
                yield f"{path.relative_to(source)}:{node.value.lineno}", ast.unparse(node.value)


def test_hints_below_the_shell_name_no_commands(root: Path) -> None:
    # What only the shell can do has no call, and stays a command.
    known = {
        "`strata export --skip-damaged",
        "`strata db ",
        "`strata git ",
        "`strata serve`",
        "`strata token create",
        "`strata user",
        "`strata bundle",
        "`strata trust`",
        "`strata import",
        "`strata copy",
        "`strata workspace ",
    }
    found = [
        (place, hint)
        for place, hint in hints(root)
        if COMMAND.search(hint) and not any(one in hint for one in known)
    ]
    assert found == []


def test_every_call_in_a_hint_has_a_command(root: Path) -> None:
    calls = [
        (place, call)
        for place, hint in hints(root)
        for call in re.findall(r"`(?:db|strata)\.\w[^`]*`", hint.replace("\\'", "'"))
        if "{self.kind}" not in call
    ]
    assert len(calls) > 30
    assert [
        (place, call)
        for place, call in calls
        if "`strata " not in f"{shell.in_shell_words(call)}" and call != "`db.allowing_secrets()`"
    ] == []


def test_every_command_of_a_hint_exists() -> None:
    for command in shell._COMMANDS.values():
        words = command.split()
        group: click.Command | None = cli
        for word in words[1:]:
            if not isinstance(group, click.Group) or not word.islower() or word.startswith("-"):
                break
            group = group.get_command(click.Context(group), word)
            assert group is not None, command
