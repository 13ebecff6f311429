"""The commands as data, for the pages that describe them."""

from collections.abc import Iterator
from inspect import cleandoc

import click
import msgspec

from strata.cli.command import Command, Group, SharedOption
from strata.cli.main import cli


class CommandParameter(msgspec.Struct, frozen=True):
    """An argument or an option: how it is typed, and what it is for."""

    spelling: str
    about: str
    is_option: bool
    is_shared: bool


class CommandDescription(msgspec.Struct, frozen=True):
    """A command as typed, with everything that its help says."""

    name: str
    usage: str
    about: str
    parameters: tuple[CommandParameter, ...]
    examples: tuple[str, ...]


def describe_commands() -> list[CommandDescription]:
    """Return every command that help lists, each group before its commands."""
    return list(_walk(click.Context(cli, info_name="strata")))


def _walk(context: click.Context) -> Iterator[CommandDescription]:
    command = context.command
    assert isinstance(command, (Command, Group)), context.command_path
    yield CommandDescription(
        context.command_path,
        " ".join([context.command_path, *command.collect_usage_pieces(context)]),
        cleandoc(command.help or ""),
        tuple(_parameters(context)),
        command.examples,
    )
    if isinstance(command, Group):
        for name in command.list_commands(context):
            child = command.get_command(context, name)
            assert child is not None, f"{name} is listed but not there"
            if child.hidden:  # one of the many tools of `strata call`
                continue
            yield from _walk(click.Context(child, parent=context, info_name=name))


def _parameters(context: click.Context) -> Iterator[CommandParameter]:
    for parameter in context.command.params:
        record = parameter.get_help_record(context)
        if record is not None:
            yield CommandParameter(
                *record,
                is_option=isinstance(parameter, click.Option),
                is_shared=isinstance(parameter, SharedOption),
            )
