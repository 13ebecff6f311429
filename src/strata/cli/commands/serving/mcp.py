"""The MCP server over standard input and output, which clients start themselves."""

import logging
import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from strata.cli.command import command
from strata.cli.session import Session as Place
from strata.tools import Exposure, Host, Session, expose

if TYPE_CHECKING:
    from strata.workspace import Workspace


@command(
    "mcp",
    takes="branch space actor",
    examples="""
    strata mcp --help
    """,
)
@click.option("--agent", is_flag=True, help="List the eight tools of agents; the default.")
@click.option("--developer", is_flag=False, flag_value="full", default=None, metavar="[=compact]",
              type=click.Choice(["full", "compact"]),
              help="List the 74 tools of developers; compact: three for them all.")  # fmt: skip
@click.option("--groups", metavar="NAMES", envvar="STRATA_TOOL_GROUPS",
              help="Groups of tools to list, such as memory,developer, or all.")  # fmt: skip
@click.option("--tools", metavar="NAMES", envvar="STRATA_TOOLS",
              help="Single tools to list, beside the groups or instead of them.")  # fmt: skip
@click.option("--tool-names", type=click.Choice(["underscore", "dot", "slash"]),
              default="underscore", show_default=True,
              help="How names of two words are spelled.")  # fmt: skip
@click.option("--read-only", is_flag=True, help="Leave out every tool that writes.")
@click.option("--auto-embed/--no-auto-embed", default=True, show_default=True,
              help="Make vectors for search by meaning in the background.")  # fmt: skip
@click.option("--log-file", type=click.Path(dir_okay=False), help="Log here instead of stderr.")
@click.option("--verbose", is_flag=True, help="Log more than warnings.")
@click.option("--sdk", is_flag=True, help="Serve through the official SDK: slower to start.")
def mcp(
    place: Place,
    *,
    agent: bool,
    developer: str | None,
    groups: str | None,
    tools: str | None,
    tool_names: str,
    read_only: bool,
    auto_embed: bool,
    log_file: str | None,
    verbose: bool,
    sdk: bool,
) -> None:
    """Serve the tools to an MCP client over standard input and output.

    Clients start this themselves: `strata setup CLIENT` writes it into their configuration.
    Nothing but protocol goes to stdout. The store is the one of the folder it is started in,
    or --db; it is made at the first write.
    """
    log_to(log_file, verbose=verbose)
    exposure = chosen(
        groups, tools, agent=agent, developer=developer, read_only=read_only, names=tool_names
    )
    for warning in exposure.warnings:
        logging.getLogger("strata.mcp").warning(warning)
    host = host_of(place, read_only=read_only, auto_embed=auto_embed)
    session = Session(host, branch=place.branch, space=place.space, exposure=exposure)
    session.client = place.actor
    if sdk:
        from strata.mcp.sdk import serve_stdio_with_sdk  # noqa: PLC0415  (slow to import)

        serve_stdio_with_sdk(session)
    else:
        from strata.mcp.stdio import serve  # noqa: PLC0415  (only this needs it)

        serve(session)


def chosen(
    groups: str | None,
    tools: str | None,
    *,
    agent: bool,
    developer: str | None,
    read_only: bool,
    names: str,
) -> Exposure:
    """Return the tools that the options ask for."""
    asked = [] if groups is None else [groups]
    if developer is not None:
        asked.append("developer" if developer == "full" else "developer_compact")
    if agent:
        asked.append("memory")
    return expose(
        ",".join(asked) if asked else None, tools, read_only=read_only,
        names=names,  # pyright: ignore[reportArgumentType]  (click has checked it)
    )  # fmt: skip


def host_of(place: Place, *, read_only: bool, auto_embed: bool) -> Host:
    """Return the store that the options name, to be opened when it is needed."""

    def opened() -> "Workspace":
        from strata.workspace import open_workspace  # noqa: PLC0415  (not before the first reply)

        return open_workspace(path, read_only=read_only, auto_embed=auto_embed and not read_only)

    def blank() -> "Workspace":
        from strata.workspace import open_workspace  # noqa: PLC0415  (not before the first reply)

        return open_workspace(durability="cache", auto_embed=False)

    path = _path_of(place)
    return Host(opened, blank=blank, is_there=path.exists, path=str(path), auto_embed=auto_embed)


def _path_of(place: Place) -> Path:
    """Return where the store is; only the rules that need more than a path load the rooms."""
    named = place.db or os.environ.get("STRATA_DB")
    return Path(named).expanduser().absolute() if named else place.location.path


def log_to(file: str | None, *, verbose: bool) -> None:
    """Send what the program has to say to a file or to stderr, never to stdout."""
    logging.basicConfig(
        filename=file,
        level=logging.INFO if verbose else logging.WARNING,
        format="%(asctime)s %(levelname)s %(name)s: %(message)s",
    )
