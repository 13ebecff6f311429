"""What a shell offers after TAB: names that are in the store."""

from collections.abc import Callable

import click

import strata
from strata.cli.session import Session

_OFFERED_MAX = 100


def complete_branches(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[str]:
    """Offer the branches of the store."""
    return _offer(context, incomplete, lambda db: [found.name for found in db.branches.list()])


def complete_spaces(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[str]:
    """Offer the spaces of the current branch."""
    return _offer(context, incomplete, lambda db: db.spaces.list())


def complete_tags(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[str]:
    """Offer the tags of the store."""
    return _offer(context, incomplete, lambda db: [found.name for found in db.tags.list()])


def complete_keys(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[str]:
    """Offer the keys of the current space, whatever their kind."""

    def keys(db: strata.Workspace) -> list[str]:
        rooms = (db.kv, db.json, db.state)
        return sorted({key for room in rooms for key in room.list(incomplete, limit=_OFFERED_MAX)})

    return _offer(context, incomplete, keys)


def complete_collections(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[str]:
    """Offer the vector collections of the current space."""
    return _offer(context, incomplete, lambda db: [found.name for found in db.vectors.list()])


def _offer(
    context: click.Context, incomplete: str, names: Callable[[strata.Workspace], list[str]]
) -> list[str]:
    try:
        with context.ensure_object(Session).reading() as db:
            found = [name for name in names(db) if name.startswith(incomplete)]
    except (strata.StrataError, OSError):
        return []  # Somebody is typing; there is nothing to say about a store that is not there.
    return found[:_OFFERED_MAX]
