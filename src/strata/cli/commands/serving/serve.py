"""The MCP server over HTTP, for clients elsewhere and for many at once."""

import logging
import os
import shlex
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import strata
from strata.cli.decorated import command
from strata.cli.output import plural, print_json
from strata.cli.session import Invocation, say
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

if TYPE_CHECKING:
    from strata.mcp.serving.site import MakeSite

_FIRST_TOKEN = "first"  # noqa: S105  (its label)


@command(
    "serve",
    examples="""
    strata serve --check
    strata serve --check --port 8080 --groups memory,developer
    strata serve --check --host 0.0.0.0 --public-url https://strata.example.com
    """,
)
@click.option("--host", "address", default="127.0.0.1", show_default=True, metavar="ADDRESS",
              help="Listen here; 0.0.0.0 is for other machines too.")  # fmt: skip
@click.option("--port", type=click.IntRange(0, 65_535), default=DEFAULT_PORT, show_default=True,
              help="Listen on this port; 0 takes any that is free.")  # fmt: skip
@click.option("--groups", metavar="NAMES", envvar="STRATA_TOOL_GROUPS",
              help="Groups of tools for clients that choose none, or all.")  # fmt: skip
@click.option("--tools", metavar="NAMES", envvar="STRATA_TOOLS",
              help="Single tools, beside the groups or instead of them.")  # fmt: skip
@click.option("--tool-names", "names", type=click.Choice(["underscore", "dot", "slash"]),
              default="underscore", show_default=True,
              help="How names of two words are spelled.")  # fmt: skip
@click.option("--read-only", is_flag=True, help="Leave out every tool that writes.")
@click.option("--no-auth", is_flag=True, help="Ask nobody for a token; on this machine only.")
@click.option("--public-url", metavar="URL", help="Where clients find it, if behind a proxy.")
@click.option("--allow-host", "hosts", multiple=True, metavar="NAME",
              help="Answer to this name too; may be repeated.")  # fmt: skip
@click.option("--allow-origin", "origins", multiple=True, metavar="ORIGIN",
              help="Let web pages of this origin use it; may be repeated.")  # fmt: skip
@click.option("--oauth-issuer", "issuer", metavar="URL", help="Also accept tokens of this issuer.")
@click.option("--oauth-audience", "audience", metavar="NAME",
              help="For whom those tokens must be meant; without, this server's URL.")  # fmt: skip
@click.option("--oauth-keys", "issuer_keys", metavar="URL",
              help="Where the issuer's keys are, if it does not say.")  # fmt: skip
@click.option("--oauth-claim", "issuer_claim", default="email", show_default=True, metavar="NAME",
              help="Which claim has the email of the user those tokens act for.")  # fmt: skip
@click.option("--auto-embed/--no-auto-embed", default=True, show_default=True,
              help="Make vectors for search by meaning in the background.")  # fmt: skip
@click.option("--log-file", type=click.Path(dir_okay=False), help="Log here instead of stderr.")
@click.option("--verbose", is_flag=True, help="Log more than warnings.")
@click.option("--check", is_flag=True, help="Say what would be served, and stop.")
def serve(
    session: Invocation,
    *,
    auto_embed: bool,
    log_file: str | None,
    verbose: bool,
    check: bool,
    **told: Any,  # Any: the fields of Serving, as click read them
) -> None:
    """Serve the tools to MCP clients over HTTP, and documents to people.

    Clients connect to /mcp with a token (`strata token create`); on a terminal the first one
    is made for you. A client chooses its tools by the header X-Strata-Tool-Groups or by
    /mcp?groups=NAMES. People sign in at / with a code (`strata user login`). Ctrl-C or SIGTERM
    lets running calls finish, then stops.
    """
    serving = ServerConfig(**told)
    check_serving(serving)
    make_private(log_file)
    logging.basicConfig(
        filename=log_file,
        level=logging.INFO if verbose else logging.WARNING,
        format="%(asctime)s %(levelname)s %(name)s: %(message)s",
    )
    host = host_at(session.db, read_only=serving.read_only, auto_embed=auto_embed)
    if check:
        _announce(session, named_by_store(host, serving), host)
        return
    secret = None if serving.no_auth else _first_token(host, serving)
    try:
        has_ended = serve_http(
            host, serving, site=_site(),
            ready=lambda found: _announce(session, found, host, secret=secret),
        )  # fmt: skip
    finally:
        host.close()
    if not has_ended:
        # A call that cannot be stopped would keep the process for ever; its work is not saved.
        sys.stderr.flush()
        os._exit(1)


def _site() -> "MakeSite":
    """Return what builds the pages for people."""
    from strata.web import site  # noqa: PLC0415  (takes most of a second)

    return site


def _first_token(host: StoreHost, serving: ServerConfig) -> str | None:
    """Make the first token where a person sees it and only this machine is reached."""
    is_seen = sys.stdout.isatty() and sys.stdin.isatty()
    if not is_seen or not serving.is_local or serving.read_only or host.db.tokens.list():
        return None
    return host.writing().tokens.create(_FIRST_TOKEN).secret


def _announce(
    session: Invocation, serving: ServerConfig, host: StoreHost, *, secret: str | None = None
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
        "or open the documents in a browser",
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
    is_found = str(strata.locate_store(None).path) == host.path
    return "" if is_found else f" --db {shlex.quote(host.path)}"
