"""Where a workspace reads and writes, and for which user."""

import msgspec

from strata.access import NOBODY, Cap, User, owner_of
from strata.store import Instant, Signature, Store, View
from strata.workspace.user import ActingUser, WorkspaceUser


class Viewpoint(msgspec.Struct, frozen=True, kw_only=True):
    """A branch, a space and perhaps a past moment, and the user whose permissions count.

    Whose permissions count has no default. `actor` and `task` are named on commits, `branch_id`
    finds a branch that was deleted, and `screened` tells whether secrets are refused. With
    `only_documents` nothing else is seen of commits, differences and counts.
    """

    branch: str
    space: str
    user: ActingUser
    cap: Cap
    is_whole: bool
    actor: str | None = None
    task: str | None = None
    instant: Instant | None = None
    branch_id: int | None = None
    screened: bool = True
    only_documents: bool = False

    def view_of(self, store: Store) -> View:
        """Return the store as it is from here."""
        return View(
            store,
            branch=self.branch,
            space=self.space,
            actor=self.actor,
            person=lambda: self._person(store),
            instant=self.instant,
            branch_id=self.branch_id,
            screened=self.screened,
        )

    def _person(self, store: Store) -> Signature:
        """Return the user that commits name, and the task; the file's own handle names no user."""
        if self.is_whole or self.user is NOBODY:
            return Signature(task=self.task)
        user = self.user if isinstance(self.user, User) else owner_of(store)
        return Signature(person=user.id, name=user.name, task=self.task)

    def user_of(self, store: Store) -> WorkspaceUser:
        """Return the user that acts here."""
        return WorkspaceUser(
            store,
            self.user,
            self.cap,
            is_whole=self.is_whole,
            only_documents=self.only_documents,
        )
