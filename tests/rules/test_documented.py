"""Every command, option and setting is documented, and nothing is documented that is not there."""

import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from strata.cli.main import cli
from strata.workspace.settings import SETTINGS

COMMAND_HEADING = re.compile(r"^#+ +`?(strata(?: [a-z][\w-]*)*)`?\s*$", re.MULTILINE)
SETTING_HEADING = re.compile(r"^#+ +`([\w.-]+)`\s*$", re.MULTILINE)


@pytest.fixture(scope="session")
def command_page(root: Path) -> str:
    return (root / "docs" / "reference" / "cli.md").read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def setting_page(root: Path) -> str:
    return (root / "docs" / "reference" / "settings.md").read_text(encoding="utf-8")


def test_every_command_has_a_section_and_every_section_a_command(command_page: str) -> None:
    assert set(COMMAND_HEADING.findall(command_page)) == dict(commands(cli)).keys()


def test_every_option_is_named_in_the_section_of_its_command(command_page: str) -> None:
    written = sections(command_page)
    missing = [
        f"{name} {option}"
        for name, command in commands(cli)
        for option in options(command)
        if not names_option(written.get(name, ""), option)
    ]
    assert missing == []


def test_every_command_says_what_it_does() -> None:
    assert [name for name, command in commands(cli) if not command.get_short_help_str()] == []


def test_every_setting_is_documented_and_every_documented_setting_exists(setting_page: str) -> None:
    assert set(SETTING_HEADING.findall(setting_page)) == set(SETTINGS)


def test_an_undocumented_option_would_be_noticed() -> None:
    page = "# All\n\n## `strata get`\n\n`--as-of TIME` reads the past.\n\n## strata put\n\nText.\n"
    written = sections(page)
    assert written.keys() == {"strata get", "strata put"}
    assert names_option(written["strata get"], "--as-of")
    assert not names_option(written["strata get"], "--as")
    assert not names_option(written["strata put"], "--as-of")


def commands(command: click.Command, name: str = "strata") -> Iterator[tuple[str, click.Command]]:
    """Yield each visible command with its full name, the root included."""
    yield name, command
    if not isinstance(command, click.Group):
        return
    context = click.Context(command)
    for part in command.list_commands(context):
        child = command.get_command(context, part)
        assert child is not None, f"{name} {part} is listed but not there"
        if not child.hidden:
            yield from commands(child, f"{name} {part}")


def options(command: click.Command) -> Iterator[str]:
    """Yield the long spelling of each visible option of a command."""
    for parameter in command.params:
        if isinstance(parameter, click.Option) and not parameter.hidden:
            spellings = (parameter.opts, parameter.secondary_opts)
            yield from [max(names, key=len) for names in spellings if names]


def names_option(section: str, option: str) -> bool:
    return re.search(rf"{re.escape(option)}(?![\w-])", section) is not None


def sections(page: str) -> dict[str, str]:
    """Cut a page into the texts below its command headings."""
    _, *parts = COMMAND_HEADING.split(page)
    return dict(zip(parts[::2], parts[1::2], strict=True))
