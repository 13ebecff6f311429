"""The options that commands share; each may stand before or after the command's name."""

from typing import Any

import click

from strata.cli.completion import complete_branches, complete_spaces
from strata.cli.session import Session


class SharedOption(click.Option):
    """An option of every command that can use it; the last place it stands in wins."""


def shared_options(takes: str) -> list[click.Parameter]:
    """Return the named options and those that every command has."""
    wanted = {"db", *takes.split(), "json", "color"}
    return [_option(name) for name in _DECLARED if name in wanted]


def _option(name: str) -> SharedOption:
    return SharedOption([f"--{name}"], expose_value=False, callback=_keep, **_DECLARED[name])


def _keep(context: click.Context, parameter: click.Parameter, value: object) -> None:
    """Remember an option if it was given, so that it overrides one given further left."""
    session = context.ensure_object(Session)
    if value not in (None, False):
        setattr(session, parameter.name or "", value)
    if parameter.name == "color":
        context.color = session.wants_color


# What click.Option takes is open, so the values are too.
_DECLARED: dict[str, dict[str, Any]] = {
    "db": {
        "metavar": "PATH",
        "type": click.Path(),
        "help": "The store's file. Otherwise STRATA_DB, or the store of the project.",
    },
    "branch": {
        "metavar": "NAME",
        "shell_complete": complete_branches,
        "help": "The branch to work on instead of the current one.",
    },
    "space": {
        "metavar": "NAME",
        "shell_complete": complete_spaces,
        "help": "The space to work in instead of the current one.",
    },
    "actor": {"metavar": "NAME", "help": "Who is named on what is written."},
    "at": {
        "metavar": "TIME",
        "help": 'The past to look at: a version, a time, "1h ago", "어제", tag:NAME.',
    },
    "json": {"is_flag": True, "help": "Answer with one JSON document."},
    "color": {
        "type": click.Choice(["auto", "always", "never"]),
        "help": "When to use colours; auto is on a terminal, unless NO_COLOR is set.",
    },
}
ALL_OPTIONS = " ".join(_DECLARED)
