"""What one person sees of a store: all of it, but of documents only those they may read.

This is the one place that decides. Whatever spans kinds or spaces asks here: differences,
histories, merges, what is taken back, and counts.
"""

from collections.abc import Collection

from strata.access import Rights
from strata.store import GUARDED, Address

# Documents name what they use of these; by themselves they are nobody's.
_NOBODYS = "blob"


class PersonalSight:
    """The sight of one person, for the length of one request."""

    def __init__(self, rights: Rights) -> None:
        self._rights = rights
        self._visible = rights.visible()

    def shows(self, address: Address) -> bool:
        """Tell whether a key is seen: every key that is of no document, and one's documents'."""
        return address[1] not in GUARDED or document_of(address) in self._visible

    def writable(self, addresses: Collection[Address]) -> list[Address]:
        """Return what may be changed; raise NotAllowed for what is seen, but may not be."""
        found = [at for at in addresses if self.shows(at) or at[1] == _NOBODYS]
        of_documents = (at for at in found if at[1] in GUARDED and at[1] != _NOBODYS)
        for document in dict.fromkeys(map(document_of, of_documents)):
            self._rights.require(document, "editor", what="change")
        return found


def document_of(address: Address) -> str:
    """Return the id of the document that a key belongs to."""
    return address[2].partition("/")[0]
