"""Tokens for servers that are remotes: in the user's own folder, never in a store."""

import os
from contextlib import suppress
from pathlib import Path

import msgspec

from strata.base import ids
from strata.base.errors import InvalidArgument
from strata.base.folder_lock import holding

_FILE = "remote-tokens.json"
VARIABLE = "STRATA_REMOTE_TOKEN"


def token_for(folder: Path, address: str) -> str | None:
    """Return the token for a server: of the environment, or one that was kept for it."""
    given = os.environ.get(VARIABLE)
    if given:
        return check_token(given, f"The variable {VARIABLE}")
    return stored_token(folder, address)


def stored_token(folder: Path, address: str) -> str | None:
    """Return the token that was kept for a server, or None."""
    return _read(folder).get(address)


def keep_token(folder: Path, address: str, token: str | None) -> None:
    """Keep the token for a server in a file that only this user may read; None forgets it."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    part = folder / f".{_FILE}.{ids.token()}"
    with holding(folder, waits=True):  # another process may keep one, too
        kept = _read(folder)
        kept.pop(address, None)
        if token is not None:
            kept[address] = token
        descriptor = os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(msgspec.json.encode(kept))
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


def _read(folder: Path) -> dict[str, str]:
    with suppress(OSError, msgspec.MsgspecError):
        return msgspec.json.decode((folder / _FILE).read_bytes(), type=dict[str, str])
    return {}
