"""The options that commands share; each may come before or after the command's name."""

from typing import Any

import click

from strata.cli.completion import complete_branches, complete_spaces
from strata.cli.session import Invocation


class SharedOption(click.Option):
    """An option of every command that can use it; where it is typed last wins."""


def shared_options(takes: str) -> list[click.Parameter]:
    """Return the named options and those that every command has."""
    wanted = {"db", *takes.split(), "json", "color"}
    return [_option(name) for name in _DECLARED if name in wanted]


def _option(name: str) -> SharedOption:
    return SharedOption([f"--{name}"], expose_value=False, callback=_keep, **_DECLARED[name])


def _keep(context: click.Context, parameter: click.Parameter, value: object) -> None:
    """Remember an option if it was given, so that it overrides one given further left."""
    session = context.ensure_object(Invocation)
    if value not in (None, False):
        setattr(session, parameter.name or "", value)
    if parameter.name == "color":
        context.color = session.wants_color


# What click.Option takes is open, so the values are too.
_DECLARED: dict[str, dict[str, Any]] = {
    "db": {
        "metavar": "PATH",
        "type": click.Path(),
        "help": "Use the store in this file.",
    },
    "branch": {
        "metavar": "NAME",
        "shell_complete": complete_branches,
        "help": "Work on this branch.",
    },
    "space": {
        "metavar": "NAME",
        "shell_complete": complete_spaces,
        "help": "Work in this space.",
    },
    "user": {
        "metavar": "WHO",
        "help": "Act for this user (id or email) instead of the owner.",
    },
    "actor": {"metavar": "NAME", "help": "Name this actor in the log."},
    "allow-secrets": {
        "is_flag": True,
        "help": "Keep keys, tokens and passwords as they are.",
    },
    "at": {
        "metavar": "TIME",
        "help": 'Look at the past: a version, "1h ago", "어제", tag:NAME.',
    },
    "json": {"is_flag": True, "help": "Answer with one JSON document."},
    "color": {
        "type": click.Choice(["auto", "always", "never"]),
        "help": "Use colours; auto is on a terminal.",
    },
}
ALL_OPTIONS = " ".join(_DECLARED)
