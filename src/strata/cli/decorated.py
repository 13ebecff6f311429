"""Commands of click's own decorators, until all of them are declared as `command.py` says."""

from collections.abc import Callable
from typing import Any

import click

from strata.cli.command import Command, Group, as_typed
from strata.cli.options import shared_options
from strata.cli.session import Invocation

# A command takes the session and its own arguments by name, and may return an exit code.
Body = Callable[..., int | None]


def command(
    name: str,
    *,
    takes: str = "",
    examples: str = "",
    group: Group | None = None,
    # Whatever else click.Command takes.
    **settings: Any,
) -> Callable[[Body], Command]:
    """Make a command of a function; `takes` names the shared options it understands."""

    def decorate(body: Body) -> Command:
        made = click.command(name, cls=Command, **settings)(_in_session(body, takes))
        _furnish(made, takes, examples)
        if group is not None:
            group.add_command(made)
        return made

    return decorate


def group(
    name: str, *, takes: str = "", examples: str = "", otherwise: str | None = None
) -> Callable[[Body], Group]:
    """Make a group; its function is what the group does when no command follows."""

    def decorate(body: Body) -> Group:
        def alone(session: Invocation) -> int | None:
            return body(session) if _is_alone() else None

        alone.__doc__ = body.__doc__
        inner = _in_session(alone, takes, is_last=_is_alone)
        made = click.group(name, cls=Group, invoke_without_command=True)(inner)
        _furnish(made, takes, examples)
        made.otherwise, made.takes = otherwise, takes
        return made

    return decorate


def _is_alone() -> bool:
    return click.get_current_context().invoked_subcommand is None


def _furnish(made: Command | Group, takes: str, examples: str) -> None:
    made.params += shared_options(takes)
    made.examples = tuple(line.strip() for line in examples.strip().splitlines() if line.strip())


def _in_session(body: Body, takes: str, *, is_last: Callable[[], bool] | None = None) -> Body:
    def run(**arguments: object) -> int | None:
        context = click.get_current_context()
        session = context.ensure_object(Invocation)
        runs_here = is_last is None or is_last()
        if runs_here and session.at is not None and "at" not in takes.split():
            # Answering from the present would be worse than not answering.
            raise click.UsageError(f"{context.command_path} cannot look at the past (--at).")
        return body(session, **{name: as_typed(value) for name, value in arguments.items()})

    run.__doc__ = body.__doc__
    run.__dict__.update(body.__dict__)  # click's decorators leave the parameters there
    return run
