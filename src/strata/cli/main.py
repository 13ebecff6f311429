"""The `strata` command: its commands by name, loaded when they are asked for."""

import signal
import sys
from importlib import import_module
from io import TextIOWrapper
from typing import Any, NoReturn

import click

import strata
from strata.cli.command import Command, FindingGroup, Group
from strata.cli.failures import INTERRUPTED, report
from strata.cli.options import ALL_OPTIONS, shared_options
from strata.cli.session import Invocation

# Where each command is: a module of strata.cli.commands, and a name in it.
SECTIONS: dict[str, dict[str, str]] = {
    "Begin": {
        "init": "setup:init",
        "setup": "clients:setup",
        "status": "setup:status",
        "config": "setup:config",
        "trust": "trust:trust",
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
    },
    "Documents": {
        "doc": "documents:doc",
        "agent": "agents:agent",
        "comment": "comments:comment",
        "suggest": "suggestions:suggest",
        "publish": "publish:publish",
    },
    "Users and teams": {
        "user": "users:user",
        "team": "teams:team",
        "folder": "folders:folder",
        "audit": "audit:audit",
    },
    "History": {
        "log": "history:log",
        "show": "history:show",
        "undo": "history:undo",
        "revert": "history:revert",
        "tag": "tags:tag",
    },
    "Branches and copies": {
        "branch": "branches:branch",
        "fork": "branches:fork",
        "diff": "branches:diff",
        "merge": "branches:merge",
        "cherry-pick": "branches:cherry_pick",
        "bundle": "bundles:bundle",
        "export": "exchange:export",
        "import": "exchange:import_command",
    },
    "Maintenance": {
        "verify": "upkeep:verify",
        "backup": "upkeep:backup",
        "restore": "upkeep:restore",
        "compact": "upkeep:compact",
        "retention": "retention:retention",
        "purge": "values:purge",
        "reindex": "upkeep:reindex",
        "embeddings": "embeddings:embeddings",
        "models": "models:models",
        "doctor": "doctor:doctor",
    },
    "Help": {
        "help": "setup:show_help",
        "completion": "setup:completion",
    },
}
_PLACES = {name: place for section in SECTIONS.values() for name, place in section.items()}


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
    signal.signal(signal.SIGTERM, _end)
    cli.main(prog_name="strata")


def _end(number: int, _frame: object) -> NoReturn:
    raise SystemExit(128 + number)
