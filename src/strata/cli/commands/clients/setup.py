"""Setting up a client: its own configuration, so that it starts Strata's MCP server."""

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click
import msgspec

import strata
from strata.cli.commands.clients.changes import described, diff, is_whole, summary
from strata.cli.decorated import command
from strata.cli.output import answer
from strata.cli.session import Invocation, say
from strata.cli.show.tables import table
from strata.clients import (
    CLIENTS,
    PORTABLE,
    Client,
    ClientHost,
    FileChange,
    Program,
    Scope,
    Wish,
    carry_out,
    check_scope,
    command_line,
    hook_line,
    may_vanish,
    plan_setup,
    plan_undo,
    scopes_set_up,
    seems_installed,
    server_words,
    session_line,
    this_host,
    this_program,
)

# What every client takes; some cut or refuse a longer one.
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,39}")
_GROUPS = re.compile(r"[a-z]+(,[a-z]+)*")
# What a client is set up with that gets our commands, which call the tools of decisions.
_WITH_COMMANDS = "memory,decisions"
_DECISIONS = frozenset({"decisions", "all"})


class Choice(msgspec.Struct, frozen=True):
    """What was asked for on the command line."""

    scope: Scope | None
    name: str
    groups: str | None
    read_only: bool
    hook: bool
    plugin: bool
    portable: bool
    per_project: bool


class ClientStatus(msgspec.Struct, frozen=True):
    """A client in the list."""

    client: str
    title: str
    installed: bool
    set_up: tuple[Scope, ...]
    scopes: tuple[Scope, ...]
    hook: bool


@command(
    "setup",
    examples="""
    strata setup
    strata setup claude-code --print
    strata setup cursor
    strata setup cursor --groups memory,decisions --read-only
    strata setup cursor --undo
    """,
)
@click.argument(
    "client",
    required=False,
    metavar="[CLIENT]",
    type=click.Choice(list(CLIENTS)),
    help="The program to set up.",
)
@click.option(
    "--scope", type=click.Choice(["project", "user"]),
    help="Write the project's file, or the one for all projects.",
)  # fmt: skip
@click.option("--name", default="strata", show_default=True, help="Call the server this there.")
@click.option("--groups", metavar="NAMES", help="Show these groups of tools: memory,decisions.")
@click.option("--read-only", is_flag=True, help="Offer only tools that change nothing.")
@click.option("--no-hook", is_flag=True, help="Leave the prompt hook out.")
@click.option("--plugin/--no-plugin", default=True, show_default=True,
              help="Add slash commands and a skill, where the client takes them.")  # fmt: skip
@click.option("--portable", is_flag=True, help="Write no paths of this machine.")
@click.option("--per-project", is_flag=True, help="For all projects, a store for each.")
@click.option("--print", "only_print", is_flag=True, help="Show what would change, change nothing.")
@click.option("--undo", is_flag=True, help="Take it back.")
@click.option("--list", "only_list", is_flag=True, help="List the clients.")
def setup(
    session: Invocation, *, client: str | None, only_print: bool, undo: bool, only_list: bool,
    no_hook: bool, **chosen: Any,  # Any: the fields of Choice, as click has read them
) -> None:  # fmt: skip
    """Let a client such as Claude Code or Cursor start Strata's MCP server.

    Alone it lists the clients. With a CLIENT it writes the client's own configuration and shows
    what changed; everything else in the file stays as it is, comments included, and the file as
    it was is kept beside it. In a project the store is the project's; for all projects it is
    your own, or the one that --db names.
    """
    choice = Choice(**chosen, hook=not no_hook)
    _check_words(choice)
    host = this_host()
    if client is None or only_list:
        _list(session, host, name=choice.name)
    elif undo:
        found = plan_undo(CLIENTS[client], host, name=choice.name, scope=choice.scope)
        _finish(session, CLIENTS[client], found, only_print=only_print, undo=True)
    else:
        _set_up(session, CLIENTS[client], host, choice=choice, only_print=only_print)


def _check_words(choice: Choice) -> None:
    if not _NAME.fullmatch(choice.name):
        raise strata.InvalidArgument(
            f"{choice.name!r} cannot be the name of a server.",
            hint="Take up to 40 letters, digits, - and _, a letter first.",
            parameter="name",
        )
    if choice.groups is not None and not _GROUPS.fullmatch(choice.groups):
        raise strata.InvalidArgument(
            f"{choice.groups!r} is no list of groups.",
            hint="Write them with commas: memory,decisions.",
            parameter="groups",
        )


def _set_up(
    session: Invocation, client: Client, host: ClientHost, *, choice: Choice, only_print: bool
) -> None:
    scope = choice.scope or client.default_scope
    check_scope(client, host, scope)
    program = PORTABLE if choice.portable else this_program()
    db = _store(session, client, host, choice=choice, scope=scope)
    has_plugin = _gets_commands(client, scope, choice)
    groups = choice.groups or (_WITH_COMMANDS if has_plugin else None)
    words = server_words(program, db=db, groups=groups, read_only=choice.read_only)
    line = hook_line(program, db=db) if choice.hook else None
    begin = session_line(program, db=db) if has_plugin else None
    wish = Wish(scope, choice.name, words, line, begin, command_line(program))
    changes = plan_setup(client, host, wish)
    notes = tuple(_notes(client, host, program, scope=scope, name=choice.name))
    if choice.plugin and client.extras is not None and not has_plugin:
        notes = (*notes, "no commands and no skill: they call tools of decisions that write")
    _finish(
        session, client, changes, only_print=only_print, undo=False,
        told={
            "scope": scope, "name": choice.name, "command": words, "db": db,
            "hook": line if client.hook is not None else None,
            "plugin": has_plugin,
        },
        notes=notes,
    )  # fmt: skip


def _gets_commands(client: Client, scope: Scope, choice: Choice) -> bool:
    """Tell whether a client gets our commands: only where the tools that they call are listed."""
    is_taken = choice.plugin and client.extras is not None and scope in client.extras.folders
    groups = (choice.groups or _WITH_COMMANDS).split(",")
    return is_taken and not choice.read_only and not _DECISIONS.isdisjoint(groups)


def _notes(
    client: Client, host: ClientHost, program: Program, *, scope: Scope, name: str
) -> Iterator[str]:
    """Say what a person would like to know before it surprises."""
    if may_vanish(program):
        yield "this installation lies in uv's cache; `uv tool install` gives it a lasting place"
    if any(one != scope for one in scopes_set_up(client, host, name=name)):
        yield (
            f"{client.title} starts Strata for all projects and in this one; here the project's "
            f"entry counts. `strata setup {client.name} --undo --scope ...` removes one of them"
        )


def _store(
    session: Invocation, client: Client, host: ClientHost, *, choice: Choice, scope: Scope
) -> str | None:
    """Return the store to name; None where the server finds it by the folder it starts in."""
    if choice.per_project:
        _check_per_project(client, session, scope)
        return None
    given = session.db or os.environ.get("STRATA_DB")
    if given is not None:
        return os.path.abspath(Path(given).expanduser())  # noqa: PTH100  (keeps links as they are)
    if scope == "user":
        return str(host.user_store)
    if client.starts_in_project:
        return None
    if choice.portable and client.project_word is not None:
        return f"{client.project_word}/.strata/store.db"
    assert host.project is not None, "the scope was checked"
    # Of a git worktree, the main checkout's: the worktree may be removed.
    return str(strata.locate_store(start=Path(host.project)).path)


def _check_per_project(client: Client, session: Invocation, scope: Scope) -> None:
    if scope == "project":
        raise click.UsageError("--per-project belongs to --scope user.")
    if session.db is not None:
        raise click.UsageError("--per-project and --db exclude each other.")
    if "project" not in client.files or not client.starts_in_project:
        raise click.UsageError(f"{client.title} does not start servers in the project's folder.")


def _finish(
    session: Invocation,
    client: Client,
    changes: Sequence[FileChange],
    *,
    only_print: bool,
    undo: bool,
    told: dict[str, object] | None = None,
    notes: Sequence[str] = (),
) -> None:
    """Make the changes unless they are only to be shown, and tell about them."""
    if not only_print:
        carry_out(changes)
    touched = [change for change in changes if change.state != "unchanged"]
    files = [described(change) for change in changes if change in touched or not undo]
    lines = [line for change in touched if not is_whole(change) for line in diff(change)]
    lines += summary(client, changes, touched, only_print=only_print, undo=undo)
    document = {"client": client.name, "changed": bool(touched) and not only_print, **(told or {})}
    answer(session, document, lines, files=files, notes=notes)
    if session.json:
        return
    for note in notes:
        say(note)
    if touched and not (undo or only_print):
        is_for_user = told is not None and told["scope"] == "user"
        say((is_for_user and client.next_step_of_user) or client.next_step)


def _list(session: Invocation, host: ClientHost, *, name: str) -> None:
    found = [_listed(client, host, name=name) for client in CLIENTS.values()]
    rows = [
        (one.client, "seems so" if one.installed else "-", ", ".join(one.set_up) or "-",
         ", ".join(one.scopes))
        for one in found
    ]  # fmt: skip
    lines = table(("CLIENT", "INSTALLED", "SET UP", "SCOPES"), rows)
    answer(session, {"clients": found}, lines)


def _listed(client: Client, host: ClientHost, *, name: str) -> ClientStatus:
    return ClientStatus(
        client=client.name,
        title=client.title,
        installed=seems_installed(client, host),
        set_up=tuple(scopes_set_up(client, host, name=name)),
        scopes=tuple(client.files),
        hook=client.hook is not None,
    )
