"""Where an export reads and an import writes."""

from strata.store import View
from strata.workspace import Workspace


def view_of(db: Workspace) -> View:
    """Return the view behind a workspace.

    The SDK shows values one by one; an export also needs their commits, and an import of any
    size has to be one transaction of the database.
    """
    return db._view  # pyright: ignore[reportPrivateUsage]


def pinned(db: Workspace) -> Workspace:
    """Return the same place as it is now, whatever others write meanwhile."""
    return db if db.as_of is not None else db.at("now")
