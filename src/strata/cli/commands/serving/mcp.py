"""The MCP server over standard input and output, which clients start themselves."""

import click

from strata.cli.decorated import command
from strata.cli.session import Invocation as Place
from strata.mcp.start import Options, serve


@command(
    "mcp",
    takes="branch space actor",
    examples="""
    strata mcp --help
    """,
)
@click.option("--user", metavar="EMAIL",
              help="Whose documents are read and written; also STRATA_USER.")  # fmt: skip
@click.option("--agent", is_flag=True, help="List the eight tools of agents; the default.")
@click.option("--developer", is_flag=False, flag_value="full", default=None, metavar="[=compact]",
              type=click.Choice(["full", "compact"]),
              help="List the 74 tools of developers; compact: three for them all.")  # fmt: skip
@click.option("--groups", metavar="NAMES",
              help="Groups: memory, core, decisions, …, all; also STRATA_TOOL_GROUPS.")  # fmt: skip
@click.option("--tools", metavar="NAMES",
              help="Single tools to list, with or without groups; also STRATA_TOOLS.")  # fmt: skip
@click.option("--tool-names", type=click.Choice(["underscore", "dot", "slash"]),
              default="underscore", show_default=True,
              help="How names of two words are spelled.")  # fmt: skip
@click.option("--read-only", is_flag=True, help="Leave out every tool that writes.")
@click.option("--auto-embed/--no-auto-embed", default=True, show_default=True,
              help="Make vectors for search by meaning in the background.")  # fmt: skip
@click.option("--dynamic-tools", type=click.Choice(["auto", "force_static", "force_dynamic"]),
              help="Let the list follow the conversation; by default a setting says.")  # fmt: skip
@click.option("--log-file", type=click.Path(dir_okay=False), help="Log here instead of stderr.")
@click.option("--verbose", is_flag=True, help="Log more than warnings.")
def mcp(
    place: Place,
    *,
    user: str | None,
    agent: bool,
    developer: str | None,
    groups: str | None,
    tools: str | None,
    tool_names: str,
    read_only: bool,
    auto_embed: bool,
    dynamic_tools: str | None,
    log_file: str | None,
    verbose: bool,
) -> None:
    """Serve the tools to an MCP client over standard input and output.

    Clients start this themselves: `strata setup CLIENT` writes it into their configuration.
    Nothing but protocol goes to stdout. The store is the one of the folder it is started in,
    or --db; it is made at the first write.
    """
    serve(
        Options(
            db=place.db, branch=place.branch, space=place.space, actor=place.actor,
            user=user, agent=agent, developer=developer, groups=groups, tools=tools,
            tool_names=tool_names, read_only=read_only, auto_embed=auto_embed,
            dynamic_tools=dynamic_tools, log_file=log_file, verbose=verbose,
        )
    )  # fmt: skip
