"""The user a workspace acts for, what they may do, and what of the store they see."""

from functools import cached_property
from typing import Literal, TypeAlias

from strata.access import Cap, Permissions, User, owner_of
from strata.base.errors import NotAllowed
from strata.store import WHOLE, Store, Visibility
from strata.workspace.visibility import UserVisibility

# A user, or the owner of the store, who is looked up when first needed.
ActingUser: TypeAlias = User | Literal["owner"]


class WorkspaceUser:
    """The user that a workspace acts for; none of what decides about permissions is implied.

    `is_whole` is true for the handle on the file itself, which sees all that the file holds, until
    a user is named to act for.
    """

    def __init__(
        self,
        store: Store,
        user: ActingUser,
        cap: Cap,
        *,
        is_whole: bool,
        only_documents: bool,
    ) -> None:
        self._store = store
        self._user = user
        self._cap = cap
        self.is_whole = is_whole
        self._only_documents = only_documents

    @cached_property
    def permissions(self) -> Permissions:
        """What the user may do."""
        user = self._user if isinstance(self._user, User) else owner_of(self._store)
        return Permissions(self._store, user, self._cap)

    def visibility(self) -> Visibility:
        """Return what the user sees of the store, for the length of one request."""
        if self.is_whole:
            return WHOLE
        return UserVisibility(self.permissions, only_documents=self._only_documents)

    @property
    def sees_all(self) -> bool:
        """Whether the user may know the settings of the store and other users' agents."""
        return self.is_whole or self.permissions.user.is_owner

    def require_owner(self, what: str, *, why: str = "", hint: str = "") -> None:
        """Raise NotAllowed for a user who must not reach the whole store."""
        if not self.sees_all:
            reason = why or "it holds what is not for everybody"
            raise NotAllowed(
                f"Only the owner of the workspace may {what}: {reason}.",
                hint=hint or "Ask them, or take what you need of it: a document, a key.",
                need="owner",
            )
