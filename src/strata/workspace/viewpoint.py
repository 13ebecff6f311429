"""Where a workspace reads and writes, and for which user."""

import msgspec

from strata.access import Cap
from strata.store import Instant, Store, View
from strata.workspace.user import ActingUser, WorkspaceUser


class Viewpoint(msgspec.Struct, frozen=True, kw_only=True):
    """A branch, a space and perhaps a past moment, and the user whose permissions count.

    Whose permissions count has no default. `actor` is named on commits, `branch_id` finds a branch
    that was deleted, and `screened` tells whether secrets are refused.
    """

    branch: str
    space: str
    user: ActingUser
    cap: Cap
    is_whole: bool
    actor: str | None = None
    instant: Instant | None = None
    branch_id: int | None = None
    screened: bool = True

    def view_of(self, store: Store) -> View:
        """Return the store as it is from here."""
        return View(
            store,
            branch=self.branch,
            space=self.space,
            actor=self.actor,
            instant=self.instant,
            branch_id=self.branch_id,
            screened=self.screened,
        )

    def user_of(self, store: Store) -> WorkspaceUser:
        """Return the user that acts here."""
        return WorkspaceUser(store, self.user, self.cap, is_whole=self.is_whole)
