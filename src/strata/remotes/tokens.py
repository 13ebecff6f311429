"""Tokens for servers that are remotes: in the user's own folder, never in a store."""

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import msgspec

from strata.base import ids
from strata.base.errors import InvalidArgument
from strata.base.folder_lock import holding

_FILE = "remote-tokens.json"
VARIABLE = "STRATA_REMOTE_TOKEN"


class ServerToken(msgspec.Struct, frozen=True):
    """A token for a server, and the ids of the stores that have the server as a remote."""

    token: str
    stores: frozenset[str] = frozenset()


def token_for(folder: Path, address: str) -> str | None:
    """Return the token for a server: of the environment, or one that was kept for it."""
    given = os.environ.get(VARIABLE)
    if given:
        return check_token(given, f"The variable {VARIABLE}")
    kept = stored_token(folder, address)
    return None if kept is None else kept.token


def stored_token(folder: Path, address: str) -> ServerToken | None:
    """Return what is kept for a server, or None."""
    return _read(folder).get(address)


def keep_token(folder: Path, address: str, token: str | None, *, store: str) -> None:
    """Keep the token that a store has for a server; without one, the store uses what is kept."""

    def keep(kept: ServerToken | None) -> ServerToken | None:
        known = kept or ServerToken("")
        used = ServerToken(token or known.token, known.stores | {store})
        return used if used.token else None

    _change(folder, address, keep)


def forget_token(folder: Path, address: str, *, store: str) -> None:
    """Forget the token that a store had for a server, unless another store uses it."""

    def forget(kept: ServerToken | None) -> ServerToken | None:
        left = kept.stores - {store} if kept else frozenset[str]()
        return ServerToken(kept.token, left) if kept and left else None

    _change(folder, address, forget)


def put_token_back(folder: Path, address: str, kept: ServerToken | None) -> None:
    """Keep for a server what was kept before, or nothing."""
    _change(folder, address, lambda _kept: kept)


def _change(
    folder: Path, address: str, change: Callable[[ServerToken | None], ServerToken | None]
) -> None:
    """Change what is kept for a server, in a file that only this user may read."""
    if change(stored_token(folder, address)) == stored_token(folder, address):
        return
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    part = folder / f".{_FILE}.{ids.token()}"
    with holding(folder, waits=True):  # another process may keep one, too
        known = _read(folder)
        kept = change(known.pop(address, None))
        if kept is not None:
            known[address] = kept
        descriptor = os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(msgspec.json.encode(known))
        part.replace(folder / _FILE)


def check_token(token: str, what: str = "The token") -> str:
    """Return a token without the spaces around it; refuse what a request could not carry."""
    found = token.strip()
    if not found or not found.isascii() or not found.isprintable() or " " in found:
        raise InvalidArgument(
            f"{what} is {'not a token' if found else 'empty'}.",
            hint="Pass what `strata token create` printed on the server: it begins with strata_.",
            parameter="token",
        )
    return found


def _read(folder: Path) -> dict[str, ServerToken]:
    with suppress(OSError, msgspec.MsgspecError):
        content = (folder / _FILE).read_bytes()
        # Earlier programs kept the token alone.
        found = msgspec.json.decode(content, type=dict[str, ServerToken | str])
        return {
            address: ServerToken(one) if isinstance(one, str) else one
            for address, one in found.items()
        }
    return {}
