"""The MCP server over standard input and output, which clients start themselves."""

from typing import Annotated, Literal

from strata.cli.command import Spelling, command
from strata.cli.session import Invocation
from strata.cli.words import AutoEmbed, LogFile, OnlyReading, ToolNames, Verbose
from strata.mcp.start import Options, serve


@command("mcp", takes="branch space actor")
def mcp(
    session: Invocation,
    *,
    user: Annotated[
        str | None, "Whose documents are read and written; also STRATA_USER.", Spelling("EMAIL")
    ] = None,
    agent: Annotated[bool, "List the eight tools of agents; the default."] = False,
    developer: Annotated[
        Literal["full", "compact"] | None,
        "List the 74 tools of developers; compact: three for them all.",
        Spelling("[=compact]", alone="full"),
    ] = None,
    groups: Annotated[
        str | None,
        "Groups: memory, core, decisions, …, all; also STRATA_TOOL_GROUPS.",
        Spelling("NAMES"),
    ] = None,
    tools: Annotated[
        str | None,
        "Single tools to list, with or without groups; also STRATA_TOOLS.",
        Spelling("NAMES"),
    ] = None,
    tool_names: ToolNames = "underscore",
    read_only: OnlyReading = False,
    propose: Annotated[bool, "Let all that the client writes wait for `strata review`."] = False,
    auto_embed: AutoEmbed = True,
    dynamic_tools: Annotated[
        Literal["auto", "force_static", "force_dynamic"] | None,
        "Let the list follow the conversation; by default a setting says.",
    ] = None,
    log_file: LogFile = None,
    verbose: Verbose = False,
) -> None:
    """Serve the tools to an MCP client over standard input and output.

    Clients start this themselves: `strata setup CLIENT` writes it into their configuration.
    Nothing but protocol goes to stdout. The store is the one of the folder it is started in,
    or --db; it is made at the first write.

        strata mcp --help
    """
    serve(
        Options(
            db=session.db,
            branch=session.branch,
            space=session.space,
            actor=session.actor,
            user=user,
            agent=agent,
            developer=developer,
            groups=groups,
            tools=tools,
            tool_names=tool_names,
            read_only=read_only,
            propose=propose,
            auto_embed=auto_embed,
            dynamic_tools=dynamic_tools,
            log_file=log_file,
            verbose=verbose,
        )
    )
