"""Starting the server that clients talk to over standard input and output.

Nothing heavy is imported here: the time to the first reply is a promise.
"""

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any

import msgspec

from strata.base import limits
from strata.tools import Exposure, Session, SessionState, StoreHost, expose, process_caller

if TYPE_CHECKING:
    from strata.agents import Worker
    from strata.mcp.loopback import Loopback
    from strata.workspace import Location, Workspace


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """What `strata mcp` can be told; a flag is False or True, all else is text."""

    db: str | None = None
    branch: str | None = None
    space: str | None = None
    actor: str | None = None
    user: str | None = None
    agent: bool = False
    developer: str | None = None
    groups: str | None = None
    tools: str | None = None
    tool_names: str = "underscore"
    read_only: bool = False
    propose: bool = False
    auto_embed: bool = True
    dynamic_tools: str | None = None
    log_file: str | None = None
    verbose: bool = False


def read(arguments: Sequence[str]) -> Options | None:
    """Read plain options; None for whatever the whole command line should look at.

    The library that reads all other command lines takes longer to load than the first reply may.
    """
    found: dict[str, Any] = {}
    rest = list(arguments)
    while rest:
        word, equals, value = rest.pop(0).partition("=")
        name = word.removeprefix("--").removeprefix("no-").replace("-", "_")
        if not word.startswith("--") or name not in Options.__struct_fields__:
            return None
        if isinstance(getattr(_DEFAULT, name), bool):
            found[name] = not word.startswith("--no-")
        elif equals:
            found[name] = value
        elif name == "developer":
            found[name] = "full"
        elif rest:
            found[name] = rest.pop(0)
        else:
            return None
    is_known = found.get("developer") in (None, "full", "compact")
    return Options(**found) if is_known and "tool_names" not in found else None


_DEFAULT = Options()


def session_for(options: Options) -> Session:
    """Return the session of a process that serves one client."""
    log_to(options.log_file, verbose=options.verbose)
    exposure = chosen(options)
    host = host_at(options.db, read_only=options.read_only, auto_embed=options.auto_embed)
    session = Session(
        host,
        state=SessionState(options.branch, options.space),
        exposure=exposure,
        client=options.actor,
        caller=process_caller(options.user, who=options.actor, proposes=options.propose),
    )
    host.uploads_at = _listening_for(host)
    host.start_agents = None if options.read_only else agents_in(host)
    host.when_made(_warn)
    return session


def serve(options: Options) -> None:
    """Serve one client until it goes away."""
    from strata.mcp.stdio import serve_stdio  # noqa: PLC0415  (only this needs it)

    serve_stdio(session_for(options), dynamic=options.dynamic_tools)


def _warn(db: "Workspace") -> None:
    """Log that the store is not trusted, for users who read the client's log of the server."""
    if db.trust.warning is not None:
        import logging  # noqa: PLC0415  (seldom needed before the first reply)

        logging.getLogger(__name__).warning(db.trust.warning)


def _listening_for(host: StoreHost) -> Callable[[], str]:
    """Return what gives the address for uploads, and listens there after the first request."""

    @cache
    def listener() -> "Loopback":
        from strata.mcp.loopback import Loopback  # noqa: PLC0415  (not before it is needed)

        return Loopback(host)

    return lambda: listener().url()


def agents_in(host: StoreHost) -> Callable[[], None]:
    """Return what lets agents work in this process; their code is loaded with the first task."""

    @cache
    def worker() -> "Worker":
        from strata.agents import Worker  # noqa: PLC0415  (not before it is needed)

        return Worker(host)

    return lambda: worker().wake()


def chosen(options: Options) -> Exposure:
    """Return the tools that the options, or else the environment, ask for."""
    groups = options.groups or os.environ.get("STRATA_TOOL_GROUPS")
    asked = [groups] if groups else []
    if options.developer is not None:
        asked.append("developer" if options.developer == "full" else "developer_compact")
    if options.agent:
        asked.append("memory")
    exposure = expose(
        ",".join(asked) or None,
        options.tools or os.environ.get("STRATA_TOOLS"),
        read_only=options.read_only,
        proposes=options.propose,
        names=options.tool_names,  # pyright: ignore[reportArgumentType]  (checked when it was read)
    )
    for warning in exposure.warnings:
        import logging  # noqa: PLC0415  (seldom needed before the first reply)

        logging.getLogger(__name__).warning(warning)
    return exposure


def host_at(
    db: str | None, *, read_only: bool, auto_embed: bool, is_lasting: bool = True
) -> StoreHost:
    """Return the store in a file, or the project's, to be opened when it is needed.

    A lasting process makes pending vectors from its start on, others before their first search.
    """

    @cache
    def location() -> "Location":
        from strata.workspace import Location, locate_store  # noqa: PLC0415  (not before a reply)

        found = locate_store(db)
        if isinstance(found.place, str):
            return found
        return Location(found.place.absolute(), found.reason)

    def opened() -> "Workspace":
        from strata.workspace import open_workspace  # noqa: PLC0415  (not before the first reply)

        embeds = auto_embed and not read_only
        found = open_workspace(
            location().place,
            read_only=read_only,
            auto_embed="before_search" if embeds and not is_lasting else embeds,
        )
        if found.embeddings.is_automatic:
            found.embeddings.start(after_s=limits.EMBED_BEGIN_S)
        return found

    def blank() -> "Workspace":
        from strata.workspace import open_workspace  # noqa: PLC0415  (not before the first reply)

        return open_workspace(durability="cache", auto_embed=False)

    return StoreHost(opened, blank=blank, location=location, auto_embed=auto_embed)


def make_private(file: str | None) -> None:
    """Make a log for its owner alone, as the store is; one that is there keeps its mode."""
    if file is not None:
        with suppress(OSError):  # logging says what is wrong with the path
            os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600))


def log_to(file: str | None, *, verbose: bool) -> None:
    """Send what the program has to say to a file or to stderr, never to stdout.

    Python's own way of logging writes warnings to stderr unless told otherwise.
    """
    if file is None and not verbose:
        return
    import logging  # noqa: PLC0415  (seldom needed before the first reply)

    make_private(file)
    logging.basicConfig(
        filename=file,
        level=logging.INFO if verbose else logging.WARNING,
        format="%(asctime)s %(levelname)s %(name)s: %(message)s",
    )
