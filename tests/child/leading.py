"""Leads paths of stores to workspaces of the tests' server, in the tests and in what they start."""

import os
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

from strata.base import ids
from strata.base.errors import NotFound
from strata.sql import Database, open_database

# The variable with the address of the server. Tests take those of Strata itself away.
ADDRESS = "TESTS_POSTGRES_ADDRESS"
# What a file begins with that takes the place of a store.
_MARK = "a workspace of the tests' server: "


def address_of(path: Path | None) -> str:
    """Return the address of the workspace that takes the place of a file; without one, a new."""
    name = ids.token() if path is None else name_of(path)
    return f"{os.environ[ADDRESS]}&workspace={name}"


def name_of(path: Path) -> str:
    """Return the name of the workspace that takes the place of a file."""
    return sha256(str(path.absolute()).encode()).hexdigest()[:24]


def lead_to_server(opening: Any) -> None:
    """Let the module that opens stores find a workspace of the server in place of each file.

    A small file takes the place of the store's, so that programs see that there is one; it names
    the workspace. Where it was copied, the workspace is copied too. Any other file is opened as it
    is: tests put there what is no store.
    """

    def opened(place: Path | str | None, **options: Any) -> Database:
        if isinstance(place, str):
            return open_database(place, **options)
        if place is not None and _is_foreign(place):
            return open_database(place, **options)
        if options.get("durability") == "cache":
            options["durability"] = "standard"
        if place is None:
            return open_database(address_of(None), **options)
        _copy_if_copied(place)
        database = open_database(address_of(place), **options)
        if not place.exists() and not options.get("read_only"):
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(_MARK + name_of(place), encoding="utf-8")
            place.chmod(0o600)
        return database

    opening.open_database = opened


def _is_foreign(place: Path) -> bool:
    if not place.exists():
        return False
    return not place.is_file() or not place.read_bytes().startswith(_MARK.encode())


def _copy_if_copied(place: Path) -> None:
    """Copy the workspace that a file names, if it is not the one of its path."""
    if not place.exists():
        return
    name = place.read_text(encoding="utf-8").removeprefix(_MARK)
    if name == name_of(place):
        return
    from strata.sql.postgres import delete_workspace
    from strata.upkeep import copy_store

    with suppress(NotFound):  # of a file that was here before, and is gone
        delete_workspace(os.environ[ADDRESS], name_of(place))
    source = f"{os.environ[ADDRESS]}&workspace={name}"
    copy_store(source, address_of(place), verify=False)
    place.write_text(_MARK + name_of(place), encoding="utf-8")
