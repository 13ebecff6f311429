"""What one user sees of a store: all of it, but of documents only those they may read.

This is the one place that decides. Whatever spans kinds or spaces asks here: differences,
histories, merges, what is taken back, and counts.
"""

from collections.abc import Collection
from functools import cached_property

from strata.access import Permissions, Role
from strata.store import GUARDED, Address

# Documents name what they use of these; by themselves they belong to no user.
_NOBODYS = "blob"
# What came with a folder of files, and documents that agents propose, are stored under the folder
# and seen by users who see it.
_OF_FOLDERS = ("file", "draft")
# How the ids of users begin. Other authors are programs that have the file itself.
_USER = "user_"


class UserVisibility:
    """What one user sees of a store, for the length of one request.

    A caller whose token is for documents sees nothing else, whatever the user may read.
    """

    def __init__(self, rights: Permissions, *, only_documents: bool = False) -> None:
        self._rights = rights
        self._sees_others = not only_documents
        self._visible = rights.visible()
        # Who has which role for a document, or a higher one, as far as it was asked.
        self._roles: dict[tuple[str, Role, str | None], bool] = {}

    @cached_property
    def _folders(self) -> frozenset[str]:
        return frozenset(folder.id for folder in self._rights.folders())

    def shows(self, address: Address) -> bool:
        """Tell whether a key is seen: one of the user's documents, or one of no document."""
        if address[1] not in GUARDED:
            return self._sees_others
        return _owner_of(address) in (self._folders if address[1] in _OF_FOLDERS else self._visible)

    def writable(self, addresses: Collection[Address]) -> list[Address]:
        """Return what may be changed; raise NotAllowed for what is seen, but may not be."""
        found = [at for at in addresses if self.shows(at) or at[1] == _NOBODYS]
        guarded = (at for at in found if at[1] in GUARDED and at[1] != _NOBODYS)
        for owner in dict.fromkeys(map(_owner_of, guarded)):
            if owner in self._visible:
                self._rights.require(owner, "editor", what="change")
            else:
                self._rights.require_place(self._rights.folder(owner), "change files of")
        return found

    def barred(
        self, document: str, authors: Collection[str], *, need: Role = "editor"
    ) -> frozenset[str]:
        """Return the authors who have not the role they need for a document, unless this user has.

        A user who lost the right would else land, by a merge, what they may no longer write. A
        user who has the role answers for what they merge into the document.
        """
        users = [author for author in authors if author.startswith(_USER)]
        if not users or self._has_role(document, need):
            return frozenset()
        return frozenset(one for one in users if not self._has_role(document, need, one))

    def _has_role(self, document: str, role: Role, user: str | None = None) -> bool:
        asked = (document, role, user)
        if asked not in self._roles:
            self._roles[asked] = self._rights.has_role(document, role, user=user)
        return self._roles[asked]


def _owner_of(address: Address) -> str:
    """Return the id of the document, or folder, that a key belongs to."""
    return address[2].partition("/")[0]
