"""Calling any tool from the shell: its options are made from its declaration."""

import sys
from base64 import b64encode
from collections.abc import Iterator
from typing import Any, cast

import click
import msgspec
from click.shell_completion import CompletionItem

from strata.cli.command import Command, FindingGroup, Output, shared_options
from strata.cli.session import Invocation as Place
from strata.cli.session import say
from strata.cli.show.progress import progress
from strata.mcp.start import host_at
from strata.tools import (
    Parameter,
    Session,
    Tool,
    call_tool,
    expose,
    process_caller,
    registry,
)


class _Tools(FindingGroup):
    """One command for each tool; loaded when it is asked for, and too many for the reference."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  (click's signature)
        """Return the names of all tools."""
        return [tool.name for tool in registry().all()]

    def get_command(
        self,
        ctx: click.Context,  # noqa: ARG002  (click's signature)
        cmd_name: str,
    ) -> click.Command | None:
        """Make the command of a tool."""
        tool = registry().find(cmd_name)
        return None if tool is None else _command(tool)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete names of tools, and options after them."""
        names = [name for name in self.list_commands(ctx) if name.startswith(incomplete)]
        return [CompletionItem(name) for name in names] or super().shell_complete(ctx, incomplete)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the tools by group."""
        for name in registry().groups:
            with formatter.section(name):
                tools = registry().tools(name)
                formatter.write_dl([(tool.name, _short(tool)) for tool in tools])


@click.group(
    "call",
    cls=_Tools,
    invoke_without_command=True,
    subcommand_metavar="TOOL [--PARAMETER VALUE ... | --json OBJECT]",
)
@click.pass_context
def call(ctx: click.Context) -> None:
    """Call any tool, as an MCP client would.

    Alone it lists the tools; `strata call TOOL --help` explains one. Parameters are options of
    the same name, or all of them come as one object with --json. The answer is the tool's own
    JSON; the exit code is 1 when it is an error. --user names whose documents are meant, if
    not the owner's.
    """
    if ctx.invoked_subcommand is None:
        tools = registry().all()
        found = [{"name": tool.name, "group": tool.group, "about": _short(tool)} for tool in tools]
        Output({"tools": found}, (f"{tool.name:<34} {_short(tool)}" for tool in tools)).print()


call.params += shared_options("")
call.examples = (
    "strata call strata_store --key deploy/target --value blue",
    'strata call strata_recall --json \'{"key": "deploy/target"}\'',
    "strata call strata_kv_list --prefix deploy/",
)


def _short(tool: Tool) -> str:
    return tool.description.partition(". ")[0].rstrip(".") + "."


def _command(tool: Tool) -> Command:
    def run(**given: Any) -> int | None:
        return _call(click.get_current_context().ensure_object(Place), tool, given)

    made = Command(tool.name, callback=run, help=tool.description, hidden=True)
    made.params = [*_options(tool), *_own_options()]
    if tool.example:
        pairs = " ".join(f"--{name} {_typed(value)}" for name, value in tool.example.items())
        made.examples = (f"strata call {tool.name} {pairs}",)
    return made


def _options(tool: Tool) -> Iterator[click.Option]:
    for parameter in tool.parameters:
        name = parameter.name
        kinds: dict[Any, Any] = {int: click.INT, float: click.FLOAT, bool: click.BOOL}
        choices = parameter.schema.get("enum")
        yield click.Option(
            [*dict.fromkeys([f"--{_kebab(name)}", f"--{name}"]), name],
            type=click.Choice(choices) if choices else kinds.get(parameter.kind, click.STRING),
            multiple=parameter.schema.get("type") == "array",
            help=_help(parameter),
        )


def _kebab(name: str) -> str:
    """Return a name as options are spelled: document-id for documentId."""
    parted = "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in name)
    return parted.replace("_", "-")


def _help(parameter: Parameter) -> str:
    about = parameter.description or parameter.name
    kind = parameter.schema.get("type")
    is_json = kind in ("object", "array") or isinstance(kind, list)
    form = " (JSON, or text)" if is_json and kind != "array" else ""
    return f"{about}{form}{'; required' if parameter.required else ''}."


def _own_options() -> list[click.Parameter]:
    ours = [option for option in shared_options("actor user") if option.name != "json"]
    about = "All parameters as one JSON object; - reads it from standard input."
    whole = click.Option(["--json", "whole"], metavar="OBJECT", help=about)
    waits = "Let what is written wait for `strata review`, as with `strata mcp --propose`."
    propose = click.Option(["--propose", "proposes"], is_flag=True, help=waits)
    return [whole, propose, *ours]


def _call(place: Place, tool: Tool, given: dict[str, Any]) -> int | None:
    whole, proposes = given.pop("whole"), given.pop("proposes")
    arguments = {
        name: _value(tool, name, value) for name, value in given.items() if _is_given(value)
    }
    if whole is not None:
        arguments = _object(whole) | arguments
    location = place.location
    is_new = not location.exists
    host = host_at(place.db, read_only=False, auto_embed=True, is_lasting=False)
    session = Session(
        host,
        exposure=expose(tool.group, proposes=proposes),
        client=place.actor,
        creator="user",
        caller=process_caller(place.user, who=place.actor, proposes=proposes),
    )
    try:
        with progress(tool.name) as report:
            outcome = call_tool(session, tool, arguments, progress=report)
    finally:
        session.close()
        host.close()
    if is_new and location.exists:
        say(f"made a store at {location.display} ({location.reason})")
    picture = {} if outcome.png is None else {"data": b64encode(outcome.png).decode()}
    text = msgspec.json.format(msgspec.json.encode(outcome.value | picture), indent=2).decode()
    click.echo(text, err=outcome.is_error)
    return 1 if outcome.is_error else None


def _is_given(value: object) -> bool:
    return value is not None and value != ()


def _value(tool: Tool, name: str, value: Any) -> Any:
    parameter = tool.parameter(name)
    assert parameter is not None
    if isinstance(value, tuple):
        typed = cast("tuple[str, ...]", value)
        parts = [_read(part) if _expects_json(parameter) else part for part in typed]
        # One list as JSON, or one option for each element.
        is_whole = len(parts) == 1 and isinstance(parts[0], list)
        return cast("list[Any]", parts[0]) if is_whole else parts
    return _read(value) if _expects_json(parameter) and isinstance(value, str) else value


def _expects_json(parameter: Parameter) -> bool:
    kind = parameter.schema.get("type")
    if kind == "array":
        return parameter.schema["items"].get("type") != "string"
    return kind == "object" or (isinstance(kind, list) and "object" in kind)


def _read(text: str) -> Any:
    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError:
        return text


def _object(text: str) -> dict[str, Any]:
    found = _read(sys.stdin.read() if text == "-" else text)
    if not isinstance(found, dict):
        raise click.UsageError('--json takes one JSON object: \'{"key": "deploy/target"}\'.')
    return cast("dict[str, Any]", found)


def _typed(value: Any) -> str:
    text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    return text if text.replace("/", "").replace("-", "").isalnum() else f"'{text}'"
