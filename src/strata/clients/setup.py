"""Setting a client up and taking that back: what would change, file by file, and doing it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import msgspec

from strata.base.errors import InvalidArgument, Unusable
from strata.base.values import Json
from strata.clients.catalogue import Client, Scope, entry_of, hook_entry
from strata.clients.extras import WholeFile, extras_of, turn_plugin
from strata.clients.files import (
    backup_of,
    check_unchanged,
    decode,
    keep,
    read_bytes,
    remove_empty,
    replace,
)
from strata.clients.host import ClientHost
from strata.clients.parts import ConfigPart, prompt_hook, server_part, turn_hook
from strata.clients.spans import Unreadable

State = Literal["created", "changed", "unchanged", "restored", "removed"]


class Wish(msgspec.Struct, frozen=True):
    """What a client shall run: the server's words, and a line at every prompt or none.

    With a line for the beginning of a session it also gets our commands, or the skill.
    """

    scope: Scope
    name: str
    words: tuple[str, ...]
    hook_line: str | None
    session_line: str | None = None
    # How the commands name the program.
    command_line: str = "strata"
    # What it runs at the end of a turn, to keep what was said.
    turn_line: str | None = None


class FileChange(msgspec.Struct, frozen=True):
    """What becomes of one file; `after` is None when it is removed.

    Folders that are empty then are removed as well, as far as they lie in `within`.
    """

    path: Path
    about: tuple[str, ...]
    state: State
    before: bytes | None
    after: bytes | None
    backup: Path | None = None
    within: Path | None = None


def plan_setup(client: Client, host: ClientHost, wish: Wish) -> list[FileChange]:
    """Say what setting a client up would change, without changing anything."""
    check_scope(client, host, wish.scope)
    wanted: dict[Path, list[tuple[ConfigPart, Json]]] = {}
    for path, part in _parts(client, host, wish.scope, name=wish.name):
        wanted.setdefault(path, []).append((part, _value(client, wish, part)))
    changes = [_setup_file(path, parts) for path, parts in wanted.items()]
    return [*changes, *_plan_extras(client, host, wish), *_plan_turns(client, host, wish)]


def _plan_turns(client: Client, host: ClientHost, wish: Wish) -> list[FileChange]:
    """Write the plugin that keeps what was said, or take it away where it is not wanted."""
    extra = turn_plugin(client, host, wish.scope, line=wish.turn_line or "")
    if extra is None:
        return []
    if wish.turn_line is not None:
        return [_setup_file(Path(extra.path), [(WholeFile(), extra.text)])]
    change = _undo_extra(Path(extra.path), host, wish.scope)
    return [] if change.state == "unchanged" else [change]


def _plan_extras(client: Client, host: ClientHost, wish: Wish) -> list[FileChange]:
    """Write our commands, or take away those that are not wanted any more."""
    found = extras_of(
        client,
        host,
        wish.scope,
        session_line=wish.session_line or "",
        command_line=wish.command_line,
    )
    if wish.session_line is None:
        changes = [_undo_extra(Path(extra.path), host, wish.scope) for extra in found]
        return [change for change in changes if change.state != "unchanged"]
    part = WholeFile()
    return [_setup_file(Path(extra.path), [(part, extra.text)]) for extra in found]


def plan_undo(
    client: Client, host: ClientHost, *, name: str, scope: Scope | None = None
) -> list[FileChange]:
    """Say what taking it back would change: in one scope, or wherever it was set up."""
    if scope is not None:
        check_scope(client, host, scope)
    scopes: list[Scope] = _scopes(client, host) if scope is None else [scope]
    extras: dict[Path, FileChange] = {}
    # By path and kind: a variable may have led both scopes to the same file.
    files: dict[Path, dict[str, ConfigPart]] = {}
    for one in scopes:
        for path, part in _parts(client, host, one, name=name):
            files.setdefault(path, {})[part.about] = part
        for extra in extras_of(client, host, one, session_line=""):
            path = Path(extra.path)
            extras[path] = _undo_extra(path, host, one)
        if (plugin := turn_plugin(client, host, one)) is not None:
            path = Path(plugin.path)
            extras[path] = _undo_extra(path, host, one)
    changes = [_undo_file(path, list(parts.values())) for path, parts in files.items()]
    return [*changes, *extras.values()]


def carry_out(changes: Sequence[FileChange]) -> None:
    """Make the changes, each file at one stroke."""
    for change in changes:
        if change.state == "unchanged":
            continue
        check_unchanged(change.path, change.before)
        if change.state == "changed" and change.backup is not None:
            keep(change.path)
        replace(change.path, change.after)
        if change.after is None and change.within is not None:
            remove_empty(change.path.parent.parent, change.within)
        if change.state == "restored":
            backup_of(change.path).unlink()


def scopes_set_up(client: Client, host: ClientHost, *, name: str) -> list[Scope]:
    """Return the scopes in which a client starts Strata; a file that is unreadable counts not."""
    found: list[Scope] = []
    for scope in _scopes(client, host):
        path, part = _parts(client, host, scope, name=name)[0]
        data = read_bytes(path)
        try:
            if data is not None and part.read(decode(data)[1]) is not None:
                found.append(scope)
        except Unreadable:
            continue
    return found


def keeps_conversations(client: Client, host: ClientHost, scope: Scope) -> bool:
    """Tell whether a client was set up to keep what is said."""
    plugin = turn_plugin(client, host, scope)
    if plugin is not None:
        data = read_bytes(Path(plugin.path))
        return data is not None and WholeFile().read(data.decode("utf-8", "replace")) is not None
    if client.hook is None or scope not in client.hook.files:
        return False
    data = read_bytes(Path(client.hook.files[scope](host)))
    try:
        return data is not None and turn_hook(client.hook).read(decode(data)[1]) is not None
    except Unreadable:
        return False


def check_scope(client: Client, host: ClientHost, scope: Scope) -> None:
    """Refuse a scope that the client has not, or a project where there is none."""
    if scope not in client.files:
        raise InvalidArgument(
            f"{client.title} has no files of a {scope}.",
            hint=f"Leave --scope out: its file is {client.files['user'](host)}.",
            parameter="scope",
        )
    if scope == "project" and host.project is None:
        raise InvalidArgument(
            "There is no project here.",
            hint="Go to one, make one with `strata init`, or say --scope user.",
            parameter="scope",
        )


def _scopes(client: Client, host: ClientHost) -> list[Scope]:
    return [one for one in client.files if one == "user" or host.project is not None]


def _parts(
    client: Client, host: ClientHost, scope: Scope, *, name: str
) -> list[tuple[Path, ConfigPart]]:
    found = [(Path(client.files[scope](host)), server_part(client, name))]
    if client.hook is not None:
        path = Path(client.hook.files[scope](host))
        found += [(path, prompt_hook(client.hook)), (path, turn_hook(client.hook))]
    return found


def _value(client: Client, wish: Wish, part: ConfigPart) -> Json:
    """Return what a part shall be; None where it shall not be."""
    if part.about == "server":
        return entry_of(client, wish.words)
    assert client.hook is not None, "only then is there such a part"
    line = wish.hook_line if part.about == "hook" else wish.turn_line
    return None if line is None else hook_entry(client.hook, line)


def _setup_file(path: Path, parts: Sequence[tuple[ConfigPart, Json]]) -> FileChange:
    before = read_bytes(path)
    about = tuple(part.about for part, value in parts if value is not None)
    try:
        mark, text = decode(before or b"")
        is_new_here = all(part.read(text) is None for part, _value in parts)
        changed = _written(text, _backup_text(path), parts)
    except Unreadable as error:
        raise _unusable(path, error) from None
    if changed == text:
        return FileChange(path, about, "unchanged", before, before)
    state: State = "created" if before is None else "changed"
    backup = backup_of(path) if before is not None and is_new_here else None
    return FileChange(path, about, state, before, mark + changed.encode(), backup)


def _written(text: str, kept: str, parts: Sequence[tuple[ConfigPart, Json]]) -> str:
    for part, value in parts:
        text = part.clear(text, kept) if value is None else part.write(text, value)
    return text


def _undo_file(path: Path, parts: Sequence[ConfigPart]) -> FileChange:
    before = read_bytes(path)
    kept = read_bytes(backup_of(path))
    try:
        mark, text = decode(before or b"")
        found = [(part, value) for part in parts if (value := part.read(text)) is not None]
        about = tuple(part.about for part, _value in found)
        if before is None or not found:
            return FileChange(path, about, "unchanged", before, before)
        if _is_what_we_wrote(kept, before, found):
            state: State = "removed" if kept is None else "restored"
            source = None if kept is None else backup_of(path)
            return FileChange(path, about, state, before, kept, source)
        cleared = text
        for part, _value in found:
            cleared = part.clear(cleared, _backup_text(path))
    except Unreadable as error:
        raise _unusable(path, error) from None
    if kept is None and cleared.strip() in ("", "{}"):
        return FileChange(path, about, "removed", before, None)
    return FileChange(path, about, "changed", before, mark + cleared.encode())


def _undo_extra(path: Path, host: ClientHost, scope: Scope) -> FileChange:
    """Remove a file that is wholly ours, and the folders that were made for it."""
    root = Path(host.home if scope == "user" or host.project is None else host.project)
    # A variable may have moved the client's folder elsewhere; there its own folder stays.
    within = root if root in path.parents else path.parents[min(3, len(path.parents) - 1)]
    return msgspec.structs.replace(_undo_file(path, [WholeFile()]), within=within)


def _is_what_we_wrote(
    kept: bytes | None, now: bytes, found: Sequence[tuple[ConfigPart, Json]]
) -> bool:
    """Tell whether the file is unchanged since: writing the same again gives the same bytes."""
    try:
        mark, text = decode(kept or b"")
        if any(part.read(text) is not None for part, _value in found):
            return False
        return mark + _written(text, text, found).encode() == now
    except Unreadable:
        return False


def _backup_text(path: Path) -> str:
    """Return the file as it was before Strata came, as far as it is known and readable."""
    try:
        return decode(read_bytes(backup_of(path)) or b"")[1]
    except Unreadable:
        return ""


def _unusable(path: Path, error: Unreadable) -> Unusable:
    place = "" if error.line is None else f", line {error.line}"
    return Unusable(
        f"{path}{place} cannot be changed: {error.message}.",
        hint="Nothing was written. Mend the file first.",
        path=str(path),
        line=error.line,
    )
