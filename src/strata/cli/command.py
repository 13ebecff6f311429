"""What every command is made of: shared options, examples in its help, a session to work in."""

from collections.abc import Callable
from typing import Any, cast

import click

from strata.cli.options import SharedOption, shared_options
from strata.cli.session import Invocation

# A command takes the session and its own arguments by name, and may return an exit code.
Body = Callable[..., int | None]


class _Explained:
    """Help with the shared options apart, and with examples at its end."""

    examples: tuple[str, ...] = ()

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the command's own options, then the ones it shares."""
        assert isinstance(self, click.Command)
        own: list[tuple[str, str]] = []
        shared: list[tuple[str, str]] = []
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None and isinstance(parameter, click.Option):
                (shared if isinstance(parameter, SharedOption) else own).append(record)
        for title, records in (("Options", own), ("Where and how", shared)):
            if records:
                with formatter.section(title):
                    formatter.write_dl(records)

    def format_epilog(
        self,
        ctx: click.Context,  # noqa: ARG002  (click's signature)
        formatter: click.HelpFormatter,
    ) -> None:
        """Write the examples, each on a line of its own, ready to be pasted."""
        if self.examples:
            with formatter.section("Examples"):
                for line in self.examples:
                    formatter.write(f"{'':>{formatter.current_indent}}{line}\n")


# What stands before a text that begins as an option would; no word of a command line holds it.
_TEXT = "\0"


class Command(_Explained, click.Command):
    """A command with examples. What begins with three hyphens is a text, such as frontmatter."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the words of a command line."""
        return super().parse_args(
            ctx, [f"{_TEXT}{word}" if word.startswith("---") else word for word in args]
        )


def _as_typed(value: object) -> object:
    """Return an argument, or several, without the mark."""
    if isinstance(value, tuple):
        return tuple(_as_typed(one) for one in cast("tuple[object, ...]", value))
    return value.removeprefix(_TEXT) if isinstance(value, str) else value


class Group(_Explained, click.Group):
    """A command with commands of its own; alone it does something harmless, such as listing."""

    # The command that is meant when another word follows.
    otherwise: str | None = None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that was typed."""
        if self.otherwise is not None and args[0] not in self.commands:
            args = [self.otherwise, *args]
        return super().resolve_command(ctx, args)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands inside, then the options."""
        self.format_commands(ctx, formatter)
        super().format_options(ctx, formatter)


class FindingGroup(Group):
    """A group that looks its commands up when they are asked for."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that was typed, or name the nearest."""
        try:
            return super().resolve_command(ctx, args)
        except click.NoSuchCommand as error:
            raise click.NoSuchCommand(
                error.command_name, possibilities=self.list_commands(ctx), ctx=ctx
            ) from None


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
        made.otherwise = otherwise
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
        return body(session, **{name: _as_typed(value) for name, value in arguments.items()})

    run.__doc__ = body.__doc__
    run.__dict__.update(body.__dict__)  # click's decorators leave the parameters there
    return run
