"""A workspace over a store that a test has made itself, with a clock of its own perhaps."""

from strata.access import FULL, OWNER
from strata.search import Sealer
from strata.store import Store
from strata.workspace import Workspace
from strata.workspace.late import LateFollowers
from strata.workspace.viewpoint import Viewpoint


def workspace_over(store: Store, *, timezone: str | None = None) -> Workspace:
    """Return the handle that the owner of a store's file has."""
    viewpoint = Viewpoint(branch="default", space="default", user=OWNER, cap=FULL, is_whole=True)
    view = viewpoint.view_of(store)
    return Workspace(view, LateFollowers(store), viewpoint, timezone=timezone)


class OwnTurn:
    """The right to work, where no other process is there to have it."""

    def take(self) -> bool:
        return True

    def release(self) -> None:
        pass

    def abandon(self) -> None:
        pass


def seal(store: Store) -> None:
    """Seal what there is to seal of the text index."""
    Sealer(store, OwnTurn()).catch_up()
