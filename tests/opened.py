"""A workspace over a store that a test has made itself, with a clock of its own perhaps."""

from strata.access import FULL, OWNER
from strata.store import Store
from strata.workspace import Workspace
from strata.workspace.followers import Followers
from strata.workspace.viewpoint import Viewpoint


def workspace_over(store: Store, *, timezone: str | None = None) -> Workspace:
    """Return the handle that the owner of a store's file has."""
    viewpoint = Viewpoint(branch="default", space="default", user=OWNER, cap=FULL, is_whole=True)
    view = viewpoint.view_of(store)
    return Workspace(view, Followers(store), viewpoint, timezone=timezone)
