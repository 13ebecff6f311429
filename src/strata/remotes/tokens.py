"""Tokens for servers that are remotes: in the user's own folder, never in a store."""

import os
from contextlib import suppress
from pathlib import Path

import msgspec

from strata.base import ids

_FILE = "remote-tokens.json"
VARIABLE = "STRATA_REMOTE_TOKEN"


def token_for(folder: Path, address: str) -> str | None:
    """Return the token for a server: of the environment, or one that was kept for it."""
    return os.environ.get(VARIABLE) or _read(folder).get(address)


def keep_token(folder: Path, address: str, token: str) -> None:
    """Keep the token for a server in a file that only this user may read."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    part = folder / f".{_FILE}.{ids.token()}"
    descriptor = os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(msgspec.json.encode({**_read(folder), address: token}))
    part.replace(folder / _FILE)


def _read(folder: Path) -> dict[str, str]:
    with suppress(OSError, msgspec.MsgspecError):
        return msgspec.json.decode((folder / _FILE).read_bytes(), type=dict[str, str])
    return {}
