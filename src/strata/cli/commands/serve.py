"""The MCP server over HTTP, for clients elsewhere and for many at once."""

import logging
import os
import shlex
import shutil
import sys
from pathlib import Path
from typing import Annotated

import click
import msgspec

import strata
from strata.base.counts import plural
from strata.cli.command import Spelling, command
from strata.cli.first_page import FirstPage, is_at_terminal
from strata.cli.output import print_json
from strata.cli.session import Invocation, say
from strata.cli.words import AutoEmbed, LogFile, OnlyReading, ToolNames, Verbose
from strata.mcp.http import (
    DEFAULT_PORT,
    ServerConfig,
    check_serving,
    choose,
    named_by_store,
    serve_http,
)
from strata.mcp.start import host_at, make_private
from strata.tools import Exposure, StoreHost

_FIRST_TOKEN = "first"  # noqa: S105  (its label)


Address = Annotated[
    str, "Listen here; 0.0.0.0 is for other machines too.", Spelling("ADDRESS", "--host")
]
Port = Annotated[
    int, "Listen on this port; 0 takes any that is free.", msgspec.Meta(ge=0, le=65_535)
]
Groups = Annotated[
    str | None, "Groups of tools for clients that choose none, or all.", Spelling("NAMES")
]
Tools = Annotated[
    str | None, "Single tools, beside the groups or instead of them.", Spelling("NAMES")
]
PublicUrl = Annotated[str | None, "Where clients find it, if behind a proxy.", Spelling("URL")]
AllowedHosts = Annotated[
    tuple[str, ...], "Answer to this name too; may be repeated.", Spelling("NAME", "--allow-host")
]
AllowedOrigins = Annotated[
    tuple[str, ...],
    "Let web pages of this origin use it; may be repeated.",
    Spelling("ORIGIN", "--allow-origin"),
]
Issuer = Annotated[
    str | None, "Also accept tokens of this issuer.", Spelling("URL", "--oauth-issuer")
]
Audience = Annotated[
    str | None,
    "The audience of those tokens; by default this server's URL.",
    Spelling("NAME", "--oauth-audience"),
]
IssuerKeys = Annotated[
    str | None,
    "Where the issuer's keys are, if it does not say.",
    Spelling("URL", "--oauth-keys"),
]
IssuerClaim = Annotated[
    str,
    "Which claim has the email of the user those tokens act for.",
    Spelling("NAME", "--oauth-claim"),
]


@command("serve")
def serve(
    session: Invocation,
    *,
    address: Address = "127.0.0.1",
    port: Port = DEFAULT_PORT,
    groups: Groups = None,
    tools: Tools = None,
    tool_names: ToolNames = "underscore",
    read_only: OnlyReading = False,
    no_auth: Annotated[bool, "Ask for no token; on this machine only."] = False,
    public_url: PublicUrl = None,
    hosts: AllowedHosts = (),
    origins: AllowedOrigins = (),
    issuer: Issuer = None,
    audience: Audience = None,
    issuer_keys: IssuerKeys = None,
    issuer_claim: IssuerClaim = "email",
    auto_embed: AutoEmbed = True,
    log_file: LogFile = None,
    verbose: Verbose = False,
    check: Annotated[bool, "Say what would be served, and stop."] = False,
) -> None:
    """Serve tools to MCP clients over HTTP, and documents to browsers.

    Clients connect to /mcp with a token (`strata token create`); on a terminal the first one
    is made for you. A client chooses its tools by the header X-Strata-Tool-Groups or by
    /mcp?groups=NAMES. Users sign in at / with a code (`strata user login`). Ctrl-C or SIGTERM
    lets running calls finish, then stops.

        strata serve --check
        strata serve --check --port 8080 --groups memory,developer
        strata serve --check --host 0.0.0.0 --public-url https://strata.example.com
    """
    config = ServerConfig(
        address=address,
        port=port,
        groups=groups or os.environ.get("STRATA_TOOL_GROUPS"),
        tools=tools or os.environ.get("STRATA_TOOLS"),
        names=tool_names,
        read_only=read_only,
        no_auth=no_auth,
        public_url=public_url,
        hosts=hosts,
        origins=origins,
        issuer=issuer,
        audience=audience,
        issuer_keys=issuer_keys,
        issuer_claim=issuer_claim,
    )
    check_serving(config)
    make_private(log_file)
    logging.basicConfig(
        filename=log_file,
        level=logging.INFO if verbose else logging.WARNING,
        format="%(asctime)s %(levelname)s %(name)s: %(message)s",
    )
    host = host_at(session.db, read_only=read_only, auto_embed=auto_embed)
    if check:
        _announce(session, named_by_store(host, config), host)
    else:
        _run(session, config, host)


def _run(session: Invocation, config: ServerConfig, host: StoreHost) -> None:
    if not session.json:
        say("Starting …")
    from strata.web import site  # noqa: PLC0415  (takes most of a second)

    secret = None if config.no_auth else _first_token(host, config)
    with FirstPage(host) as first:
        try:
            has_ended = serve_http(
                host,
                config,
                site=site,
                ready=lambda found: _announce(
                    session, found, host, secret=secret, first=first.open(found)
                ),
            )
        finally:
            host.close()
    if not has_ended:
        # A call that cannot be stopped would keep the process for ever; its work is not saved.
        sys.stderr.flush()
        os._exit(1)


def _first_token(host: StoreHost, serving: ServerConfig) -> str | None:
    """Make the first token where a person sees it and only this machine is reached."""
    if not is_at_terminal() or not serving.is_local or serving.read_only or host.db.tokens.list():
        return None
    return host.writing().tokens.create(_FIRST_TOKEN).secret


def _announce(
    session: Invocation,
    serving: ServerConfig,
    host: StoreHost,
    *,
    secret: str | None = None,
    first: str | None = None,
) -> None:
    """Say what is served, and what to do next."""
    exposure = choose(serving)
    if session.json:
        print_json(
            {
                "url": serving.url,
                "pages": f"{serving.base_url}/",
                "health": f"{serving.base_url}/health",
                "store": host.path,
                "groups": exposure.groups,
                "tools": len(exposure.tools),
                "needs_token": not serving.no_auth,
                "token": secret,
                "warnings": _warnings(exposure, host),
                "pid": os.getpid(),
            }
        )
    else:
        if first is not None:
            click.echo(f"Open {first}\n  (it signs you in, once, within ten minutes)\n")
        for line in _lines(serving, host, secret):
            click.echo(line)
        if host.db.trust.warning is not None:
            say(host.db.trust.warning)
    sys.stdout.flush()


def _warnings(exposure: Exposure, host: StoreHost) -> list[str]:
    distrust = host.db.trust.warning
    return [*exposure.warnings, *([] if distrust is None else [distrust])]


def _lines(serving: ServerConfig, host: StoreHost, secret: str | None) -> list[str]:
    exposure = choose(serving)
    has_tokens = secret is None and bool(host.db.tokens.list())
    shown = secret or "TOKEN"
    count = plural(len(exposure.tools), "tool")
    only = ", for reading only" if exposure.read_only else ""
    lines = [
        f"Strata {strata.__version__} serves MCP at {serving.url}",
        f"  store   {host.path}",
        f"  tools   {', '.join([*exposure.groups, *exposure.extra])} ({count}{only})",
        f"  token   {_token_line(serving, has_tokens=has_tokens, secret=secret)}",
        "",
        "Next: connect a client, for example",
        f"  claude mcp add --transport http strata {serving.url}{_header(serving, shown)}",
        "or look whether it answers",
        f"  curl {serving.base_url}/health",
        "or open the store in a browser",
        f"  {serving.base_url}/",
    ]
    if not serving.no_auth:
        what = "Another token" if secret or has_tokens else "A token (TOKEN above)"
        lines += [f"{what} is made by", f"  {_program()} token create NAME{_db(host)}"]
        lines += ["A code to sign in with is shown by", f"  {_program()} user login{_db(host)}"]
    return [*lines, "Ctrl-C stops it."]


def _token_line(serving: ServerConfig, *, has_tokens: bool, secret: str | None) -> str:
    if serving.no_auth:
        return "not needed (--no-auth): every program on this machine may use it"
    if secret is not None:
        return f"{secret}  (made now, shown only this once)"
    return "needed; there are some already" if has_tokens else "needed, and none is made yet"


def _header(serving: ServerConfig, secret: str) -> str:
    return "" if serving.no_auth else f' --header "Authorization: Bearer {secret}"'


def _program() -> str:
    """Return how this program is called from here, so that a line can be pasted."""
    own = Path(sys.executable).with_name("strata")
    found = shutil.which("strata")
    if found is not None and (not own.exists() or Path(found).resolve() == own.resolve()):
        return "strata"
    if not own.exists():
        return f"{shlex.quote(sys.executable)} -m strata"
    here = Path.cwd()
    return shlex.quote(str(own.relative_to(here) if own.is_relative_to(here) else own))


def _db(host: StoreHost) -> str:
    """Name the store where the folder alone would lead to another one."""
    is_found = strata.locate_store(None).display == host.path
    return "" if is_found else f" --db {shlex.quote(host.path)}"
