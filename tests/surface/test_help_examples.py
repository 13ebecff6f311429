"""Help: every command explains itself, and what it shows as an example works when pasted."""

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from strata.cli.command import Command, Group
from strata.cli.main import cli
from tests.surface.conftest import Run


def commands(command: click.Command, name: str) -> Iterator[tuple[str, Command | Group]]:
    assert isinstance(command, (Command, Group))
    yield name, command
    if isinstance(command, Group):
        context = click.Context(command)
        for part in command.list_commands(context):
            child = command.get_command(context, part)
            assert child is not None
            if child.hidden:  # one of the many tools of `strata call`, which other tests call
                continue
            yield from commands(child, f"{name} {part}")


ALL = dict(commands(cli, "strata"))
# Where test_quiet.py can watch what leaves the machine, it runs the examples itself.
IS_WATCHED = sys.platform == "linux"


@pytest.mark.parametrize("name", ALL)
def test_every_command_has_a_line_a_paragraph_and_examples(name: str) -> None:
    command = ALL[name]
    summary, *paragraphs = (command.help or "").split("\n\n")
    assert summary.endswith(".")
    assert len(summary) <= 72
    assert paragraphs
    assert command.examples
    assert any(line.startswith(name) for line in command.examples)


@pytest.mark.parametrize("name", ALL)
def test_every_argument_and_option_says_what_it_is_for(name: str) -> None:
    for parameter in ALL[name].params:
        about = getattr(parameter, "help", None)
        assert about, f"{name} {parameter.name}"
        assert about.endswith("."), f"{name} {parameter.name}"


@pytest.mark.parametrize("name", ALL)
def test_the_usage_shows_which_arguments_may_be_left_out(name: str) -> None:
    context = click.Context(ALL[name])
    for parameter in ALL[name].params:
        if isinstance(parameter, click.Argument):
            shown = parameter.make_metavar(context)
            assert shown.startswith("[") != parameter.required, f"{name} {shown}"


@pytest.mark.parametrize("name", ALL)
def test_the_help_shows_the_examples_and_sets_shared_options_apart(name: str, ok: Run) -> None:
    text = ok(*name.split()[1:], "--help").out
    command = ALL[name]
    for line in command.examples:
        assert f"\n  {line}\n" in text
    assert text.index("Options:") < text.index("Where and how:") < text.index("Examples:")


@pytest.mark.slow
@pytest.mark.parametrize("name", [] if IS_WATCHED else ALL)
def test_the_examples_of_a_command_work_when_pasted(name: str, ok: Run, shell: "Shell") -> None:
    for line in ALL[name].examples:
        if "postgresql://" in line:  # tests/surface/test_postgres_commands.py runs these
            continue
        is_of_shell = any(mark in line for mark in ("|", "&&", ">"))
        if is_of_shell or not line.startswith("strata "):
            shell.paste(line)
        else:
            ok(*shlex.split(line)[1:])


def test_help_is_help_whichever_way_it_is_asked_for(ok: Run, run: Run) -> None:
    assert ok("help").out == ok("--help").out == ok("-h").out == ok().out
    assert ok("help", "put").out == ok("put", "--help").out
    assert ok("help", "event", "append").out == ok("event", "append", "-h").out
    assert "Did you mean 'put'?" in run("help", "putt").err
    assert run("help", "put", "more").code == 2


def test_the_list_of_commands_leaves_none_out(ok: Run) -> None:
    lines = [line.split()[0] for line in ok("--help").out.splitlines() if line.startswith("  ")]
    assert set(lines) >= {name.split()[1] for name in ALL if name.count(" ") == 1}


class Shell:
    """A shell that finds `strata`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        script = folder / "strata"
        script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m strata "$@"\n')
        script.chmod(0o700)

    def paste(self, line: str) -> None:
        """Run a line as a person would who pasted it."""
        path = f"{self.folder}{os.pathsep}{os.environ['PATH']}"
        done = subprocess.run(
            ["bash", "-o", "pipefail", "-c", line],
            env=os.environ | {"PATH": path},
            capture_output=True,
            check=False,
            timeout=60,
        )
        assert done.returncode == 0, f"{line}: {done.stderr.decode()}"


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    if shutil.which("bash") is None:
        pytest.skip("no bash here")
    return Shell(tmp_path / "bin")
