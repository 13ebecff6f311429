"""The `strata` command: its commands by name, loaded when asked for, and how they fail."""

# Names of the SDK in signatures would load it, and with it every package.
from __future__ import annotations

import signal
import sys
from importlib import import_module
from io import TextIOWrapper
from typing import Any

import click
import msgspec

import strata
from strata.base.results import plain
from strata.base.shell import in_shell_words
from strata.cli.command import ALL_OPTIONS, Command, FindingGroup, Group, shared_options
from strata.cli.session import Invocation
from strata.cli.show.text import one_line

# Where each command is: a module of strata.cli.commands, and a name in it.
SECTIONS: dict[str, dict[str, str]] = {
    "Begin": {
        "init": "setup:init",
        "setup": "clients:setup",
        "status": "setup:status",
        "config": "setup:config",
        "trust": "tokens:trust",
    },
    "Serve": {
        "mcp": "mcp:mcp",
        "hook": "hook:hook",
        "call": "call:call",
        "serve": "serve:serve",
        "token": "tokens:token",
    },
    "Store and find": {
        "put": "values:put",
        "get": "values:get",
        "search": "search:search",
        "list": "values:list_keys",
        "delete": "values:delete",
        "history": "values:history",
        "event": "events:event",
        "space": "spaces:space",
        "vector": "vectors:vector",
        "decisions": "decisions:decisions",
        "conversations": "conversations:conversations",
        "review": "proposals:review",
    },
    "Documents": {
        "doc": "documents:doc",
        "agent": "agents:agent",
        "comment": "review:comment",
        "suggest": "review:suggest",
        "publish": "publish:publish",
    },
    "Users and teams": {
        "user": "users:user",
        "team": "users:team",
        "folder": "spaces:folder",
        "audit": "users:audit",
    },
    "History": {
        "log": "history:log",
        "show": "history:show",
        "why": "why:why",
        "undo": "history:undo",
        "revert": "history:revert",
        "tag": "history:tag",
    },
    "Branches and copies": {
        "branch": "branches:branch",
        "fork": "branches:fork",
        "diff": "branches:diff",
        "merge": "branches:merge",
        "cherry-pick": "branches:cherry_pick",
        "git": "git:git",
        "bundle": "exchange:bundle",
        "export": "exchange:export",
        "import": "exchange:import_command",
        "copy": "upkeep:copy",
        "remote": "remotes:remote",
        "push": "remotes:push",
        "pull": "remotes:pull",
        "sync": "remotes:sync",
        "clone": "remotes:clone",
    },
    "Maintenance": {
        "verify": "upkeep:verify",
        "backup": "upkeep:backup",
        "restore": "upkeep:restore",
        "compact": "upkeep:compact",
        "retention": "upkeep:retention",
        "purge": "values:purge",
        "reindex": "upkeep:reindex",
        "embeddings": "embeddings:embeddings",
        "models": "embeddings:models",
        "doctor": "doctor:doctor",
        "db": "database:db",
        "workspace": "database:workspace",
    },
    "Help": {
        "help": "setup:show_help",
        "completion": "setup:completion",
    },
}
_PLACES = {name: place for section in SECTIONS.values() for name, place in section.items()}


EXPECTED, USAGE, INTERRUPTED = 1, 2, 130


class Failure(msgspec.Struct, frozen=True):
    """What a user or a program reads about an error."""

    code: str
    message: str
    hint: str | None = None
    details: object = None


def report(session: Invocation, error: Exception, *, as_json: bool) -> int:
    """Tell of an error on stderr; return the exit code that goes with it."""
    failure = _describe(error)
    if as_json:
        click.echo(msgspec.json.encode(plain(failure)).decode(), err=True)
    else:
        color = session.wants_color
        _line("strata: ", failure.message, style="red", color=color)
        if isinstance(error, strata.MergeConflict):
            _show_conflicts(error, color=color)
        if failure.hint:
            _line("hint: ", failure.hint, style="yellow", color=color)
        for note in getattr(error, "__notes__", ()):
            _line("note: ", one_line(note), style="yellow", color=color)
    is_usage = isinstance(error, (click.UsageError, strata.InvalidArgument))
    return USAGE if is_usage else EXPECTED


def _describe(error: Exception) -> Failure:
    if isinstance(error, strata.MergeConflict) and "what came is on" not in (error.hint or ""):
        is_merge = "`choices`" in (error.hint or "")
        each = "--choose ID=ours or ID=theirs for each, or " if is_merge else ""
        ways = f"{each}--strategy source_wins, target_wins or newest"
        hint = f"Nothing was changed. Decide with {ways}."
        return Failure(error.code, error.message, hint, plain(error.details))
    if isinstance(error, strata.StrataError):
        hint = in_shell_words(error.hint)
        return Failure(error.code, error.message, hint, plain(error.details) or None)
    if isinstance(error, click.UsageError):
        known = error.ctx.command_path if error.ctx is not None else "strata"
        message = " ".join(error.format_message().split())
        hint = f"`{known} --help` explains it."
        if isinstance(error, click.NoSuchOption) and error.option_name[1:2].isdigit():
            hint = f"-- goes before a value that begins with a dash: `-- {error.option_name}`."
        return Failure("usage", message, hint)
    if isinstance(error, click.ClickException):
        return Failure("failed", error.format_message())
    assert isinstance(error, OSError), error
    place = f"{error.filename}: " if error.filename else ""
    return Failure("os_error", f"{place}{error.strerror or error}")


def _show_conflicts(error: strata.MergeConflict, *, color: bool | None) -> None:
    from strata.cli.show.changes import conflict_lines  # noqa: PLC0415  (few commands need it)

    for line in conflict_lines(error.conflicts):
        click.echo(line, err=True, color=color)


def _line(label: str, text: str, *, style: str, color: bool | None) -> None:
    # One line, whatever the message quotes.
    shown = " ".join(text.splitlines())
    click.echo(click.style(label, fg=style, bold=True) + shown, err=True, color=color)


class Root(FindingGroup):
    """The root of the commands: finds them by name and turns errors into exit codes."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  (click's signature)
        """Return the names of all commands, loading none."""
        return list(_PLACES)

    def get_command(
        self,
        ctx: click.Context,  # noqa: ARG002  (click's signature)
        cmd_name: str,
    ) -> click.Command | None:
        """Load a command."""
        if cmd_name not in _PLACES:
            return None
        module, _colon, name = _PLACES[cmd_name].partition(":")
        found = getattr(import_module(f"strata.cli.commands.{module}"), name)
        assert isinstance(found, (Command, Group)), f"{cmd_name} is no command"
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands by what they are for."""
        for title, names in SECTIONS.items():
            found = {name: self.get_command(ctx, name) for name in names}
            with formatter.section(title):
                formatter.write_dl(
                    [(name, made.get_short_help_str(72)) for name, made in found.items() if made]
                )

    # Any: click's own signature, of which only the keywords are touched.
    def main(self, *args: Any, **extra: Any) -> Any:
        """Run a command line and leave the process with an exit code."""
        session = Invocation()
        extra |= {"standalone_mode": False, "obj": session, "color": session.wants_color}
        try:
            code = super().main(*args, **extra)
        except click.Abort:
            sys.exit(INTERRUPTED)
        except (strata.StrataError, click.ClickException, OSError) as error:
            # Where parsing failed, what was typed is all there is to go by.
            typed = extra.get("args") or sys.argv[1:]
            code = report(session, error, as_json=session.json or "--json" in typed)
        sys.exit(code)


@click.group(
    "strata",
    cls=Root,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(strata.__version__, prog_name="strata", message="%(prog)s %(version)s")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """A versioned store for what agents and their users know.

    Commands use the store of the project you are in; the first write makes it. Options
    under "Where and how" may come before or after a command.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


cli.params += shared_options(ALL_OPTIONS)
cli.examples = (
    "strata put greeting 안녕하세요",
    "strata get greeting",
    "strata fork try --switch",
    "strata log --oneline",
)


def main() -> None:
    """Run the command line of this process."""
    for stream in (sys.stdout, sys.stderr):
        # What is stored is Unicode, whatever the terminal or the pipe was set to.
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")
    # A command that is terminated cleans up behind itself, as after Ctrl-C. Servers set their own.
    signal.signal(signal.SIGTERM, lambda number, _frame: sys.exit(128 + number))
    cli.main(prog_name="strata")
