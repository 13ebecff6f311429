"""Setting up clients: their own configuration, so that they start Strata's MCP server."""

import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from difflib import unified_diff
from pathlib import Path
from typing import Annotated

import click
import msgspec

import strata
from strata.base.counts import plural
from strata.cli.command import Output, Spelling, command
from strata.cli.session import Invocation
from strata.cli.show.text import one_line, table
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
    keeps_conversations,
    may_vanish,
    plan_setup,
    plan_undo,
    scopes_set_up,
    seems_installed,
    server_words,
    session_line,
    this_host,
    this_program,
    turn_line,
)
from strata.sql import is_address, parse_address

# What every client takes; some cut or refuse a longer one.
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,39}")
_GROUPS = re.compile(r"[a-z]+(,[a-z]+)*")
# What a client is set up with that gets our commands, which call the tools of decisions.
_WITH_COMMANDS = "memory,decisions"
_DECISIONS = frozenset({"decisions", "all"})

# A file on one line could show keys of other servers, which must not be shown.
_SHOWN_MAX = 160
_DONE = {
    "created": "made {path}",
    "changed": "changed {path}",
    "unchanged": "{path} is as it should be",
    "restored": "{path} is what it was before",
    "removed": "removed {path}, which had nothing else in it",
}
_WOULD = {
    "created": "would make {path}",
    "changed": "would change {path}",
    "unchanged": "{path} is as it should be",
    "restored": "would bring back {path} as it was before",
    "removed": "would remove {path}, which has nothing else in it",
}


class Choice(msgspec.Struct, frozen=True):
    """What was asked for on the command line."""

    scope: Scope | None
    name: str
    groups: str | None
    read_only: bool
    hook: bool
    conversations: bool | None
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


@command("setup")
def setup(
    session: Invocation,
    client: Annotated[
        str | None,
        "The program to set up.",
        Spelling("[CLIENT]", type=click.Choice(list(CLIENTS))),
    ] = None,
    *,
    scope: Annotated[Scope | None, "Write the project's file, or the one for all projects."] = None,
    name: Annotated[str, "Call the server this there."] = "strata",
    groups: Annotated[
        str | None, "Show these groups of tools: memory,decisions.", Spelling("NAMES")
    ] = None,
    read_only: Annotated[bool, "Offer only tools that change nothing."] = False,
    no_hook: Annotated[bool, "Leave the prompt hook out."] = False,
    conversations: Annotated[
        bool | None,
        "Keep what is said to the client in the store, at the end of each turn.",
        Spelling(flags="--conversations/--no-conversations"),
    ] = None,
    plugin: Annotated[
        bool,
        "Add slash commands and a skill, where the client takes them.",
        Spelling(flags="--plugin/--no-plugin"),
    ] = True,
    portable: Annotated[bool, "Write no paths of this machine."] = False,
    per_project: Annotated[bool, "For all projects, a store for each."] = False,
    only_print: Annotated[
        bool, "Show what would change, change nothing.", Spelling(flags="--print")
    ] = False,
    undo: Annotated[bool, "Take it back."] = False,
    only_list: Annotated[bool, "List the clients.", Spelling(flags="--list")] = False,
) -> Output:
    """Let a client such as Claude Code or Cursor start Strata's MCP server.

    Alone it lists the clients. With a CLIENT it writes the client's own configuration and shows
    what changed; everything else in the file stays as it is, comments included, and the file as
    it was is kept beside it. In a project the store is the project's; for all projects it is
    your own, or the one that --db names. With --conversations, clients that have hooks keep what
    you and the model say, until --no-conversations.

        strata setup
        strata setup claude-code --print
        strata setup cursor
        strata setup cursor --groups memory,decisions --read-only
        strata setup cursor --undo
    """
    choice = Choice(
        scope,
        name,
        groups,
        read_only=read_only,
        hook=not no_hook,
        conversations=conversations,
        plugin=plugin,
        portable=portable,
        per_project=per_project,
    )
    _check_words(choice)
    host = this_host()
    if client is None or only_list:
        return _list(host, name=name)
    if not undo:
        return _set_up(session, CLIENTS[client], host, choice=choice, only_print=only_print)
    changes = plan_undo(CLIENTS[client], host, name=name, scope=scope)
    return _finish(CLIENTS[client], changes, only_print=only_print)


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
) -> Output:
    scope = choice.scope or client.default_scope
    check_scope(client, host, scope)
    program = PORTABLE if choice.portable else this_program()
    db = _store(session, client, host, choice=choice, scope=scope)
    has_plugin = _gets_commands(client, scope, choice)
    groups = choice.groups or (_WITH_COMMANDS if has_plugin else None)
    words = server_words(program, db=db, groups=groups, read_only=choice.read_only)
    line = hook_line(program, db=db) if choice.hook else None
    begin = session_line(program, db=db) if has_plugin else None
    keeps = _keeps(client, host, choice=choice, scope=scope)
    said = turn_line(program, db=db) if keeps else None
    wish = Wish(scope, choice.name, words, line, begin, command_line(program), said)
    changes = plan_setup(client, host, wish)
    notes = [*_notes(client, host, program, scope=scope, name=choice.name)]
    if _has_password(session):
        notes.append(
            "the password of the address is not written into the client's file: give it to the "
            "client's processes by ~/.pgpass, or by the variable PGPASSWORD"
        )
    if choice.plugin and client.extras is not None and not has_plugin:
        notes.append("no commands and no skill: they call tools of decisions that write")
    told = {
        "scope": scope,
        "name": choice.name,
        "command": words,
        "db": db,
        "hook": line if client.hook is not None else None,
        "conversations": keeps,
        "plugin": has_plugin,
    }
    return _finish(client, changes, only_print=only_print, told=told, notes=notes)


def _keeps(client: Client, host: ClientHost, *, choice: Choice, scope: Scope) -> bool:
    """Tell whether a client shall keep what is said: as the user says now, or said before."""
    if choice.conversations is None:
        return keeps_conversations(client, host, scope)
    if choice.conversations and client.hook is None and client.turn_plugins is None:
        raise strata.InvalidArgument(
            f"{client.title} has no hooks that could keep what is said.",
            hint="`strata conversations import` takes it in from its files, where it has some.",
            parameter="conversations",
        )
    return choice.conversations


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
        if is_address(given):
            return parse_address(given).display  # a file of a client is no place for a password
        return os.path.abspath(Path(given).expanduser())  # noqa: PTH100  (keeps links as they are)
    if scope == "user":
        return str(host.user_store)
    if client.starts_in_project:
        return None
    if choice.portable and client.project_word is not None:
        return f"{client.project_word}/.strata/store.db"
    assert host.project is not None, "the scope was checked"
    # Of a git worktree, the main checkout's: the worktree may be removed.
    return strata.locate_store(start=Path(host.project)).display


def _has_password(session: Invocation) -> bool:
    given = session.db or os.environ.get("STRATA_DB")
    return is_address(given) and parse_address(given).has_password


def _check_per_project(client: Client, session: Invocation, scope: Scope) -> None:
    if scope == "project":
        raise click.UsageError("--per-project belongs to --scope user.")
    if session.db is not None:
        raise click.UsageError("--per-project and --db exclude each other.")
    if "project" not in client.files or not client.starts_in_project:
        raise click.UsageError(f"{client.title} does not start servers in the project's folder.")


def _finish(
    client: Client,
    changes: Sequence[FileChange],
    *,
    only_print: bool,
    told: Mapping[str, object] | None = None,
    notes: Sequence[str] = (),
) -> Output:
    """Make the changes unless they are only to be shown; without `told` they are an undo."""
    if not only_print:
        carry_out(changes)
    undo = told is None
    touched = [change for change in changes if change.state != "unchanged"]
    lines = [line for change in touched if not _is_whole(change) for line in _diff(change)]
    lines += _summary(client, changes, touched, only_print=only_print, undo=undo)
    next_step: list[str] = []
    if touched and told is not None and not only_print:
        of_user = client.next_step_of_user if told["scope"] == "user" else None
        next_step = [of_user or client.next_step]
    return Output(
        {
            "client": client.name,
            "changed": bool(touched) and not only_print,
            **(told or {}),
            "files": [_described(change) for change in changes if change in touched or not undo],
            "notes": notes,
        },
        lines,
        notes=[*notes, *next_step],
    )


def _summary(
    client: Client,
    changes: Sequence[FileChange],
    touched: Sequence[FileChange],
    *,
    only_print: bool,
    undo: bool,
) -> Iterator[str]:
    """Say in a line for each file what was done or would be."""
    if not touched:
        yield f"{client.title}: {'there is nothing to undo' if undo else 'already set up'}"
        if undo:
            return
    words = _WOULD if only_print else _DONE
    for change in touched or changes:
        if _is_whole(change):
            continue
        about = " and ".join(change.about)
        kept = ""
        if change.backup is not None and change.state == "changed":
            kept = f"; as it was: {change.backup.name}"
        told = words[change.state].format(path=change.path)
        yield f"{client.title}: {one_line(told)}{f' ({about})' if about else ''}{kept}"

    yield from _whole_files(client, touched or changes, words)


def _is_whole(change: FileChange) -> bool:
    """Tell whether a file is one of our commands: many, and each ours from end to end."""
    return change.about == ("command",)


def _whole_files(
    client: Client, changes: Sequence[FileChange], words: Mapping[str, str]
) -> Iterator[str]:
    """Say of our commands in a line how many there are, and where."""
    states: dict[str, list[Path]] = {}
    for change in filter(_is_whole, changes):
        states.setdefault(change.state, []).append(change.path)
    for state, paths in states.items():
        folder = os.path.commonpath([path.parent for path in paths])
        files = f"{plural(len(paths), 'command file')} in {folder}"
        told = words[state].format(path=files).partition(", which")[0]
        yield f"{client.title}: {one_line(told.replace(' is as it ', ' are as they '))}"


def _described(change: FileChange) -> dict[str, object]:
    """Return the JSON of a file."""
    return {
        "path": change.path,
        "about": change.about,
        "state": change.state,
        "backup": change.backup,
        "diff": "\n".join(_plain_diff(change)),
    }


def _diff(change: FileChange) -> Iterator[str]:
    """Return the lines that change, in colours."""
    colors = {"+": "green", "-": "red"}
    for line in _plain_diff(change):
        is_mark = line.startswith(("+++", "---"))
        yield line if is_mark else click.style(line, fg=colors.get(line[:1]))


def _plain_diff(change: FileChange) -> Iterator[str]:
    if change.before == change.after:
        return
    before, after = (_lines(data) for data in (change.before, change.after))
    yield f"--- {change.path if change.before is not None else 'nothing'}"
    yield f"+++ {change.path if change.after is not None else 'nothing'}"
    # Only the lines that change: the lines around them may hold a secret of another server. One
    # that only got or lost a comma is such a line, too.
    for line in _without_commas(list(unified_diff(before, after, n=0, lineterm=""))[2:]):
        is_short = len(line) <= _SHOWN_MAX
        yield line if is_short else f"{line[:1]} … ({len(line) - 1:,} characters)"


def _without_commas(lines: Sequence[str]) -> Iterator[str]:
    """Leave out pairs of lines that differ in a comma only."""
    removed, added = (
        Counter(line[1:].replace(",", "") for line in lines if line[0] == sign) for sign in "-+"
    )
    hidden = {"-": removed & added, "+": removed & added, "@": Counter[str]()}
    for line in lines:
        bare = line[1:].replace(",", "")
        if hidden[line[0]][bare]:
            hidden[line[0]][bare] -= 1
        else:
            yield line


def _lines(data: bytes | None) -> list[str]:
    return (data or b"").decode("utf-8-sig").splitlines()


def _list(host: ClientHost, *, name: str) -> Output:
    found = [
        ClientStatus(
            client=client.name,
            title=client.title,
            installed=seems_installed(client, host),
            set_up=tuple(scopes_set_up(client, host, name=name)),
            scopes=tuple(client.files),
            hook=client.hook is not None,
        )
        for client in CLIENTS.values()
    ]
    rows = [
        (
            one.client,
            "seems so" if one.installed else "-",
            ", ".join(one.set_up) or "-",
            ", ".join(one.scopes),
        )
        for one in found
    ]
    return Output({"clients": found}, table(("CLIENT", "INSTALLED", "SET UP", "SCOPES"), rows))
